// A YAML file of settings by name: suppression: 0.02, ks: [2, 5], levels: {age: 2}.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pratique {

struct Setting {
  std::string key;
  std::vector<std::string> values;  // of a list; a map gives KEY=VALUE
  std::string place;                // FILE:LINE:COLUMN of the value
};

// The settings among `names`; keys among `others` are somebody else's. A key without a value says
// nothing. Throws Error, placed, for any other key and for a key that is there twice.
[[nodiscard]] std::vector<Setting> parse_settings(std::string_view text, const std::string& place,
                                                  const std::vector<std::string>& names,
                                                  const std::vector<std::string>& others);

// COLUMN=VALUE pairs of an option that may be repeated; `option` names it in errors.
[[nodiscard]] std::map<std::string, std::string> column_values(
    const std::vector<std::string>& pairs, const std::string& option);

}  // namespace pratique
