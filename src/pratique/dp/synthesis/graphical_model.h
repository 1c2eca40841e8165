// The distribution of highest entropy that agrees with noisy marginals as well as it can.
//
// Definition (McKenna, Sheldon and Miklau 2019, Private-PGM). Let y_r be measured marginals of a
// table of `total` rows. Of all distributions, take one that minimises
//   L(mu) = sum over r and cells of weight / 2 (mu_r - y_r)^2,
// and of these the one of highest entropy: it is a product of factors over the measured marginals,
// so it is kept as factors over the cliques of a junction tree (junction_tree.h).
//
// How. Mirror descent: the logarithms of the factors move against the gradient of L with respect to
// the marginals, and message passing in the tree gives the marginals of what came of it. A step
// that does not lower L as it should is halved. Everything is computed from noisy figures: it costs
// no privacy.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/dp/synthesis/junction_tree.h"

namespace pratique::dp {

struct Measurement {
  ColumnSet columns;
  std::vector<double> values;
  std::vector<double> weights;  // of each cell: 1 / variance
};

class GraphicalModel {
 public:
  // Uniform, until it is fitted. A marginal may lie in any clique.
  GraphicalModel(std::vector<std::size_t> sizes, const std::vector<ColumnSet>& marginals,
                 double total);

  // Further from where it is. Every measurement must lie in a clique.
  void fit(const std::vector<Measurement>& measurements, std::size_t steps,
           Progress& progress = Progress::silent());

  [[nodiscard]] const JunctionTree& tree() const { return tree_; }
  [[nodiscard]] const std::vector<std::size_t>& sizes() const { return sizes_; }
  [[nodiscard]] double total() const { return total_; }
  // Counts over a clique.
  [[nodiscard]] const std::vector<double>& clique(std::size_t number) const {
    return marginals_[number];
  }
  // Counts over columns that lie in one clique.
  [[nodiscard]] std::vector<double> over(const ColumnSet& columns) const;
  // Counts over any two columns, a < b.
  [[nodiscard]] std::vector<double> over_pair(std::size_t a, std::size_t b) const;

  // What keeping and fitting it takes, in bytes.
  [[nodiscard]] static double memory_of(const JunctionTree& tree,
                                        const std::vector<std::size_t>& sizes);

 private:
  struct LinkPlaces {
    std::vector<std::uint32_t> in_parent;
    std::vector<std::uint32_t> in_child;
    std::size_t cells = 1;
  };
  using Beliefs = std::vector<std::vector<double>>;  // by clique
  [[nodiscard]] Beliefs calibrated(const Beliefs& potentials) const;

  std::vector<std::size_t> sizes_;
  double total_;
  JunctionTree tree_;
  std::vector<LinkPlaces> link_places_;  // beside tree_.links
  Beliefs potentials_;                   // logarithms
  Beliefs marginals_;
};

}  // namespace pratique::dp
