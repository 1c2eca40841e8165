#include "code_options.h"

#include "pratique/data/builtin_hierarchies.h"

namespace pratique::app {

void CodeOptions::add_columns(Verb& verb) {
  verb.column("patient", &columns.patient, "the column that says who");
  verb.column("code", &columns.code, "the column of the codes");
  verb.choice("format", &format, {"long", "sets"},
              "long (CSV or Parquet, a row per patient and code) or sets (a set per line, codes "
              "separated by blanks)")
      .unless_given("sets for .dat, else long");
}

void CodeOptions::add_hierarchy(Verb& verb) {
  verb.file_read("hierarchy", &hierarchy,
                 "over the codes: icd9, flat, or a CSV file (leaf first, root last)");
}

Source CodeOptions::open(Session& session, const std::string& path) const {
  const bool sets = format.empty() ? path.ends_with(".dat") : format == "sets";
  return sets ? session.engine().open_sets(path, session.progress) : session.open(path);
}

codes::CodeFile CodeOptions::read(Session& session, const std::string& path) const {
  return codes::read_code_file(session.engine(), open(session, path), columns, session.progress);
}

std::vector<std::string> CodeOptions::other_files() const {
  if (hierarchy.empty() || is_builtin_hierarchy(hierarchy)) return {};
  return {hierarchy};
}

}  // namespace pratique::app
