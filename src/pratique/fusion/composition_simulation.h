// The study of independent releases (Ganta 2009, section 3.4), on any table.
//
// A run draws `overlap` people who are in every release and deals the others out evenly, so that
// two releases share exactly those people (section 3.4.1; how large the thesis's subsets were is
// not said). Each release is anonymised by itself and the overlapping people are attacked with
// compose(). One release holds everybody: that is what hospitals get who release together.
//
//   mondrian        LeFevre et al. 2006. With labels, as in the thesis, cuts follow the hierarchies
//                   (internal/hierarchical_mondrian.h); free, it is tables/method/mondrian.h at the
//                   median of the widest attribute, and cells are ranges and sets
//   microaggregate  MDAV, classes show their mean (of categories, the set)
//   mixed           releases take turns: mondrian first
//
// Attacks are run twice: `known` assumes locatability, as the thesis always does (every target's
// class is known), `real` finds the classes through the cells or the nearest centroid.
//
// Figures 3.1 to 3.8 of the thesis come from these cases:
//   3.1 perfect breach against k, by method        3.5 breach by confidence, for each l and t
//   3.2 breach by confidence, for each k            3.6 sizes of classes under l and t
//   3.3 k, size of classes, effective anonymity     3.7 drop against k, by sensitive attribute
//   3.4 effective anonymity before and after        3.8 perfect breach and drop, by releases
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/chart.h"
#include "pratique/core/progress.h"
#include "pratique/data/table.h"
#include "pratique/fusion/composition.h"
#include "pratique/tables/attack/assess.h"
#include "pratique/tables/recoding.h"

namespace pratique::fusion {

struct SimulationOptions {
  std::vector<std::string> quasi_identifiers;
  std::vector<std::string> sensitive;  // the first is attacked; figure 3.7 compares all
  std::size_t overlap = 5000;
  std::vector<std::uint64_t> ks = {5, 10, 15, 20};
  std::vector<std::string> methods = {"mondrian", "microaggregate", "mixed"};
  std::vector<double> ls = {};              // entropy l-diversity
  std::vector<double> ts = {};              // t-closeness, equal ground distance
  std::uint64_t diversity_k = 10;           // beside l and t
  std::vector<std::size_t> releases = {2};  // figures 3.1 to 3.7 take the first
  tables::CellStyle style = tables::CellStyle::labels;
  std::size_t runs = 10;
  std::uint64_t seed = 0;
};

[[nodiscard]] const std::vector<std::string>& simulated_methods();

// What was simulated, and what came of it: means over the runs.
struct SimulatedCase {
  std::string method;
  std::uint64_t k = 0;
  std::optional<double> l;
  std::optional<double> t;
  std::size_t releases = 2;
  std::string sensitive;

  struct Figures {
    double perfect_breach = 0;
    double deviation = 0;  // of perfect_breach, between runs
    std::array<double, 4> breach_at = {};
    std::vector<double> prior;       // effective anonymity, by release
    std::vector<double> candidates;  // rows of the target's classes, by release
    double posterior = 0;
    double drop = 0;
    double vulnerable = 0;
    double correct = 0;       // of perfect breaches
    double bayes_at_one = 0;  // confidence by frequencies reaches 1, 0.5
    double bayes_at_half = 0;
    double bayes_confidence = 0;
    double bayes_correct = 0;
  };
  Figures known = {};
  Figures real = {};
  double located = 0;    // share of (target, release) whose own class, and no other, is found
  double loss = 0;       // LM of the releases (tables/metric/metrics.h)
  double entropy = 0;    // of the sensitive attribute, bits
  std::size_t runs = 0;  // 0: some run could not satisfy the model
};

struct Simulation {
  std::vector<SimulatedCase> cases;
};

// `data` has all columns; hierarchies stand for every quasi-identifier. Throws Error when there are
// not enough rows.
[[nodiscard]] Simulation simulate(const Table& data, const tables::Hierarchies& hierarchies,
                                  const SimulationOptions& options,
                                  Progress& progress = Progress::silent());

struct Figure {
  std::string name;  // figure-3.1
  Chart chart;
};
// Those for which there are cases.
[[nodiscard]] std::vector<Figure> figures_of(const Simulation& simulation,
                                             const SimulationOptions& options);
// A line per case.
[[nodiscard]] std::string to_csv(const Simulation& simulation);
[[nodiscard]] Json to_json(const Simulation& simulation);

}  // namespace pratique::fusion
