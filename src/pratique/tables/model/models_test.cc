// Every model against its definition counted record by record, and against its own word on whether
// it is monotone.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "pratique/core/error.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/model/l_diversity.h"
#include "pratique/tables/model/personalised_privacy.h"
#include "pratique/tables/model/population_models.h"
#include "pratique/tables/model/proximity.h"
#include "pratique/tables/model/t_closeness.h"
#include "pratique/tables/model/value_risk.h"
#include "pratique/tables/testing/models_for_test.h"

namespace pratique::tables::models_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Six illnesses under a tree, an income, and a guarding node.
struct World {
  std::vector<std::string> illnesses = {"flu", "asthma", "ulcer", "gastritis", "hiv", "gout"};
  std::vector<std::string> incomes = {"3", "", "10", "4.5", "-2", "7"};
  std::vector<std::string> guards = {"", "flu", "lungs", "stomach", "inner", "*"};
  Hierarchy tree = tree_of({{"flu", "lungs", "inner", "*"},
                            {"asthma", "lungs", "inner", "*"},
                            {"ulcer", "stomach", "inner", "*"},
                            {"gastritis", "stomach", "inner", "*"},
                            {"hiv", "blood", "other", "*"},
                            {"gout", "joints", "other", "*"}});
  Column illness = column_of("illness", illnesses);
  Column income = column_of("income", incomes);
  Column guard = column_of("guard", guards);
  std::vector<std::uint64_t> counts = {5, 1, 2, 2, 4, 3};

  ModelAttribute on_illness{0, "illness", false};
  ModelAttribute on_income{1, "income", false};

  [[nodiscard]] std::unique_ptr<Model> closeness(double t, GroundDistance distance) const {
    return t_closeness(t, distance, on_illness, illness, counts, &tree);
  }
  [[nodiscard]] std::unique_ptr<Model> personalised(double p) const {
    return personalised_privacy(p, on_illness, illness, 2, guard, counts, tree);
  }
};

const World& world() {
  static const World kWorld;
  return kWorld;
}

TestClass any_class(SeededRandom& random) {
  TestClass eq_class(3);
  const auto records = 1 + random.below(9);
  // Few values often, so that classes that break something are as frequent as those that do not.
  const auto limit = 1 + random.below(6);
  const auto code = [&] { return static_cast<Code>(random.below(limit)); };
  for (std::uint64_t i = 0; i < records; ++i) eq_class.add({code(), code(), code()});
  eq_class.population = eq_class.records + random.below(5);
  return eq_class;
}

struct Kind {
  const char* name;
  // The model that asks for exactly this figure.
  std::function<std::unique_ptr<Model>(double)> with;
};

std::vector<Kind> kinds() {
  const auto whole = [](double figure) { return static_cast<std::uint64_t>(figure); };
  const World& w = world();
  const auto closeness = [&w](GroundDistance distance) {
    return [&w, distance](double t) { return w.closeness(t, distance); };
  };
  return {
      {"k", [=](double k) { return k_anonymity(whole(k)); }},
      {"k-map", [=](double k) { return k_map(whole(k), {}, {}); }},
      {"distinct", [=, &w](double l) { return distinct_l_diversity(whole(l), w.on_illness); }},
      {"entropy", [&w](double l) { return entropy_l_diversity(l, w.on_illness); }},
      {"recursive 1",
       [&w](double c) {
         return recursive_l_diversity(std::nextafter(c, kInfinity), 1, w.on_illness);
       }},
      {"recursive 2",
       [&w](double c) {
         return recursive_l_diversity(std::nextafter(c, kInfinity), 2, w.on_illness);
       }},
      {"recursive 3",
       [&w](double c) {
         return recursive_l_diversity(std::nextafter(c, kInfinity), 3, w.on_illness);
       }},
      {"alpha", [&w](double alpha) { return alpha_anonymity(alpha, w.on_illness); }},
      {"value-risk", [&w](double share) { return value_risk(share, "flu", 0, w.on_illness); }},
      {"t equal", closeness(GroundDistance::equal)},
      {"t ordered", closeness(GroundDistance::ordered)},
      {"t hierarchical", closeness(GroundDistance::hierarchical)},
      {"range",
       [&w](double e) { return range_diversity(e, w.on_income, numbers_of(w.income, w.counts)); }},
      {"delta", [](double delta) { return delta_presence(0, delta, {}, {}); }},
  };
}

