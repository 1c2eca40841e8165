#include "pratique/dp/histogram/plane_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pratique::dp {
namespace {

// The first cell of a box in either dimension.
struct Corner {
  std::uint64_t row = 0;
  std::uint64_t column = 0;
};

}  // namespace

unsigned plane_height(std::uint64_t longer, std::uint64_t branching) {
  unsigned height = 1;
  for (std::uint64_t reach = branching; reach < longer; reach *= branching) ++height;
  return height;
}

std::uint64_t best_plane_branching(std::uint64_t rows, std::uint64_t columns) {
  const std::uint64_t longer = std::max({rows, columns, std::uint64_t{2}});
  const double a = static_cast<double>(rows) / 3;
  const double b = static_cast<double>(columns) / 3;
  std::uint64_t best = longer;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint64_t branching = 2; branching <= longer; ++branching) {
    const unsigned height = plane_height(longer, branching);
    double nodes = 0;
    double side = 1;
    for (unsigned level = 0; level < height; ++level, side *= static_cast<double>(branching)) {
      const double within = (a / side) * (b / side);
      const double at_edges = static_cast<double>(branching - 1) * (a + b) / side;
      nodes += level + 1 == height ? within : std::min(within, at_edges);
    }
    const double error = height * height * nodes;
    if (error < least) {
      least = error;
      best = branching;
    }
    if (height == 1) break;  // larger ones are the same tree
  }
  return best;
}

std::uint64_t adaptive_plane_branching(std::uint64_t rows, std::uint64_t columns) {
  constexpr std::uint64_t kSmallPlane = 8;
  constexpr std::uint64_t kMiddlingPlane = 32;
  const std::uint64_t longer = std::max({rows, columns, std::uint64_t{2}});
  const unsigned levels = longer <= kSmallPlane ? 1 : longer <= kMiddlingPlane ? 2 : 3;
  std::uint64_t branching = 2;
  while (plane_height(longer, branching) > levels) ++branching;
  return branching;
}

PlaneTree plane_tree(std::uint64_t rows, std::uint64_t columns, std::uint64_t branching) {
  const unsigned height = plane_height(std::max(rows, columns), branching);
  std::uint64_t side = 1;
  for (unsigned level = 0; level < height; ++level) side *= branching;
  PlaneTree tree;
  // From the whole plane down; the whole is no level of its own.
  std::vector<Corner> boxes = {{}};
  for (unsigned level = 0; level < height; ++level) {
    const std::uint64_t smaller = side / branching;
    std::vector<Corner> children;
    std::vector<std::size_t> first_child;
    for (const auto& [row, column] : boxes) {
      first_child.push_back(children.size());
      for (std::uint64_t r = row; r < std::min(rows, row + side); r += smaller) {
        for (std::uint64_t c = column; c < std::min(columns, column + side); c += smaller) {
          children.push_back({r, c});
        }
      }
    }
    first_child.push_back(children.size());
    if (level > 0) tree.shape.first_child.push_back(std::move(first_child));
    boxes = std::move(children);
    side = smaller;
  }
  for (const auto& [row, column] : boxes) tree.cells.push_back(row * columns + column);
  return tree;
}

}  // namespace pratique::dp
