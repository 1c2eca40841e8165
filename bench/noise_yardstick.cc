// noise_yardstick draws EPSILON: processor seconds for five million discrete Laplace draws on one
// core. noise_yardstick lines PEOPLE SHAPE: mean prefix error (root mean square over 1,024
// prefixes, mean of 200 runs, epsilon 0.1) of flat noise, of HB, of the adaptive estimate
// and of DAWA. noise_yardstick planes PEOPLE SHAPE: the error of 1,000 random rectangles of
// 128 x 128 cells (root mean square, mean of 20 runs, epsilon 0.1) of flat noise and of every
// method for two columns. noise_yardstick scales SHAPE: that of the kd-tree as a share of the
// people, from a thousand to ten million of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "pratique/dp/histogram/dawa.h"
#include "pratique/dp/histogram/hierarchy_tree.h"
#include "pratique/dp/histogram/histogram.h"
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

constexpr int kSide = 128;

double plane_weight(const std::string& shape, int row, int column, SeededRandom& random) {
  if (shape == "smooth") {
    return std::exp(-std::pow((row - 50) / 25.0, 2) - std::pow((column - 70) / 35.0, 2));
  }
  if (shape == "spiky") return 0.2 + (random.below(30) == 0 ? 20 * random.uniform() : 0);
  if (shape == "sparse")
    return random.below(std::uint64_t{kSide} * kSide) < 20 ? 0.3 + random.uniform() : 0;
  double sum = 0;  // clustered
  for (const auto& [r, c] : {std::pair(20, 30), {70, 90}, {100, 20}, {40, 110}, {90, 100}}) {
    sum += std::exp(-(std::pow(row - r, 2) + std::pow(column - c, 2)) / 16.0);
  }
  return sum;
}

std::vector<std::int64_t> plane_of(const std::string& shape, double people) {
  SeededRandom random(5);
  std::vector<double> weights;
  double all = 0;
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      all += weights.emplace_back(plane_weight(shape, row, column, random));
    }
  }
  std::vector<std::int64_t> counts;
  double sum = 0;
  std::int64_t given = 0;
  for (const double of_cell : weights) {
    sum += of_cell;
    given += counts.emplace_back(std::llround(sum / all * people) - given);
  }
  return counts;
}

// Root mean square over random rectangles.
double rectangle_error(const Histogram& histogram, const std::vector<std::int64_t>& truth) {
  std::vector<double> sums(std::size_t{kSide + 1} * (kSide + 1));
  for (std::size_t i = 0; i < truth.size(); ++i) {
    sums[(i / kSide + 1) * (kSide + 1) + i % kSide + 1] -= static_cast<double>(truth[i]);
  }
  for (const auto& [box, count] : histogram.boxes) {
    for (std::uint64_t r = box.low[0]; r <= box.high[0]; ++r) {
      for (std::uint64_t c = box.low[1]; c <= box.high[1]; ++c) {
        sums[(r + 1) * (kSide + 1) + c + 1] += count / static_cast<double>(box.cells());
      }
    }
  }
  for (int r = 1; r <= kSide; ++r) {
    for (int c = 1; c <= kSide; ++c) {
      const auto at = static_cast<std::size_t>(r * (kSide + 1) + c);
      sums[at] += sums[at - 1] + sums[at - kSide - 1] - sums[at - kSide - 2];
    }
  }
  SeededRandom random(6);
  double squares = 0;
  constexpr int kQuestions = 1000;
  for (int i = 0; i < kQuestions; ++i) {
    const auto ends = [&] {
      const auto a = static_cast<std::size_t>(random.below(kSide));
      const auto b = static_cast<std::size_t>(random.below(kSide));
      return std::pair(std::min(a, b), std::max(a, b) + 1);
    };
    const auto [top, bottom] = ends();
    const auto [left, right] = ends();
    const auto at = [&](std::size_t r, std::size_t c) { return sums[r * (kSide + 1) + c]; };
    const double error = at(bottom, right) - at(top, right) - at(bottom, left) + at(top, left);
    squares += error * error;
  }
  return std::sqrt(squares / kQuestions);
}

double plane_error(const std::string& method, const std::vector<std::int64_t>& truth, int runs) {
  const CellGrid grid({Domain::range("a", 0, kSide - 1), Domain::range("b", 0, kSide - 1)});
  std::vector<CellCount> counts;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] > 0) counts.push_back({i, truth[i]});
  }
  double error = 0;
  for (int run = 0; run < runs; ++run) {
    Noise noise(static_cast<std::uint64_t>(run) + 1);
    const auto made =
        make_histogram(grid, counts, 1, Epsilon::from(0.1), {.method = method}, noise);
    error += rectangle_error(made, truth) / runs;
  }
  return error;
}

}  // namespace

int main(int count, char** words) {
  if (count == 3 && std::string(words[1]) == "draws") {
    fmt::print("{{\"seconds\": {}}}\n", draws(std::atof(words[2])));
    return 0;
  }
  if (count == 3 && std::string(words[1]) == "scales") {
    std::string text;
    for (const double people : {1e3, 1e4, 1e5, 1e6, 1e7}) {
      const double error = plane_error("kdtree", plane_of(words[2], people), 10) / people;
      text += fmt::format("{}{}", text.empty() ? "" : ", ", error);
    }
    fmt::print("{{\"kdtree\": [{}]}}\n", text);
    return 0;
  }
  if (count != 4) return 2;
  if (std::string(words[1]) == "planes") {
    const auto plane = plane_of(words[3], std::atof(words[2]));
    std::string text;
    for (const char* method : {"cells", "hb", "grid", "kdtree", "auto"}) {
      text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", method,
                          plane_error(method, plane, 20));
    }
    fmt::print("{{{}}}\n", text);
    return 0;
  }
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
