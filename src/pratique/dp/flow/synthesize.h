// Releasing a synthetic table, and judging one beside the original.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::dp::flow {

struct SynthesizeRequest {
  std::string ledger = {};
  std::string from = {};  // a histogram that was released; no ledger then
  std::string method = "mst";
  std::vector<std::string> columns = {};    // empty: all that have a domain
  std::vector<std::string> domains = {};    // synthesis/attribute.h
  std::vector<std::string> cuts = {};       // columns whose cuts are found: flow/found_attributes.h
  double cuts_share = 0.1;                  // of epsilon, for these
  std::vector<std::string> marginals = {};  // a+b
  std::optional<double> epsilon = {};
  std::optional<double> delta = {};  // none: a tenth of the budget's
  std::optional<std::uint64_t> rows = {};
  std::string analyst = {};
  std::optional<std::uint64_t> insecure_seed = {};
  std::string out = {};
  std::uint64_t memory = 0;  // bytes for the model; 0: 1 GB
};
// Charges, measures, fits, generates, publishes. From a histogram: generates and publishes, which
// costs nothing.
[[nodiscard]] Outcome synthesize(const SynthesizeRequest& request, const Run& run);

struct EvaluateRequest {
  std::string synthetic = {};
  std::string original = {};
  std::string others = {};  // people who were not in the data, for the attack on membership
  std::string label = {};   // what the classifier predicts and the linkage attack guesses
  std::string out = {};     // also written here, for its owner alone
};
// For the steward: everything in it is exact.
[[nodiscard]] Outcome evaluate(const EvaluateRequest& request, const Run& run);

}  // namespace pratique::dp::flow
