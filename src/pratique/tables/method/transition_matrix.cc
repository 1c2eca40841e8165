#include "pratique/tables/method/transition_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pratique/core/error.h"

namespace pratique::tables {

TransitionMatrix::TransitionMatrix(std::vector<std::vector<double>> rows) : rows_(std::move(rows)) {
  if (rows_.empty()) throw Error::input("a transition matrix needs at least one row");
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& row = rows_[i];
    if (row.size() != rows_.size()) {
      throw Error::input(fmt::format("row {} of the transition matrix has {} entries, not {}",
                                     i + 1, row.size(), rows_.size()))
          .hint("give as many rows as columns: one of each per value");
    }
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    const bool chances = std::all_of(row.begin(), row.end(), [](double p) { return p >= 0; });
    if (!chances || !(std::abs(sum - 1) <= 1e-9)) {
      throw Error::input(
          fmt::format("row {} of the transition matrix is not a distribution", i + 1))
          .hint("every entry must be at least 0 and every row must sum to 1");
    }
  }
}

std::vector<double> TransitionMatrix::released(std::span<const double> distribution) const {
  std::vector<double> out(size(), 0);
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t j = 0; j < size(); ++j) out[j] += distribution[i] * rows_[i][j];
  }
  return out;
}

std::vector<Code> TransitionMatrix::draw(std::span<const Code> codes, NoiseSource& noise) const {
  std::vector<std::vector<double>> cumulative = rows_;
  for (auto& row : cumulative) std::partial_sum(row.begin(), row.end(), row.begin());
  std::vector<Code> drawn;
  drawn.reserve(codes.size());
  for (const Code code : codes) {
    const auto& row = cumulative[code];
    // The scale takes rounding out of the last sum: a value of chance 0 is never drawn.
    const auto place = std::upper_bound(row.begin(), row.end(), noise.uniform() * row.back());
    drawn.push_back(static_cast<Code>(std::min(place, row.end() - 1) - row.begin()));
  }
  return drawn;
}

}  // namespace pratique::tables
