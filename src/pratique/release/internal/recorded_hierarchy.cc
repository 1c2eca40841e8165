#include "pratique/release/internal/recorded_hierarchy.h"

#include "pratique/core/error.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/hierarchy_csv.h"

namespace pratique::release {

std::optional<Hierarchy> recorded_hierarchy(const std::string& spec, const Column& column,
                                            const std::vector<std::uint64_t>& counts) {
  try {
    if (!is_builtin_hierarchy(spec)) return read_hierarchy_csv(spec);
    return make_builtin_hierarchy(spec, column.dictionary, counts, column.name);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace pratique::release
