// What each column is: its role and its hierarchy, from flags or a YAML file.
//
//   quasi_identifiers: [age, zip]
//   sensitive: [diagnosis]
//   identifiers: [name]
//   insensitive: [ward]
//   hierarchies:
//     age: interval:5,10,20
//     zip: prefix
//   models:                      # a list of such maps says the same
//     k: 5
//     l: [3@diagnosis, 2@ward]   # what the flags --k, --l, ... take (tables/model/model_kind.h)
//     diversity: entropy
//
// A column's name may have any sign in it. A key without a value says nothing. Unknown and doubled
// keys, a column with two roles and a hierarchy over an identifier are errors: a word that is
// silently ignored could release a name.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pratique {

enum class Role { identifier, quasi_identifier, sensitive, insensitive };

[[nodiscard]] std::string_view to_string(Role role);

// One word about a privacy model, as a flag or YAML has it: l and 3@diagnosis.
struct ModelSetting {
  std::string key;
  std::string value;
  std::string place = {};  // of the value in its file; empty for a flag

  friend bool operator==(const ModelSetting&, const ModelSetting&) = default;
};

struct Schema {
  // The keys of its YAML form.
  static constexpr std::array<std::string_view, 6> kKeys = {
      "identifiers", "quasi_identifiers", "sensitive", "insensitive", "hierarchies", "models"};

  std::vector<std::string> identifiers;
  std::vector<std::string> quasi_identifiers;
  std::vector<std::string> sensitive;
  std::vector<std::string> insensitive;
  std::map<std::string, std::string> hierarchies;  // column to SPEC
  std::vector<ModelSetting> models;                // in the order given; a key may be here again

  // Whether the file may hold settings of others (data/settings.h), whose reader looks at them;
  // `identifiers: pseudonym` is one, too.
  enum class OtherKeys { refused, allowed };
  // `model_keys` are those that `models` may have: the models know them. Errors are placed at
  // PLACE:LINE:COLUMN and name the key.
  static Schema parse_yaml(std::string_view text, const std::string& place,
                           const std::vector<std::string>& model_keys,
                           OtherKeys others = OtherKeys::refused);
  static Schema read_yaml(const std::string& path, const std::vector<std::string>& model_keys,
                          OtherKeys others = OtherKeys::refused);

  // Later words win: a role that flags name columns for replaces that role of the file, a column
  // that flags name leaves its other role, hierarchies are replaced one by one, and so are the keys
  // of models.
  void override_with(const Schema& flags);
  [[nodiscard]] Role role_of(std::string_view column) const;
  // Whether a role was given to it.
  [[nodiscard]] bool names(std::string_view column) const;
  void give_role(const std::string& column, Role role);
  // Every column named here is one of `columns`, has one role, and is no identifier if it has a
  // hierarchy.
  void check_against(const std::vector<std::string>& columns, const std::string& place) const;
};

}  // namespace pratique
