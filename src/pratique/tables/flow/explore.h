// The map of risk against utility: a table protected by several methods at several k.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"
#include "pratique/tables/flow/prepared_table.h"
#include "pratique/tables/metric/ru_map.h"

namespace pratique::tables::flow {

struct ExploreRequest {
  ProtectRequest shared;  // its method and k are those that are tried
  std::vector<std::uint64_t> ks = {2, 3, 5, 10, 25, 50};
  std::vector<std::string> methods = {"optimal", "local", "mondrian"};
  std::optional<double> min_utility = {};
  std::optional<double> max_risk = {};
};

// One setting: the table protected, and what that leaves of risk and detail. Throws as
// tables::protect does.
[[nodiscard]] tables::RuPoint try_setting(PreparedTable& prepared, const tables::Method& method,
                                          std::uint64_t k, Progress& progress);

// Of a large table a first point is told at once: by mondrian, else by the first method that was
// asked for and keeps a time limit, as far as a moment allows, and marked `provisional`. The same
// setting is told again when it is done.
//
// Writes ru-map.csv, .svg and .json to the folder `shared.out`. Passes where some setting is within
// the bounds that are given.
[[nodiscard]] Outcome explore(const ExploreRequest& request, const Run& run);

}  // namespace pratique::tables::flow
