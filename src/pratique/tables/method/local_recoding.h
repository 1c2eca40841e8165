// What the methods share that recode locally: records with equal values may leave with different
// cells, and the classes' boxes may overlap.
#pragma once

#include "pratique/core/progress.h"
#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

// What a method keeps small.
enum class Loss {
  lm,   // loss_metric
  ncp,  // normalized_certainty_penalty
};

}  // namespace pratique::tables
