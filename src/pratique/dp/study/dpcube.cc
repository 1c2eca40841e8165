#include "pratique/dp/study/dpcube.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "pratique/crypto/random.h"
#include "pratique/dp/histogram/histogram.h"
#include "pratique/dp/study/range_sums.h"

namespace pratique::dp {
namespace {

constexpr double kFloor = 0.001;  // of the people: below it, a relative error says little

// The second smallest of four uniform numbers: beta(2, 3).
double second_of_four(SeededRandom& random) {
  std::array<double, 4> drawn{};
  for (auto& number : drawn) number = random.uniform();
  std::nth_element(drawn.begin(), drawn.begin() + 1, drawn.end());
  return drawn[1];
}

double triangular(SeededRandom& random, double high, double mode) {
  const double u = random.uniform();
  const double at_mode = mode / high;
  return u < at_mode ? std::sqrt(u * high * mode)
                     : high - std::sqrt((1 - u) * high * (high - mode));
}

CellBox random_range(const CellGrid& grid, SeededRandom& random) {
  CellBox box;
  for (const auto size : grid.sizes()) {
    const auto a = random.below(size);
    const auto b = random.below(size);
    box.low.push_back(std::min(a, b));
    box.high.push_back(std::max(a, b));
  }
  return box;
}

// Student's t, two-sided 95 %, for so many draws less one.
double t_quantile(std::uint64_t degrees) {
  constexpr std::array<double, 11> kQuantiles = {0,     12.706, 4.303, 3.182, 2.776, 2.571,
                                                 2.447, 2.365,  2.306, 2.262, 2.228};
  constexpr double kNormal = 1.96;
  // 1.96 + 2.4 / degrees is within one in a hundred from 11 on.
  return degrees < kQuantiles.size() ? kQuantiles.at(degrees)
                                     : kNormal + 2.4 / static_cast<double>(degrees);
}

Measured measured(const std::vector<double>& draws) {
  const auto n = static_cast<double>(draws.size());
  double mean = 0;
  for (const double draw : draws) mean += draw / n;
  double squares = 0;
  for (const double draw : draws) squares += (draw - mean) * (draw - mean);
  const double error = std::sqrt(squares / (n - 1) / n) * t_quantile(draws.size() - 1);
  return {mean, std::max(0.0, mean - error), mean + error};
}

}  // namespace

CellGrid census_grid() {
  return CellGrid({Domain::range("age", 0, 78), Domain::range("education", 0, 13),
                   Domain::range("occupation", 0, 22), Domain::range("income", 0, 99)});
}

std::vector<CellCount> made_census(const CellGrid& grid, std::uint64_t rows, std::uint64_t seed) {
  SeededRandom random(seed);
  std::map<std::uint64_t, std::int64_t> counts;
  const auto within = [](double number, std::uint64_t size) {
    return std::min(static_cast<std::uint64_t>(std::max(0.0, number)), size - 1);
  };
  const auto& sizes = grid.sizes();
  for (std::uint64_t row = 0; row < rows; ++row) {
    const auto age = within(second_of_four(random) * static_cast<double>(sizes[0]), sizes[0]);
    const auto education = within(triangular(random, static_cast<double>(sizes[1]), 8), sizes[1]);
    const auto occupation = within(-std::log(1 - random.uniform()) / 0.2, sizes[2]);
    const auto income =
        within(std::exp(random.normal(2.5 + static_cast<double>(education) / 10, 0.6)), sizes[3]);
    ++counts[grid.number_of(std::array{age, education, occupation, income})];
  }
  std::vector<CellCount> cells;
  cells.reserve(counts.size());
  for (const auto& [cell, count] : counts) cells.push_back({cell, count});
  return cells;
}

std::vector<StudySetting> published_settings() {
  std::vector<StudySetting> settings;
  const auto add = [&](const char* varies, double alpha, double split, std::optional<double> xi0,
                       std::optional<double> xi1, std::uint64_t queries) {
    settings.push_back({varies, "kdtree", alpha, split, xi0, xi1, queries});
  };
  constexpr std::array<double, 4> kAlphas = {0.01, 0.05, 0.1, 0.5};
  for (const double xi0 : {300, 500}) {
    for (const double alpha : kAlphas) {
      for (const double split : {0.1, 0.3, 0.5, 0.7, 0.9})
        add("alpha", alpha, split, xi0, 80, 1000);
    }
  }
  for (const double alpha : {0.1, 0.05}) {
    for (int xi0 = 100; xi0 <= 900; xi0 += 200) add("xi0", alpha, 0.5, xi0, 80, 1000);
  }
  for (const double xi0 : {400, 500}) {
    for (const std::uint64_t queries : {1000, 2000, 4000, 6000, 8000})
      add("queries", 0.1, 0.5, xi0, 80, queries);
  }
  for (const double alpha : {0.05, 0.1}) {
    for (const double xi0 : {300, 500}) {
      for (const double xi1 : {60, 80, 100, 120}) add("xi1", alpha, 0.5, xi0, xi1, 1000);
    }
  }
  for (const double alpha : kAlphas) add("ours", alpha, 0.5, {}, {}, 1000);
  for (const double alpha : kAlphas)
    settings.push_back({"cells", "cells", alpha, 0.5, {}, {}, 1000});
  return settings;
}

std::vector<StudyRow> run_study(const CellGrid& grid, const std::vector<CellCount>& counts,
                                const std::vector<StudySetting>& settings, std::uint64_t draws,
                                std::uint64_t seed, Progress& progress) {
  const RangeSums truth(grid, counts);
  std::vector<StudyRow> rows;
  progress.begin("drawing histograms", settings.size() * draws);
  for (const auto& setting : settings) {
    StudyRow row{.setting = setting, .boxes = 0, .absolute = {}, .relative = {}, .useful = {}};
    std::vector<double> largest;
    std::vector<double> absolute;
    std::vector<double> relative;
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      Noise noise(seed + rows.size() * draws + draw);
      const Histogram histogram = make_histogram(grid, counts, 1, Epsilon::from(setting.alpha),
                                                 {.method = setting.method,
                                                  .split = setting.split,
                                                  .xi0 = setting.xi0,
                                                  .xi1 = setting.xi1},
                                                 noise, Progress::silent());
      row.boxes += static_cast<double>(histogram.boxes.size()) / static_cast<double>(draws);
      const RangeSums answers(grid, histogram.boxes);
      const double floor = kFloor * std::max(1.0, answers.sum(grid.whole()));
      SeededRandom ranges(seed, draw);  // the same for every setting
      double off = 0;
      double share = 0;
      double most = 0;
      for (std::uint64_t q = 0; q < setting.queries; ++q) {
        const CellBox box = random_range(grid, ranges);
        const double people = truth.sum(box);
        const double error = std::abs(answers.sum(box) - people);
        most = std::max(most, error);
        off += error / static_cast<double>(setting.queries);
        share += error / std::max(people, floor) / static_cast<double>(setting.queries);
      }
      largest.push_back(most);
      absolute.push_back(off);
      relative.push_back(share);
      progress.advance(1);
    }
    row.absolute = measured(absolute);
    row.relative = measured(relative);
    row.useful = usefulness(largest);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pratique::dp
