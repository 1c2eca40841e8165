// What models and figures of codes are called, and what they mean.
#pragma once

#include <span>

#include "pratique/kind/kind.h"

namespace pratique::codes {

[[nodiscard]] std::span<const release::ModelWords> model_words();
[[nodiscard]] std::span<const Figure> figures();

}  // namespace pratique::codes
