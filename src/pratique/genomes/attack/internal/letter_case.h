// Capitals and small letters of UTF-8 text: Latin with accents, Greek and Cyrillic, as names have
// them. What is none of these stays.
#pragma once

#include <string>
#include <string_view>

namespace pratique::genomes {

[[nodiscard]] std::string small_letters_of(std::string_view text);
[[nodiscard]] std::string capitals_of(std::string_view text);  // a sharp s is SS

}  // namespace pratique::genomes
