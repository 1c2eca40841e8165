// Values that differ in spelling alone are one to whoever reads a release, and so to its verifier.
#pragma once

#include <string>
#include <string_view>

namespace pratique::verify {

// A value without what is a matter of writing: capitals (of Latin, Greek and Cyrillic letters),
// characters of full width, accents that stand for themselves, blanks of any kind around it and
// double ones, characters that have no width, letters in one (the ligature of fi), digits of other
// scripts, and of a code that begins with a letter and a digit (E11.9, E11-9) what stands between
// its parts. Empty where it says that there is no value (NA, unknown, -). Not for reading:
// letters with accents are taken apart.
[[nodiscard]] std::string without_spelling(std::string_view value);

}  // namespace pratique::verify
