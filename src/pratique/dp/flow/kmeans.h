// Finding clusters of people privately.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::dp::flow {

struct KmeansRequest {
  std::string ledger = {};
  std::vector<std::string> columns = {};
  std::vector<std::string> domains = {};  // LOW..HIGH of each
  std::uint64_t clusters = 2;
  std::uint64_t rounds = 5;
  double epsilon = 0;
  std::string analyst = {};
  std::optional<std::uint64_t> insecure_seed = {};
};
// Charges, then clusters. A row in which a column is no number is in no cluster.
[[nodiscard]] Outcome kmeans(const KmeansRequest& request, const Run& run);

}  // namespace pratique::dp::flow
