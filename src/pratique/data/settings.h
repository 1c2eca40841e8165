// Settings by name, in words and in a YAML file: suppression: 0.02, ks: [2, 5], levels: {age: 2}.
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
  bool list = false;                // or a map: its items are never split
};

// The settings among `names`; keys among `others` are somebody else's, and those in both are ours
// where the value is a text. A key without a value says nothing. Throws Error, placed, for any
// other key and for a key that is there twice.
[[nodiscard]] std::vector<Setting> parse_settings(std::string_view text, const std::string& place,
                                                  const std::vector<std::string>& names,
                                                  const std::vector<std::string>& others);

// The items of a list in one word: "a,b" has two, "a\,b" is one with a comma in it.
[[nodiscard]] std::vector<std::string> split_at_commas(std::string_view word);

// COLUMN=VALUE pairs of an option that may be repeated; `option` names it in errors. A name among
// `columns` may have = in it: the longest that fits is meant.
[[nodiscard]] std::map<std::string, std::string> column_values(
    const std::vector<std::string>& pairs, const std::string& option,
    const std::vector<std::string>& columns = {});

}  // namespace pratique
