#include "pratique/tables/method/exhaustive.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/testing/model_kinds_for_test.h"
#include "pratique/tables/testing/protection_for_test.h"

namespace pratique::tables::exhaustive_test {
namespace {

// Every node in lexicographic order, recounted; no pruning.
std::optional<double> least_cost(const ProtectionForTest& world, const Models& models,
                                 double suppression) {
  std::optional<double> best;
  Levels levels(world.hierarchies.size(), 0);
  while (true) {
    const Recoding release = apply_levels(world.input, levels, models);
    const double limit = suppression * static_cast<double>(world.records());
    if (static_cast<double>(release.suppressed) <= limit && release.class_count > 0) {
      const double cost = utility_measure(world.input, release);
      if (!best || cost < *best) best = cost;
    }
    std::size_t a = levels.size();
    while (a > 0 && levels[a - 1] + 1 == world.hierarchies[a - 1].height()) levels[--a] = 0;
    if (a == 0) return best;
    ++levels[a - 1];
  }
}

RC_GTEST_PROP(Exhaustive, IsTheBestOfAllNodes, ()) {
  auto random = any_random();
  const auto world = random_protection(1 + random.below(3), 30, random);
  Models models;
  models.push_back(k_anonymity(1 + random.below(5)));
  if (random.chance(0.5)) models.push_back(std::make_unique<EntropyValues>(1 + random.uniform()));
  if (random.chance(0.3)) {
    models.push_back(std::make_unique<AtMost>(static_cast<double>(1 + random.below(30))));
  }
  ExhaustiveOptions options;
  options.suppression = random.chance(0.4) ? 0 : random.uniform();
  options.cost = [&](const Recoding& recoding) { return utility_measure(world->input, recoding); };
  const auto expected = least_cost(*world, models, options.suppression);
  const auto best = exhaustive(world->input, models, options);
  RC_ASSERT(best.has_value() == expected.has_value());
  if (!best) return;
  RC_ASSERT(best->exact);
  RC_ASSERT(std::abs(best->cost - *expected) < 1e-12);
  const Recoding again = apply_levels(world->input, best->levels, models);
  RC_ASSERT(again.suppressed == best->recoding.suppressed);
}

}  // namespace
}  // namespace pratique::tables::exhaustive_test
