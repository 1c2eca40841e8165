#include "pratique/verify/columns_together.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pratique::verify {

std::vector<std::string> columns_read_together(const Json& claims) {
  constexpr std::size_t kMostSensitive = 3;
  Json quasi_identifiers;
  std::vector<std::string> sensitive;
  std::size_t about_classes = 0;
  for (const auto& claim : claims) {
    if (!claim.is_object() || !claim.contains("quasi_identifiers")) continue;
    if (claim.contains("person")) return {};
    if (about_classes++ > 0 && claim["quasi_identifiers"] != quasi_identifiers) return {};
    quasi_identifiers = claim["quasi_identifiers"];
    const Json name = claim.value("sensitive", Json());
    if (name.is_string() &&
        std::find(sensitive.begin(), sensitive.end(), name.get<std::string>()) == sensitive.end())
      sensitive.push_back(name.get<std::string>());
  }
  if (about_classes < 2 || sensitive.size() > kMostSensitive || !quasi_identifiers.is_array())
    return {};
  std::vector<std::string> columns;
  for (const auto& name : quasi_identifiers) {
    if (!name.is_string()) return {};
    columns.push_back(name.get<std::string>());
  }
  for (const auto& name : sensitive) {
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  }
  return columns;
}

}  // namespace pratique::verify
