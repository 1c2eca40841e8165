#include "pratique/dp/synthesis/junction_tree.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace pratique::dp {
namespace {

class ColumnGraph {
 public:
  ColumnGraph(std::size_t columns, const std::vector<ColumnSet>& marginals)
      : joined_(columns, std::vector<bool>(columns)), left_(columns, true) {
    for (const auto& marginal : marginals) join(marginal);
  }

  void join(const ColumnSet& columns) {
    for (const auto a : columns) {
      for (const auto b : columns) joined_[a][b] = a != b;
    }
  }
  [[nodiscard]] ColumnSet neighbours(std::size_t column) const {
    ColumnSet neighbours;
    for (std::size_t other = 0; other < left_.size(); ++other) {
      if (left_[other] && joined_[column][other]) neighbours.push_back(other);
    }
    return neighbours;
  }
  // The column whose neighbours lack the fewest edges; taken out.
  [[nodiscard]] std::size_t take_next() {
    std::size_t best = left_.size();
    std::size_t least = 0;
    for (std::size_t column = 0; column < left_.size(); ++column) {
      if (!left_[column]) continue;
      const ColumnSet around = neighbours(column);
      std::size_t missing = 0;
      for (const auto a : around) {
        for (const auto b : around) missing += a < b && !joined_[a][b] ? 1U : 0U;
      }
      if (best == left_.size() || missing < least) {
        best = column;
        least = missing;
      }
    }
    left_[best] = false;
    return best;
  }

 private:
  std::vector<std::vector<bool>> joined_;
  std::vector<bool> left_;
};

bool is_among(const ColumnSet& part, const ColumnSet& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

ColumnSet shared(const ColumnSet& a, const ColumnSet& b) {
  ColumnSet both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

}  // namespace

std::size_t JunctionTree::clique_with(const ColumnSet& columns) const {
  for (std::size_t c = 0; c < cliques.size(); ++c) {
    if (is_among(columns, cliques[c])) return c;
  }
  throw std::logic_error("no clique has these columns");
}

JunctionTree junction_tree(std::size_t columns, const std::vector<ColumnSet>& marginals) {
  ColumnGraph graph(columns, marginals);
  JunctionTree tree;
  for (std::size_t i = 0; i < columns; ++i) {
    const std::size_t column = graph.take_next();
    ColumnSet clique = graph.neighbours(column);
    graph.join(clique);
    clique.insert(std::lower_bound(clique.begin(), clique.end(), column), column);
    if (std::none_of(tree.cliques.begin(), tree.cliques.end(),
                     [&](const ColumnSet& larger) { return is_among(clique, larger); })) {
      tree.cliques.push_back(std::move(clique));
    }
  }
  // A maximum spanning tree by how many columns cliques share is a junction tree.
  std::vector<bool> reached(tree.cliques.size());
  std::vector<std::size_t> from(tree.cliques.size());
  if (!reached.empty()) reached[0] = true;
  for (std::size_t i = 1; i < tree.cliques.size(); ++i) {
    std::size_t next = 0;
    ColumnSet most;
    for (std::size_t c = 0; c < tree.cliques.size(); ++c) {
      if (reached[c]) continue;
      for (std::size_t r = 0; r < tree.cliques.size(); ++r) {
        if (!reached[r]) continue;
        ColumnSet both = shared(tree.cliques[r], tree.cliques[c]);
        if (next != 0 && both.size() <= most.size()) continue;
        next = c;
        from[c] = r;
        most = std::move(both);
      }
    }
    reached[next] = true;
    tree.links.push_back({from[next], next, most});
  }
  return tree;
}

}  // namespace pratique::dp
