// A run of categories of a classification of codes, such as a section or a chapter.
#pragma once

#include <string>
#include <string_view>

namespace pratique {

struct CodeRange {
  std::string_view first;
  std::string_view last;
  std::string_view name = {};

  // "295-299"; "042" where there is one category.
  [[nodiscard]] std::string label() const {
    std::string label(first);
    if (first != last) label.append("-").append(last);
    return label;
  }
};

}  // namespace pratique
