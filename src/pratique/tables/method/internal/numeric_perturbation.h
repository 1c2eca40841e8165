// Noise and rounding for columns of numbers (perturbation.h says what they promise).
#pragma once

#include "pratique/tables/method/perturbation.h"

namespace pratique::tables {

[[nodiscard]] Column add_noise(const Column& column, const AdditiveNoise& how, NoiseSource& noise);
[[nodiscard]] Column round_values(const Column& column, const Rounding& how, NoiseSource& noise);

}  // namespace pratique::tables
