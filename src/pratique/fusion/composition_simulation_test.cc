#include "pratique/fusion/composition_simulation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::fusion::composition_simulation_test {
namespace {

// Ages and sexes, and an occupation that both say something about.
struct People {
  explicit People(std::size_t count) {
    SeededRandom random(3);
    tables::Rows rows;
    for (std::size_t i = 0; i < count; ++i) {
      const auto age = 20 + random.below(40);
      rows.push_back({std::to_string(age), random.chance(0.5) ? "F" : "M",
                      "o" + std::to_string((age / 8 + random.below(6)) % 8),
                      random.chance(0.8) ? "rest" : "rare"});
    }
    table = tables::table_of({"age", "sex", "occupation", "coarse"}, rows);
    for (const auto& [name, spec] :
         {std::pair("age", "interval:5,10,20"), std::pair("sex", "flat")}) {
      const Column& column = table.column(name);
      trees.push_back(make_hierarchy(spec, column.dictionary, column.counts(), name));
    }
    hierarchies = {{"age", &trees[0]}, {"sex", &trees[1]}};
  }
  Table table;
  std::vector<Hierarchy> trees;
  tables::Hierarchies hierarchies;
};

SimulationOptions small() {
  SimulationOptions options;
  options.quasi_identifiers = {"age", "sex"};
  options.sensitive = {"occupation", "coarse"};
  options.overlap = 30;
  options.ks = {3, 6};
  options.ls = {2};
  options.ts = {0.6};
  options.diversity_k = 3;
  options.releases = {2, 1, 3};
  options.runs = 2;
  options.seed = 5;
  return options;
}

TEST(CompositionSimulation, EveryCaseIsSound) {
  const People people(150);
  const auto options = small();
  const Simulation simulation = simulate(people.table, people.hierarchies, options);
  // 3 methods x 2 k, l, t, 2 k of the other attribute, 2 k of 1 and 3 releases.
  EXPECT_EQ(simulation.cases.size(), 6U + 2 + 2 + 4);
  for (const auto& simulated : simulation.cases) {
    SCOPED_TRACE(simulated.method + " " + std::to_string(simulated.k) + " " +
                 std::to_string(simulated.releases));
    ASSERT_EQ(simulated.runs, 2U);
    // Who is in the class that is known to be theirs is never told a wrong value, and the attack
    // never leaves more than it began with.
    EXPECT_EQ(simulated.known.correct, 1);
    EXPECT_GE(simulated.known.drop, 0);
    ASSERT_EQ(simulated.known.prior.size(), simulated.releases);
    for (std::size_t r = 0; r < simulated.releases; ++r) {
      EXPECT_GE(simulated.known.prior[r], simulated.known.posterior);
      EXPECT_GE(simulated.known.candidates[r], static_cast<double>(simulated.k));
      if (simulated.l) {
        EXPECT_GE(simulated.known.prior[r], *simulated.l);
      }
    }
    for (std::size_t c = 1; c < kConfidences.size(); ++c) {
      EXPECT_GE(simulated.known.breach_at[c], simulated.known.breach_at[c - 1]);
    }
    if (simulated.releases == 1) {
      EXPECT_EQ(simulated.known.drop, 0);
    }
    // Boxes along the hierarchies do not overlap: finding the class is knowing it.
    if (simulated.method == "mondrian") {
      EXPECT_EQ(simulated.located, 1);
      EXPECT_EQ(simulated.real.perfect_breach, simulated.known.perfect_breach);
      EXPECT_EQ(simulated.real.posterior, simulated.known.posterior);
    }
    EXPECT_GT(simulated.located, 0.3);
    EXPECT_GT(simulated.loss, 0);
  }
}

// Free cells contain their people: more classes than the right one may fit, but never fewer, so
// that what is concluded is right, if less often.
TEST(CompositionSimulation, FreeCellsContainTheirPeople) {
  const People people(150);
  auto options = small();
  options.style = tables::CellStyle::free;
  options.methods = {"mondrian"};
  for (const auto& simulated : simulate(people.table, people.hierarchies, options).cases) {
    EXPECT_EQ(simulated.real.correct, 1);
    EXPECT_LE(simulated.real.perfect_breach, simulated.known.perfect_breach);
    EXPECT_GE(simulated.real.posterior, simulated.known.posterior);
  }
}

TEST(CompositionSimulation, RepeatsOnAnyNumberOfThreads) {
  const People people(120);
  auto options = small();
  options.ks = {3};
  options.ls.clear();
  options.ts.clear();
  options.releases = {2};
  const auto many = to_json(simulate(people.table, people.hierarchies, options));
  const ThreadLimit one_thread(1);
  EXPECT_EQ(to_json(simulate(people.table, people.hierarchies, options)), many);
  options.seed = 6;
  EXPECT_NE(to_json(simulate(people.table, people.hierarchies, options)), many);
}

TEST(CompositionSimulation, DrawsEveryFigure) {
  const People people(120);
  const auto options = small();
  const Simulation simulation = simulate(people.table, people.hierarchies, options);
  std::set<std::string> names;
  for (const auto& figure : figures_of(simulation, options)) {
    names.insert(figure.name);
    EXPECT_FALSE(to_svg(figure.chart).empty());
    for (const auto& series : figure.chart.series) EXPECT_FALSE(series.points.empty());
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"figure-3.1", "figure-3.2", "figure-3.3", "figure-3.4",
                                   "figure-3.5-l", "figure-3.5-t", "figure-3.6-l", "figure-3.6-t",
                                   "figure-3.7", "figure-3.8-breach", "figure-3.8-drop"}));
  const std::string csv = to_csv(simulation);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 14);
}

TEST(CompositionSimulation, WhatCannotBeSatisfiedIsSaid) {
  const People people(100);
  auto options = small();
  options.overlap = 20;
  options.ls = {50};
  const Simulation simulation = simulate(people.table, people.hierarchies, options);
  const auto json = to_json(simulation);
  EXPECT_NE(json.dump().find("cannot be satisfied"), std::string::npos);
  options.overlap = 99;
  EXPECT_THROW((void)simulate(people.table, people.hierarchies, options), Error);
  options = small();
  options.methods = {"magic"};
  EXPECT_THROW((void)simulate(people.table, people.hierarchies, options), Error);
}

}  // namespace
}  // namespace pratique::fusion::composition_simulation_test
