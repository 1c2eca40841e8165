#include "pratique/codes/flow/code_input.h"

#include "pratique/data/builtin_hierarchies.h"

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

std::vector<std::string> CodeInput::other_files() const {
  if (hierarchy.empty() || is_builtin_hierarchy(hierarchy)) return {};
  return {hierarchy};
}

}  // namespace pratique::codes::flow
