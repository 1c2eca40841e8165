// Endings for the names of temporary files and folders.
#pragma once

#include <string>

namespace pratique {

// 64 random bits in hexadecimal: nobody guesses the name before it is there. Secrets come from
// crypto/random.h, which stands above files.
[[nodiscard]] std::string unique_suffix();

}  // namespace pratique
