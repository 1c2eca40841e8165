#include "pratique/fusion/composition_posterior.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "pratique/tables/testing/table_for_test.h"

namespace pratique::fusion::composition_posterior_test {
namespace {

using Rows = std::vector<std::vector<Value>>;  // by release

// The probability that these values are drawn in this order: Polya's urn, one draw after another.
double probability_of(const std::vector<Value>& draws, const std::vector<double>& g, double a) {
  std::map<Value, double> drawn;
  double all = 0;
  double probability = 1;
  for (const Value value : draws) {
    probability *= (a * g[value] + drawn[value]) / (a + all);
    drawn[value] += 1;
    all += 1;
  }
  return probability;
}

// Every world that the model allows: the target's value, the releases that hold it, its row in
// each.
std::vector<double> by_enumeration(const Rows& rows, const std::vector<double>& presence,
                                   const std::vector<double>& g, double a) {
  std::vector<double> weight(g.size(), 0);
  for (Value value = 0; value < g.size(); ++value) {
    for (std::size_t in = 0; in < (std::size_t{1} << rows.size()); ++in) {
      std::vector<std::size_t> place(rows.size(), 0);  // the target's row
      while (true) {
        double chance = 1;
        std::vector<Value> draws = {value};
        for (std::size_t r = 0; r < rows.size(); ++r) {
          const bool there = (in >> r & 1U) != 0;
          chance *= there ? presence[r] / static_cast<double>(rows[r].size()) : 1 - presence[r];
          for (std::size_t i = 0; i < rows[r].size(); ++i) {
            if (there && i == place[r]) {
              if (rows[r][i] != value) chance = 0;
            } else {
              draws.push_back(rows[r][i]);
            }
          }
        }
        if (chance > 0) weight[value] += chance * probability_of(draws, g, a);
        std::size_t r = 0;
        while (r < rows.size() && ((in >> r & 1U) == 0 || ++place[r] == rows[r].size())) {
          place[r++] = 0;
        }
        if (r == rows.size()) break;
      }
    }
  }
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  if (total <= 0) return {};
  for (auto& w : weight) w /= total;
  return weight;
}

// The candidates of the rule, and what they point at.
struct Counted {
  Counted(const Rows& rows, const std::vector<double>& presence) {
    for (const auto& release : rows) {
      std::map<Value, double> counts;
      for (const Value value : release) counts[value] += 1;
      auto& list = lists.emplace_back();
      for (const auto& [value, count] : counts) list.push_back({value, count});
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      candidates.push_back({lists[r], static_cast<double>(rows[r].size()), presence[r]});
    }
  }
  std::vector<std::vector<ValueCount>> lists;
  std::vector<Candidates> candidates;
};

RC_GTEST_PROP(Posterior, IsWhatEnumerationGives, ()) {
  auto random = tables::any_random();
  const std::size_t domain = 1 + random.below(4);
  std::vector<double> g(domain);
  for (auto& share : g) share = 0.1 + random.uniform();
  const double sum = std::accumulate(g.begin(), g.end(), 0.0);
  for (auto& share : g) share /= sum;
  const double a = std::exp(random.uniform() * 8 - 3);
  Rows rows(1 + random.below(3));
  std::vector<double> presence;
  const bool partial = random.chance(0.6);
  for (auto& release : rows) {
    release.resize(1 + random.below(3));
    for (auto& value : release) value = static_cast<Value>(random.below(domain));
    presence.push_back(partial && random.chance(0.7) ? random.uniform() : 1);
  }
  const auto expected = by_enumeration(rows, presence, g, a);
  const Counted counted(rows, presence);
  const PosteriorRule rule(g, a);
  const auto shares = rule.distribution(counted.candidates);
  RC_ASSERT(shares.size() == expected.size());
  const auto best = rule.posterior(counted.candidates);
  if (expected.empty()) {
    RC_ASSERT(best.best == kNoValue);
    return;
  }
  for (std::size_t v = 0; v < domain; ++v) RC_ASSERT(std::abs(shares[v] - expected[v]) < 1e-9);
  RC_ASSERT(std::abs(best.largest - *std::max_element(expected.begin(), expected.end())) < 1e-9);
  RC_ASSERT(std::abs(expected[best.best] - best.largest) < 1e-9);
}

TEST(Posterior, OfOneReleaseIsItsShares) {
  const Counted counted({{0, 0, 0, 1}}, {1});
  const auto shares = PosteriorRule({0.5, 0.25, 0.25}, 3).distribution(counted.candidates);
  EXPECT_NEAR(shares[0], 0.75, 1e-12);
  EXPECT_NEAR(shares[1], 0.25, 1e-12);
  EXPECT_EQ(shares[2], 0);
}

// Two releases, worked by hand: c1 c2 / (a g + C - 1).
TEST(Posterior, OfTwoReleases) {
  const Counted counted({{0, 0, 1}, {0, 1, 1, 1, 2}}, {1, 1});
  const auto shares = PosteriorRule({0.5, 0.3, 0.2}, 10).distribution(counted.candidates);
  const double weight_0 = 2.0 * 1 / (5 + 3 - 1);
  const double weight_1 = 1.0 * 3 / (3 + 4 - 1);
  EXPECT_NEAR(shares[0], weight_0 / (weight_0 + weight_1), 1e-12);
  EXPECT_NEAR(shares[1], weight_1 / (weight_0 + weight_1), 1e-12);
  // Naive Bayes in the limit.
  const auto naive = PosteriorRule({0.5, 0.3, 0.2}, 1e9).distribution(counted.candidates);
  EXPECT_NEAR(naive[0], (2 / 0.5) / (2 / 0.5 + 3 / 0.3), 1e-6);
}

TEST(Posterior, NothingIsBelievedWhereNothingIsPossible) {
  const Counted counted({{0}, {1}}, {1, 1});
  EXPECT_EQ(PosteriorRule({0.5, 0.5}, 1).posterior(counted.candidates).best, kNoValue);
  EXPECT_TRUE(PosteriorRule({0.5, 0.5}, 1).distribution(counted.candidates).empty());
}

// Whoever may be in no release may have a value that none of the classes has.
TEST(Posterior, ValuesOutsideStayPossible) {
  const Counted counted({{0}}, {0.5});
  const PosteriorRule rule({0.1, 0.2, 0.7}, 100);
  const auto expected = by_enumeration({{0}}, {0.5}, {0.1, 0.2, 0.7}, 100);
  const auto shares = rule.distribution(counted.candidates);
  for (std::size_t v = 0; v < 3; ++v) EXPECT_NEAR(shares[v], expected[v], 1e-12);
  EXPECT_GT(shares[2], 0.3);
}

// Classes drawn from the whole have a large strength, classes of one value each a small one.
TEST(StrengthFit, FollowsTheClasses) {
  SeededRandom random(7);
  StrengthFit like_the_whole({0.5, 0.3, 0.2});
  StrengthFit pure({0.5, 0.3, 0.2});
  for (int i = 0; i < 2000; ++i) {
    std::vector<ValueCount> counts = {{0, 0}, {1, 0}, {2, 0}};
    for (int n = 0; n < 10; ++n) {
      const double u = random.uniform();
      counts[u < 0.5 ? 0 : u < 0.8 ? 1 : 2].rows += 1;
    }
    like_the_whole.add_class(counts);
    const double u = random.uniform();
    pure.add_class(std::vector<ValueCount>{{u < 0.5 ? 0U : u < 0.8 ? 1U : 2U, 10}});
  }
  EXPECT_GT(like_the_whole.strength(), 100);
  EXPECT_LT(pure.strength(), 0.1);
}

// Draws from the model itself: the fit finds the strength that made them.
TEST(StrengthFit, FindsWhatMadeTheClasses) {
  SeededRandom random(11);
  const std::vector<double> g = {0.5, 0.3, 0.2};
  constexpr double kStrength = 5;
  StrengthFit fit(g);
  for (int i = 0; i < 4000; ++i) {
    std::vector<ValueCount> counts = {{0, 0}, {1, 0}, {2, 0}};
    for (int n = 0; n < 100; ++n) {  // more rows than the dense part of a tally counts
      double u = random.uniform() * (kStrength + n);
      Value value = 0;
      while (value < 2 && u >= kStrength * g[value] + counts[value].rows) {
        u -= kStrength * g[value] + counts[value].rows;
        ++value;
      }
      counts[value].rows += 1;
    }
    fit.add_class(counts);
  }
  EXPECT_NEAR(fit.strength(), kStrength, 0.5);
}

}  // namespace
}  // namespace pratique::fusion::composition_posterior_test
