#include "pratique/dp/tester/histograms.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "pratique/dp/histogram/histogram.h"

namespace pratique::dp {
namespace {

constexpr double kCountsToldAlike = 3;
constexpr double kFurthestCount = 6;

std::string label_of_boxes(const Histogram& histogram) {
  std::string label;
  for (const auto& [box, count] : histogram.boxes) {
    for (std::size_t d = 0; d < box.low.size(); ++d) {
      label += fmt::format("{}-{},", box.low[d], box.high[d]);
    }
    label += fmt::format("{:.0f} ",
                         std::clamp(count / kCountsToldAlike, -kFurthestCount, kFurthestCount));
  }
  return label;
}

}  // namespace

std::vector<NeighbourPair> pairs_of_histograms(const std::string& method, Epsilon epsilon) {
  // Adaptive grids are for two columns: two cells by two, in place of four.
  const bool plane = method == "grid";
  const auto grid = std::make_shared<const CellGrid>(
      plane ? CellGrid({Domain::range("a", 0, 1), Domain::range("b", 0, 1)})
            : CellGrid({Domain::range("a", 0, 3)}));
  const std::vector<CellCount> base = {{0, 9}, {1, 9}, {2, 1}};
  const auto sampler = [&](const std::vector<CellCount>& counts) {
    return Sampler([=](std::uint64_t) {
      Noise noise;
      return label_of_boxes(
          make_histogram(*grid, counts, 1, epsilon, {.method = method, .xi0 = 1}, noise));
    });
  };
  std::vector<NeighbourPair> pairs;
  for (std::uint64_t more = 0; more < grid->cells(); ++more) {
    std::vector<CellCount> larger = base;
    if (more < larger.size()) {
      ++larger[more].count;
    } else {
      larger.push_back({more, 1});
    }
    pairs.push_back(
        {fmt::format("9, 9, 1, 0 and one more in cell {}", more), sampler(larger), sampler(base)});
  }
  return pairs;
}

}  // namespace pratique::dp
