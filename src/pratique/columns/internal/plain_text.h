// A text as it is read: digits of any script as those of ASCII, characters of full width as narrow
// ones, dashes as hyphens, blanks as blanks, and without characters that have no width.
#pragma once

#include <string>
#include <string_view>

namespace pratique::columns::internal {

[[nodiscard]] std::string plain_text(std::string_view text);

}  // namespace pratique::columns::internal
