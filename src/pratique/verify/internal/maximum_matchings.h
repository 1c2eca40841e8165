// The union of all maximum matchings of a bipartite graph, from its definition: an edge belongs to
// it when some maximum matching has that edge (T_XY of Definition 19).
//
// Vertices with the same neighbours stand together in one group, since exchanging two of them turns
// a maximum matching into another. A matching of the vertices is then an integral flow through the
// groups (source -> left -> right -> sink, each group with its size as capacity), and a maximum
// matching a maximum flow. By the decomposition of the difference of two maximum flows into cycles
// of the residual graph, an edge without flow is used by some other maximum flow exactly when it
// lies on such a cycle, that is when both its ends are in one strongly connected component of the
// residual graph (source and sink included).
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/core/progress.h"

namespace pratique::verify {

struct GroupGraph {
  std::vector<std::uint32_t> left_size;   // vertices in each group; 0 is allowed
  std::vector<std::uint32_t> right_size;  //
  std::vector<std::uint64_t> first;       // links of left group g: linked[first[g] .. first[g + 1])
  std::vector<std::uint32_t> linked;      // right groups
};

struct MaximumMatchings {
  std::uint64_t edges = 0;             // of each maximum matching
  std::vector<std::uint8_t> in_union;  // per entry of `linked`: some maximum matching has the edge
};

// Links with an end in an empty group are in no matching. O(links * sqrt(groups)) in practice.
[[nodiscard]] MaximumMatchings maximum_matchings(const GroupGraph& graph, Progress& progress);

}  // namespace pratique::verify
