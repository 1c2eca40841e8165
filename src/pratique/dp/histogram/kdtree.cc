#include "pratique/dp/histogram/kdtree.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "pratique/dp/mechanism/discrete_laplace.h"

namespace pratique::dp {
namespace {

constexpr double kCutDeviations = 4;  // a cut that noise alone would make once in many boxes
// Where cells do not tell: how far the half of a box may be from half of its people, as a share of
// these; and how many times the variance of a count that must be, squared, for a cut to pay.
constexpr double kUnevenness = 0.25;
constexpr double kWorth = 4;

// Calls use(first cell, length) for every run of neighbouring cells in the box.
template <class Use>
void for_each_run(const CellGrid& grid, const CellBox& box, const Use& use) {
  const std::size_t last = grid.dimensions() - 1;
  std::vector<std::uint64_t> place = box.low;
  const std::uint64_t length = box.high[last] - box.low[last] + 1;
  while (true) {
    use(grid.number_of(place), length, place);
    std::size_t d = last;
    while (d > 0) {
      --d;
      if (place[d] < box.high[d]) {
        ++place[d];
        break;
      }
      place[d] = box.low[d];
      if (d == 0) return;
    }
    if (last == 0) return;
  }
}

class KdTree {
 public:
  KdTree(const CellGrid& grid, std::vector<std::int32_t> noisy, const DiscreteLaplace& noise,
         double xi0, std::optional<double> xi1, double variance_of_count)
      : grid_(grid),
        noisy_(std::move(noisy)),
        noise_(noise),
        xi0_(xi0),
        xi1_(xi1),
        variance_of_count_(variance_of_count) {}

  // The final boxes, with the sums of their noisy cells.
  std::vector<CountedBox> grow(Progress& progress) {
    struct Open {
      CellBox box;
      std::optional<Belief> before;  // of its people, by the box that it was cut from
    };
    std::vector<Open> open = {{grid_.whole(), std::nullopt}};
    std::vector<CountedBox> boxes;
    while (!open.empty()) {
      progress.check();
      const auto [box, before] = std::move(open.back());
      open.pop_back();
      const Look look = look_at(box, before);
      if (!look.cut) {
        boxes.push_back({box, look.sum, 0});
        continue;
      }
      CellBox left = box;
      CellBox right = box;
      left.high[look.dimension] = look.at;
      right.low[look.dimension] = look.at + 1;
      const auto all = static_cast<double>(box.cells());
      for (auto* part : {&left, &right}) {
        const double share = static_cast<double>(part->cells()) / all;
        const double uneven = kUnevenness * look.people.mean;
        open.push_back(
            {std::move(*part), Belief{look.people.mean * share,
                                      look.people.variance * share * share + uneven * uneven}});
      }
    }
    return boxes;
  }

 private:
  // How many people there are, by all that is known.
  struct Belief {
    double mean = 0;
    double variance = 0;
  };

  struct Look {
    double sum = 0;
    Belief people;
    bool cut = false;
    std::size_t dimension = 0;
    std::uint64_t at = 0;  // the last slice of the left part
  };

  Look look_at(const CellBox& box, const std::optional<Belief>& before) const {
    Look look;
    const std::uint64_t cells = box.cells();
    const double of_sum = noise_.variance() * static_cast<double>(cells);
    // Sums of slices across every dimension.
    std::vector<std::vector<double>> slices(grid_.dimensions());
    for (std::size_t d = 0; d < slices.size(); ++d) slices[d].resize(box.high[d] - box.low[d] + 1);
    const std::size_t last = grid_.dimensions() - 1;
    for_each_run(grid_, box, [&](std::uint64_t first, std::uint64_t length, const auto& place) {
      const auto run = std::span(noisy_).subspan(first, length);
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < run.size(); ++i) {
        sum += run[i];
        slices[last][i] += run[i];
      }
      look.sum += static_cast<double>(sum);
      for (std::size_t d = 0; d < last; ++d) {
        slices[d][place[d] - box.low[d]] += static_cast<double>(sum);
      }
    });
    look.people = {look.sum, of_sum};
    if (before) {
      const double weight = of_sum / (of_sum + before->variance);  // of what was believed
      look.people = {weight * before->mean + (1 - weight) * look.sum, weight * before->variance};
    }
    if (cells == 1 || look.people.mean <= xi0_) return look;

