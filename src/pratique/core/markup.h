// Text inside HTML and SVG: whatever it holds, it stays text.
#pragma once

#include <string>
#include <string_view>

namespace pratique {

// Good between tags and inside quoted attributes.
[[nodiscard]] std::string escape_markup(std::string_view text);

}  // namespace pratique
