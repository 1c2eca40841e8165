#include "pratique/trails/attack/internal/match_model.h"

#include <algorithm>
#include <cmath>

namespace pratique::trails {
namespace {

constexpr int kMostRounds = 200;
constexpr double kConverged = 1e-7;

using Counts = std::vector<std::array<double, kAgreements>>;  // per field

// Half a pair more in each cell: nothing seen is not impossible.
std::array<double, kAgreements> shares(const std::array<double, kAgreements>& counts) {
  double sum = 0;
  for (const double count : counts) sum += count + 0.5;
  std::array<double, kAgreements> result = {};
  for (std::size_t a = 0; a < kAgreements; ++a) result[a] = (counts[a] + 0.5) / sum;
  return result;
}

void add(Counts& counts, const Pattern& pattern, double amount) {
  for (std::size_t f = 0; f < counts.size(); ++f) {
    const Agreement agreement = pattern.at(f);
    if (agreement != Agreement::missing) counts[f][static_cast<std::size_t>(agreement)] += amount;
  }
}

}  // namespace

double MatchModel::posterior(const Pattern& pattern) const {
  double log_odds = std::log(prior) - std::log1p(-prior);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (pattern.at(f) == Agreement::missing) continue;
    const auto a = static_cast<std::size_t>(pattern.at(f));
    log_odds += std::log(fields[f].m[a]) - std::log(fields[f].u[a]);
  }
  return 1 / (1 + std::exp(-log_odds));
}

MatchModel estimate(std::vector<FieldWeights> fields, const std::vector<CountedPattern>& blocked,
                    const std::vector<CountedPattern>& random, double all_pairs) {
  MatchModel model{std::move(fields), 0};
  const auto largest_prior = 0.5;
  const auto smallest_prior = 0.5 / all_pairs;
  Counts apart(model.fields.size());
  for (const auto& counted : random) add(apart, counted.pattern, counted.pairs);
  for (std::size_t f = 0; f < model.fields.size(); ++f) {
    model.fields[f].m = {0.8, 0.1, 0.05, 0.05};
    model.fields[f].u = shares(apart[f]);
  }
  // As if every record had one other.
  model.prior = std::clamp(1 / std::sqrt(2 * all_pairs), smallest_prior, largest_prior);
  for (int round = 0; round < kMostRounds; ++round) {
    Counts together(model.fields.size());
    apart.assign(model.fields.size(), {});
    double matches = 0;
    for (const auto& counted : blocked) {
      const double expected = counted.pairs * model.posterior(counted.pattern);
      matches += expected;
      add(together, counted.pattern, expected);
    }
    for (const auto& counted : random) {
      add(apart, counted.pattern, counted.pairs * (1 - model.posterior(counted.pattern)));
    }
    for (std::size_t f = 0; f < model.fields.size(); ++f) {
      model.fields[f].m = shares(together[f]);
      model.fields[f].u = shares(apart[f]);
    }
    const double prior = std::clamp(matches / all_pairs, smallest_prior, largest_prior);
    const bool converged = std::abs(prior - model.prior) < kConverged * prior;
    model.prior = prior;
    if (converged) break;
  }
  return model;
}

}  // namespace pratique::trails
