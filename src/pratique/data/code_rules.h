// Rules over codes, a line each: "401.2 401.4 -> 295". Who knows the codes on the left must not
// infer those on the right. Empty lines, and lines that begin with #, say nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/dictionary.h"

namespace pratique {

struct CodeRule {
  std::vector<std::string> known;
  std::vector<std::string> inferred;
};

// A line that is no rule is an Error at PLACE:LINE:COLUMN, and so are a code that stands on the
// left of one rule and on the right of one, and a code that `codes` lacks; without `codes` any code
// will do.
[[nodiscard]] std::vector<CodeRule> parse_code_rules(std::string_view text,
                                                     const std::string& place,
                                                     const Dictionary* codes = nullptr);

}  // namespace pratique
