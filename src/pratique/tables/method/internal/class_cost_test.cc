#include "pratique/tables/method/internal/class_cost.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pratique/tables/method/internal/microaggregated.h"
#include "pratique/tables/method/internal/partition.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/testing/protection_for_test.h"
#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::class_cost_test {
namespace {

using internal::ClassCost;

// Classes drawn at random, and what the metrics say of the cells that are written for them.
RC_GTEST_PROP(ClassCost, IsWhatTheMetricsSay, ()) {
  auto random = any_random();
  ProtectionWorld world = random_world(random, 1 + random.below(25));
  draw_weights(world.input, random);
  const bool centres = random.chance(0.3);
  const auto style = random.chance(0.5) ? CellStyle::labels : CellStyle::free;
  const auto loss = centres || random.chance(0.5) ? Loss::lm : Loss::ncp;
  std::vector<Items> classes(1 + random.below(6));
  for (std::uint32_t group = 0; group < world.input.groups(); ++group)
    classes[random.below(classes.size())].push_back({group, world.counts[group]});
  std::erase_if(classes, [](const Items& items) { return items.empty(); });
  ClassCost cost(world.input, style, loss, centres);
  double sum = 0;
  for (const Items& items : classes) {
    cost.clear();
    for (const Item& item : items) cost.add(item.group);
    // Another one comes and goes.
    const auto guest = static_cast<std::uint32_t>(random.below(world.input.groups()));
    cost.add(guest);
    const double without = cost.cost_without(guest);
    cost.remove(guest);
    RC_ASSERT(without == cost.cost());
    sum += cost.cost() * static_cast<double>(records_in(items));
  }
  const auto recoding = centres
                            ? show_microaggregated(world.input, classes, {.style = style}).recoding
                            : recoding_of(world.input, classes, style);
  const double reported = loss == Loss::ncp ? normalized_certainty_penalty(world.input, recoding)
                                            : loss_metric(world.input, recoding);
  const auto cells = static_cast<double>(records_of(world.input) * world.input.attributes.size());
  RC_ASSERT(std::abs(sum / cells - reported) < 1e-9);
}

}  // namespace
}  // namespace pratique::tables::class_cost_test
