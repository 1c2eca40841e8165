#include "pratique/dp/histogram/sparse_cells.h"

#include <algorithm>
#include <cmath>

#include "pratique/core/error.h"
#include "pratique/dp/internal/digits.h"
#include "pratique/dp/mechanism/discrete_laplace.h"

namespace pratique::dp {
namespace {

constexpr double kEmptyCellsListed = 1000;

// The gap before the next empty cell that passes: geometric with ratio 1 - p, where
// p = P(X >= T) = q^T / (1 + q).
Geometric gap_to_next(const Rational& rate, std::int64_t threshold) {
  const Rational to_threshold = Rational::quotient(
      rate.numerator * static_cast<std::uint64_t>(threshold), rate.denominator, 1);
  const EnclosedAt passes = product(exp_minus(to_threshold), inverse_of_one_plus(exp_minus(rate)));
  const EnclosedAt stays = complement(passes);
  const double p = std::exp(-to_threshold.value()) / (1 + std::exp(-rate.value()));
  // Digits until the ratio's power is about 1/e.
  const auto digits = static_cast<unsigned>(std::clamp(std::ceil(std::log2(1 / p)), 0.0, 62.0));
  std::vector<ExactProbability> coins;
  for (unsigned i = 0; i < digits; ++i) {
    coins.push_back(exact_probability(with_odds(squared(stays, i))));
  }
  return Geometric(std::move(coins), exact_probability(squared(stays, digits)));
}

}  // namespace

std::int64_t sparse_threshold(std::uint64_t cells, const Rational& rate) {
  const double steps = std::log(static_cast<double>(cells) / kEmptyCellsListed) / rate.value();
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(steps)));
}

SparseCells sparse_noisy_cells(std::uint64_t cells, const std::vector<CellCount>& occupied,
                               const Rational& rate, RandomBits& of_occupied,
                               RandomBits& of_empty) {
  const DiscreteLaplace noise(rate);
  const Geometric beyond(rate);
  SparseCells result{.threshold = sparse_threshold(cells, rate), .cells = {}};
  for (const auto& [cell, count] : occupied) {
    const std::int64_t noisy = count + noise.draw(of_occupied);
    if (noisy >= result.threshold) result.cells.push_back({cell, noisy});
  }
  // The empty cells are numbered from 0 on, leaving the occupied ones out.
  const std::uint64_t empty = cells - occupied.size();
  const Geometric gap = gap_to_next(rate, result.threshold);
  std::size_t before = 0;  // occupied cells up to the one at hand
  for (std::uint64_t next = gap.draw(of_empty); next < empty; next += 1 + gap.draw(of_empty)) {
    while (before < occupied.size() && occupied[before].cell <= next + before) ++before;
    const auto above = static_cast<std::int64_t>(beyond.draw(of_empty));
    result.cells.push_back({next + before, result.threshold + above});
  }
  std::sort(result.cells.begin(), result.cells.end(),
            [](const CellCount& a, const CellCount& b) { return a.cell < b.cell; });
  return result;
}

}  // namespace pratique::dp
