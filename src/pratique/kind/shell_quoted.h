// A text as a shell takes it for one word, to be pasted.
#pragma once

#include <string>

namespace pratique::release {

[[nodiscard]] std::string shell_quoted(const std::string& argument);

}  // namespace pratique::release
