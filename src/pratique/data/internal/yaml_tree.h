// A YAML document as a small tree that knows where each part stands. Hides the YAML library, and
// keeps hostile text away from it: one document, at most 1 MB, nested at most 20 deep, no aliases.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pratique {

struct YamlNode {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  std::string text;             // of a scalar
  std::vector<YamlNode> items;  // of a list; of a map: key, value, key, value, ...
  std::string place;            // FILE:LINE:COLUMN
};

// Throws Error, placed at PLACE:LINE:COLUMN. A text without a document is null.
[[nodiscard]] YamlNode parse_yaml_tree(std::string_view text, const std::string& place);

}  // namespace pratique
