#include "pratique/tables/method/internal/cheapest_class.h"

#include <algorithm>
#include <queue>

namespace pratique::tables::internal {
namespace {

// Sums are rounded.
constexpr double kHair = 1 - 1e-12;

struct GrownBox {
  double loss = 0;
  std::size_t parent = 0;  // of those that were taken before
  std::size_t other = 0;   // that the parent grows by
  bool operator>(const GrownBox& box) const { return loss > box.loss; }
};

struct TakenBox {
  std::vector<LossAxis::Cover> cells;
  std::uint64_t inside = 0;   // others, by bit
  std::uint64_t outside = 0;  // passed over
};

}  // namespace

bool CheapestClass::covers(const Cells& cells, std::uint32_t other) const {
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (!axes_[a].covers(cells[a], other)) return false;
  }
  return true;
}

double CheapestClass::loss_with(const Cells& cells, std::uint32_t other) const {
  double sum = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) sum += axes_[a].loss_with(cells[a], other);
  return sum;
}

void CheapestClass::cover(Cells& cells, std::uint32_t other) const {
  for (std::size_t a = 0; a < axes_.size(); ++a) axes_[a].cover(cells[a], other);
}

double CheapestClass::loss_of_all(std::uint32_t point,
                                  std::span<const std::uint32_t> others) const {
  Cells cells(axes_.size());
  for (const auto other : others) cover(cells, other);
  return loss_with(cells, point);
}

double CheapestClass::least(std::uint32_t point, std::span<const std::uint32_t> others,
                            std::uint64_t records, double beyond, std::uint64_t boxes) const {
  for (const auto other : others.subspan(std::min(others.size(), kMostOthers)))
    beyond = std::min(beyond, loss_of_all(point, {&other, 1}) * kHair);
  others = others.first(std::min(others.size(), kMostOthers));
  std::priority_queue<GrownBox, std::vector<GrownBox>, std::greater<>> queue;
  std::vector<TakenBox> taken;
  const auto take = [&](TakenBox box) {
    const std::size_t id = taken.size();
    for (std::size_t o = 0; o < others.size(); ++o) {
      const std::uint64_t bit = std::uint64_t{1} << o;
      if (((box.inside | box.outside) & bit) != 0) continue;
      const double loss = loss_with(box.cells, others[o]) * kHair;
      if (loss < beyond) queue.push({loss, id, o});
    }
    taken.push_back(std::move(box));
  };
  // How many records it covers.
  const auto look_inside = [&](TakenBox& box) {
    std::uint64_t covered = counts_[point];
    for (std::size_t o = 0; o < others.size(); ++o) {
      if (!covers(box.cells, others[o])) continue;
      box.inside |= std::uint64_t{1} << o;
      covered += counts_[others[o]];
    }
    return covered;
  };
  TakenBox first{Cells(axes_.size())};
  cover(first.cells, point);
  if (look_inside(first) >= records) return 0;
  take(std::move(first));
  for (; !queue.empty(); --boxes) {
    const GrownBox next = queue.top();
    if (boxes == 0) return std::min(next.loss, beyond);
    queue.pop();
    TakenBox box = taken[next.parent];
    const std::uint64_t before = (std::uint64_t{1} << next.other) - 1;
    box.outside |= before & ~box.inside;
    cover(box.cells, others[next.other]);
    const std::uint64_t covered = look_inside(box);
    if ((box.inside & box.outside) != 0) continue;
    if (covered >= records) return std::min(next.loss, beyond);
    take(std::move(box));
  }
  return beyond;
}

}  // namespace pratique::tables::internal
