// The study of the kd-tree's parameters (Kalaria 2010, section 4), on a made table: how far counts
// of random ranges, answered from a histogram, are from the truth.
//
// Each setting is drawn several times with noise of its own and the same questions, and its error
// has an interval: without one, a difference that chance made looks like an effect.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/dp/histogram/cells.h"
#include "pratique/dp/study/usefulness.h"

namespace pratique::dp {

// Age, education, occupation and income with 79, 14, 23 and 100 values; income rises with
// education.
[[nodiscard]] CellGrid census_grid();
[[nodiscard]] std::vector<CellCount> made_census(const CellGrid& grid, std::uint64_t rows,
                                                 std::uint64_t seed);

struct StudySetting {
  std::string varies;  // which parameter the row is about
  std::string method = "kdtree";
  double alpha = 0.1;  // epsilon of both phases
  double split = 0.5;  // the first phase's share
  std::optional<double> xi0 = {};
  std::optional<double> xi1 = {};
  std::uint64_t queries = 1000;
};

struct Measured {
  double mean = 0;
  double low = 0;  // 95 % of intervals made so hold the mean over all draws
  double high = 0;
};

struct StudyRow {
  StudySetting setting;
  double boxes = 0;   // on average
  Measured absolute;  // |answer - truth|, averaged over the questions
  Measured relative;  // over the truth, or over a thousandth of the noisy number of people if more
  Usefulness useful;  // for as many random ranges as the setting asks, in people
};

// One parameter at a time, at the values of the published study, and the product's own defaults.
[[nodiscard]] std::vector<StudySetting> published_settings();

// By the order of `settings`. draws >= 2.
[[nodiscard]] std::vector<StudyRow> run_study(const CellGrid& grid,
                                              const std::vector<CellCount>& counts,
                                              const std::vector<StudySetting>& settings,
                                              std::uint64_t draws, std::uint64_t seed,
                                              Progress& progress);

}  // namespace pratique::dp
