// The map of risk against utility: a table protected by several methods at several k.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"
#include "pratique/tables/flow/prepared_table.h"

namespace pratique::tables::flow {

struct ExploreRequest {
  ProtectRequest shared;  // its method and k are those that are tried
  std::vector<std::uint64_t> ks = {2, 3, 5, 10, 25, 50};
  std::vector<std::string> methods = {"optimal", "local", "mondrian"};
  std::optional<double> min_utility = {};
  std::optional<double> max_risk = {};
};

// Writes ru-map.csv, .svg and .json to the folder `shared.out`. Passes where some setting is within
// the bounds that are given.
[[nodiscard]] Outcome explore(const ExploreRequest& request, const Run& run);

}  // namespace pratique::tables::flow
