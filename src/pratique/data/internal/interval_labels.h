// The nested intervals of interval:W1,W2,..., in exact decimal arithmetic.
//
// With d decimals everything is counted in units of 10^-d: a value v lies in the interval that
// starts at floor(v / W) * W and ends one unit before the next, so that the labels hold every value
// of at most d decimals once. A value that is a range already ([70-80), 70-79) lies in the interval
// that holds all of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pratique {

class IntervalLabels {
 public:
  static constexpr int kMostDigits = 30;

  // From "interval:5,10,20". Throws Error unless the widths are numbers above 0, each a multiple of
  // the one before.
  static IntervalLabels parse(const std::string& spec);
  // At least as many decimals as the widths have.
  [[nodiscard]] IntervalLabels with_decimals(std::size_t decimals) const;

  [[nodiscard]] std::size_t levels() const { return widths_.size(); }
  // labels[i] is the interval of width i. False when the value is no number, or too long, or a
  // range that no interval of the first width holds.
  bool label(std::string_view value, std::vector<std::string>& labels) const;

 private:
  __extension__ using Units = __int128;
  struct Ends {
    Units first;
    Units last;
  };
  [[nodiscard]] std::optional<Units> units(std::string_view number) const;
  [[nodiscard]] std::optional<Ends> ends(std::string_view value) const;
  [[nodiscard]] std::string text(Units units) const;

  std::string spec_;
  std::size_t decimals_ = 0;
  std::vector<Units> widths_;
};

}  // namespace pratique
