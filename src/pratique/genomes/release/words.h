// What models and figures of genomes are called, and what they mean, in plain words.
#pragma once

#include <span>
#include <string_view>

#include "pratique/kind/kind.h"

namespace pratique::genomes {

[[nodiscard]] std::span<const release::ModelWords> model_words();
[[nodiscard]] std::span<const Figure> figures();
// Results that follow from the released file alone.
[[nodiscard]] std::span<const std::string_view> told_results();

}  // namespace pratique::genomes
