// trails attack --errors: links with probabilities, for lists that have errors.
#pragma once

#include <optional>
#include <string>

#include "command.h"
#include "trail_options.h"

namespace pratique::app {

struct ErrorOptions {
  std::string errors;  // a rate, or a file with a rate per location
  double least = 0.05;
  double certain = 0.95;
  std::optional<std::uint64_t> seed;

  void add(Verb& verb);
  [[nodiscard]] bool wanted() const { return !errors.empty(); }
};

// What of the other options of attack concerns it.
struct ErrorAttack {
  const TrailOptions& sides;
  const ErrorOptions& options;
  const trails::NamedWorld& read;
  std::string out;
  std::string truth;
  std::optional<double> fail_above;
};

[[nodiscard]] int attack_with_errors(Session& session, const ErrorAttack& attack);

}  // namespace pratique::app
