// Questions in SQL, and what they would cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::dp::flow {

struct QueryRequest {
  std::string ledger = {};
  std::string sql = {};
  double epsilon = 0;
  std::optional<double> delta = {};  // of groups that are found; none: a tenth of what was agreed
  std::vector<std::string> domains = {};
  std::optional<double> find_bounds = {};  // the share of epsilon for bounds that nobody declared
  std::uint64_t max_groups = 1;
  std::string analyst = {};
  std::optional<std::uint64_t> insecure_seed = {};
};
// Charges, then answers.
[[nodiscard]] Outcome query(const QueryRequest& request, const Run& run);

struct PlanRequest {
  QueryRequest query;
  std::optional<double> epsilon = {};
  std::optional<double> error = {};  // instead of epsilon
  std::uint64_t rows = 1000;         // of a group, as somebody guesses
};
// Reads no row, and charges nothing.
[[nodiscard]] Outcome plan(const PlanRequest& request, const Run& run);

}  // namespace pratique::dp::flow
