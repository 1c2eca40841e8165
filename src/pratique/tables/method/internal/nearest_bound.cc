#include "pratique/tables/method/internal/nearest_bound.h"

#include <algorithm>
#include <numeric>
#include <queue>

#include "pratique/core/parallel.h"
#include "pratique/tables/equivalence_classes.h"
#include "pratique/tables/method/internal/cheapest_class.h"
#include "pratique/tables/method/internal/loss_axis.h"
#include "pratique/tables/method/internal/search_time.h"

namespace pratique::tables::internal {
namespace {

class BoxTree {
 public:
  // Of the points, each so often as `counts` says.
  BoxTree(const std::vector<LossAxis>& axes, std::vector<std::uint32_t> points,
          const std::vector<std::uint64_t>& counts)
      : counts_(counts), axes_(axes), order_(std::move(points)) {
    if (!order_.empty()) build(0, static_cast<std::uint32_t>(order_.size()));
  }

  struct Near {
    double enough = 0;                  // the distance within which so many records are
    std::vector<std::uint32_t> points;  // others, the nearest first
    double beyond = 0;                  // all others are no nearer
  };

  // The distance within which so many records are, those of the point itself included; less where
  // that took more than `looks` distances. Then on to `most` points, up to what a class of the
  // first of them loses.
  [[nodiscard]] Near nearest(std::uint32_t point, std::uint64_t records, std::uint64_t looks,
                             std::size_t most) const {
    struct Candidate {
      double distance;
      bool is_point;
      std::uint32_t id;
      bool operator>(const Candidate& other) const { return distance > other.distance; }
    };
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    queue.push({0, false, 0});
    std::uint64_t near_records = 0;
    double farthest = LossAxis::kFar;  // that may be of use
    Near near;
    while (!queue.empty()) {
      const Candidate next = queue.top();
      queue.pop();
      near.beyond = next.distance;
      if (near_records < records) near.enough = next.distance;
      if (next.distance >= farthest) return near;
      if (next.is_point) {
        if (near_records >= records && near.points.size() >= most) return near;
        if (next.id != point) near.points.push_back(next.id);
        if (near_records < records && near_records + counts_[next.id] >= records) {
          if (most == 0) return near;
          farthest = CheapestClass(axes_, counts_).loss_of_all(point, near.points);
        }
        near_records += counts_[next.id];
        continue;
      }
      const Branch& branch = branches_[next.id];
      const std::uint64_t cost = branch.left == 0 ? branch.end - branch.begin : 2;
      if (looks < cost) return near;
      looks -= cost;
      if (branch.left == 0) {
        for (std::uint32_t at = branch.begin; at < branch.end; ++at) {
          queue.push({distance(point, order_[at]), true, order_[at]});
        }
        continue;
      }
      for (const std::uint32_t child : {branch.left, branch.right}) {
        // A hair less, for the rounding of sums.
        queue.push({std::max(next.distance, to_box(point, child) * (1 - 1e-12)), false, child});
      }
    }
    near.beyond = static_cast<double>(axes_.size());
    if (near_records < records) near.enough = near.beyond;  // fewer records than a class needs
    return near;
  }

 private:
  struct Branch {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
  };

  std::uint32_t build(std::uint32_t begin, std::uint32_t end) {
    constexpr std::uint32_t kLeaf = 8;
    const auto id = static_cast<std::uint32_t>(branches_.size());
    branches_.push_back({begin, end});
    boxes_.resize(boxes_.size() + axes_.size());
    std::size_t widest = 0;
    double width = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      LossAxis::Box& box = boxes_[id * axes_.size() + a];
      for (std::uint32_t at = begin; at < end; ++at) axes_[a].add(box, order_[at]);
      if (axes_[a].width(box) <= width) continue;
      width = axes_[a].width(box);
      widest = a;
    }
    if (end - begin <= kLeaf || width <= 0) return id;
    const std::uint32_t middle = begin + (end - begin) / 2;
    const auto key = [&](std::uint32_t group) {
      return std::pair(axes_[widest].order(group), group);
    };
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t x, std::uint32_t y) { return key(x) < key(y); });
    const std::uint32_t left = build(begin, middle);
    const std::uint32_t right = build(middle, end);
    branches_[id].left = left;
    branches_[id].right = right;
    return id;
  }

  [[nodiscard]] double distance(std::uint32_t a, std::uint32_t b) const {
    double sum = 0;
    for (const LossAxis& axis : axes_) sum += axis.distance(a, b);
    return sum;
  }
  [[nodiscard]] double to_box(std::uint32_t group, std::uint32_t branch) const {
    double sum = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      sum += axes_[a].distance(group, boxes_[branch * axes_.size() + a]);
    }
    return sum;
  }

  const std::vector<std::uint64_t>& counts_;
  const std::vector<LossAxis>& axes_;
  std::vector<std::uint32_t> order_;  // points
  std::vector<Branch> branches_;
  std::vector<LossAxis::Box> boxes_;  // by branch, attribute
};

}  // namespace

double nearest_bound(const ProtectionInput& input, std::uint64_t least_records, CellStyle style,
                     Loss loss, Progress& progress, const BoundEffort& effort) {
  const SearchTime time(effort.time_limit, progress);
  constexpr std::size_t kMostPoints = 100'000;
  if (least_records < 2 || input.attributes.empty()) return 0;
  // Groups that differ in other columns alone are one point.
  std::vector<CodedColumn> columns;
  std::vector<LossAxis> axes;
  for (const auto& attribute : input.attributes) {
    columns.push_back(CodedColumn::of(*attribute.column));
    axes.emplace_back(attribute, style, loss);
  }
  const auto alike = EquivalenceClasses::of(columns, input.groups());
  std::vector<std::uint64_t> counts(input.groups(), 0);
  for (std::size_t group = 0; group < input.groups(); ++group)
    counts[alike.representative(alike.class_of(group))] += (*input.counts)[group];
  std::vector<std::uint32_t> points;
  for (std::uint32_t group = 0; group < counts.size(); ++group) {
    if (counts[group] > 0) points.push_back(group);
  }
  if (points.empty() || points.size() > kMostPoints) return 0;
  const BoxTree tree(axes, points, counts);
  const CheapestClass classes(axes, counts);
  const std::uint64_t looks =
      std::clamp<std::uint64_t>(effort.looks / axes.size() / points.size(), 64, 1U << 14U);
  const std::uint64_t boxes = effort.boxes / points.size();
  const std::size_t most = boxes == 0 ? 0 : CheapestClass::kMostOthers;
  constexpr std::size_t kGrain = 256;
  progress.begin("bounding the loss", points.size());
  std::vector<double> sums((points.size() + kGrain - 1) / kGrain, 0);
  parallel_blocks(points.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t count = counts[points[i]];
      if (count >= least_records || time.is_over()) continue;
      const auto near = tree.nearest(points[i], least_records, looks, most);
      double least = near.enough;
      if (boxes > 0 && near.beyond > least)
        least = std::max(least,
                         classes.least(points[i], near.points, least_records, near.beyond, boxes));
      sums[begin / kGrain] += static_cast<double>(count) * least;
    }
    progress.advance(end - begin);
  });
  const double cells =
      static_cast<double>(records_of(input)) * static_cast<double>(input.attributes.size());
  return std::accumulate(sums.begin(), sums.end(), 0.0) / cells * (1 - 1e-9);
}

}  // namespace pratique::tables::internal
