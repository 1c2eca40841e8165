#include "pratique/dp/diffgen/diffgen.h"

#include <algorithm>
#include <numeric>

#include "pratique/dp/histogram/simplex.h"
#include "pratique/dp/mechanism/discrete_laplace.h"
#include "pratique/dp/mechanism/selection.h"

namespace pratique::dp {
namespace {

struct Specialisation {
  std::size_t attribute = 0;
  Hierarchy::Node node = 0;
};

std::uint64_t cells_of(const std::vector<std::vector<Hierarchy::Node>>& cuts,
                       std::uint32_t classes) {
  std::uint64_t cells = classes;
  for (const auto& cut : cuts) cells *= cut.size();
  return cells;
}

// Those that leave room: the number of cells is at most kMostGeneralisedCells before and after.
std::vector<Specialisation> offered(const std::vector<Hierarchy>& trees,
                                    const std::vector<std::vector<Hierarchy::Node>>& cuts,
                                    std::uint32_t classes) {
  std::vector<Specialisation> candidates;
  const std::uint64_t cells = cells_of(cuts, classes);
  for (std::size_t a = 0; a < trees.size(); ++a) {
    for (const auto node : cuts[a]) {
      if (trees[a].is_leaf(node)) continue;
      const std::uint64_t more = trees[a].children(node).size() - 1;
      if (cells / cuts[a].size() * (cuts[a].size() + more) > kMostGeneralisedCells) continue;
      candidates.push_back({a, node});
    }
  }
  return candidates;
}

// Where each node of a tree is in its cut: that of the node of the cut that it is under.
std::vector<std::size_t> places_in(const Hierarchy& tree, const std::vector<Hierarchy::Node>& cut) {
  std::vector<std::size_t> places(tree.leaf_count());
  for (Hierarchy::Node leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    for (std::size_t place = 0; place < cut.size(); ++place) {
      if (tree.is_under(leaf, cut[place])) places[leaf] = place;
    }
  }
  return places;
}

}  // namespace

std::int64_t max_score(const Hierarchy& tree, Hierarchy::Node node,
                       const std::vector<Hierarchy::Node>& leaves, const ClassifiedRows& rows,
                       std::uint32_t classes) {
  const auto children = tree.children(node);
  std::vector<std::int64_t> counts(children.size() * classes);
  const int level = tree.level(node) - 1;
  for (std::size_t row = 0; row < rows.counts.size(); ++row) {
    if (!tree.is_under(leaves[row], node)) continue;
    const auto child =
        std::find(children.begin(), children.end(), tree.ancestor(leaves[row], level));
    counts[static_cast<std::size_t>(child - children.begin()) * classes + rows.classes[row]] +=
        static_cast<std::int64_t>(rows.counts[row]);
  }
  std::int64_t score = 0;
  for (std::size_t child = 0; child < children.size(); ++child) {
    const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(child * classes);
    score += *std::max_element(begin, begin + classes);
  }
  return score;
}

GeneralisedCounts diffgen(const std::vector<Hierarchy>& trees, const ClassifiedRows& rows,
                          std::uint32_t classes, const DiffgenSettings& settings, Noise& noise) {
  const auto [of_choices, of_counts] = settings.epsilon.split(0.5);
  RandomBits choosing = noise.phase("specialisations");
  RandomBits counting = noise.phase("generalised cells");
  GeneralisedCounts table;
  for (const auto& tree : trees) table.cuts.push_back({tree.root()});
  const NoisyMaximum maximum(settings.max_rows, of_choices.part_of(settings.specialisations));
  for (std::uint64_t i = 0; i < settings.specialisations; ++i) {
    const auto candidates = offered(trees, table.cuts, classes);
    if (candidates.empty()) break;
    std::vector<std::int64_t> scores;
    for (const auto& [a, node] : candidates) {
      scores.push_back(max_score(trees[a], node, rows.leaves[a], rows, classes));
    }
    const auto& [a, node] = candidates[maximum.choose(scores, choosing)];
    auto& cut = table.cuts[a];
    std::erase(cut, node);
    const auto children = trees[a].children(node);
    cut.insert(cut.end(), children.begin(), children.end());
    std::sort(cut.begin(), cut.end());
  }
  std::vector<std::vector<std::size_t>> places;
  for (std::size_t a = 0; a < trees.size(); ++a) {
    places.push_back(places_in(trees[a], table.cuts[a]));
  }
  std::vector<std::int64_t> exact(cells_of(table.cuts, classes));
  for (std::size_t row = 0; row < rows.counts.size(); ++row) {
    std::size_t cell = 0;
    for (std::size_t a = 0; a < trees.size(); ++a) {
      cell = cell * table.cuts[a].size() + places[a][rows.leaves[a][row]];
    }
    exact[cell * classes + rows.classes[row]] += static_cast<std::int64_t>(rows.counts[row]);
  }
  const DiscreteLaplace laplace(of_counts.over(settings.max_rows));
  for (const auto count : exact) {
    table.counts.push_back(static_cast<double>(count + laplace.draw(counting)));
  }
  project_to_simplex(table.counts, std::accumulate(table.counts.begin(), table.counts.end(), 0.0));
  return table;
}

}  // namespace pratique::dp