// The model is asked for just what the worse of two classes has, so that both satisfy it.
RC_GTEST_PROP(Models, AUnionSatisfiesWhatBothPartsSatisfy, ()) {
  SeededRandom random = any_random();
  TestClass a = any_class(random);
  TestClass b = any_class(random);
  TestClass both = a;
  both.merge(b);
  for (const auto& kind : kinds()) {
    const auto figures = kind.with(1);
    RC_ASSERT(figures->monotone());
    const double of_a = figures->measure(a.view());
    const double of_b = figures->measure(b.view());
    const double worse = figures->larger_is_safer() ? std::min(of_a, of_b) : std::max(of_a, of_b);
    if (std::isinf(worse)) continue;
    const auto model = kind.with(worse);
    const bool parts_hold = model->holds(a.view()) && model->holds(b.view());
    if (!parts_hold) RC_FAIL(std::string(kind.name) + " refuses the figure that it measures");
    if (!model->holds(both.view())) RC_FAIL(std::string(kind.name) + " is not monotone");
  }
}

RC_GTEST_PROP(Models, WhatSurvivesGrowthHoldsInEveryLargerClass, ()) {
  SeededRandom random = any_random();
  TestClass a = any_class(random);
  TestClass both = a;
  both.merge(any_class(random));
  for (const auto& kind : kinds()) {
    const auto figures = kind.with(1);
    if (!figures->survives_growth()) continue;
    const auto model = kind.with(figures->measure(a.view()));
    if (!model->holds(both.view())) RC_FAIL(std::string(kind.name) + " does not survive growth");
  }
}

// By every subset of the records: parts that satisfy a monotone model do so as one.
RC_GTEST_PROP(Models, NoPartsKeepMoreThanTheModelSays, ()) {
  SeededRandom random = any_random();
  TestClass whole = any_class(random);
  const double strictness = random.uniform();
  for (const auto& kind : kinds()) {
    const auto figures = kind.with(1);
    const double figure = figures->measure(whole.view());
    if (!figures->bounds_parts() || std::isinf(figure)) continue;
    const auto model = kind.with(figures->larger_is_safer() ? figure + 1 : figure * strictness);
    if (model->holds(whole.view())) continue;
    std::uint64_t most = 0;
    for (std::uint64_t subset = 1; subset < std::uint64_t{1} << whole.records; ++subset) {
      TestClass part(3);
      for (std::size_t i = 0; i < whole.members.size(); ++i) {
        if ((subset >> i & 1U) != 0) part.add(whole.members[i]);
      }
      part.population = whole.population;
      if (part.records > most && model->holds(part.view())) most = part.records;
    }
    if (most > model->most_kept(whole.view())) RC_FAIL(std::string(kind.name) + " keeps more");
  }
}

TEST(Models, HowMuchPartsKeepAtMost) {
  const World& w = world();
  const std::vector<std::string> values = {"flu", "asthma"};
  const Column even = column_of("illness", values);
  TestClass nine_to_one(1);
  for (int i = 0; i < 9; ++i) nine_to_one.add({0});
  nine_to_one.add({1});
  // Asthma is half of the table, so at least 0.3 of a close class: 1 / 0.3 records.
  const auto close =
      t_closeness(0.2, GroundDistance::equal, {0, "illness", false}, even, {1, 1}, nullptr);
  EXPECT_EQ(close->most_kept(nine_to_one.view()), 3U);
  // Flu has at most 0.6 of a class, so asthma 0.4: 1 / 0.4 records.
  EXPECT_EQ(alpha_anonymity(0.6, w.on_illness)->most_kept(nine_to_one.view()), 2U);
  EXPECT_EQ(value_risk(0.6, "flu", 0, w.on_illness)->most_kept(nine_to_one.view()), 2U);
  EXPECT_EQ(value_risk(0.6, "asthma", 1, w.on_illness)->most_kept(nine_to_one.view()), 10U);
  EXPECT_EQ(value_risk(0, "flu", 0, w.on_illness)->most_kept(nine_to_one.view()), 1U);
  EXPECT_EQ(distinct_l_diversity(3, w.on_illness)->most_kept(nine_to_one.view()), 0U);
  EXPECT_EQ(entropy_l_diversity(3, w.on_illness)->most_kept(nine_to_one.view()), 10U);
}

