// Choosing among points of a map of risk against utility. A point has risk(), usefulness() and
// `pareto`: no other has at most its risk and at least its utility, and is better in one of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace pratique {

template <typename Point>
void mark_pareto_points(std::vector<Point>& points) {
  const auto dominates = [](const Point& a, const Point& b) {
    return a.risk() <= b.risk() && a.usefulness() >= b.usefulness() &&
           (a.risk() < b.risk() || a.usefulness() > b.usefulness());
  };
  for (Point& point : points) {
    point.pareto = std::none_of(points.begin(), points.end(),
                                [&](const Point& other) { return dominates(other, point); });
  }
}

// With at least `min_utility` the one of least risk; with `bounded_risk` at most `max_risk` the
// most useful one; within both the most useful one. None where no point is within the bounds, or
// there is no bound.
template <typename Point, typename BoundedRisk>
std::optional<std::size_t> choose_point(const std::vector<Point>& points,
                                        std::optional<double> min_utility,
                                        std::optional<double> max_risk,
                                        const BoundedRisk& bounded_risk) {
  if (!min_utility && !max_risk) return std::nullopt;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    if (min_utility && point.usefulness() < *min_utility) continue;
    if (max_risk && bounded_risk(point) > *max_risk) continue;
    const auto better = [&](const Point& than) {
      return max_risk ? point.usefulness() > than.usefulness() : point.risk() < than.risk();
    };
    if (!best || better(points[*best])) best = i;
  }
  return best;
}

}  // namespace pratique
