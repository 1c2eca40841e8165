// Minimum-weight perfect matching of a complete graph: everybody is paired, and the sum of the
// distances of the pairs is the least there is.
//
// Edmonds' primal-dual method (Paths, trees, and flowers, 1965; maximum matching and a polyhedron
// with 0,1-vertices, 1965). Every vertex v has a dual y(v), every blossom (an odd set that is
// matched within but for one vertex) a dual z >= 0, such that the slack
//   c(u, v) - y(u) - y(v)  (plus z of the blossoms that hold both)
// is never negative. Alternating trees grow from all free vertices at once along edges of slack 0;
// an edge between two trees augments the matching, one within a tree makes a blossom, and where
// there is neither the duals move until there is. Only edges of slack 0 are matched and only full
// blossoms have z > 0, so at the end the sum of the duals equals the cost, and no matching is
// cheaper.
//
// Every tree grows by as much, so all free vertices keep one parity; costs are multiplied by four
// and duals begin even, so that every step is a whole number. For each pair of blossoms the best
// edge is kept: within a blossom duals move together, so it stays the best. O(n^3) time, O(n^2)
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pratique/core/progress.h"

namespace pratique::genomes {

// A symmetric matrix of distances, 0 on the diagonal.
class DistanceMatrix {
 public:
  explicit DistanceMatrix(std::size_t size) : size_(size), cells_(size * size, 0) {}
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::int32_t at(std::size_t a, std::size_t b) const {
    return cells_[a * size_ + b];
  }
  void set(std::size_t a, std::size_t b, std::int32_t distance) {
    cells_[a * size_ + b] = distance;
    cells_[b * size_ + a] = distance;
  }

 private:
  std::size_t size_;
  std::vector<std::int32_t> cells_;
};

// By vertex its partner. An even number of vertices; distances are not negative.
[[nodiscard]] std::vector<std::uint32_t> minimum_perfect_matching(const DistanceMatrix& distances,
                                                                  Progress& progress);

}  // namespace pratique::genomes