RC_GTEST_PROP(Models, DeltaPresenceFromBelowIsMonotone, ()) {
  SeededRandom random = any_random();
  TestClass a = any_class(random);
  TestClass b = any_class(random);
  const auto share = [](const TestClass& eq_class) {
    return static_cast<double>(eq_class.records) / static_cast<double>(eq_class.population);
  };
  const auto model = delta_presence(std::min(share(a), share(b)), 1, {}, {});
  RC_ASSERT(model->holds(a.view()) && model->holds(b.view()));
  TestClass both = a;
  both.merge(b);
  RC_ASSERT(model->holds(both.view()));
}

TEST(Models, EmAnonymityIsNotMonotone) {
  const Column column = column_of("x", {"0", "2", "1", "10"});
  const auto model =
      em_anonymity(1, 2, {0, "x", false}, numbers_of(column, std::vector<std::uint64_t>(4, 1)));
  EXPECT_FALSE(model->monotone());
  TestClass a(1);
  a.add({0});
  a.add({1});
  TestClass b(1);
  b.add({2});
  b.add({3});
  EXPECT_TRUE(model->holds(a.view()));
  EXPECT_TRUE(model->holds(b.view()));
  a.merge(b);  // 1 stands amid 0 and 2
  EXPECT_FALSE(model->holds(a.view()));
  EXPECT_EQ(model->measure(a.view()), 0.75);
}

TEST(Models, PersonalisedPrivacyIsNotMonotone) {
  const auto model = world().personalised(0.5);
  EXPECT_FALSE(model->monotone());
  TestClass a(3);
  a.add({0, 0, 1});  // flu, guards flu
  a.add({5, 0, 0});
  TestClass b(3);
  b.add({0, 0, 0});  // flu, guards nothing
  b.add({0, 0, 0});
  EXPECT_TRUE(model->holds(a.view()));
  EXPECT_TRUE(model->holds(b.view()));
  a.merge(b);
  EXPECT_FALSE(model->holds(a.view()));
  EXPECT_EQ(model->measure(a.view()), 0.75);
}

// Record by record, from the definitions.
RC_GTEST_PROP(Models, MeasureWhatTheirDefinitionsSay, ()) {
  SeededRandom random = any_random();
  TestClass eq_class = any_class(random);
  const ClassView view = eq_class.view();
  const World& w = world();
  const auto n = static_cast<double>(eq_class.members.size());

  std::vector<double> count(6, 0);
  for (const auto& record : eq_class.members) ++count[record[0]];
  double distinct = 0;
  double entropy = 0;
  for (const double c : count) {
    if (c == 0) continue;
    ++distinct;
    entropy -= c / n * std::log(c / n);
  }
  RC_ASSERT(distinct_l_diversity(1, w.on_illness)->measure(view) == distinct);
  RC_ASSERT(std::abs(entropy_l_diversity(1, w.on_illness)->measure(view) - std::exp(entropy)) <
            1e-9);
  RC_ASSERT(alpha_anonymity(1, w.on_illness)->measure(view) ==
            *std::max_element(count.begin(), count.end()) / n);
  for (const auto l : {1, 2, 3, 4}) {
    std::vector<double> sorted = count;
    std::sort(sorted.rbegin(), sorted.rend());
    double tail = 0;
    for (std::size_t i = static_cast<std::size_t>(l) - 1; i < sorted.size(); ++i) tail += sorted[i];
    for (const double c : {0.5, 1.0, 2.0, 3.0}) {
      RC_ASSERT(
          recursive_l_diversity(c, static_cast<std::uint64_t>(l), w.on_illness)->holds(view) ==
          (sorted[0] < c * tail));
    }
  }

  const auto numbers = numbers_of(w.income, w.counts);
  const auto text = [&](const std::vector<Code>& record) { return w.incomes[record[1]]; };
  double low = kInfinity;
  double high = -kInfinity;
  for (const auto& record : eq_class.members) {
    if (text(record).empty()) continue;
    low = std::min(low, std::stod(text(record)));
    high = std::max(high, std::stod(text(record)));
  }
  RC_ASSERT(range_diversity(1, w.on_income, numbers)->measure(view) ==
            (high < low ? 0 : high - low));
  for (const double e : {0.0, 1.5, 2.5, 3.0, 6.0}) {
    for (const std::uint64_t m : {1U, 2U, 3U}) {
      bool holds = true;
      for (const auto& centre : eq_class.members) {
        double near = 0;
        for (const auto& other : eq_class.members) {
          const bool missing = text(centre).empty() || text(other).empty();
          near += missing ? text(centre) == text(other)
                          : std::abs(std::stod(text(centre)) - std::stod(text(other))) <= e;
        }
        holds = holds && near * static_cast<double>(m) <= n;
      }
      RC_ASSERT(em_anonymity(e, m, w.on_income, numbers)->holds(view) == holds);
    }
  }

  const std::map<std::string, std::vector<Code>> under = {{"flu", {0}},
                                                          {"lungs", {0, 1}},
                                                          {"stomach", {2, 3}},
                                                          {"inner", {0, 1, 2, 3}},
                                                          {"*", {0, 1, 2, 3, 4, 5}}};
  double breach = 0;
  for (const auto& record : eq_class.members) {
    const std::string& node = w.guards[record[2]];
    if (node.empty()) continue;
    double hits = 0;
    for (const auto& other : eq_class.members) {
      const auto& leaves = under.at(node);
      hits += std::count(leaves.begin(), leaves.end(), other[0]);
    }
    breach = std::max(breach, hits / n);
  }
  RC_ASSERT(w.personalised(0.5)->measure(view) == breach);
  RC_ASSERT(w.personalised(0.5)->holds(view) == (breach <= 0.5));
}

