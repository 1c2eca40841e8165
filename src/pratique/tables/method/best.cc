#include "pratique/tables/method/best.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/tables/method/internal/release_cost.h"

namespace pratique::tables {

Protected best_of_methods(const ProtectionInput& input, const Models& models, const Method& method,
                          Progress& progress) {
  constexpr double kSeconds = 60;
  const auto began = std::chrono::steady_clock::now();
  const auto left = [&] {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    return method.time_limit.value_or(kSeconds) - took.count();
  };
  const auto cost = internal::cost_by_metric(input, models, method);
  // Of a lattice that is too large, not every node is measured; and some ask for a population.
  const bool measured = method.metric == "um" || method.metric == "cm" || method.metric == "are";
  std::optional<Protected> best;
  double least = 0;
  std::string winner;
  std::vector<std::string> others;
  std::optional<Error> refusal;
  for (const char* name : {"mondrian", "cluster-down", "cluster-up", "optimal", "local"}) {
    if (best && left() <= 0) {
      others.push_back(fmt::format("{} not run for lack of time", name));
      continue;
    }
    Method each = method;
    each.name = name;
    each.style = style_of(method);
    if (method.time_limit) each.time_limit = std::max(0.1, left());
    try {
      Protected released = find_method(name).run(input, models, each, progress);
      if (released.recoding.groups.empty()) continue;
      // What no levels can beat, others may.
      released.lower_bound.reset();
      const double loss = cost(released.recoding);
      const bool better = !best || loss < least;
      if (best) {
        others.push_back(fmt::format("{} {:.4g}", better ? winner : name, better ? least : loss));
      }
      if (!better) continue;
      best = std::move(released);
      least = loss;
      winner = name;
    } catch (const Error& error) {
      const bool unsatisfied = error.code() == ErrorCode::check_failed;
      if (!unsatisfied && !(measured && each.name == "optimal")) throw;
      others.push_back(unsatisfied ? fmt::format("{} cannot satisfy the models", name)
                                   : fmt::format("{} not run: {}", name, error.message()));
      if (!refusal || unsatisfied) refusal = error;
    }
  }
  if (!best) throw Error(*refusal);
  best->note = fmt::format("{} loses least by {}: {:.4g}{}{}", winner, method.metric, least,
                           others.empty() ? "" : "; ", fmt::join(others, ", "));
  return std::move(*best);
}

}  // namespace pratique::tables
