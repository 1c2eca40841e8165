#include "pratique/dp/bounds/found_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "pratique/dp/histogram/hierarchy_tree.h"
#include "pratique/dp/mechanism/discrete_laplace.h"

namespace pratique::dp {
namespace {

constexpr int kSmallestPower = -16;
constexpr int kLargestPower = 47;
constexpr std::size_t kPowers = kLargestPower - kSmallestPower + 1;
constexpr std::size_t kStepsOfBounds = 64;
constexpr std::size_t kStepsOfCuts = 1024;
constexpr double kDoubtOfBins = 0.01;
// By number of steps: what sums of noise and one person's rows stay below, all of them, with a
// probability of 99 %. By
// Chernoff, P(sum of n >= t) <= M(s)^n e^(-st) for every s below the rate, where M is the moment
// generating function (1 - q)^2 / ((1 - q e^s) (1 - q e^-s)), q = e^-rate. Deviations would not do:
// where epsilon is large, noise is 0 nearly always, and a stray 1 is many of them.
std::vector<double> most_of_noise(std::uint64_t of_one, const DiscreteLaplace& noise) {
  constexpr double kSums = kStepsOfBounds * (kStepsOfBounds + 1) / 2.0;
  constexpr int kTried = 64;
  const double q = std::exp(-noise.rate());
  std::vector<double> most(kStepsOfBounds + 1, std::numeric_limits<double>::infinity());
  for (int i = 1; i < kTried; ++i) {
    const double s = noise.rate() * i / kTried;
    const double log_moment =
        2 * std::log1p(-q) - std::log1p(-q * std::exp(s)) - std::log1p(-q * std::exp(-s));
    for (std::size_t n = 0; n < most.size(); ++n) {
      const double bound =
          (static_cast<double>(n) * log_moment + std::log(kSums / kDoubtOfBins)) / s;
      most[n] = std::min(most[n], bound);
    }
  }
  for (double& sum : most) sum += static_cast<double>(of_one);
  return most;
}

std::size_t step_of(double value, const NumberRange& range, std::size_t steps) {
  const double width = range.high - range.low;
  const double share = width > 0 ? (value - range.low) / width : 0;
  const double step = std::floor(share * static_cast<double>(steps));
  return static_cast<std::size_t>(std::clamp(step, 0.0, static_cast<double>(steps - 1)));
}

struct Outermost {
  std::size_t first = 0;
  std::size_t last = 0;
  bool above_noise = true;
};

// Of the bins above the threshold; where none is, the one with the largest noisy count. One
// person's rows alone, at most `of_one`, do not pass it more easily than noise does.
Outermost outermost(const std::vector<std::int64_t>& counts, std::uint64_t of_one,
                    const DiscreteLaplace& noise, RandomBits& random) {
  const std::int64_t threshold =
      noise.bound(2 * kDoubtOfBins / static_cast<double>(counts.size())) +
      static_cast<std::int64_t>(of_one);
  std::optional<Outermost> above;
  std::size_t largest = 0;
  std::int64_t of_largest = 0;
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    const std::int64_t noisy = counts[bin] + noise.draw(random);
    if (bin == 0 || noisy > of_largest) {
      largest = bin;
      of_largest = noisy;
    }
    if (noisy <= threshold) continue;
    if (!above) above = {bin, bin, true};
    above->last = bin;
  }
  return above.value_or(Outermost{largest, largest, false});
}

// How many steps from the front noise can explain without anybody in them. Sums of noisy counts,
// not single ones: people who are spread over many steps are few in each of them.
std::size_t steps_of_nobody(std::span<const double> noisy, std::span<const double> most) {
  for (std::size_t last = 0; last < noisy.size(); ++last) {
    double sum = 0;
    for (std::size_t first = last + 1; first-- > 0;) {
      sum += noisy[first];
      if (sum > most[last + 1 - first]) return first;
    }
  }
  return noisy.size();
}

}  // namespace

