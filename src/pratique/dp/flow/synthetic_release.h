// What flows that make synthetic tables share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/dp/flow/synthesize.h"
#include "pratique/dp/synthesis/attribute.h"
#include "pratique/kind/run.h"
#include "pratique/manifest/json_value.h"

namespace pratique::dp::flow {

struct SyntheticTable {
  const std::vector<Attribute>& attributes;
  const std::vector<std::vector<std::uint32_t>>& cells;  // by column, then row
  std::string method;
  double epsilon = 0;
  double delta = 0;
  std::uint64_t max_rows = 1;
  bool is_private = true;
  JsonValue marginals = {};  // that were measured, as texts
  std::vector<Source> inputs = {};
  std::vector<std::string> settings = {};  // files
};
// With its manifest; returns what is told of it.
[[nodiscard]] Json publish_synthetic(const SyntheticTable& table, const std::string& out,
                                     const Run& run);

[[nodiscard]] Outcome synthesize_from_histogram(const SynthesizeRequest& request, const Run& run);

// The ledger, and files with the values of a domain.
[[nodiscard]] std::vector<std::string> files_of_domains(const std::vector<std::string>& domains,
                                                        const std::string& ledger);

}  // namespace pratique::dp::flow
