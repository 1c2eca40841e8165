// Rank swapping for columns of numbers or dates (perturbation.h says what it promises).
#pragma once

#include "pratique/tables/method/perturbation.h"

namespace pratique::tables {

[[nodiscard]] Column swap_ranks(const Column& column, const RankSwapping& how, NoiseSource& noise);

}  // namespace pratique::tables