std::size_t magnitude_bins() { return 2 * kPowers + 1; }

std::size_t magnitude_bin(double value) {
  const double magnitude = std::abs(value);
  if (!(magnitude >= std::ldexp(1.0, kSmallestPower))) return kPowers;
  const int power = std::min(std::ilogb(magnitude), kLargestPower);
  const auto from_zero = static_cast<std::size_t>(power - kSmallestPower) + 1;
  return value > 0 ? kPowers + from_zero : kPowers - from_zero;
}

NumberRange magnitudes_in(std::size_t bin) {
  if (bin == kPowers) return {0, 0};
  const bool positive = bin > kPowers;
  const std::size_t from_zero = positive ? bin - kPowers : kPowers - bin;
  const int power = kSmallestPower + static_cast<int>(from_zero) - 1;
  const double near = std::ldexp(1.0, power);
  return positive ? NumberRange{near, 2 * near} : NumberRange{-2 * near, -near};
}

FoundBounds find_bounds(const std::vector<WeightedNumber>& numbers, std::uint64_t max_rows,
                        Epsilon epsilon, RandomBits& of_magnitudes, RandomBits& of_steps) {
  const DiscreteLaplace noise(epsilon.part_of(2).over(max_rows));
  std::vector<std::int64_t> magnitudes(magnitude_bins());
  for (const auto& [value, times] : numbers) {
    magnitudes[magnitude_bin(value)] += static_cast<std::int64_t>(times);
  }
  const Outermost bins = outermost(magnitudes, max_rows, noise, of_magnitudes);
  const NumberRange wide{magnitudes_in(bins.first).low, magnitudes_in(bins.last).high};
  std::vector<std::int64_t> steps(kStepsOfBounds);
  for (const auto& [value, times] : numbers) {
    steps[step_of(value, wide, kStepsOfBounds)] += static_cast<std::int64_t>(times);
  }
  std::vector<double> noisy;
  for (const auto count : steps) {
    noisy.push_back(static_cast<double>(count + noise.draw(of_steps)));
  }
  const std::vector<double> most = most_of_noise(max_rows, noise);
  const std::size_t before = steps_of_nobody(noisy, most);
  std::reverse(noisy.begin(), noisy.end());
  const std::size_t after = steps_of_nobody(noisy, most);
  if (!bins.above_noise || before + after >= kStepsOfBounds) return {wide, bins.above_noise};
  const double width = (wide.high - wide.low) / kStepsOfBounds;
  return {{wide.low + width * static_cast<double>(before),
           wide.low + width * static_cast<double>(kStepsOfBounds - after)},
          true};
}

std::vector<double> find_cuts(const std::vector<WeightedNumber>& numbers, const NumberRange& range,
                              std::size_t parts, std::uint64_t max_rows, Epsilon epsilon,
                              RandomBits& random) {
  std::vector<std::int64_t> counts(kStepsOfCuts);
  for (const auto& [value, times] : numbers) {
    counts[step_of(value, range, kStepsOfCuts)] += static_cast<std::int64_t>(times);
  }
  const auto line = noisy_tree(counts, max_rows, epsilon, TreeEstimate::adaptive, random);
  double left = 0;
  for (const double cell : line.cells) left += std::max(0.0, cell);
  std::vector<double> cuts = {range.low};
  const double width = (range.high - range.low) / kStepsOfCuts;
  if (!(width > 0)) return cuts;
  // A part has its share of what is left, so that one step with very many takes from all others.
  double in_part = 0;
  for (std::size_t step = 0; step + 1 < kStepsOfCuts && cuts.size() < parts; ++step) {
    in_part += std::max(0.0, line.cells[step]);
    if (in_part <= 0 || in_part < left / static_cast<double>(parts - cuts.size() + 1)) continue;
    cuts.push_back(range.low + width * static_cast<double>(step + 1));
    left -= in_part;
    in_part = 0;
  }
  return cuts;
}

}  // namespace pratique::dp
