#pragma once

#include <string>
#include <string_view>

namespace pratique::columns::internal {

// The expression with ASCII's letters in place of \p{L}, \pL, \p{Lu} and \p{M}. It matches the same
// texts of ASCII, and is compiled in a twentieth of the time: a class of all letters of Unicode, in
// UTF-8, is hundreds of ranges, and a command that looks at a small table would spend a third of
// its time on them.
[[nodiscard]] std::string ascii_expression(std::string_view expression);

[[nodiscard]] bool is_ascii(std::string_view text);

}  // namespace pratique::columns::internal
