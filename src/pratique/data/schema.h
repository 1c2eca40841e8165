// What each column is: its role and its hierarchy, from flags or a YAML file.
//
//   quasi_identifiers: [age, zip]
//   sensitive: [diagnosis]
//   identifiers: [name]
//   insensitive: [ward]          # so is every column that is not named
//   hierarchies:
//     age: interval:5,10,20
//     zip: prefix
//
// A key without a value says nothing. Unknown and doubled keys, a column with two roles and a
// hierarchy over an identifier are errors: a word that is silently ignored could release a name.
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
  std::vector<std::string> insensitive;
  std::map<std::string, std::string> hierarchies;  // column to SPEC

  // Errors are placed at PLACE:LINE:COLUMN and name the key.
  static Schema parse_yaml(std::string_view text, const std::string& place);
  static Schema read_yaml(const std::string& path);

  // Later words win: a role that flags name columns for replaces that role of the file, a column
  // that flags name leaves its other role, and hierarchies are replaced one by one.
  void override_with(const Schema& flags);
  [[nodiscard]] Role role_of(std::string_view column) const;
  // Every column named here is one of `columns`, has one role, and is no identifier if it has a
  // hierarchy.
  void check_against(const std::vector<std::string>& columns, const std::string& place) const;
};

}  // namespace pratique
