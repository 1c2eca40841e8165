// Values that differ in spelling alone are one to whoever reads a release, and so to its verifier.
#pragma once

#include <string>
#include <string_view>

namespace pratique::verify {

// A value without what is a matter of writing: capitals, blanks around it and double ones, and of a
// code that begins with a letter and a digit (E11.9) its points.
[[nodiscard]] std::string without_spelling(std::string_view value);

}  // namespace pratique::verify
