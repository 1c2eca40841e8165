#include "pratique/fusion/composition_posterior.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace pratique::fusion {
namespace {

using Tally = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

// Counts are small nearly always: the first kDense have their place, the others are looked for.
constexpr std::uint64_t kDense = 64;

void count_once(Tally& tally, std::uint64_t count) {
  if (count < kDense) {
    while (tally.size() <= count) tally.emplace_back(tally.size(), 0);
    ++tally[count].second;
    return;
  }
  while (tally.size() < kDense) tally.emplace_back(tally.size(), 0);
  const auto place =
      std::lower_bound(tally.begin() + kDense, tally.end(), std::pair(count, std::uint64_t{0}));
  if (place != tally.end() && place->first == count) {
    ++place->second;
  } else {
    tally.insert(place, {count, 1});
  }
}

// log Gamma(x + count) / Gamma(x), count of them.
double log_rising(const Tally& tally, double x) {
  if (x <= 0) return 0;
  double sum = 0;
  const double base = std::lgamma(x);
  for (const auto& [count, times] : tally) {
    if (count == 0 || times == 0) continue;
    sum += static_cast<double>(times) * (std::lgamma(x + static_cast<double>(count)) - base);
  }
  return sum;
}

}  // namespace

PosteriorRule::PosteriorRule(std::vector<double> g, double strength)
    : g_(std::move(g)), strength_(strength), by_frequency_(g_.size()) {
  std::iota(by_frequency_.begin(), by_frequency_.end(), Value{0});
  std::stable_sort(by_frequency_.begin(), by_frequency_.end(),
                   [&](Value a, Value b) { return g_[a] > g_[b]; });
}

// shares[r]: c_r(v) / n_r.
double PosteriorRule::weight(Value value, double together, double rows,
                             std::span<const double> shares,
                             std::span<const Candidates> releases) const {
  std::array<double, kMostReleases + 1> ways{1};  // e_z
  const std::size_t n = releases.size();
  for (std::size_t r = 0; r < n; ++r) {
    const double in = releases[r].presence * shares[r];
    const double out = 1 - releases[r].presence;
    for (std::size_t z = r + 1; z > 0; --z) ways[z] = ways[z] * out + ways[z - 1] * in;
    ways[0] *= out;
  }
  const double prior = strength_ * g_[value];
  double sum = 0;
  double w = (prior + together) / (strength_ + rows);
  for (std::size_t z = 0; z <= n; ++z) {
    if (ways[z] > 0) sum += ways[z] * w;
    const auto in = static_cast<double>(z);
    const double others = together >= in + 1 ? together - in : together / (in + 1);
    if (prior + others <= 0) break;
    w *= (strength_ + rows - in) / (prior + others);
  }
  return sum;
}

template <class Visit>
double PosteriorRule::for_each_candidate(std::span<const Candidates> releases,
                                         const Visit& visit) const {
  double rows = 0;
  double nowhere = 1;
  for (const auto& release : releases) {
    rows += release.rows;
    nowhere *= 1 - release.presence;
  }
  std::vector<std::size_t> at(releases.size(), 0);
  std::vector<double> shares(releases.size(), 0);
  while (true) {
    Value next = kNoValue;
    for (std::size_t r = 0; r < releases.size(); ++r) {
      if (at[r] < releases[r].values.size()) {
        next = std::min(next, releases[r].values[at[r]].value);
      }
    }
    if (next == kNoValue) break;
    double together = 0;
    for (std::size_t r = 0; r < releases.size(); ++r) {
      shares[r] = 0;
      if (at[r] < releases[r].values.size() && releases[r].values[at[r]].value == next) {
        const double count = releases[r].values[at[r]++].rows;
        together += count;
        shares[r] = count / releases[r].rows;
      }
    }
    visit(next, weight(next, together, rows, shares, releases));
  }
  return nowhere > 0 ? nowhere * strength_ / (strength_ + rows) : 0;
}

Posterior PosteriorRule::posterior(std::span<const Candidates> releases) const {
  Posterior belief;
  double total = 0;
  std::vector<Value> seen;
  double outside = 1;  // of g
  const double per_share = for_each_candidate(releases, [&](Value value, double w) {
    total += w;
    outside -= g_[value];
    seen.push_back(value);
    if (w > belief.largest) {
      belief.largest = w;
      belief.best = value;
    }
  });
  if (per_share > 0 && seen.size() < g_.size()) {
    total += per_share * std::max(outside, 0.0);
    const auto other = std::find_if(by_frequency_.begin(), by_frequency_.end(), [&](Value value) {
      return !std::binary_search(seen.begin(), seen.end(), value);
    });
    if (per_share * g_[*other] > belief.largest) {
      belief.largest = per_share * g_[*other];
      belief.best = *other;
    }
  }
  if (total <= 0) return {};
  belief.largest = std::min(1.0, belief.largest / total);
  return belief;
}

std::vector<double> PosteriorRule::distribution(std::span<const Candidates> releases) const {
  std::vector<double> weights(g_.size(), -1);
  const double per_share =
      for_each_candidate(releases, [&](Value value, double w) { weights[value] = w; });
  double total = 0;
  for (std::size_t v = 0; v < weights.size(); ++v) {
    if (weights[v] < 0) weights[v] = per_share * g_[v];
    total += weights[v];
  }
  if (total <= 0) return {};
  for (auto& w : weights) w /= total;
  return weights;
}

void StrengthFit::add_class(std::span<const ValueCount> values) {
  std::uint64_t size = 0;
  for (const auto& [value, rows] : values) {
    const auto count = static_cast<std::uint64_t>(std::llround(rows));
    if (count == 0) continue;
    size += count;
    count_once(times_[value], count);
  }
  if (size > 0) count_once(sizes_, size);
}

double StrengthFit::log_likelihood(double strength) const {
  double sum = -log_rising(sizes_, strength);
  for (std::size_t v = 0; v < g_.size(); ++v) sum += log_rising(times_[v], strength * g_[v]);
  return sum;
}

double StrengthFit::strength() const {
  constexpr double kGolden = 0.6180339887498949;
  double low = std::log(1e-3);
  double high = std::log(1e6);
  double a = high - kGolden * (high - low);
  double b = low + kGolden * (high - low);
  double at_a = log_likelihood(std::exp(a));
  double at_b = log_likelihood(std::exp(b));
  while (high - low > 1e-3) {
    if (at_a < at_b) {
      low = a;
      a = b;
      at_a = at_b;
      b = low + kGolden * (high - low);
      at_b = log_likelihood(std::exp(b));
    } else {
      high = b;
      b = a;
      at_b = at_a;
      a = high - kGolden * (high - low);
      at_a = log_likelihood(std::exp(a));
    }
  }
  return std::exp((low + high) / 2);
}

}  // namespace pratique::fusion
