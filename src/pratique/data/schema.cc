#include "pratique/data/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "pratique/core/error.h"
#include "pratique/data/table.h"

namespace pratique {
namespace {

using Names = std::vector<std::string>;

struct RoleList {
  Role role;
  Names Schema::*names;
};
constexpr std::array<RoleList, 4> kRoleLists = {{
    {Role::identifier, &Schema::identifiers},
    {Role::quasi_identifier, &Schema::quasi_identifiers},
    {Role::sensitive, &Schema::sensitive},
    {Role::insensitive, &Schema::insensitive},
}};

bool is_in(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string_view to_string(Role role) {
  switch (role) {
    case Role::identifier:
      return "identifier";
    case Role::quasi_identifier:
      return "quasi-identifier";
    case Role::sensitive:
      return "sensitive";
    case Role::insensitive:
      break;
  }
  return "insensitive";
}

void Schema::override_with(const Schema& flags) {
  for (const auto& list : kRoleLists) {
    if (!(flags.*list.names).empty()) (this->*list.names).clear();
    std::erase_if(this->*list.names, [&](const std::string& column) {
      return std::any_of(kRoleLists.begin(), kRoleLists.end(),
                         [&](const RoleList& other) { return is_in(flags.*other.names, column); });
    });
  }
  for (const auto& list : kRoleLists) {
    const Names& named = flags.*list.names;
    (this->*list.names).insert((this->*list.names).end(), named.begin(), named.end());
  }
  for (const auto& [column, spec] : flags.hierarchies) hierarchies[column] = spec;
  std::erase_if(models, [&](const ModelSetting& setting) {
    return std::any_of(flags.models.begin(), flags.models.end(),
                       [&](const ModelSetting& flag) { return flag.key == setting.key; });
  });
  models.insert(models.end(), flags.models.begin(), flags.models.end());
}

Role Schema::role_of(std::string_view column) const {
  const auto* match = std::find_if(kRoleLists.begin(), kRoleLists.end(), [&](const RoleList& list) {
    return is_in(this->*list.names, column);
  });
  return match == kRoleLists.end() ? Role::insensitive : match->role;
}

bool Schema::names(std::string_view column) const {
  return std::any_of(kRoleLists.begin(), kRoleLists.end(),
                     [&](const RoleList& list) { return is_in(this->*list.names, column); });
}

void Schema::give_role(const std::string& column, Role role) {
  for (const auto& list : kRoleLists) {
    if (list.role == role) (this->*list.names).push_back(column);
  }
}

void Schema::check_against(const std::vector<std::string>& columns,
                           const std::string& place) const {
  std::map<std::string_view, Role> roles;
  for (const auto& list : kRoleLists) {
    for (const auto& column : this->*list.names) {
      (void)column_index(columns, column, place);
      const auto [at, is_new] = roles.emplace(column, list.role);
      if (is_new) continue;
      throw Error::input(
          at->second == list.role
              ? fmt::format("column '{}' is named twice as {}", column, to_string(list.role))
              : fmt::format("column '{}' has two roles: {} and {}", column, to_string(at->second),
                            to_string(list.role)))
          .at(place)
          .hint("Give each column one role.");
    }
  }
  for (const auto& [column, spec] : hierarchies) {
    (void)column_index(columns, column, place);
    if (role_of(column) == Role::identifier) {
      throw Error::input(fmt::format("column '{}' is an identifier and has a hierarchy", column))
          .at(place)
          .hint("Identifiers are never released, so they need none; or give it another role.");
    }
  }
}

}  // namespace pratique
