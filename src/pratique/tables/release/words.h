// What models and figures of tables are called, and what they mean.
#pragma once

#include <span>
#include <string_view>

#include "pratique/kind/kind.h"

namespace pratique::tables {

[[nodiscard]] std::span<const release::ModelWords> model_words();
[[nodiscard]] std::span<const Figure> figures();
// The results that leave with a release: what follows from the released file alone.
[[nodiscard]] std::span<const std::string_view> told_results();
// The same where a column says whose each row is.
[[nodiscard]] std::span<const std::string_view> told_results_of_people();

}  // namespace pratique::tables
