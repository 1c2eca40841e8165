// A column of many numbers or dates, cut into about ten ranges at round places. Values and released
// cells are shared out to the ranges they lie in.
//
// The cuts lie between the 2nd and the 98th percentile, so that they tell nothing of extremes; the
// first and the last range have no end. Missing values, '*' and what is no number have a range of
// their own behind the others.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/kind/distributions.h"

namespace pratique::release {

class NumberRanges {
 public:
  // None when the values are not numbers, or not dates, or too few to need ranges (and not ranges
  // themselves, whose ends are somebody's values). Codes with
  // leading zeros are no numbers.
  static std::optional<NumberRanges> over(const ValueCounts& values);

  [[nodiscard]] std::size_t size() const { return cuts_.size() + 2; }
  // "20 to 29", of the ranges from the first to the last together.
  [[nodiscard]] std::string label(std::size_t first, std::size_t last) const;
  // Calls take(range, share) for every range that the cell lies in; shares sum to 1.
  using Take = std::function<void(std::size_t range, double share)>;
  void share_out(std::string_view cell, const Take& take) const;

 private:
  // From low up to, and without, high.
  struct Extent {
    double low;
    double high;
  };
  [[nodiscard]] std::optional<Extent> extent(std::string_view value) const;
  [[nodiscard]] std::optional<Extent> extent(std::string_view low, std::string_view high) const;
  void share_extent(const Extent& extent, double share, const Take& take) const;
  [[nodiscard]] std::size_t range_of(double place) const;

  bool dates_ = false;
  bool whole_ = true;  // whole numbers only
  std::vector<double> cuts_;
};

}  // namespace pratique::release
