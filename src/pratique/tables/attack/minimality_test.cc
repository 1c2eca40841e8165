#include "pratique/tables/attack/minimality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/method/internal/partition.h"
#include "pratique/tables/method/local.h"
#include "pratique/tables/method/optimal.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/model/l_diversity.h"
#include "pratique/tables/testing/protection_for_test.h"
#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::minimality_test {
namespace {

Models models_of(std::uint64_t k, std::unique_ptr<Model> other) {
  Models models;
  if (k > 0) models.push_back(k_anonymity(k));
  models.push_back(std::move(other));
  return models;
}

Models alpha(double share, std::uint64_t k = 0) {
  return models_of(k, alpha_anonymity(share, {0, "c1"}));
}

Models diversity(std::uint64_t l, std::uint64_t k = 0) {
  return models_of(k, distinct_l_diversity(l, {0, "c1"}));
}

MinimalityAttack attack_optimal(const ProtectionInput& input, const Models& models) {
  const auto best = optimal(input, models);
  return attack_minimal_levels(input, models, best.recoding, best.node.levels, 0);
}

// Three people of north, four of south. With their places, two of three in the north would share a
// value, which is more than half: so the places are hidden. Nobody in the south could break alpha.
// Who knows that knows that both ill people are in the north: each of three with a chance of 2/3,
// where the class says 2/7.
const Rows kPlaces = {{"north", "hiv"}, {"north", "hiv"}, {"north", "flu"}, {"south", "a"},
                      {"south", "b"},   {"south", "c"},   {"south", "d"}};

TEST(Minimality, TellsWhyPlacesWereHidden) {
  const ProtectionWorld world(kPlaces, {"flat"});
  const auto attack = attack_optimal(world.input, alpha(0.5));
  EXPECT_EQ(attack.records, 7U);
  EXPECT_EQ(attack.concluded, 7U);
  EXPECT_EQ(attack.beyond_limit, 2U);
  EXPECT_EQ(attack.believed, 0U);
  EXPECT_EQ(attack.not_tried, 0U);
}

TEST(Minimality, ConcludesNothingWhereKExplainsIt) {
  const ProtectionWorld world(kPlaces, {"flat"});
  const auto attack = attack_optimal(world.input, alpha(0.5, 4));
  EXPECT_EQ(attack.concluded, 0U);
  EXPECT_EQ(attack.beyond_limit, 0U);
}

TEST(Minimality, ConcludesNothingWherePeopleAreTooFewForTheirValuesToMatter) {
  // One person alone has one value, whatever it is.
  const ProtectionWorld world({{"north", "hiv"}, {"south", "a"}, {"south", "b"}}, {"flat"});
  EXPECT_EQ(attack_optimal(world.input, diversity(2)).concluded, 0U);
}

TEST(Minimality, IsNotTriedWhereRecordsMayStayOutAndKDoesNotExplainIt) {
  const ProtectionWorld world(kPlaces, {"flat"});
  const Models models = alpha(0.5, 2);
  const auto best = optimal(world.input, models);
  EXPECT_EQ(
      attack_minimal_levels(world.input, models, best.recoding, best.node.levels, 1).not_tried, 7U);
  const Models larger = alpha(0.5, 4);
  EXPECT_EQ(
      attack_minimal_levels(world.input, larger, best.recoding, best.node.levels, 2).not_tried, 0U);
  EXPECT_EQ(
      attack_minimal_levels(world.input, larger, best.recoding, best.node.levels, 3).not_tried, 7U);
}

// What `optimal` itself would make of every world that the release leaves possible. With one column
// the nodes are a chain, so that the attack knows all there is to know.
TEST(Minimality, BelievesWhatTheMethodItselfBearsOut) {
  std::size_t informative = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SeededRandom random(seed);
    ProtectionForTest world;
    world.hierarchies.push_back(random_hierarchy(3, 3, random));
    Rows rows;
    for (std::size_t i = 4 + random.below(3); i > 0; --i)
      rows.push_back({std::to_string(random.below(3)), "s" + std::to_string(random.below(3))});
    for (const char* value : {"0", "1", "2"}) rows.push_back({value, "s0"});  // of no records
    world.table = table_of({"q", "s"}, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) world.counts.push_back(i + 3 < rows.size());
    world.connect();
    std::unique_ptr<Model> model;
    if (seed % 2 == 0) {
      model = alpha_anonymity(0.5, {0, "s"});
    } else {
      model = distinct_l_diversity(2, {0, "s"});
    }
    const Models models = models_of(0, std::move(model));
    const auto truth = optimal_node(world.input, models);
    if (!truth) continue;
    const auto released = optimal(world.input, models);

    // Every order of the sensitive values within classes.
    auto& codes = world.table.columns[1].codes;
    const auto own = codes;
    std::map<ClassId, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < released.recoding.groups.size(); ++i)
      members[released.recoding.class_of[i]].push_back(released.recoding.groups[i]);
    for (auto& [id, groups] : members) {
      std::sort(groups.begin(), groups.end());
      std::vector<Code> sorted;
      for (const auto group : groups) sorted.push_back(codes[group]);
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t i = 0; i < groups.size(); ++i) codes[groups[i]] = sorted[i];
    }
    double worlds = 0;
    std::vector<std::map<Code, double>> having(own.size());
    const auto next_world = [&] {
      for (auto& [id, groups] : members) {
        std::vector<Code> order;
        for (const auto group : groups) order.push_back(codes[group]);
        const bool more = std::next_permutation(order.begin(), order.end());
        for (std::size_t i = 0; i < groups.size(); ++i) codes[groups[i]] = order[i];
        if (more) return true;
      }
      return false;
    };
    do {
      if (optimal_node(world.input, models)->levels != truth->levels) continue;
      ++worlds;
      for (std::size_t i = 0; i < own.size(); ++i) ++having[i][codes[i]];
    } while (next_world());
    codes = own;
    ASSERT_GT(worlds, 0);

    std::uint64_t believed = 0;
    std::uint64_t beyond = 0;
    std::uint64_t concluded = 0;
    for (const auto& [id, groups] : members) {
      std::map<Code, double> shares;
      for (const auto group : groups)
        shares[own[group]] += 1.0 / static_cast<double>(groups.size());
      for (const auto group : groups) {
        const double belief = having[group][own[group]] / worlds;
        if (belief >= kBelieved - 1e-9) ++believed;
        if (belief > 0.5 + 1e-9 && shares[own[group]] <= 0.5 + 1e-9) ++beyond;
        bool differs = false;
        for (const auto& [value, share] : shares)
          differs = differs || std::abs(having[group][value] / worlds - share) > 1e-9;
        if (differs) ++concluded;
      }
    }
    if (concluded > 0) ++informative;
    const auto attack =
        attack_minimal_levels(world.input, models, released.recoding, released.node.levels, 0);
    EXPECT_EQ(attack.believed, believed) << seed;
    EXPECT_EQ(attack.beyond_limit, beyond) << seed;
    EXPECT_EQ(attack.concluded, concluded) << seed;
  }
  EXPECT_GT(informative, 10U);
}

