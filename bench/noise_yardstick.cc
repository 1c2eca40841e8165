// noise_yardstick draws EPSILON: processor seconds for five million discrete Laplace draws on one
// core. noise_yardstick lines PEOPLE SHAPE: mean prefix error (root mean square over 1,024
// prefixes, mean of 200 runs, epsilon 0.1) of flat noise, of HB, of the adaptive estimate
// and of DAWA.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "pratique/dp/histogram/dawa.h"
#include "pratique/dp/histogram/hierarchy_tree.h"
#include "pratique/dp/mechanism/discrete_laplace.h"

namespace {

using namespace pratique;
using namespace pratique::dp;

constexpr int kCells = 1024;

double draws(double epsilon) {
  const DiscreteLaplace laplace(Epsilon::from(epsilon).over(1));
  Noise noise;
  RandomBits random = noise.phase("draws");
  const std::clock_t began = std::clock();
  std::int64_t sum = 0;
  for (int i = 0; i < 5'000'000; ++i) sum += laplace.draw(random);
  const double took = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  return took + (sum == 0x7fffffff ? 1 : 0);  // the sum is used
}

double weight(const std::string& shape, int cell, SeededRandom& random) {
  if (shape == "smooth") return std::exp(-std::pow((cell - 400) / 180.0, 2));
  if (shape == "spiky") return 0.2 + (random.below(30) == 0 ? 20 * random.uniform() : 0);
  if (shape == "sparse") return random.below(kCells) < 8 ? 0.3 + random.uniform() : 0;
  double sum = 0;  // clustered
  for (const int centre : {100, 240, 500, 730, 900}) {
    sum += std::exp(-std::pow((cell - centre) / 5.0, 2));
  }
  return sum;
}

std::vector<std::int64_t> counts_of(const std::string& shape, double people) {
  SeededRandom random(5);
  std::vector<double> weights;
  double all = 0;
  for (int cell = 0; cell < kCells; ++cell)
    all += weights.emplace_back(weight(shape, cell, random));
  std::vector<std::int64_t> counts;
  double sum = 0;
  std::int64_t given = 0;
  for (const double of_cell : weights) {
    sum += of_cell;
    given += counts.emplace_back(std::llround(sum / all * people) - given);
  }
  return counts;
}

double prefix_error(const std::vector<double>& estimate, const std::vector<std::int64_t>& truth) {
  double difference = 0;
  double squares = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    difference += estimate[i] - static_cast<double>(truth[i]);
    squares += difference * difference;
  }
  return std::sqrt(squares / static_cast<double>(truth.size()));
}

}  // namespace

int main(int count, char** words) {
  if (count == 3 && std::string(words[1]) == "draws") {
    fmt::print("{{\"seconds\": {}}}\n", draws(std::atof(words[2])));
    return 0;
  }
  if (count != 4) return 2;
  const auto truth = counts_of(words[3], std::atof(words[2]));
  constexpr int kRuns = 200;
  const Epsilon epsilon = Epsilon::from(0.1);
  const DiscreteLaplace laplace(epsilon.over(1));
  double flat = 0;
  double hb = 0;
  double adaptive = 0;
  double dawa = 0;
  for (int run = 0; run < kRuns; ++run) {
    const auto random = [run] {
      return RandomBits(std::make_unique<SeededNoise>(static_cast<std::uint64_t>(run), 9));
    };
    RandomBits of_flat = random();
    std::vector<double> cells;
    for (const auto exact : truth) {
      cells.push_back(static_cast<double>(exact + laplace.draw(of_flat)));
    }
    flat += prefix_error(cells, truth) / kRuns;
    RandomBits of_hb = random();
    hb +=
        prefix_error(noisy_tree(truth, 1, epsilon, TreeEstimate::consistent, of_hb).cells, truth) /
        kRuns;
    RandomBits of_adaptive = random();
    adaptive +=
        prefix_error(noisy_tree(truth, 1, epsilon, TreeEstimate::adaptive, of_adaptive).cells,
                     truth) /
        kRuns;
    RandomBits of_partition = random();
    RandomBits of_intervals(std::make_unique<SeededNoise>(static_cast<std::uint64_t>(run), 10));
    std::vector<double> spread;
    for (const auto& [first, length, sum] :
         noisy_dawa(truth, 1, epsilon, of_partition, of_intervals).intervals) {
      spread.insert(spread.end(), length, sum / static_cast<double>(length));
    }
    dawa += prefix_error(spread, truth) / kRuns;
  }
  fmt::print("{{\"flat\": {}, \"hb\": {}, \"auto\": {}, \"dawa\": {}}}\n", flat, hb, adaptive,
             dawa);
  return 0;
}
