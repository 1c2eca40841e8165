// Suppression for methods that make classes of all records.
//
// Where all together break a model, those stay out that the full-domain node leaves out that leaves
// out fewest. And where it gains: see trimming.h.
#pragma once

#include <functional>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/tables/method/internal/loss_space.h"
#include "pratique/tables/method/internal/partition.h"
#include "pratique/tables/method/method.h"

namespace pratique::tables::internal {

// Classes of records, however a method makes them, and how it writes them down.
struct ClassMethod {
  std::function<Recoding(const ProtectionInput& input)> run;
  std::function<Recoding(const std::vector<Items>& classes)> write;
  CellStyle style;
  Loss loss;
  bool writes_boxes = true;  // cells lose what LossSpace says of their class
};

// Leaves out records where that is allowed and helps.
[[nodiscard]] Protected with_suppression(const ProtectionInput& input, const Models& models,
                                         const Method& method, const ClassMethod& by,
                                         Progress& progress);

}  // namespace pratique::tables::internal
