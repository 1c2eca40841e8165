// GEDCOM as UTF-8, however the program that exported it wrote: UTF-16 (by its mark, or by the
// noughts in "0 HEAD"), ANSEL (Z39.47, the encoding of GEDCOM 5.5, in which an accent stands before
// its letter), or Latin-1, as `1 CHAR` says; anything else is left as it is.
#pragma once

#include <string>
#include <string_view>

namespace pratique::genomes {

// Throws Error::input where UTF-16 ends within a letter.
[[nodiscard]] std::string gedcom_as_utf8(const std::string& name, std::string_view text);

}  // namespace pratique::genomes
