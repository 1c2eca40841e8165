// A release as the attack on compositions sees it: for every candidate set, its sensitive values
// and how many rows have each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pratique/fusion/composition.h"
#include "pratique/fusion/composition_posterior.h"

namespace pratique::fusion::internal {

// The column as whoever compares releases reads it: without what is a matter of spelling. Values
// that a hierarchy knows stay as they are.
[[nodiscard]] Column without_spelling(const Column& column, const Hierarchy* hierarchy);

class CandidateSets {
 public:
  // Locates the targets.
  CandidateSets(const ComposedRelease& release, const Table& targets,
                const CompositionOptions& options, Progress& progress);

  // Whether cells show what a published operator made of the values.
  [[nodiscard]] bool is_drawn() const {
    return release_.randomised && release_.randomised->has_operator();
  }
  // By value: how many rows of the release show it. Cells that cover several count evenly.
  [[nodiscard]] std::vector<double> shown(std::span<const std::vector<Value>> covered,
                                          std::size_t values) const;

  // Counts the values of every set. covered[code] are the values of a cell of the sensitive column,
  // in parts by g where they are several.
  void count(std::span<const std::vector<Value>> covered, std::span<const double> g);

  // Where cells are drawn: the values that may be behind them, in parts. People of a set are spread
  // around g with this strength.
  void see_through_chance(std::span<const double> g, double strength);

  [[nodiscard]] std::span<const ValueCount> values(std::uint32_t set) const {
    return std::span(values_).subspan(begin_[set], begin_[set + 1] - begin_[set]);
  }
  [[nodiscard]] std::uint64_t rows(std::uint32_t set) const { return rows_[set]; }

  [[nodiscard]] const ComposedRelease& release() const { return release_; }
  [[nodiscard]] const Column& sensitive() const { return sensitive_; }
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] const tables::EquivalenceClasses& classes() const { return classes_; }
  [[nodiscard]] const LocatedTargets& located() const { return located_; }

 private:
  const ComposedRelease& release_;
  Column sensitive_;
  std::vector<std::string> columns_;
  tables::EquivalenceClasses classes_;
  LocatedTargets located_;
  std::vector<std::size_t> begin_;  // by set, and one more
  std::vector<ValueCount> values_;
  std::vector<std::uint64_t> rows_;  // by set
};

}  // namespace pratique::fusion::internal
