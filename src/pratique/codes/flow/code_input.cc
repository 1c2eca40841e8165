#include "pratique/codes/flow/code_input.h"

#include "pratique/data/builtin_hierarchies.h"

namespace pratique::codes::flow {

Source CodeInput::open(const Run& run, const std::string& path) const {
  const bool sets = format.empty() ? path.ends_with(".dat") : format == "sets";
  return sets ? run.engine.open_sets(path, run.progress) : run.open(path);
}

codes::CodeFile CodeInput::read(const Run& run, const std::string& path) const {
  return codes::read_code_file(run.engine, open(run, path), columns, run.progress);
}

std::vector<std::string> CodeInput::other_files() const {
  if (hierarchy.empty() || is_builtin_hierarchy(hierarchy)) return {};
  return {hierarchy};
}

}  // namespace pratique::codes::flow
