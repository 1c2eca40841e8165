// A generalised table with noisy counts, by DiffGen (diffgen/diffgen.h), charged to a budget.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::dp::flow {

struct DiffgenRequest {
  std::string file = {};  // must be what the ledger is bound to
  std::string ledger = {};
  std::vector<std::string> quasi_identifiers = {};
  std::vector<std::string> sensitive = {};    // one: the class
  std::vector<std::string> hierarchies = {};  // COLUMN=FILE, of all of these
  std::optional<double> epsilon = {};
  std::uint64_t specialisations = 10;
  std::string analyst = {};
  std::string out = {};
};
// Charges, specialises, counts, publishes. Trees are files, declared without looking at the data;
// built-in ones are made of the data's values and are refused. A row with a value that is in no
// tree is left out.
[[nodiscard]] Outcome diffgen(const DiffgenRequest& request, const Run& run);

}  // namespace pratique::dp::flow
