#include "pratique/dp/synthesis/mst.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "pratique/core/error.h"
#include "pratique/dp/accounting/zcdp.h"
#include "pratique/dp/mechanism/discrete_gaussian.h"
#include "pratique/dp/mechanism/selection.h"

namespace pratique::dp {
namespace {

// Parts of rho, and thresholds below, were chosen on UCI Adult among some forty settings;
// docs/dp.md has figures of data on which nothing was chosen.
constexpr double kColumnsPart = 0.25;
constexpr double kChoicePart = 0.05;
constexpr double kTreePart = 0.45;
constexpr double kFurtherPart = 0.25;
// What sums of parts may round up.
constexpr double kRoundingRoom = 1 - 1e-9;
// Rows of a group, in deviations of the noise of a pair's cell.
constexpr double kLeastOfValues = 4;
constexpr double kLeastOfNeighbours = 20;
constexpr double kMostCellsForFurther = 0x1.0p18;

double model_cells(const std::vector<std::size_t>& sizes, const std::vector<ColumnSet>& marginals) {
  double cells = 0;
  for (const auto& clique : junction_tree(sizes.size(), marginals).cliques) {
    cells += cells_over(clique, sizes);
  }
  return cells;
}

// Parts of rho for marginals of so many cells each.
std::vector<double> parts_by_cells(const std::vector<double>& cells, double rho) {
  std::vector<double> parts;
  for (const auto count : cells) parts.push_back(std::pow(count, 2.0 / 3));
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (auto& part : parts) part *= rho * kRoundingRoom / sum;
  return parts;
}

// One run over one table.
class MstRun {
 public:
  MstRun(const EncodedRows& rows, const std::vector<SynthesisColumn>& columns,
         const SynthesisSettings& settings, Noise& noise);
  [[nodiscard]] SyntheticModel run(Progress& progress);

 private:
  // What a pair's counts are expected to be.
  using Expected = std::function<std::vector<double>(const ColumnSet& pair)>;

  [[nodiscard]] Rational charged_variance(double rho);
  [[nodiscard]] double deviation_of(double rho) const {
    return static_cast<double>(settings_.max_rows) / std::sqrt(2 * rho);
  }
  void measure_columns();
  void group();
  [[nodiscard]] std::vector<std::int64_t> scores(const std::vector<ColumnSet>& pairs,
                                                 const Expected& expected, double deviation) const;
  // Pairs, each of which `fits` with those chosen before it, at most `most`.
  using Fits = std::function<bool(const ColumnSet& pair, const std::vector<ColumnSet>& chosen)>;
  [[nodiscard]] std::vector<ColumnSet> choose(const Expected& expected, double deviation,
                                              const Fits& fits, std::string_view phase);
  [[nodiscard]] std::vector<ColumnSet> choose_tree();
  [[nodiscard]] std::vector<ColumnSet> choose_further(const GraphicalModel& model);
  void measure(const std::vector<ColumnSet>& marginals, double rho, std::string_view phase);
  [[nodiscard]] GraphicalModel fitted(Progress& progress) const;

  const EncodedRows& rows_;
  const std::vector<SynthesisColumn>& columns_;
  const SynthesisSettings& settings_;
  Noise& noise_;
  ZcdpFilter filter_;
  std::size_t tree_pairs_;  // at most, and as many further ones
  Epsilon choice_;          // of one
  std::vector<NoisyColumn> noisy_;
  double total_ = 0;
  std::vector<Grouping> groupings_;
  std::vector<std::size_t> sizes_;  // of groups
  EncodedRows grouped_;
  std::vector<Measurement> measurements_;
  std::vector<ColumnSet> measured_;
};

MstRun::MstRun(const EncodedRows& rows, const std::vector<SynthesisColumn>& columns,
               const SynthesisSettings& settings, Noise& noise)
    : rows_(rows),
      columns_(columns),
      settings_(settings),
      noise_(noise),
      filter_(settings.rho),
      tree_pairs_(columns.size() - 1) {
  const auto choices = static_cast<double>(std::max<std::size_t>(1, 2 * tree_pairs_));
  const double epsilon = std::sqrt(2 * kChoicePart * settings.rho * kRoundingRoom / choices);
  choice_ = {std::max<std::uint64_t>(1, static_cast<std::uint64_t>(epsilon * Epsilon::kPerUnit))};
}

Rational MstRun::charged_variance(double rho) {
  if (!filter_.admit(rho)) throw std::logic_error("a synthetic table would cost more than its rho");
  return DiscreteGaussian::variance_for(rho, settings_.max_rows * settings_.max_rows);
}

void MstRun::measure_columns() {
  std::vector<double> cells;
  std::vector<std::size_t> sizes;
  for (const auto& column : columns_) {
    cells.push_back(static_cast<double>(column.cells));
    sizes.push_back(column.cells);
  }
  const auto rhos = parts_by_cells(cells, kColumnsPart * settings_.rho);
  RandomBits random = noise_.phase("columns");
  double weights = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const DiscreteGaussian gaussian(charged_variance(rhos[c]));
    NoisyColumn noisy{.counts = {},
                      .variance = gaussian.parameter(),
                      .ordered = columns_[c].ordered,
                      .stray = columns_[c].cells - 1};
    double sum = 0;
    for (const auto count : count_over(rows_, {c}, sizes)) {
      noisy.counts.push_back(static_cast<double>(count + gaussian.draw(random)));
      sum += noisy.counts.back();
    }
    // Every column counts all rows.
    const double weight = 1 / (noisy.variance * cells[c]);
    total_ += weight * sum;
    weights += weight;
    noisy_.push_back(std::move(noisy));
  }
  total_ = std::max(1.0, total_ / weights);
}

void MstRun::group() {
  const auto pairs = static_cast<double>(tree_pairs_ + settings_.marginals.size());
  const double deviation = deviation_of(kTreePart * settings_.rho / std::max(1.0, pairs));
  grouped_.counts = rows_.counts;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    groupings_.push_back(
        grouped(noisy_[c], total_, kLeastOfValues * deviation, kLeastOfNeighbours * deviation));
    const auto& grouping = groupings_.back();
    sizes_.push_back(grouping.groups);
    std::vector<std::uint32_t> cells;
    for (const auto cell : rows_.cells[c]) cells.push_back(grouping.group_of[cell]);
    grouped_.cells.push_back(std::move(cells));
    Measurement measured{.columns = {c}, .values = grouping.counts, .weights = {}};
    for (const auto variance : grouping.variances) measured.weights.push_back(1 / variance);
    measurements_.push_back(std::move(measured));
  }
}

