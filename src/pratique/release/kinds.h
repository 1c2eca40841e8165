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
// By the kind of a manifest. One that is not known gets the general page: claims, attacks, metrics
// and files.
[[nodiscard]] const Kind& kind_of(std::string_view noun);

}  // namespace pratique::release
