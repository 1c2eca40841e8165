#include "pratique/codes/flow/code_input.h"

#include <fmt/format.h>

#include "pratique/core/error.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/code_systems.h"

namespace pratique::codes::flow {

Source CodeInput::open(const Run& run, const std::string& path) const {
  const bool sets = format.empty() ? path.ends_with(".dat") : format == "sets";
  return sets ? run.engine.open_sets(path, run.progress) : run.open(path);
}

codes::CodeFile CodeInput::read(const Run& run, const std::string& path) const {
  codes::CodeFile file = codes::read_code_file(run.engine, open(run, path), columns, run.progress);
  file.spelling = spelling_of(file.sets, hierarchy);
  if (file.spelling) file.respelled = respell(file.sets, *file.spelling);
  return file;
}

codes::CodeFile CodeInput::read(const Run& run, const std::string& path,
                                const std::optional<Spelling>& spelling) const {
  codes::CodeFile file = codes::read_code_file(run.engine, open(run, path), columns, run.progress);
  file.spelling = spelling;
  if (spelling) file.respelled = respell(file.sets, *spelling);
  return file;
}

std::string CodeInput::hierarchy_for(const std::string& who, const codes::CodeFile& file) const {
  if (!hierarchy.empty()) return hierarchy;
  if (file.spelling) return std::string(file.spelling->system->name);
  throw Error::input(fmt::format("{} generalises and needs a hierarchy", who))
      .at(file.source.name)
      .hint(
          fmt::format("Give --hierarchy with a CSV file that has a line per code, leaf first, root "
                      "last, or a system of codes. Of those here, {}.",
                      fit_of_code_systems(file.sets.codes, file.sets.supports())));
}

std::vector<std::string> CodeInput::other_files() const {
  if (hierarchy.empty() || is_builtin_hierarchy(hierarchy)) return {};
  return {hierarchy};
}

}  // namespace pratique::codes::flow
