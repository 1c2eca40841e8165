// Constraints over codes, the policies of a release: a constraint per line, its codes separated by
// blanks or tabs; lines without a code and what follows a # are passed over. Or JSON: an object of
// lists ({"u1": ["493.00", "493.01"]}) or a list of lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/code_sets.h"

namespace pratique {

struct CodeConstraint {
  struct Member {
    std::string code;
    std::string place;  // file:line:column, or file and the name in JSON
  };
  std::vector<Member> codes;  // as they stand in the file, each once
};

// Errors name line and column. A file without a constraint is one.
[[nodiscard]] std::vector<CodeConstraint> parse_code_constraints(std::string_view text,
                                                                 const std::string& place);

// Each as codes of the dictionary, ascending. A code that it lacks is an Error with its place and
// the nearest code there is.
[[nodiscard]] std::vector<std::vector<Code>> bind_constraints(
    const std::vector<CodeConstraint>& constraints, const Dictionary& codes);

// A line for each, in the order of their text.
[[nodiscard]] std::string constraints_text(const std::vector<std::vector<Code>>& constraints,
                                           const Dictionary& codes);

// Whether a released set such as (493.00|493.01) can hold the code and be read back.
[[nodiscard]] bool fits_in_a_set(std::string_view code);

}  // namespace pratique
