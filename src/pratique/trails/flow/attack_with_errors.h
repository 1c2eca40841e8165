// Links with probabilities, for lists that have errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pratique/trails/flow/sides.h"

namespace pratique::trails::flow {

// Lists that are wrong more often than right say nothing.
inline constexpr double kLargestErrorRate = 0.5;

struct ErrorModelRequest {
  std::string errors = {};  // a rate, or a file with a rate per location
  double least = 0.05;
  double certain = 0.95;
  std::optional<std::uint64_t> seed = {};

  [[nodiscard]] bool wanted() const { return !errors.empty(); }
};

// What of the other options of attack concerns it.
struct ErrorAttack {
  const Sides& sides;
  const ErrorModelRequest& options;
  const trails::NamedWorld& read;
  std::string out = {};
  std::string truth = {};
  std::optional<double> fail_above = {};
};

[[nodiscard]] Outcome attack_with_errors(const Run& run, const ErrorAttack& attack);

}  // namespace pratique::trails::flow
