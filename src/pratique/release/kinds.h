// The kinds of data there are: one line each.
#pragma once

#include <span>
#include <string_view>

#include "pratique/kind/kind.h"

namespace pratique::release {

[[nodiscard]] std::span<const Kind> kinds();
// A kind of somebody else's, for a program that links the library: before anything asks for kinds,
// and while there is one thread. Throws Error where one of its noun is there already.
void add_kind(const Kind& kind);
// Throws Error::input where there is none of that noun: nothing is known of what such a release may
// say, so nobody could check it.
[[nodiscard]] const Kind& kind_of(std::string_view noun);
// Of its manifest, which the error names.
[[nodiscard]] const Kind& kind_of(const ReleaseFile& file);

}  // namespace pratique::release