std::vector<std::int64_t> MstRun::scores(const std::vector<ColumnSet>& pairs,
                                         const Expected& expected, double deviation) const {
  const double noise = std::sqrt(2 / std::numbers::pi) * deviation;  // of a cell, on average
  std::vector<std::int64_t> noisy_scores;
  for (const auto& pair : pairs) {
    const auto counts = count_over(grouped_, pair, sizes_);
    const auto likely = expected(pair);
    // Whole numbers, so that a person moves the sum by at most max_rows, exactly.
    std::int64_t score = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      score += std::abs(counts[i] - std::llround(likely[i]));
    }
    noisy_scores.push_back(score - std::llround(noise * static_cast<double>(counts.size())));
  }
  return noisy_scores;
}

std::vector<ColumnSet> MstRun::choose(const Expected& expected, double deviation, const Fits& fits,
                                      std::string_view phase) {
  std::vector<ColumnSet> pairs;
  for (std::size_t a = 0; a < columns_.size(); ++a) {
    for (std::size_t b = a + 1; b < columns_.size(); ++b) {
      if (fits({a, b}, {})) pairs.push_back({a, b});
    }
  }
  const auto all_scores = scores(pairs, expected, deviation);
  const NoisyMaximum maximum(settings_.max_rows, choice_);
  RandomBits random = noise_.phase(phase);
  std::vector<ColumnSet> chosen;
  while (chosen.size() < tree_pairs_) {
    std::vector<std::size_t> open;
    std::vector<std::int64_t> open_scores;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!fits(pairs[i], chosen)) continue;
      open.push_back(i);
      open_scores.push_back(all_scores[i]);
    }
    if (open.empty()) break;
    open_scores.push_back(0);  // no pair
    if (!filter_.admit(zcdp_of_pure(choice_))) throw std::logic_error("choosing costs too much");
    const std::size_t winner = maximum.choose(open_scores, random);
    if (winner == open.size()) break;
    chosen.push_back(pairs[open[winner]]);
  }
  return chosen;
}

std::vector<ColumnSet> MstRun::choose_tree() {
  const Expected independent = [&](const ColumnSet& pair) {
    std::vector<double> counts;
    for (const auto a : groupings_[pair[0]].counts) {
      for (const auto b : groupings_[pair[1]].counts) counts.push_back(a * b / total_);
    }
    return counts;
  };
  const Fits joins = [&](const ColumnSet& pair, const std::vector<ColumnSet>& chosen) {
    std::vector<std::size_t> part(columns_.size());
    std::iota(part.begin(), part.end(), std::size_t{0});
    const auto join = [&](const ColumnSet& columns) {
      for (const auto column : columns) {
        const std::size_t old = part[column];
        std::replace(part.begin(), part.end(), old, part[columns.front()]);
      }
    };
    for (const auto& marginal : settings_.marginals) join(marginal);
    for (const auto& earlier : chosen) join(earlier);
    return part[pair[0]] != part[pair[1]];
  };
  const auto pairs = static_cast<double>(tree_pairs_ + settings_.marginals.size());
  return choose(independent, deviation_of(kTreePart * settings_.rho / std::max(1.0, pairs)), joins,
                "choice of a tree");
}

