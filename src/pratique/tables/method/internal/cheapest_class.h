// The cheapest class that contains a record: of all boxes around it that cover enough records, the
// one that loses least.
//
// Boxes grow by one of the nearest others at a time, the cheapest box first, so that the first that
// covers enough is the cheapest of all. A box is made once: it grows by the first of those that it
// will cover and does not cover yet, and whoever was passed over stays outside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/tables/method/internal/loss_axis.h"

namespace pratique::tables::internal {

class CheapestClass {
 public:
  static constexpr std::size_t kMostOthers = 40;

  CheapestClass(const std::vector<LossAxis>& axes, const std::vector<std::uint64_t>& counts)
      : axes_(axes), counts_(counts) {}

  // What the class of the point and all others loses.
  [[nodiscard]] double loss_of_all(std::uint32_t point,
                                   std::span<const std::uint32_t> others) const;

  // What a class of so many records loses at least that contains the point: of some of up to
  // kMostOthers others or, with anybody else, `beyond`. After `boxes` of them, what the rest lose
  // at least.
  [[nodiscard]] double least(std::uint32_t point, std::span<const std::uint32_t> others,
                             std::uint64_t records, double beyond, std::uint64_t boxes) const;

 private:
  using Cells = std::vector<LossAxis::Cover>;  // by axis

  [[nodiscard]] bool covers(const Cells& cells, std::uint32_t other) const;
  [[nodiscard]] double loss_with(const Cells& cells, std::uint32_t other) const;
  void cover(Cells& cells, std::uint32_t other) const;

  const std::vector<LossAxis>& axes_;
  const std::vector<std::uint64_t>& counts_;
};

}  // namespace pratique::tables::internal
