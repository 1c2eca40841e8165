#include "pratique/trails/method/protection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/trails/method/copies.h"
#include "pratique/trails/method/internal/link_graph.h"
#include "pratique/trails/testing/allocation_fixture.h"

namespace pratique::trails::protection_test {
namespace {

// Every sample to one of its locations or to none, by chance.
Allocation random_allocation(const Holdings& holdings, bool copies, SeededRandom& random) {
  Allocation allocation(holdings.locations());
  const ElementLocations options(holdings.samples_at, holdings.samples);
  for (Id sample = 0; sample < holdings.samples; ++sample) {
    if (random.chance(0.2)) continue;
    const Id home = options[sample][random.below(options[sample].size())];
    for (const Id c : options[sample]) {
      if (c == home || (copies && random.chance(0.5))) allocation[c].push_back(sample);
    }
  }
  return allocation;
}

TEST(LinkGraph, PartnersAreThoseOfAllMatchings) {
  SeededRandom random(1);
  for (int world = 0; world < 600; ++world) {
    const auto holdings = random_holdings(2 + random.below(5), 1 + random.below(4), 0.4,
                                          random.chance(0.5) ? 0 : 0.3, random);
    const Allocation allocation = random_allocation(holdings, random.chance(0.5), random);
    const EveryMatching tried(holdings, allocation);
    ASSERT_TRUE(tried.possible);
    const LinkGraph graph = link_graph(holdings, allocation);
    const LinkPartners partners = link_partners(graph);
    ASSERT_EQ(graph.null_trails, tried.null_trails);
    for (std::size_t s = 0; s < graph.samples.size(); ++s) {
      for (const Id sample : graph.samples[s].members) {
        ASSERT_EQ(partners.of_samples[s], tried.partners_of_sample[sample].size());
      }
    }
    for (std::size_t p = 0; p < graph.people.size(); ++p) {
      for (const Id person : graph.people[p].members) {
        const std::size_t expected =
            tried.partners_of_person[person].empty() ? 0 : tried.person_partners(person);
        ASSERT_EQ(partners.of_people[p], expected);
        ASSERT_EQ(partners.people_open[p], tried.can_go_without[person]);
      }
    }
  }
}

TEST(LinkGraph, UntruthfulDataIsRefused) {
  // Two samples at a location that names one person.
  const Holdings holdings{1, 2, {{0}}, {{0, 1}}};
  EXPECT_THROW((void)link_partners(link_graph(holdings, holdings.samples_at)), Error);
}

// Figure 7.2: three people and their samples at H1, one at H2; k = 3.
TEST(Dedup, ThesisFigure72) {
  const Holdings holdings{4, 4, {{0, 1, 2}, {3}}, {{0, 1, 2}, {3}}};
  const Allocation expected = {{0, 1, 2}, {}};
  SeededRandom random(1);
  EXPECT_EQ(greedy_dedup(holdings, {.k = 3}, random), expected);
  EXPECT_EQ(force_dedup(holdings, {.k = 3}, random), expected);
  EXPECT_EQ(best_allocation(holdings, {.k = 3}, Objective::samples, random, Progress::silent()),
            expected);
}

// Two locations with the same four people. Greedy-Dedup spends all four on the first; Force-Dedup
// gives two to each.
TEST(Dedup, ForceOpensMoreLocationsThanGreedy) {
  const Holdings holdings{4, 4, {{0, 1, 2, 3}, {0, 1, 2, 3}}, {{0, 1, 2, 3}, {0, 1, 2, 3}}};
  SeededRandom random(1);
  const auto greedy = greedy_dedup(holdings, {.k = 2}, random);
  EXPECT_EQ(disclosing_locations(greedy), 1U);
  EXPECT_EQ(disclosed_samples(greedy), 4U);
  const auto force = force_dedup(holdings, {.k = 2}, random);
  EXPECT_EQ(force[0].size(), 2U);
  EXPECT_EQ(force[1].size(), 2U);
}

// One person has been everywhere, two only at one place each: the rarest samples leave first.
TEST(Dedup, TheRarestSamplesAndPeopleAreTakenFirst) {
  const Holdings holdings{3, 3, {{0, 1}, {0, 2}}, {{0, 1}, {0, 2}}};
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SeededRandom random(seed);
    // Force-Dedup at k = 1 gives each location its own person.
    const auto force = force_dedup(holdings, {.k = 1}, random);
    EXPECT_TRUE(std::count(force[0].begin(), force[0].end(), 1U) == 1);
    EXPECT_TRUE(std::count(force[1].begin(), force[1].end(), 2U) == 1);
  }
}

// Locations A: people 0 to 5; B: 0 to 3. A's people that B does not name are 4 and 5.
TEST(Dedup, ContributorCleanLeavesWhatTheOtherKnows) {
  const Holdings holdings{
      6, 6, {{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3}}, {{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3}}};
  // Two suffice: B cannot tell samples 4 and 5 apart. B names nobody that A does not know.
  EXPECT_EQ(contributor_clean(holdings, 2), holdings.samples_at);
  // They do not: A may disclose only what B has too.
  const LocationLists expected = {{0, 1, 2, 3}, {0, 1, 2, 3}};
  EXPECT_EQ(contributor_clean(holdings, 3), expected);
}

// Nobody, and every coalition of up to `size` locations.
std::vector<std::set<std::size_t>> coalitions(const Holdings& holdings, std::size_t size) {
  std::vector<std::set<std::size_t>> all;
  for (unsigned members = 0; members < (1U << holdings.locations()); ++members) {
    std::set<std::size_t> coalition;
    for (std::size_t c = 0; c < holdings.locations(); ++c) {
      if (((members >> c) & 1U) != 0) coalition.insert(c);
    }
    if (coalition.size() <= size) all.push_back(coalition);
  }
  return all;
}

// Definition 25 and everything that may be hidden, in worlds where every person has a sample:
// person i has sample i.
std::size_t k_by_trying(const Holdings& holdings, const Allocation& allocation,
                        const std::set<std::size_t>& coalition) {
  std::set<Id> people;
  std::set<Id> samples;
  for (const std::size_t c : coalition) {
    people.insert(holdings.people_at[c].begin(), holdings.people_at[c].end());
    samples.insert(holdings.samples_at[c].begin(), holdings.samples_at[c].end());
  }
  if (people.size() == samples.size())
    return EveryMatching(holdings, allocation, people, samples).k();
  std::vector<Id> unsure;
  for (const Id person : people) {
    if (!samples.contains(person)) unsure.push_back(person);
  }
  std::size_t fewest = EveryMatching(holdings, allocation).k();
  for (unsigned hidden = 0; hidden < (1U << unsure.size()); ++hidden) {
    std::set<Id> known = samples;
    for (std::size_t i = 0; i < unsure.size(); ++i) {
      if (((hidden >> i) & 1U) != 0) known.insert(unsure[i]);
    }
    fewest = std::min(fewest, EveryMatching(holdings, allocation, known, known).k());
  }
  return fewest;
}

void expect_allowed(const Holdings& holdings, const Allocation& allocation, bool copies) {
  std::set<Id> seen;
  for (std::size_t c = 0; c < allocation.size(); ++c) {
    const auto& held = holdings.samples_at[c];
    for (const Id sample : allocation[c]) {
      EXPECT_TRUE(std::binary_search(held.begin(), held.end(), sample));
      EXPECT_TRUE(seen.insert(sample).second || copies);
    }
  }
}

TEST(Protect, EveryMethodKeepsItsPromise) {
  SeededRandom random(2);
  for (int world = 0; world < 150; ++world) {
    const auto holdings = random_holdings(3 + random.below(4), 1 + random.below(4), 0.5,
                                          world % 3 == 0 ? 0.3 : 0, random);
    for (const std::string& method : method_names()) {
      for (const bool secure : {false, true}) {
        // With samples that nobody holds, numbers of people and samples differ.
        if (secure && holdings.samples < holdings.people) continue;
        for (std::size_t k = 2; k <= 3; ++k) {
          const auto protection =
              protect(holdings,
                      {.k = k,
                       .method = method,
                       .secure = secure,
                       .coalition = 1 + static_cast<std::size_t>(world) % 2,
                       .keep_copies = !secure && find_method(method).keeps_copies,
                       .runs = 2,
                       .seed = 5},
                      Progress::silent());
          expect_allowed(holdings, protection.allocation, find_method(method).keeps_copies);
          if (disclosed_samples(protection.allocation) == 0) continue;
          const std::size_t pooled = secure ? 1 + static_cast<std::size_t>(world) % 2 : 0;
          for (const auto& coalition : coalitions(holdings, pooled)) {
            EXPECT_GE(k_by_trying(holdings, protection.allocation, coalition), k);
          }
        }
      }
    }
  }
}

// The best allocation of each sample to one location or none, by trying all of them.
// Secure against coalitions of `pooled` locations when that is not 0.
std::pair<std::size_t, std::size_t> optimum(const Holdings& holdings, std::size_t k,
                                            Objective objective, std::size_t pooled = 0) {
  const auto safe = [&](const Allocation& allocation) {
    if (pooled == 0) return EveryMatching(holdings, allocation).k() >= k;
    const auto views = coalitions(holdings, pooled);
    return std::ranges::all_of(
               allocation, [&](const auto& held) { return held.empty() || held.size() >= k; }) &&
           std::ranges::all_of(views, [&](const auto& coalition) {
             return k_by_trying(holdings, allocation, coalition) >= k;
           });
  };
  const ElementLocations options(holdings.samples_at, holdings.samples);
  std::pair<std::size_t, std::size_t> best;
  Allocation allocation(holdings.locations());
  const std::function<void(Id)> place = [&](Id sample) {
    if (sample == holdings.samples) {
      std::pair figures{disclosed_samples(allocation), disclosing_locations(allocation)};
      if (objective == Objective::locations) std::swap(figures.first, figures.second);
      if (figures <= best || !safe(allocation)) return;
      best = figures;
      return;
    }
    for (const Id c : options[sample]) {
      allocation[c].push_back(sample);
      place(sample + 1);
      allocation[c].pop_back();
    }
    place(sample + 1);
  };
  place(0);
  return best;
}

TEST(Protect, BestIsNearlyAlwaysTheOptimum) {
  SeededRandom random(3);
  int worlds = 0;
  int optimal = 0;
  for (int world = 0; world < 120; ++world) {
    const auto holdings = random_holdings(3 + random.below(3), 2 + random.below(2), 0.5,
                                          world % 2 == 0 ? 0.3 : 0, random);
    const DisclosureBound bound = disclosure_bound(holdings, {.k = 2});
    for (const auto objective : {Objective::samples, Objective::locations}) {
      const auto possible = optimum(holdings, 2, objective);
      const auto protection = protect(
          holdings, {.k = 2, .objective = objective, .runs = 4, .seed = 9}, Progress::silent());
      std::pair disclosed{disclosed_samples(protection.allocation),
                          disclosing_locations(protection.allocation)};
      EXPECT_LE(disclosed.first, bound.samples);
      EXPECT_LE(disclosed.second, bound.locations);
      if (objective == Objective::locations) std::swap(disclosed.first, disclosed.second);
      EXPECT_LE(disclosed, possible);
      ++worlds;
      if (disclosed == possible) ++optimal;
    }
  }
  EXPECT_GE(optimal, worlds * 95 / 100) << optimal << " of " << worlds;
}

TEST(Protect, BestIsNearlyAlwaysTheOptimumWhereItIsSecure) {
  SeededRandom random(12);
  int worlds = 0;
  int optimal = 0;
  int disclosing = 0;
  int at_bound = 0;
  for (int world = 0; world < 60; ++world) {
    const auto holdings = random_holdings(4 + random.below(3), 2 + random.below(2), 0.4, 0, random);
    const std::size_t pooled = 1 + static_cast<std::size_t>(world) % 2;
    for (const auto objective : {Objective::samples, Objective::locations}) {
      const auto possible = optimum(holdings, 2, objective, pooled);
      const auto protection = protect(holdings,
                                      {.k = 2,
                                       .objective = objective,
                                       .secure = true,
                                       .coalition = pooled,
                                       .runs = 4,
                                       .seed = 9},
                                      Progress::silent());
      std::pair disclosed{disclosed_samples(protection.allocation),
                          disclosing_locations(protection.allocation)};
      std::pair bound{protection.bound.samples, protection.bound.locations};
      if (objective == Objective::locations) {
        std::swap(disclosed.first, disclosed.second);
        std::swap(bound.first, bound.second);
      }
      EXPECT_LE(disclosed, possible);
      // The bound is one of the optimum, not only of what was found.
      EXPECT_LE(possible.first, bound.first);
      EXPECT_LE(possible.second, bound.second);
      ++worlds;
      optimal += disclosed == possible ? 1 : 0;
      disclosing += possible.first > 0 ? 1 : 0;
      at_bound += possible.first > 0 && possible.first == bound.first ? 1 : 0;
    }
  }
  EXPECT_GE(optimal, worlds * 95 / 100) << optimal << " of " << worlds;
  EXPECT_GE(disclosing, worlds / 3);
  EXPECT_GE(at_bound, disclosing / 2);
}

TEST(Protect, BestBeatsForceWherePeopleHaveManyLocations) {
  SeededRandom random(4);
  const auto holdings = random_holdings(200, 20, 0.5, 0, random);
  const ProtectRequest force{.k = 20, .method = "force", .runs = 3, .seed = 1};
  ProtectRequest best = force;
  best.method = "best";
  const auto by_force = protect(holdings, force, Progress::silent());
  const auto by_best = protect(holdings, best, Progress::silent());
  // At most 200 / 20 locations can have 20 people of their own; sharing them opens all.
  EXPECT_LE(disclosing_locations(by_force.allocation), 10U);
  EXPECT_EQ(disclosing_locations(by_best.allocation), 20U);
  EXPECT_EQ(disclosed_samples(by_best.allocation), 200U);
}

TEST(Protect, BestIsNeverWorseThanTheOthers) {
  SeededRandom random(7);
  for (int world = 0; world < 20; ++world) {
    const auto holdings = random_holdings(40, 15, 0.1, world % 2 == 0 ? 0.3 : 0, random);
    for (const bool secure : {false, true}) {
      const auto figures = [&](const std::string& method, Objective objective) {
        const auto allocation =
            protect(holdings,
                    {.k = 3, .method = method, .objective = objective, .secure = secure, .seed = 3},
                    Progress::silent())
                .allocation;
        // The third party cannot tell apart what one location discloses, and nothing else.
        for (const auto& samples : allocation) {
          EXPECT_TRUE(!secure || samples.empty() || samples.size() >= 3);
        }
        return std::pair(disclosed_samples(allocation), disclosing_locations(allocation));
      };
      const auto most_samples = figures("best", Objective::samples);
      const auto most_locations = figures("best", Objective::locations);
      EXPECT_GE(most_samples.first, most_locations.first);
      EXPECT_GE(most_locations.second, most_samples.second);
      for (const auto* method : {"greedy", "force"}) {
        EXPECT_GE(most_samples.first, figures(method, Objective::samples).first);
        EXPECT_GE(most_locations.second, figures(method, Objective::locations).second);
      }
    }
  }
}

TEST(Mend, OpensNoLocationAndLeavesNoneBelowItsLeast) {
  SeededRandom random(8);
  for (int world = 0; world < 300; ++world) {
    const auto holdings =
        random_holdings(8 + random.below(20), 3 + random.below(8), 0.2, 0, random);
    Allocation allocation = random_allocation(holdings, false, random);
    for (auto& samples : allocation) {
      if (random.chance(0.4)) samples.clear();
    }
    const Allocation before = allocation;
    const DedupRules rules{.k = 2, .least = 2};
    mend(holdings, rules, allocation, Progress::silent());
    for (std::size_t c = 0; c < allocation.size(); ++c) {
      EXPECT_TRUE(allocation[c].empty() || !before[c].empty());
      EXPECT_NE(allocation[c].size(), 1U);
    }
    EXPECT_TRUE(protects(holdings, rules, allocation));
  }
}

TEST(Mend, AThirdPartySeesThatASampleIsAlone) {
  // One sample at A, where three people are: nobody else knows whose it is.
  const Holdings holdings{3, 1, {{0, 1, 2}}, {{0}}};
  EXPECT_TRUE(protects(holdings, {.k = 2}, {{0}}));
  EXPECT_FALSE(protects(holdings, {.k = 2, .least = 2}, {{0}}));
}

TEST(Protect, CopiesAreKeptOnlyWhereTheyDoNoHarm) {
  SeededRandom random(5);
  const auto holdings = random_holdings(60, 8, 0.5, 0, random);
  const ProtectRequest once{.k = 5, .runs = 2, .seed = 1};
  ProtectRequest copies = once;
  copies.keep_copies = true;
  const auto records = [](const Allocation& allocation) {
    std::size_t count = 0;
    for (const auto& held : allocation) count += held.size();
    return count;
  };
  const auto plain = protect(holdings, once, Progress::silent()).allocation;
  const auto more = protect(holdings, copies, Progress::silent()).allocation;
  EXPECT_GT(records(more), records(plain));
  EXPECT_GE(unlinkability(link_partners(link_graph(holdings, more))), 5U);
  // Planted: all copies together re-identify.
  EXPECT_LT(unlinkability(link_partners(link_graph(holdings, holdings.samples_at))), 5U);
}

TEST(Protect, SameResultOnOneThreadAndOnMany) {
  SeededRandom random(6);
  const auto holdings = random_holdings(50, 8, 0.4, 0.2, random);
  const ProtectRequest request{.k = 3, .runs = 6, .seed = 11};
  const auto many = protect(holdings, request, Progress::silent());
  const ThreadLimit one_thread(1);
  EXPECT_EQ(protect(holdings, request, Progress::silent()).allocation, many.allocation);
}

TEST(Protect, SpreadIsThatOfASample) {
  const Spread spread = spread_of({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(spread.mean, 5);
  EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt(32.0 / 7));
  EXPECT_DOUBLE_EQ(spread_of({3}).deviation, 0);
}

}  // namespace
}  // namespace pratique::trails::protection_test
