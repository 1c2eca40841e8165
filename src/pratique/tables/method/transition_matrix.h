// The chances with which one categorical value is released as another.
//
// Row i is a distribution: at(i, j) is the probability that a record whose value is i leaves with
// value j.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pratique/crypto/noise_source.h"
#include "pratique/data/dictionary.h"

namespace pratique::tables {

class TransitionMatrix {
 public:
  // Rows of one length with entries of at least 0 that sum to 1 (up to 1e-9): an Error otherwise.
  explicit TransitionMatrix(std::vector<std::vector<double>> rows);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] double at(std::size_t from, std::size_t to) const { return rows_[from][to]; }
  // What is released in expectation of a distribution: the row vector times the matrix.
  [[nodiscard]] std::vector<double> released(std::span<const double> distribution) const;
  // Each code is replaced by a draw from its row.
  [[nodiscard]] std::vector<Code> draw(std::span<const Code> codes, NoiseSource& noise) const;

 private:
  std::vector<std::vector<double>> rows_;
};

}  // namespace pratique::tables
