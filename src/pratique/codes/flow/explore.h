// The map of risk against utility for codes: a file protected by several methods with several
// settings. Nothing is released; each point says the command that does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/codes/flow/code_input.h"
#include "pratique/kind/run.h"

namespace pratique::codes::flow {

struct ExploreRequest {
  std::string file = {};
  CodeInput codes = {};
  bool rows_are_people = false;  // each value of --patient is somebody else, whatever repeats
  std::string queries = {};      // the workload of are
  std::string out = {};          // a folder
  std::vector<std::uint64_t> ks = {2, 5, 10, 25};
  std::vector<std::uint64_t> ms = {1, 2};
  std::vector<std::string> methods = {"local", "apriori", "suppress", "partition"};
  std::vector<double> suppressions = {0};
  std::optional<double> min_utility = {};
  std::optional<double> max_risk = {};
  std::optional<std::uint64_t> seconds = {};  // no setting is begun after as many
};

// Those whose releases are a record for each patient, made for k, and m or none.
[[nodiscard]] std::vector<std::string> explored_methods();

// Writes ru-map.csv, .svg and .json to the folder `out`. Passes where some setting is within the
// bounds that are given.
[[nodiscard]] Outcome explore(const ExploreRequest& request, const Run& run);

}  // namespace pratique::codes::flow
