#include "pratique/dp/clustering/kmeans.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pratique/dp/mechanism/discrete_laplace.h"

namespace pratique::dp {
namespace {

constexpr std::int64_t kStepsToEnd = 1024;

double squared_distance(const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

std::size_t nearest_centre(const Point& point, const std::vector<Point>& centres) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < centres.size(); ++c) {
    if (squared_distance(point, centres[c]) < squared_distance(point, centres[best])) best = c;
  }
  return best;
}

// Whole numbers: order and rounding tell nothing.
struct ClusterSums {
  std::int64_t rows = 0;
  std::vector<std::int64_t> steps;  // by column
};

std::vector<ClusterSums> summed_by_centre(const std::vector<WeightedPoint>& points,
                                          const std::vector<Point>& centres) {
  std::vector<ClusterSums> sums(centres.size());
  for (auto& sum : sums) sum.steps.resize(centres.front().size());
  for (const auto& [at, rows] : points) {
    auto& sum = sums[nearest_centre(at, centres)];
    const auto weight = static_cast<std::int64_t>(rows);
    sum.rows += weight;
    for (std::size_t d = 0; d < at.size(); ++d) {
      sum.steps[d] += weight * std::llround(at[d] * static_cast<double>(kStepsToEnd));
    }
  }
  return sums;
}

// A centre that noise cannot tell from an empty one goes to the largest cluster, and both step
// apart from there in a direction drawn by chance: a centre that nobody is near would stay empty
// for ever.
void split_largest_for_empty(std::vector<Point>& centres, const std::vector<Cluster>& clusters,
                             double least, RandomBits& random) {
  constexpr double kStepApart = 0.1;
  const auto largest = static_cast<std::size_t>(
      std::max_element(clusters.begin(), clusters.end(),
                       [](const Cluster& a, const Cluster& b) { return a.rows < b.rows; }) -
      clusters.begin());
  for (std::size_t c = 0; c < centres.size(); ++c) {
    if (c == largest || clusters[c].rows >= least) continue;
    centres[c] = centres[largest];
    for (std::size_t d = 0; d < centres[c].size(); ++d) {
      const double along = static_cast<double>(random.below(2 * kStepsToEnd + 1)) / kStepsToEnd - 1;
      centres[c][d] = std::clamp(centres[c][d] + kStepApart * along, -1.0, 1.0);
      centres[largest][d] = std::clamp(centres[largest][d] - kStepApart * along, -1.0, 1.0);
    }
  }
}

}  // namespace

double scaled(double value, const NumberRange& bounds) {
  const double half = (bounds.high - bounds.low) / 2;
  return half > 0 ? std::clamp((value - bounds.low - half) / half, -1.0, 1.0) : 0;
}

double unscaled(double place, const NumberRange& bounds) {
  const double half = (bounds.high - bounds.low) / 2;
  return bounds.low + half + place * half;
}

std::vector<Point> first_centres(std::size_t clusters, std::size_t columns, RandomBits& random) {
  constexpr int kDraws = 100;
  std::vector<Point> centres;
  while (centres.size() < clusters) {
    Point furthest;
    double distance = -1;
    for (int draw = 0; draw < kDraws; ++draw) {
      Point point(columns);
      double nearest = 4 * static_cast<double>(columns);
      for (auto& place : point) {
        place = static_cast<double>(random.below(2 * kStepsToEnd + 1)) / kStepsToEnd - 1;
        // As far from the ends as from half of the way to another centre.
        const double to_end = 2 * (1 - std::abs(place));
        nearest = std::min(nearest, to_end * to_end);
      }
      for (const auto& other : centres) nearest = std::min(nearest, squared_distance(point, other));
      if (nearest > distance) {
        distance = nearest;
        furthest = std::move(point);
      }
    }
    centres.push_back(std::move(furthest));
  }
  return centres;
}

std::vector<Cluster> noisy_kmeans(const std::vector<WeightedPoint>& points,
                                  std::vector<Point> centres, const KmeansSettings& settings,
                                  Noise& noise) {
  const std::size_t columns = centres.front().size();
  const Epsilon part = settings.epsilon.part_of(settings.rounds * (columns + 1));
  const DiscreteLaplace of_rows(part.over(settings.max_rows));
  const DiscreteLaplace of_steps(part.over(settings.max_rows * kStepsToEnd));
  std::vector<Cluster> clusters(centres.size());
  for (std::size_t round = 0; round < settings.rounds; ++round) {
    RandomBits random = noise.phase(fmt::format("round {}", round));
    const auto sums = summed_by_centre(points, centres);
    for (std::size_t c = 0; c < centres.size(); ++c) {
      const double rows = static_cast<double>(sums[c].rows + of_rows.draw(random));
      clusters[c].rows = rows;
      for (std::size_t d = 0; d < columns; ++d) {
        // Drawn also where it is not used: work depends on nothing.
        const auto steps = static_cast<double>(sums[c].steps[d] + of_steps.draw(random));
        const double mean = steps / static_cast<double>(kStepsToEnd) / std::max(1.0, rows);
        if (rows >= 1) centres[c][d] = std::clamp(mean, -1.0, 1.0);
      }
    }
    constexpr double kSurelySomebodyNear = 3;  // deviations
    if (round + 1 < settings.rounds) {
      split_largest_for_empty(centres, clusters,
                              kSurelySomebodyNear * std::sqrt(of_rows.variance()), random);
    }
  }
  for (std::size_t c = 0; c < centres.size(); ++c) clusters[c].centre = std::move(centres[c]);
  return clusters;
}

}  // namespace pratique::dp
