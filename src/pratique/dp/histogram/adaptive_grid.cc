#include "pratique/dp/histogram/adaptive_grid.h"

#include <algorithm>
#include <cmath>

#include "pratique/dp/mechanism/discrete_laplace.h"

namespace pratique::dp {
namespace {

constexpr double kScaleShareOfGrid = 0.02;
constexpr double kFirstGridShare = 0.5;
// Of the paper: people per box at epsilon 1 for which noise and unevenness are about equal.
constexpr double kPeoplePerBox = 10;
constexpr double kCoarser = 4;
constexpr double kFewestParts = 10;

// Sums of rectangles from sums of prefixes.
class PlaneSums {
 public:
  PlaneSums(std::uint64_t rows, std::uint64_t columns, const std::vector<std::int64_t>& cells)
      : width_(columns + 1), sums_((rows + 1) * (columns + 1)) {
    for (std::uint64_t r = 0; r < rows; ++r) {
      std::int64_t of_row = 0;
      for (std::uint64_t c = 0; c < columns; ++c) {
        of_row += cells[r * columns + c];
        sums_[(r + 1) * width_ + c + 1] = sums_[r * width_ + c + 1] + of_row;
      }
    }
  }
  [[nodiscard]] std::int64_t in(const CellBox& box) const {
    const auto up_to = [&](std::uint64_t r, std::uint64_t c) { return sums_[r * width_ + c]; };
    return up_to(box.high[0] + 1, box.high[1] + 1) - up_to(box.low[0], box.high[1] + 1) -
           up_to(box.high[0] + 1, box.low[1]) + up_to(box.low[0], box.low[1]);
  }

 private:
  std::uint64_t width_;
  std::vector<std::int64_t> sums_;
};

std::uint64_t length(const CellBox& box, std::size_t d) { return box.high[d] - box.low[d] + 1; }

// The `i`-th of so many parts of a side begins here.
std::uint64_t begin_of(std::uint64_t i, std::uint64_t parts, std::uint64_t length) {
  return i * length / parts;
}

std::vector<CellBox> cut_into(const CellBox& box, double boxes) {
  const std::uint64_t rows = length(box, 0);
  const std::uint64_t columns = length(box, 1);
  const Parts parts = parts_for(boxes, rows, columns);
  std::vector<CellBox> cut;
  for (std::uint64_t r = 0; r < parts.rows; ++r) {
    for (std::uint64_t c = 0; c < parts.columns; ++c) {
      cut.push_back({{box.low[0] + begin_of(r, parts.rows, rows),
                      box.low[1] + begin_of(c, parts.columns, columns)},
                     {box.low[0] + begin_of(r + 1, parts.rows, rows) - 1,
                      box.low[1] + begin_of(c + 1, parts.columns, columns) - 1}});
    }
  }
  return cut;
}

}  // namespace

Parts parts_for(double boxes, std::uint64_t rows, std::uint64_t columns) {
  const auto within = [](double parts, std::uint64_t length) {
    return static_cast<std::uint64_t>(
        std::clamp(std::ceil(parts), 1.0, static_cast<double>(length)));
  };
  Parts parts;
  parts.rows = within(std::sqrt(boxes), rows);
  parts.columns = within(boxes / static_cast<double>(parts.rows), columns);
  parts.rows = within(boxes / static_cast<double>(parts.columns), rows);
  return parts;
}

std::vector<CountedBox> noisy_adaptive_grid(const CellGrid& grid,
                                            const std::vector<CellCount>& counts,
                                            std::uint64_t max_rows, Epsilon epsilon,
                                            RandomBits& scale_noise, RandomBits& first_noise,
                                            RandomBits& second_noise) {
  const PlaneSums sums(grid.sizes()[0], grid.sizes()[1], dense(grid, counts));
  const auto [of_scale, rest] = epsilon.split(kScaleShareOfGrid);
  const auto [of_first, of_second] = rest.split(kFirstGridShare);
  // Rows count, and a person has up to max_rows: noise is larger by that.
  const auto per_row = [&](Epsilon part) { return part.value() / static_cast<double>(max_rows); };
  const auto people = static_cast<double>(
      sums.in(grid.whole()) + DiscreteLaplace(of_scale.over(max_rows)).draw(scale_noise));
  const double first_side = std::max(
      kFewestParts, std::sqrt(std::max(0.0, people) * per_row(rest) / kPeoplePerBox) / kCoarser);
  const DiscreteLaplace first(of_first.over(max_rows));
  const DiscreteLaplace second(of_second.over(max_rows));
  std::vector<CountedBox> boxes;
  for (const auto& coarse : cut_into(grid.whole(), first_side * first_side)) {
    const auto count = static_cast<double>(sums.in(coarse) + first.draw(first_noise));
    const double wanted = std::max(0.0, count) * per_row(of_second) / (kPeoplePerBox / 2);
    const auto fine = cut_into(coarse, std::max(1.0, wanted));
    std::vector<double> noisy;
    double sum = 0;
    for (const auto& box : fine) {
      noisy.push_back(static_cast<double>(sums.in(box) + second.draw(second_noise)));
      sum += noisy.back();
    }
    const auto parts = static_cast<double>(fine.size());
    const double of_sum = second.variance() * parts;
    const double fused = (count * of_sum + sum * first.variance()) / (of_sum + first.variance());
    const double variance_of_fused = of_sum * first.variance() / (of_sum + first.variance());
    for (std::size_t i = 0; i < fine.size(); ++i) {
      boxes.push_back({fine[i], noisy[i] + (fused - sum) / parts,
                       second.variance() * (1 - 1 / parts) + variance_of_fused / (parts * parts)});
    }
  }
  return boxes;
}

}  // namespace pratique::dp
