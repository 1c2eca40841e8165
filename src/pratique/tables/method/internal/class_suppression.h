// What methods have in common that make classes of all records: how they leave some out, and what
// keeps them from doing worse where less is asked.
//
// Small tables. What a greedy search finds under one setting may lose more than what it finds under
// a stricter one. So the search is not asked to satisfy the models: it makes classes of at least j
// records, for each j of a fixed list that is not below what the models need, and the best release
// is made of these classes in a few orders (class_order.h). Neither classes nor orders depend on
// the models and on how much may be suppressed, beyond that a smaller k has more of them: whatever
// is possible under a stricter setting is possible under a weaker one, and of all that is possible
// the best is taken. A k that is not on the list has its own classes beside them; of up to 200
// records every k is on the list.
//
// Large tables. The search satisfies the models by itself. Where all records together break a
// model, those stay out that have the most frequent sensitive values, or that the full-domain node
// leaves out that leaves out fewest. And where it gains: see trimming.h.
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
  std::function<Recoding(const ProtectionInput& input, const Models& models)> run;
  std::function<Recoding(const std::vector<Items>& classes)> write;
  CellStyle style;
  Loss loss;
  bool writes_boxes = true;  // cells lose what LossSpace says of their class
  bool centres = false;      // numbers and dates show a mean or a median
  bool least_loss = true;    // it looks for that, not for what helps with a label or a number
};

// Whether the table is small, and every model and limit such that the best is made of orders.
[[nodiscard]] bool reads_orders(const ProtectionInput& input, const Models& models,
                                const ClassMethod& by);

[[nodiscard]] Protected from_orders(const ProtectionInput& input, const Models& models,
                                    const Method& method, const ClassMethod& by,
                                    Progress& progress);

// Leaves out records where that is allowed and helps.
[[nodiscard]] Protected with_suppression(const ProtectionInput& input, const Models& models,
                                         const Method& method, const ClassMethod& by,
                                         Progress& progress);

}  // namespace pratique::tables::internal
