// Counts over two columns of a fitted model that need not be in one clique: along the path between
// their cliques, what is known of the first column is carried from separator to separator.
#include <algorithm>

#include "pratique/dp/synthesis/graphical_model.h"

namespace pratique::dp {
namespace {

bool clique_has(const JunctionTree& tree, std::size_t clique, std::size_t column) {
  return std::binary_search(tree.cliques[clique].begin(), tree.cliques[clique].end(), column);
}

struct Step {
  std::size_t clique;
  std::size_t link;  // by which it was reached; none of the first
};

// From a clique with `a` to the nearest with `b`.
std::vector<Step> path_between(const JunctionTree& tree, std::size_t a, std::size_t b) {
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::vector<Step>> open = {{{tree.clique_with({a}), kNone}}};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Step last = open[i].back();
    if (clique_has(tree, last.clique, b)) return open[i];
    for (std::size_t l = 0; l < tree.links.size(); ++l) {
      const auto& link = tree.links[l];
      if (l == last.link || (link.parent != last.clique && link.child != last.clique)) continue;
      auto longer = open[i];
      longer.push_back({link.parent == last.clique ? link.child : link.parent, l});
      open.push_back(std::move(longer));
    }
  }
  return {};
}

}  // namespace

std::vector<double> GraphicalModel::over_pair(std::size_t a, std::size_t b) const {
  for (std::size_t c = 0; c < tree_.cliques.size(); ++c) {
    if (clique_has(tree_, c, a) && clique_has(tree_, c, b)) return over({a, b});
  }
  const auto path = path_between(tree_, a, b);
  const std::size_t a_cells = sizes_[a];
  // carried[s * a_cells + v]: the share of a = v among rows with separator s; of the first clique,
  // the separator is a itself.
  ColumnSet separator = {a};
  std::vector<double> carried(a_cells * a_cells);
  for (std::size_t v = 0; v < a_cells; ++v) carried[v * a_cells + v] = 1;
  std::vector<double> counts;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto& columns = tree_.cliques[path[i].clique];
    const bool last = i + 1 == path.size();
    const ColumnSet next = last ? ColumnSet{b} : tree_.links[path[i + 1].link].separator;
    const auto from = places(columns, separator, sizes_);
    const auto to = places(columns, next, sizes_);
    const auto cells = static_cast<std::size_t>(cells_over(next, sizes_));
    counts.assign(cells * a_cells, 0);
    std::vector<double> sums(cells);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const double mass = marginals_[path[i].clique][j];
      sums[to[j]] += mass;
      for (std::size_t v = 0; v < a_cells; ++v) {
        counts[to[j] * a_cells + v] += mass * carried[from[j] * a_cells + v];
      }
    }
    carried = counts;
    for (std::size_t s = 0; s < cells; ++s) {
      for (std::size_t v = 0; v < a_cells && sums[s] > 0; ++v) carried[s * a_cells + v] /= sums[s];
    }
    separator = next;
  }
  std::vector<double> turned(counts.size());
  for (std::size_t v = 0; v < a_cells; ++v) {
    for (std::size_t w = 0; w < sizes_[b]; ++w) turned[v * sizes_[b] + w] = counts[w * a_cells + v];
  }
  return turned;
}

}  // namespace pratique::dp