// Two people of the north and three of the south share their values, so that they go into the next
// round, and leave together. Two values twice and thrice among two and three people who agree:
// there is one world.
TEST(Minimality, OfLocalRecodingTellsEveryValue) {
  const ProtectionWorld world({{"north", "hiv"},
                               {"north", "hiv"},
                               {"south", "flu"},
                               {"south", "flu"},
                               {"south", "flu"},
                               {"west", "hiv"},
                               {"west", "flu"}},
                              {"flat"});
  const Models models = diversity(2, 2);
  const auto local = local_recoding(world.input, models);
  RecodingRounds rounds;
  for (const auto& round : local.rounds) rounds.levels.push_back(round.levels);
  rounds.round_of = local.round_of;
  ASSERT_EQ(local.recoding.class_count, 2U);
  const auto attack = attack_rounds(world.input, models, local.recoding, rounds);
  EXPECT_EQ(attack.concluded, 5U);
  EXPECT_EQ(attack.believed, 5U);
  EXPECT_EQ(attack.beyond_limit, 2U);  // flu has 3 of 5 by the class alone
}

TEST(Minimality, OfRoundsCountsTheWorldsInWhichEveryClassBroke) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SeededRandom random(seed);
    // All leave in one class in round 1, or in none of two; those of round 0 were free to.
    Rows rows;
    std::vector<std::uint32_t> round_of;
    for (std::size_t i = 3 + random.below(4); i > 0; --i)
      rows.push_back({std::to_string(random.below(3)), "s" + std::to_string(random.below(3))});
    const ProtectionWorld world(rows, {"flat"});
    const Column& places = world.table.columns[0];
    const Column& values = world.table.columns[1];
    const Models models = diversity(2);
    std::map<Code, std::uint32_t> round_of_place;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto [round, fresh] = round_of_place.try_emplace(
          places.codes[i], 1 + static_cast<std::uint32_t>(random.below(2)));
      // In truth such a class has one value; where it does not, the adversary is wrong, and the
      // worlds are counted all the same.
      round_of.push_back(round->second);
    }
    Recoding recoding;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      recoding.groups.push_back(i);
      recoding.counts.push_back(1);
      recoding.class_of.push_back(0);
    }
    recoding.class_count = 1;
    auto order = values.codes;
    std::sort(order.begin(), order.end());
    double worlds = 0;
    std::vector<std::map<Code, double>> having(rows.size());
    do {
      std::map<Code, std::map<Code, int>> of_place;
      for (std::size_t i = 0; i < rows.size(); ++i) ++of_place[places.codes[i]][order[i]];
      if (std::any_of(of_place.begin(), of_place.end(),
                      [](const auto& place) { return place.second.size() > 1; }))
        continue;
      ++worlds;
      for (std::size_t i = 0; i < rows.size(); ++i) ++having[i][order[i]];
    } while (std::next_permutation(order.begin(), order.end()));
    std::uint64_t believed = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto same = std::count(values.codes.begin(), values.codes.end(), values.codes[i]);
      const double by_class = static_cast<double>(same) / static_cast<double>(rows.size());
      const double belief = worlds > 0 ? having[i][values.codes[i]] / worlds : by_class;
      if (belief >= kBelieved) ++believed;
    }
    const auto attack = attack_rounds(world.input, models, recoding, {{{0}}, round_of});
    EXPECT_EQ(attack.believed, believed) << seed;
  }
}