TEST(Models, ThresholdsAreExact) {
  const World& w = world();
  TestClass eleven(3);
  for (int i = 0; i < 11; ++i) eleven.add({0, 0, 0});
  for (int i = 0; i < 10; ++i) eleven.add({1, 0, 0});
  // 11 < 1.1 * 10 is false, though 1.1 * 10 is more than 11 in floating point.
  EXPECT_FALSE(recursive_l_diversity(1.1, 2, w.on_illness)->holds(eleven.view()));
  EXPECT_TRUE(recursive_l_diversity(1.11, 2, w.on_illness)->holds(eleven.view()));

  TestClass even(3);
  for (Code code = 0; code < 3; ++code) even.add({code, 0, 0});
  EXPECT_TRUE(entropy_l_diversity(3, w.on_illness)->holds(even.view()));
  EXPECT_FALSE(entropy_l_diversity(3.001, w.on_illness)->holds(even.view()));
  EXPECT_FALSE(alpha_anonymity(0.33, w.on_illness)->holds(even.view()));

  const Column column = column_of("x", {"0.1", "0.3"});
  const auto numbers = numbers_of(column, {1, 1});
  TestClass near(1);
  near.add({0});
  near.add({1});
  // 0.3 - 0.1 is a little less than 0.2 in floating point.
  EXPECT_TRUE(range_diversity(0.2, {0, "x", false}, numbers)->holds(near.view()));
  EXPECT_FALSE(em_anonymity(0.2, 2, {0, "x", false}, numbers)->holds(near.view()));
  EXPECT_TRUE(em_anonymity(0.19, 2, {0, "x", false}, numbers)->holds(near.view()));
}

TEST(Models, PopulationFigures) {
  TestClass eq_class(0);
  eq_class.add({});
  eq_class.add({});
  eq_class.population = 10;
  EXPECT_TRUE(k_map(10, {}, {})->holds(eq_class.view()));
  EXPECT_FALSE(k_map(11, {}, {})->holds(eq_class.view()));
  EXPECT_TRUE(delta_presence(0.2, 0.2, {}, {})->holds(eq_class.view()));
  EXPECT_FALSE(delta_presence(0.21, 1, {}, {})->holds(eq_class.view()));
  EXPECT_FALSE(delta_presence(0, 0.19, {}, {})->holds(eq_class.view()));
  eq_class.population = 0;
  EXPECT_FALSE(delta_presence(0, 1, {}, {})->holds(eq_class.view()));
}

TEST(Models, ResultsTellAttributesApart) {
  EXPECT_EQ(distinct_l_diversity(2, {0, "illness", false})->name(), "l");
  EXPECT_EQ(distinct_l_diversity(2, {0, "illness", true})->name(), "l@illness");
}

TEST(Models, WhatIsNoNumberOrNoNodeIsRefused) {
  const World& w = world();
  EXPECT_THROW((void)numbers_of(w.illness, w.counts), Error);
  const Column odd = column_of("guard", {"lungs", "liver"});
  EXPECT_THROW((void)personalised_privacy(0.5, w.on_illness, w.illness, 2, odd, {1, 1}, w.tree),
               Error);
  EXPECT_THROW((void)t_closeness(0.2, GroundDistance::hierarchical, w.on_income, w.income, w.counts,
                                 &w.tree),
               Error);
  EXPECT_THROW(
      (void)t_closeness(0.2, GroundDistance::ordered, w.on_illness, w.illness, w.counts, nullptr),
      Error);
}

}  // namespace
}  // namespace pratique::tables::models_test
