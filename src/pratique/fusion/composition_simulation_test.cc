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
  const Simulation found = simulate(people.table, people.hierarchies, options);
  // 3 methods x 2 k, l, t, 2 k of the other attribute, 2 k of 1 and 3 releases.
  EXPECT_EQ(found.cases.size(), 6U + 2 + 2 + 4);
  for (const auto& one : found.cases) {
    SCOPED_TRACE(one.method + " " + std::to_string(one.k) + " " + std::to_string(one.releases));
    ASSERT_EQ(one.runs, 2U);
    // Who is in the class that is known to be theirs is never told a wrong value, and the attack
    // never leaves more than it began with.
    EXPECT_EQ(one.known.correct, 1);
    EXPECT_GE(one.known.drop, 0);
    ASSERT_EQ(one.known.prior.size(), one.releases);
    for (std::size_t r = 0; r < one.releases; ++r) {
      EXPECT_GE(one.known.prior[r], one.known.posterior);
      EXPECT_GE(one.known.candidates[r], static_cast<double>(one.k));
      if (one.l) {
        EXPECT_GE(one.known.prior[r], *one.l);
      }
    }
    for (std::size_t c = 1; c < kConfidences.size(); ++c) {
      EXPECT_GE(one.known.breach_at[c], one.known.breach_at[c - 1]);
    }
    if (one.releases == 1) {
      EXPECT_EQ(one.known.drop, 0);
    }
    // Boxes along the hierarchies do not overlap: finding the class is knowing it.
    if (one.method == "mondrian") {
      EXPECT_EQ(one.located, 1);
      EXPECT_EQ(one.real.perfect_breach, one.known.perfect_breach);
      EXPECT_EQ(one.real.posterior, one.known.posterior);
    }
    EXPECT_GT(one.located, 0.3);
    EXPECT_GT(one.loss, 0);
  }
}

// Free cells contain their people: more classes than the right one may fit, but never fewer, so
// that what is concluded is right, if less often.
TEST(CompositionSimulation, FreeCellsContainTheirPeople) {
  const People people(150);
  auto options = small();
  options.style = tables::CellStyle::free;
  options.methods = {"mondrian"};
  for (const auto& one : simulate(people.table, people.hierarchies, options).cases) {
    EXPECT_EQ(one.real.correct, 1);
    EXPECT_LE(one.real.perfect_breach, one.known.perfect_breach);
    EXPECT_GE(one.real.posterior, one.known.posterior);
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
  const ThreadLimit one(1);
  EXPECT_EQ(to_json(simulate(people.table, people.hierarchies, options)), many);
  options.seed = 6;
  EXPECT_NE(to_json(simulate(people.table, people.hierarchies, options)), many);
}

TEST(CompositionSimulation, DrawsEveryFigure) {
  const People people(120);
  const auto options = small();
  const Simulation found = simulate(people.table, people.hierarchies, options);
  std::set<std::string> names;
  for (const auto& figure : figures_of(found, options)) {
    names.insert(figure.name);
    EXPECT_FALSE(to_svg(figure.chart).empty());
    for (const auto& series : figure.chart.series) EXPECT_FALSE(series.points.empty());
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"figure-3.1", "figure-3.2", "figure-3.3", "figure-3.4",
                                   "figure-3.5-l", "figure-3.5-t", "figure-3.6-l", "figure-3.6-t",
                                   "figure-3.7", "figure-3.8-breach", "figure-3.8-drop"}));
  const std::string csv = to_csv(found);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 14);
}

TEST(CompositionSimulation, WhatCannotBeSatisfiedIsSaid) {
  const People people(100);
  auto options = small();
  options.overlap = 20;
  options.ls = {50};
  const Simulation found = simulate(people.table, people.hierarchies, options);
  const auto json = to_json(found);
  EXPECT_NE(json.dump().find("cannot be satisfied"), std::string::npos);
  options.overlap = 99;
  EXPECT_THROW((void)simulate(people.table, people.hierarchies, options), Error);
  options = small();
  options.methods = {"magic"};
  EXPECT_THROW((void)simulate(people.table, people.hierarchies, options), Error);
}

}  // namespace
}  // namespace pratique::fusion::composition_simulation_test