TEST(Minimality, ConcludesNothingAboutAClassThatPartedLater) {
  const ProtectionWorld world(
      {{"north", "hiv"}, {"north", "hiv"}, {"south", "flu"}, {"south", "flu"}, {"south", "flu"}},
      {"flat"});
  Recoding recoding;
  recoding.groups = {0, 2, 3, 4};  // one of the north is elsewhere
  recoding.counts = {1, 1, 1, 1};
  recoding.class_of = {0, 0, 0, 0};
  recoding.class_count = 1;
  const auto attack = attack_rounds(world.input, diversity(2), recoding, {{{0}}, {1, 1, 1, 1, 1}});
  // The south has one value, flu, since there is but one hiv.
  EXPECT_EQ(attack.concluded, 4U);
  EXPECT_EQ(attack.believed, 4U);
  recoding.groups = {0, 2, 3};
  recoding.counts = {1, 1, 1};
  recoding.class_of = {0, 0, 0};
  EXPECT_EQ(attack_rounds(world.input, diversity(2), recoding, {{{0}}, {1, 1, 1, 1, 1}}).concluded,
            0U);
}

// Two of the north and three of the south are neighbours that became one class for l = 2. Of the
// ten ways to deal two ill people, one makes all of the north ill and three none of it; in the
// others both places have both values, and would have left by themselves. So somebody of the north
// is ill with a chance of 1/4, and somebody of the south has flu with one of (1 + 3 / 3) / 4.
TEST(Minimality, OfRunsCountsTheWorldsInWhichOneSideBreaks) {
  const ProtectionWorld world({{"north", "hiv"},
                               {"north", "hiv"},
                               {"south", "flu"},
                               {"south", "flu"},
                               {"south", "flu"},
                               {"west", "hiv"},
                               {"west", "flu"}},
                              {"flat"});
  const std::vector<Items> classes = {{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}}, {{5, 1}, {6, 1}}};
  const Recoding recoding = recoding_of(world.input, classes, CellStyle::labels);
  const RecodingRuns runs{{0, 0, 0, 0, 0, 1, 1}, {0, 0, 1, 1, 1, 0, 0}};
  const auto attack = attack_runs(world.input, diversity(2, 2), recoding, runs, 0);
  EXPECT_EQ(attack.concluded, 5U);
  EXPECT_EQ(attack.believed, 0U);
  EXPECT_EQ(attack.beyond_limit, 0U);
  EXPECT_EQ(attack.not_tried, 0U);
  // Where records may stay out, a class may be long for another reason.
  const auto with_suppression = attack_runs(world.input, diversity(2, 2), recoding, runs, 1);
  EXPECT_EQ(with_suppression.concluded, 0U);
  EXPECT_EQ(with_suppression.not_tried, 5U);
}

TEST(Minimality, OfRunsIsNotTriedWhereRecordsOfAGroupAreApart) {
  const ProtectionWorld world({{"north", "hiv"}, {"south", "flu"}}, {"flat"}, {3, 3});
  const Recoding recoding =
      recoding_of(world.input, std::vector<Items>{{{0, 3}, {1, 3}}}, CellStyle::labels);
  const RecodingRuns runs{{0, RecodingRuns::kSeveral}, {0, 1}};
  EXPECT_EQ(attack_runs(world.input, diversity(2), recoding, runs, 0).not_tried, 6U);
}

TEST(Minimality, LimitsAreThoseOfTheModels) {
  const ProtectionWorld world(kPlaces, {"flat"});
  EXPECT_EQ(belief_limits(world.input, diversity(4)), (BeliefLimits{0.25}));
  EXPECT_EQ(belief_limits(world.input, alpha(0.3)), (BeliefLimits{0.3}));
  Models both = alpha(0.3);
  both.push_back(distinct_l_diversity(4, {0, "c1"}));
  EXPECT_EQ(belief_limits(world.input, both), (BeliefLimits{0.25}));
  EXPECT_EQ(belief_limits(world.input, k_only(3)), (BeliefLimits{std::nullopt}));
}

}  // namespace
}  // namespace pratique::tables::minimality_test
