// Which leaves of an attribute a released cell stands for, read from the cell's text alone, so that
// utility is measured on what is written and not on what a method meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "pratique/tables/attribute.h"

namespace pratique::tables {

// Ranks (Attribute::rank) from first to last, both included.
struct RankSpan {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  [[nodiscard]] std::uint32_t size() const { return last - first + 1; }
};

// By cell: the leaves that it stands for, in ascending order, apart from each other.
using CellSpans = std::vector<std::vector<RankSpan>>;

// Reads the cells of one attribute.
class CellReader {
 public:
  explicit CellReader(const Attribute& attribute);
  // In ascending order, apart from each other. Empty for a cell that means no leaf.
  [[nodiscard]] std::vector<RankSpan> spans(std::string_view cell) const;
  // The mean over the leaves that a cell of numbers or dates stands for; a plain number or date is
  // itself. Nothing where no leaf has a place on the axis.
  [[nodiscard]] std::optional<double> position(std::string_view cell) const {
    return position(cell, spans(cell));
  }
  // Of all of a column's cells; the spans are those of these cells.
  [[nodiscard]] CellSpans spans_of_all(const std::vector<std::string>& cells) const;
  [[nodiscard]] std::vector<std::optional<double>> positions_of_all(
      const std::vector<std::string>& cells, const CellSpans& spans) const;

 private:
  [[nodiscard]] std::optional<double> position(std::string_view cell,
                                               const std::vector<RankSpan>& spans) const;
  [[nodiscard]] std::optional<std::uint32_t> nearest_leaf(std::string_view text) const;

  const Attribute& attribute_;
  const LeafOrder& leaves_;
  // Of the positions before each rank, one more than there are.
  std::vector<double> sum_before_;
};

[[nodiscard]] std::uint64_t leaves_in(const std::vector<RankSpan>& spans);
// The share of the spans' leaves that lie from `first` to `last`.
[[nodiscard]] double share_within(const std::vector<RankSpan>& spans, std::uint32_t first,
                                  std::uint32_t last);

}  // namespace pratique::tables
