#include "pratique/dp/tester/tester.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"

namespace pratique::dp {
namespace {

// How often an output was seen under both data sets.
struct SeenUnder {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};
using SeenOutputs = std::unordered_map<std::string, SeenUnder>;

void count_outputs(const Sampler& sampler, std::uint64_t from, std::uint64_t runs,
                   std::uint64_t SeenUnder::*side, SeenOutputs& seen) {
  for (std::uint64_t run = 0; run < runs; ++run) ++(seen[sampler(from + run)].*side);
}

// Regularised incomplete beta function, by the continued fraction of Lentz.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x)) /
                       a;
  constexpr double kTiny = 1e-300;
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < kTiny ? kTiny : d);
  double fraction = d;
  for (int m = 1; m < 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 + even * d;
    c = 1 + even / c;
    d = 1 / (std::abs(d) < kTiny ? kTiny : d);
    c = std::abs(c) < kTiny ? kTiny : c;
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + odd * d;
    c = 1 + odd / c;
    d = 1 / (std::abs(d) < kTiny ? kTiny : d);
    c = std::abs(c) < kTiny ? kTiny : c;
    const double step = d * c;
    fraction *= step;
    if (std::abs(step - 1) < 1e-15) break;
  }
  return front * fraction;
}

struct Direction {
  double epsilon_bound = 0;
  bool broken = false;
};

// Outputs that are more than factor * e^(share * epsilon) times as likely on one side make up one
// set each: a wide set shows a noise that is a little too small everywhere, a narrow one a rare
// output that tells all.
struct TellingSet {
  double share;
  double factor;
};
constexpr std::array<TellingSet, 6> kTellingSets = {
    {{0, 1}, {0.5, 1}, {1, 1}, {1, 1.5}, {1, 4}, {1, 20}}};

// Whether outputs are more likely on the first side than the second side allows.
Direction look_at(const SeenOutputs& learned, const SeenOutputs& tested, bool first_side,
                  double epsilon, double delta, std::uint64_t runs, double doubt) {
  const auto side = [first_side](const SeenUnder& seen, bool first) {
    return static_cast<double>(first == first_side ? seen.first : seen.second);
  };
  Direction direction;
  for (const auto& [share, factor] : kTellingSets) {
    const double ratio = factor * std::exp(share * epsilon);
    // One more, so that what is merely rare does not look telling.
    const double at_least = factor == 1 ? 0 : 1;
    double here = 0;
    double there = 0;
    for (const auto& [output, seen] : learned) {
      if (side(seen, true) <= ratio * (side(seen, false) + at_least)) continue;
      const auto again = tested.find(output);
      if (again == tested.end()) continue;
      here += side(again->second, true);
      there += side(again->second, false);
    }
    const double low = lower_bound_of_share(static_cast<std::uint64_t>(here), runs, doubt) - delta;
    const double high = upper_bound_of_share(static_cast<std::uint64_t>(there), runs, doubt);
    if (low <= 0) continue;
    const double bound = std::log(low / high);
    direction.epsilon_bound = std::max(direction.epsilon_bound, bound);
    direction.broken = direction.broken || bound > epsilon;
  }
  return direction;
}

}  // namespace

double lower_bound_of_share(std::uint64_t hits, std::uint64_t runs, double doubt) {
  if (hits == 0) return 0;
  const auto a = static_cast<double>(hits);
  const double b = static_cast<double>(runs - hits) + 1;
  double low = 0;
  double high = static_cast<double>(hits) / static_cast<double>(runs);
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (incomplete_beta(a, b, middle) < doubt ? low : high) = middle;
  }
  return low;
}

double upper_bound_of_share(std::uint64_t hits, std::uint64_t runs, double doubt) {
  return 1 - lower_bound_of_share(runs - hits, runs, doubt);
}

TestVerdict test_privacy(const std::vector<NeighbourPair>& pairs, double epsilon, double delta,
                         std::uint64_t runs, Progress& progress) {
  if (pairs.empty() || runs < 2) throw Error::input("nothing to test");
  const std::uint64_t half = runs / 2;
  // Two bounds for each set, in each of two directions of every pair.
  const double doubt = kDoubt / (4.0 * static_cast<double>(kTellingSets.size() * pairs.size()));
  TestVerdict verdict;
  verdict.pairs.resize(pairs.size());
  progress.begin("testing", pairs.size());
  parallel_blocks(pairs.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      progress.check();
      SeenOutputs learned;
      SeenOutputs tested;
      count_outputs(pairs[i].with, 0, half, &SeenUnder::first, learned);
      count_outputs(pairs[i].without, 2 * half, half, &SeenUnder::second, learned);
      count_outputs(pairs[i].with, half, half, &SeenUnder::first, tested);
      count_outputs(pairs[i].without, 3 * half, half, &SeenUnder::second, tested);
      PairVerdict& pair = verdict.pairs[i];
      pair.name = pairs[i].name;
      for (const bool first_side : {true, false}) {
        const Direction direction =
            look_at(learned, tested, first_side, epsilon, delta, half, doubt);
        pair.epsilon_bound = std::max(pair.epsilon_bound, direction.epsilon_bound);
        pair.holds = pair.holds && !direction.broken;
      }
      progress.advance(1);
    }
  });
  for (const auto& pair : verdict.pairs) {
    verdict.holds = verdict.holds && pair.holds;
    verdict.epsilon_bound = std::max(verdict.epsilon_bound, pair.epsilon_bound);
  }
  verdict.runs = 4 * half * pairs.size();
  return verdict;
}

std::string label_of(double output) {
  if (output == 0 || !std::isfinite(output)) return fmt::format("{}", output);
  int exponent = 0;
  const double mantissa = std::frexp(output, &exponent);
  // The place of the last bit that is set.
  auto digits = static_cast<std::int64_t>(std::ldexp(mantissa, 53));
  int last = exponent - 53;
  while (digits % 2 == 0) {
    digits /= 2;
    ++last;
  }
  return fmt::format("{} {}", std::clamp(std::floor(output * 2), -16.0, 16.0), last);
}

}  // namespace pratique::dp
