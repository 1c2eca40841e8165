// Clinical text as a kind of data; see kind/kind.h.
#pragma once

#include <span>
#include <string_view>

#include "pratique/kind/kind.h"

namespace pratique::notes {

[[nodiscard]] release::Kind kind();
[[nodiscard]] std::span<const Figure> figures();
// Results that leave with the manifest: what follows from the released file.
[[nodiscard]] std::span<const std::string_view> told_results();

}  // namespace pratique::notes
