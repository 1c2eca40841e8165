#include "pratique/codes/model/internal/unknown_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pratique/data/table.h"

namespace pratique::codes {

Error unknown_name(const std::string& what, const std::string& name,
                   const std::vector<std::string>& names) {
  const auto near = nearest_names(names, name);
  return Error::input(fmt::format("there is no {} '{}'", what, name))
      .hint(near.empty() ? fmt::format("There is: {}.", fmt::join(names, ", "))
                         : fmt::format("Did you mean {}?", fmt::join(near, " or ")));
}

}  // namespace pratique::codes
