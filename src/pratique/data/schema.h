// What each column is: its role and its hierarchy, from flags or a YAML file.
//
//   quasi_identifiers: [age, zip]
//   sensitive: [diagnosis]
//   identifiers: [name]
//   hierarchies:
//     age: interval:5,10,20
//     zip: prefix
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pratique {

enum class Role { identifier, quasi_identifier, sensitive, insensitive };

[[nodiscard]] std::string_view to_string(Role role);

struct Schema {
  std::vector<std::string> identifiers;
  std::vector<std::string> quasi_identifiers;
  std::vector<std::string> sensitive;
  std::map<std::string, std::string> hierarchies;  // column to SPEC

  // Errors name line, column and key.
  static Schema parse_yaml(std::string_view text, const std::string& place);
  static Schema read_yaml(const std::string& path);

  // Later words win: what flags say replaces what the file said, role by role.
  void override_with(const Schema& flags);
  [[nodiscard]] Role role_of(std::string_view column) const;
  // Every column named here exists and has one role.
  void check_against(const std::vector<std::string>& columns, const std::string& place) const;
};

}  // namespace pratique
