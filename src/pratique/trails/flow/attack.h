// Whose a sample is, by where it was seen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/trails/flow/attack_with_errors.h"
#include "pratique/trails/flow/sides.h"

namespace pratique::trails::flow {

struct AttackRequest {
  Sides sides = {};
  ErrorModelRequest errors = {};
  std::string algorithm = "exact";
  std::optional<std::uint64_t> k = {};
  std::string out = {};
  std::string partners = {};
  std::string probabilities = {};
  std::uint64_t edits = 0;  // de-identified elements within so many are one
  std::string by_rank = {};
  bool leave_one_out = false;
  std::string truth = {};
  std::optional<double> fail_above = {};
};

[[nodiscard]] Outcome attack(const AttackRequest& request, const Run& run);

}  // namespace pratique::trails::flow
