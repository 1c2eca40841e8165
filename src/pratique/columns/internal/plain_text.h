// A text as it is read: digits of any script as those of ASCII, characters of full width as narrow
// ones, dashes as hyphens, blanks as blanks, without characters that have no width, and without
// what keeps a spreadsheet from taking digits for a number: ="02139" and '02139 are 02139.
#pragma once

#include <string>
#include <string_view>

namespace pratique::columns::internal {

[[nodiscard]] std::string plain_text(std::string_view text);
// Whether it is read as something else than what is written.
[[nodiscard]] bool is_plain(std::string_view text);

}  // namespace pratique::columns::internal