std::vector<ColumnSet> MstRun::choose_further(const GraphicalModel& model) {
  const Expected by_model = [&](const ColumnSet& pair) {
    return model.over_pair(pair[0], pair[1]);
  };
  // A model that is large already may grow no more; one of large pairs may have a few more.
  const double most = std::max(kMostCellsForFurther, 2 * model_cells(sizes_, measured_));
  const Fits stays_small = [&](const ColumnSet& pair, const std::vector<ColumnSet>& chosen) {
    std::vector<ColumnSet> all = measured_;
    all.insert(all.end(), chosen.begin(), chosen.end());
    if (std::find(all.begin(), all.end(), pair) != all.end()) return false;
    all.push_back(pair);
    const JunctionTree tree = junction_tree(sizes_.size(), all);
    return model_cells(sizes_, all) <= most &&
           GraphicalModel::memory_of(tree, sizes_) <= settings_.memory;
  };
  const auto pairs = static_cast<double>(std::max<std::size_t>(1, tree_pairs_));
  return choose(by_model, deviation_of(kFurtherPart * settings_.rho / pairs), stays_small,
                "choice of further pairs");
}

void MstRun::measure(const std::vector<ColumnSet>& marginals, double rho, std::string_view phase) {
  if (marginals.empty()) return;
  std::vector<double> cells;
  for (const auto& marginal : marginals) cells.push_back(cells_over(marginal, sizes_));
  const auto rhos = parts_by_cells(cells, rho);
  RandomBits random = noise_.phase(phase);
  for (std::size_t m = 0; m < marginals.size(); ++m) {
    const DiscreteGaussian gaussian(charged_variance(rhos[m]));
    Measurement measured{.columns = marginals[m], .values = {}, .weights = {}};
    for (const auto count : count_over(grouped_, marginals[m], sizes_)) {
      measured.values.push_back(static_cast<double>(count + gaussian.draw(random)));
    }
    measured.weights.assign(measured.values.size(), 1 / gaussian.parameter());
    measurements_.push_back(std::move(measured));
    measured_.push_back(marginals[m]);
  }
}

GraphicalModel MstRun::fitted(Progress& progress) const {
  GraphicalModel model(sizes_, measured_, total_);
  model.fit(measurements_, settings_.fit_steps, progress);
  return model;
}

SyntheticModel MstRun::run(Progress& progress) {
  measure_columns();
  group();
  std::vector<ColumnSet> chosen = settings_.marginals;
  for (auto& pair : choose_tree()) chosen.push_back(std::move(pair));
  measure(chosen, kTreePart * settings_.rho, "marginals");
  const auto further = choose_further(fitted(progress));
  measure(further, kFurtherPart * settings_.rho, "further marginals");
  return {std::move(groupings_), fitted(progress), std::move(measured_), filter_.spent()};
}

}  // namespace

void require_model_fits(const std::vector<SynthesisColumn>& columns,
                        const SynthesisSettings& settings, const std::vector<std::string>& names) {
  std::vector<std::size_t> sizes;
  for (const auto& column : columns) sizes.push_back(column.cells);
  const JunctionTree tree = junction_tree(columns.size(), settings.marginals);
  // A tree of pairs adds cliques of two columns alone; each of the columns is in some pair.
  std::vector<ColumnSet> cliques = tree.cliques;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    for (std::size_t b = a + 1; b < columns.size(); ++b) cliques.push_back({a, b});
  }
  const ColumnSet* largest = &cliques.front();
  for (const auto& clique : cliques) {
    if (cells_over(clique, sizes) > cells_over(*largest, sizes)) largest = &clique;
  }
  const double needed =
      std::max(GraphicalModel::memory_of(tree, sizes),
               GraphicalModel::memory_of({.cliques = {*largest}, .links = {}}, sizes));
  // The least that a marginal can get: one of a single cell beside others that are all the largest.
  const auto others = static_cast<double>(columns.size() + settings.marginals.size());
  const double least = kColumnsPart * settings.rho * kRoundingRoom /
                       (1 + others * std::pow(cells_over(*largest, sizes), 2.0 / 3));
  (void)DiscreteGaussian(
      DiscreteGaussian::variance_for(least, settings.max_rows * settings.max_rows));
  constexpr double kMostTogether = 0x1.0p32;
  if (needed <= settings.memory && cells_over(*largest, sizes) < kMostTogether) return;
  std::vector<std::string> together;
  for (const auto column : *largest) together.push_back(names[column]);
  throw Error::input(fmt::format("the model needs {:.0f} MB, and may have {:.0f}: {} make {:.3g} "
                                 "cells together",
                                 needed / 1e6, settings.memory / 1e6, fmt::join(together, ", "),
                                 cells_over(*largest, sizes)))
      .hint("Declare fewer values or wider bins, name smaller --marginals, or give more --memory.");
}

SyntheticModel fit_mst(const EncodedRows& rows, const std::vector<SynthesisColumn>& columns,
                       const SynthesisSettings& settings, Noise& noise, Progress& progress) {
  return MstRun(rows, columns, settings, noise).run(progress);
}

}  // namespace pratique::dp