    double best = 0;
    for (std::size_t d = 0; d < slices.size(); ++d) {
      const auto width = static_cast<double>(slices[d].size());
      double left = 0;
      for (std::size_t i = 0; i + 1 < slices[d].size(); ++i) {
        left += slices[d][i];
        const double share = static_cast<double>(i + 1) / width;
        const double expected = look.sum * share;
        const double deviation =
            std::sqrt(noise_.variance() * static_cast<double>(cells) * share * (1 - share));
        const double distance = std::abs(left - expected) / deviation;
        if (distance > best) {
          best = distance;
          look.dimension = d;
          look.at = box.low[d] + i;
        }
      }
    }
    look.cut = best > kCutDeviations || !uniform(box, look.sum / static_cast<double>(cells), cells);
    if (!look.cut && !xi1_ && cutting_pays(look.people.mean, of_sum)) cut_in_half(box, look);
    return look;
  }

  // Noise hides whether the halves differ, and each has its own count for less than they may
  // differ.
  [[nodiscard]] bool cutting_pays(double people, double of_sum) const {
    const double uneven = kUnevenness * people * kUnevenness * people;
    const double of_half = of_sum / 4;  // of a half's distance from half the sum
    const double hidden = 2 * of_half * of_half / (uneven * uneven + 2 * of_half * of_half);
    return hidden * uneven > kWorth * variance_of_count_;
  }

  // Across the dimension that is the widest part of its domain.
  void cut_in_half(const CellBox& box, Look& look) const {
    double widest = 0;
    for (std::size_t d = 0; d < grid_.dimensions(); ++d) {
      const std::uint64_t width = box.high[d] - box.low[d] + 1;
      const double share = static_cast<double>(width) / static_cast<double>(grid_.sizes()[d]);
      if (width < 2 || share <= widest) continue;
      widest = share;
      look.dimension = d;
      look.at = box.low[d] + width / 2 - 1;
      look.cut = true;
    }
  }

  [[nodiscard]] bool uniform(const CellBox& box, double average, std::uint64_t cells) const {
    double h = 0;
    for_each_run(grid_, box, [&](std::uint64_t first, std::uint64_t length, const auto&) {
      for (const auto count : std::span(noisy_).subspan(first, length)) {
        h += std::abs(static_cast<double>(count) - average);
      }
    });
    const auto number = static_cast<double>(cells);
    const double of_noise = number * noise_.mean_magnitude();
    const double spread =
        std::sqrt(number * (noise_.variance() - noise_.mean_magnitude() * noise_.mean_magnitude()));
    return h - of_noise <= std::max(xi1_.value_or(0), 3 * spread);
  }

  const CellGrid& grid_;
  std::vector<std::int32_t> noisy_;
  const DiscreteLaplace& noise_;
  double xi0_;
  std::optional<double> xi1_;
  double variance_of_count_;  // of the second phase
};

std::int32_t in_32_bits(std::int64_t count) {
  constexpr std::int64_t kFurthest = 2'000'000'000;
  return static_cast<std::int32_t>(std::clamp(count, -kFurthest, kFurthest));
}

std::int64_t exact_sum(const CellGrid& grid, const std::vector<std::int64_t>& cells,
                       const CellBox& box) {
  std::int64_t sum = 0;
  for_each_run(grid, box, [&](std::uint64_t first, std::uint64_t length, const auto&) {
    for (const auto count : std::span(cells).subspan(first, length)) sum += count;
  });
  return sum;
}

}  // namespace

std::vector<CountedBox> noisy_kdtree(const CellGrid& grid, const std::vector<CellCount>& counts,
                                     std::uint64_t max_rows, Epsilon epsilon,
                                     const KdTreeSettings& settings, RandomBits& cells_noise,
                                     RandomBits& boxes_noise, Progress& progress) {
  const auto [first, second] = epsilon.split(settings.split);
  const DiscreteLaplace of_cells(first.over(max_rows));
  const DiscreteLaplace of_boxes(second.over(max_rows));
  const std::vector<std::int64_t> exact = dense(grid, counts);
  std::vector<std::int32_t> noisy(exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    noisy[i] = in_32_bits(exact[i] + of_cells.draw(cells_noise));
  }
  const double xi0 = settings.xi0.value_or(4 * std::sqrt(of_boxes.variance()));
  KdTree tree(grid, std::move(noisy), of_cells, xi0, settings.xi1, of_boxes.variance());
  std::vector<CountedBox> boxes = tree.grow(progress);
  for (auto& box : boxes) {
    const auto again =
        static_cast<double>(exact_sum(grid, exact, box.box) + of_boxes.draw(boxes_noise));
    const double of_sum = of_cells.variance() * static_cast<double>(box.box.cells());
    const double of_count = of_boxes.variance();
    box.count = (box.count * of_count + again * of_sum) / (of_sum + of_count);
    box.variance = of_sum * of_count / (of_sum + of_count);
  }
  return boxes;
}

}  // namespace pratique::dp
