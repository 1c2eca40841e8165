// Names of people by lists of names: wherever in a cell and in whatever case they are written.
#pragma once

#include <string_view>

namespace pratique::columns::internal {

// A given name beside a family name or another given name, in either order. Of words that are also
// words of English or of medicine, one is not enough: "may rose" is none, "May Rose Ng" is one.
[[nodiscard]] bool holds_known_name(std::string_view text);

// Whether a word alone is a given or a family name, and whether it is also something else: Brown
// is, and Parkinson.
[[nodiscard]] bool is_known_name(std::string_view word);
[[nodiscard]] bool is_another_word(std::string_view word);

}  // namespace pratique::columns::internal
