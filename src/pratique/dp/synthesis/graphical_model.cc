#include "pratique/dp/synthesis/graphical_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pratique::dp {
namespace {

// A measurement and where its cells are in the clique that has its columns.
struct Placed {
  const Measurement* measured;
  std::size_t clique;
  std::vector<std::uint32_t> places;
};

struct Loss {
  double value = 0;
  std::vector<std::vector<double>> gradient;  // by clique
};

Loss loss_of(const std::vector<Placed>& placed, const std::vector<std::vector<double>>& marginals) {
  Loss loss;
  for (const auto& marginal : marginals) loss.gradient.emplace_back(marginal.size());
  for (const auto& [measured, clique, where] : placed) {
    std::vector<double> slope = summed(marginals[clique], where, measured->values.size());
    for (std::size_t i = 0; i < slope.size(); ++i) {
      const double off = slope[i] - measured->values[i];
      slope[i] = measured->weights[i] * off;
      loss.value += slope[i] * off / 2;
    }
    auto& gradient = loss.gradient[clique];
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += slope[where[i]];
  }
  return loss;
}

// Makes it sum to `total`.
void scale_to(std::vector<double>& values, double total) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (auto& value : values) value *= sum > 0 ? total / sum : 0;
}

void multiply_by(std::vector<double>& values, const std::vector<double>& factors,
                 const std::vector<std::uint32_t>& where) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= factors[where[i]];
}

}  // namespace

GraphicalModel::GraphicalModel(std::vector<std::size_t> sizes,
                               const std::vector<ColumnSet>& marginals, double total)
    : sizes_(std::move(sizes)), total_(total), tree_(junction_tree(sizes_.size(), marginals)) {
  for (const auto& link : tree_.links) {
    link_places_.push_back({places(tree_.cliques[link.parent], link.separator, sizes_),
                            places(tree_.cliques[link.child], link.separator, sizes_),
                            static_cast<std::size_t>(cells_over(link.separator, sizes_))});
  }
  for (const auto& clique : tree_.cliques) {
    potentials_.emplace_back(static_cast<std::size_t>(cells_over(clique, sizes_)));
  }
  marginals_ = calibrated(potentials_);
}

double GraphicalModel::memory_of(const JunctionTree& tree, const std::vector<std::size_t>& sizes) {
  // Potentials, marginals, gradient, both of a step that is tried, and up to four lists of places.
  constexpr double kBytesOfCell = 7 * sizeof(double) + 4 * sizeof(std::uint32_t);
  double cells = 0;
  for (const auto& clique : tree.cliques) cells += cells_over(clique, sizes);
  return cells * kBytesOfCell;
}

GraphicalModel::Beliefs GraphicalModel::calibrated(const Beliefs& potentials) const {
  Beliefs beliefs = potentials;
  for (auto& belief : beliefs) {
    const double largest = *std::max_element(belief.begin(), belief.end());
    for (auto& value : belief) value = std::exp(value - largest);
  }
  // Inwards, then outwards; what was sent inwards is divided out again.
  std::vector<std::vector<double>> sent(tree_.links.size());
  for (std::size_t l = tree_.links.size(); l-- > 0;) {
    const auto& where = link_places_[l];
    sent[l] = summed(beliefs[tree_.links[l].child], where.in_child, where.cells);
    scale_to(sent[l], static_cast<double>(where.cells));
    multiply_by(beliefs[tree_.links[l].parent], sent[l], where.in_parent);
  }
  for (std::size_t l = 0; l < tree_.links.size(); ++l) {
    const auto& where = link_places_[l];
    auto back = summed(beliefs[tree_.links[l].parent], where.in_parent, where.cells);
    scale_to(back, static_cast<double>(where.cells));
    for (std::size_t i = 0; i < back.size(); ++i)
      back[i] = sent[l][i] > 0 ? back[i] / sent[l][i] : 0;
    multiply_by(beliefs[tree_.links[l].child], back, where.in_child);
  }
  for (auto& belief : beliefs) scale_to(belief, total_);
  return beliefs;
}

void GraphicalModel::fit(const std::vector<Measurement>& measurements, std::size_t steps,
                         Progress& progress) {
  std::vector<Placed> placed;
  double heaviest = 0;
  for (const auto& measured : measurements) {
    const std::size_t clique = tree_.clique_with(measured.columns);
    placed.push_back({&measured, clique, places(tree_.cliques[clique], measured.columns, sizes_)});
    for (const auto weight : measured.weights) heaviest = std::max(heaviest, weight);
  }
  if (!(heaviest > 0) || !(total_ > 0)) return;
  double step = 1 / (heaviest * total_);
  Loss loss = loss_of(placed, marginals_);
  progress.begin("fitting the model", steps);
  for (std::size_t i = 0; i < steps; ++i) {
    progress.advance(1);
    constexpr double kLeastStep = 1e-12;
    bool moved = false;
    double gain = 0;
    while (!moved && step * heaviest * total_ > kLeastStep) {
      Beliefs tried = potentials_;
      for (std::size_t c = 0; c < tried.size(); ++c) {
        for (std::size_t j = 0; j < tried[c].size(); ++j) tried[c][j] -= step * loss.gradient[c][j];
      }
      Beliefs beliefs = calibrated(tried);
      double promised = 0;
      for (std::size_t c = 0; c < tried.size(); ++c) {
        for (std::size_t j = 0; j < tried[c].size(); ++j) {
          promised += loss.gradient[c][j] * (marginals_[c][j] - beliefs[c][j]);
        }
      }
      Loss next = loss_of(placed, beliefs);
      gain = loss.value - next.value;
      moved = gain >= promised / 2;
      if (moved) {
        potentials_ = std::move(tried);
        marginals_ = std::move(beliefs);
        loss = std::move(next);
        step *= 1.5;
      } else {
        step /= 2;
      }
    }
    constexpr double kEnough = 1e-10;
    if (!moved || gain <= kEnough * loss.value) break;
  }
}

std::vector<double> GraphicalModel::over(const ColumnSet& columns) const {
  const std::size_t clique = tree_.clique_with(columns);
  return summed(marginals_[clique], places(tree_.cliques[clique], columns, sizes_),
                static_cast<std::size_t>(cells_over(columns, sizes_)));
}

}  // namespace pratique::dp
