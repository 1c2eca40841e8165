// How alike two names are, from 0 to 1, for names mistyped or misheard: Jaro's comparison of shared
// and transposed characters, raised for a common beginning (Winkler 1990). Compares bytes; bring
// both to one case first.
#pragma once

#include <string_view>

namespace pratique {

[[nodiscard]] double jaro(std::string_view a, std::string_view b);
[[nodiscard]] double jaro_winkler(std::string_view a, std::string_view b);

}  // namespace pratique
