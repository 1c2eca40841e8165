// What models and figures of fusion are called, and what they mean.
#pragma once

#include <span>

#include "pratique/kind/kind.h"

namespace pratique::fusion {

[[nodiscard]] std::span<const pratique::Figure> figures();
[[nodiscard]] std::span<const release::ModelWords> model_words();

}  // namespace pratique::fusion
