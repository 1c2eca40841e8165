#include "pratique/trails/trail_figures.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pratique::trails {

VisitFigures visit_figures(const Side& side) {
  std::vector<std::size_t> visits;
  for (Element element = 0; element < side.elements(); ++element) {
    if (!side.trail(element).empty()) visits.push_back(side.trail(element).size());
  }
  VisitFigures figures;
  figures.elements = visits.size();
  if (visits.empty()) return figures;
  std::ranges::sort(visits);
  figures.fewest = visits.front();
  figures.most = visits.back();
  const std::size_t middle = visits.size() / 2;
  figures.median = visits.size() % 2 == 1
                       ? static_cast<double>(visits[middle])
                       : static_cast<double>(visits[middle - 1] + visits[middle]) / 2;
  const auto count = static_cast<double>(visits.size());
  for (const auto number : visits) figures.mean += static_cast<double>(number) / count;
  double squares = 0;
  for (const auto number : visits) {
    squares += std::pow(static_cast<double>(number) - figures.mean, 2);
  }
  if (visits.size() > 1) figures.deviation = std::sqrt(squares / (count - 1));
  return figures;
}

std::uint64_t most_reidentifiable(std::size_t elements, std::size_t locations, std::size_t values) {
  constexpr std::size_t kMoreThanPeople = 33;  // 2^33 trails
  if (locations >= kMoreThanPeople) return elements;
  return std::min<std::uint64_t>(elements, ((std::uint64_t{1} << locations) - 1) * values);
}

std::vector<TrailProbability> trail_probabilities(const Side& side, std::size_t locations) {
  const DistinctTrails trails(side);
  const auto seen = static_cast<double>(trails.elements());
  // log(1 - f) of all locations, and what a visit changes. Where everybody was seen, 1 - f is 0 and
  // every trail has the location.
  double nowhere = 0;
  std::vector<double> visit(locations, 0);
  const auto sizes = side.sizes(locations);
  for (std::size_t c = 0; c < locations; ++c) {
    if (sizes[c] == 0 || static_cast<double>(sizes[c]) == seen) continue;
    const double share = static_cast<double>(sizes[c]) / seen;
    nowhere += std::log1p(-share);
    visit[c] = std::log(share) - std::log1p(-share);
  }
  std::vector<TrailProbability> result;
  for (std::size_t g = 0; g < trails.size(); ++g) {
    double logarithm = nowhere;
    for (const Location c : trails.trail(g)) logarithm += visit[c];
    const double alone =
        seen < 2 ? 1 : std::exp((seen - 1) * std::log1p(-std::min(1.0, std::exp(logarithm))));
    result.push_back(
        {trails.trail(g).size(), trails.capacity(g), logarithm / std::numbers::ln10, alone});
  }
  std::ranges::stable_sort(result, std::greater<>(), &TrailProbability::log10_probability);
  return result;
}

}  // namespace pratique::trails
