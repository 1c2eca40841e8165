// Releasing a histogram, and asking one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::dp::flow {

struct HistogramRequest {
  std::string ledger = {};
  std::vector<std::string> columns = {};
  std::vector<std::string> domains = {};
  std::string method = "auto";
  double epsilon = 0;
  double split = 0.5;
  std::optional<double> xi0 = {};
  std::optional<double> xi1 = {};
  std::string counts = {};  // a column that says how many rows each row stands for
  std::string analyst = {};
  std::optional<std::uint64_t> insecure_seed = {};
  std::string out = {};
};
// Charges, counts, publishes. The release is a table: COLUMN_low and COLUMN_high for each column
// (equal where one value is meant), then count. What is not in it counts 0.
[[nodiscard]] Outcome histogram(const HistogramRequest& request, const Run& run);

struct AskRequest {
  std::string histogram = {};
  std::string where = {};
  std::string sum = {};      // of this column
  std::string average = {};  // of this column; neither: a count
};
// From the release alone.
[[nodiscard]] Outcome ask(const AskRequest& request, const Run& run);

}  // namespace pratique::dp::flow
