// The kinds of data there are: one line each.
#pragma once

#include <span>
#include <string_view>

#include "pratique/kind/kind.h"

namespace pratique::release {

[[nodiscard]] std::span<const Kind> kinds();
// By the kind of a manifest. One that is not known gets the general page: claims, attacks, metrics
// and files.
[[nodiscard]] const Kind& kind_of(std::string_view noun);

}  // namespace pratique::release
