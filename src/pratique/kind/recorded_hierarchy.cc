#include "pratique/kind/recorded_hierarchy.h"

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/hierarchy_csv.h"

namespace pratique::release {

bool records_hierarchy(const ReleaseFile& file, const std::string& name) {
  const Json& parameters = *file.manifest().parameters;
  return parameters.contains("hierarchies") && parameters["hierarchies"].contains(name);
}

std::optional<Hierarchy> recorded_hierarchy(const ReleaseFile& file, const std::string& name,
                                            const Column& column,
                                            const std::vector<std::uint64_t>& counts) {
  if (!records_hierarchy(file, name)) return std::nullopt;
  const auto spec = file.manifest().parameters->at("hierarchies")[name].get<std::string>();
  try {
    if (is_builtin_hierarchy(spec))
      return make_builtin_hierarchy(spec, column.dictionary, counts, column.name);
    const auto path = file.find_input(spec);
    return path ? std::optional(read_hierarchy_csv(*path)) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace pratique::release
