// Makes an allocation that keeps k-unlinkability: the chosen method, run several times with ties
// broken differently, and the best of the runs.
#pragma once

#include "pratique/core/progress.h"
#include "pratique/trails/method/best_allocation.h"
#include "pratique/trails/world.h"

namespace pratique::trails {

enum class ProtectMethod { greedy, force, best };

struct ProtectRequest {
  std::size_t k = 2;
  ProtectMethod method = ProtectMethod::best;
  Objective objective = Objective::samples;
  bool secure = false;
  bool keep_copies = false;  // of `best`, when not secure
  std::size_t runs = 25;
  std::uint64_t seed = 0;
};

struct Spread {
  double mean = 0;
  double deviation = 0;  // of the sample: divided by n - 1
};
[[nodiscard]] Spread spread_of(const std::vector<double>& values);

struct Protection {
  Allocation allocation;
  Spread samples;  // over the runs
  Spread locations;
  DisclosureBound bound;
};

[[nodiscard]] Holdings holdings_of(const World& world);

[[nodiscard]] Protection protect(const Holdings& holdings, const ProtectRequest& request,
                                 Progress& progress);

}  // namespace pratique::trails
