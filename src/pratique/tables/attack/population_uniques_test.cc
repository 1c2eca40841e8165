#include "pratique/tables/attack/population_uniques.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "pratique/crypto/random.h"

namespace pratique::tables::population_uniques_test {
namespace {

// By person: the class.
using People = std::vector<std::uint32_t>;

std::map<std::uint32_t, std::uint64_t> sizes_in(const People& people) {
  std::map<std::uint32_t, std::uint64_t> sizes;
  for (const auto one : people) ++sizes[one];
  return sizes;
}

// A population, a random sample of it, and what is true of the two.
struct Drawn {
  std::vector<std::uint64_t> sizes;
  std::uint64_t alone = 0;  // in the sample, and in the population
};
Drawn draw(People people, std::size_t records, SeededRandom& random) {
  const auto everybody = sizes_in(people);
  random.shuffle(people);
  people.resize(records);
  Drawn drawn;
  for (const auto& [name, size] : sizes_in(people)) {
    drawn.sizes.push_back(size);
    if (size == 1 && everybody.at(name) == 1) ++drawn.alone;
  }
  return drawn;
}

// One by one, as the formula says.
People pitman_population(double theta, double alpha, std::size_t count, SeededRandom& random) {
  People people;
  std::vector<std::uint64_t> sizes;
  for (std::size_t n = 0; n < count; ++n) {
    const double fresh =
        (theta + alpha * static_cast<double>(sizes.size())) / (theta + static_cast<double>(n));
    if (n == 0 || random.chance(fresh)) {
      people.push_back(static_cast<std::uint32_t>(sizes.size()));
      sizes.push_back(1);
      continue;
    }
    // Somebody who is there, but less of each class by alpha.
    for (;;) {
      const std::uint32_t taken = people[random.below(people.size())];
      if (random.chance(alpha / static_cast<double>(sizes[taken]))) continue;
      people.push_back(taken);
      ++sizes[taken];
      break;
    }
  }
  return people;
}

// Classes of 1 + X people; X counts failures before the a-th success.
People negative_binomial_population(int a, double p, std::size_t classes, SeededRandom& random) {
  People people;
  for (std::uint32_t name = 0; name < classes; ++name) {
    people.push_back(name);
    for (int successes = 0; successes < a;) {
      if (random.chance(p))
        ++successes;
      else
        people.push_back(name);
    }
  }
  return people;
}

// People with a postcode, an age and a sex: few places are large, many are small.
People people_with_columns(std::size_t count, SeededRandom& random) {
  constexpr int kPlaces = 400;
  People people;
  for (std::size_t n = 0; n < count; ++n) {
    const auto place = static_cast<std::uint32_t>(kPlaces * std::pow(random.uniform(), 2.5));
    const auto age =
        static_cast<std::uint32_t>(std::clamp(std::lround(random.normal(45, 22)), 0L, 99L));
    people.push_back((place * 100 + age) * 2 + (random.chance(0.5) ? 1 : 0));
  }
  return people;
}

TEST(PopulationUniques, ZayatzByHand) {
  // Four records, classes of 1, 1 and 2, of eight people: one of one is drawn with 1/2, one of two
  // with 2 C(6,3) / C(8,4) = 4/7, so the chance is (2 / 2) / (2 / 2 + 4 / 7) = 7 / 11.
  EXPECT_NEAR(estimate_population_uniques({1, 1, 2}, 8).zayatz, 2 * 7.0 / 11, 1e-9);
}

TEST(PopulationUniques, WhoeverIsAloneInAWholePopulationIsAlone) {
  const auto all = estimate_population_uniques({1, 1, 2, 5}, 9);
  EXPECT_EQ(all.sample, 2U);
  EXPECT_DOUBLE_EQ(all.sampling_fraction, 1);
  EXPECT_NEAR(all.pitman, 2, 1e-9);
  EXPECT_NEAR(all.snb, 2, 1e-9);
  EXPECT_NEAR(all.zayatz, 2, 1e-9);
}

TEST(PopulationUniques, NobodyIsAloneWhereNobodyIsInTheSample) {
  for (const auto& sizes : {std::vector<std::uint64_t>{}, {2}, {3, 5, 9}}) {
    const auto none = estimate_population_uniques(sizes, 1000);
    EXPECT_EQ(none.sample, 0U);
    EXPECT_EQ(none.pitman, 0);
    EXPECT_EQ(none.snb, 0);
    EXPECT_EQ(none.zayatz, 0);
  }
}

TEST(PopulationUniques, FewerStayAloneAmongMorePeople) {
  SeededRandom random(5);
  const auto drawn = draw(people_with_columns(20'000, random), 2000, random);
  double before = std::numeric_limits<double>::infinity();
  for (const std::uint64_t people : {2000, 2001, 3000, 10'000, 100'000, 10'000'000}) {
    const auto found = estimate_population_uniques(drawn.sizes, people);
    EXPECT_LE(found.pitman, before);
    EXPECT_GE(found.pitman, 0);
    EXPECT_LE(found.zayatz, static_cast<double>(found.sample) + 1e-9);
    EXPECT_LE(found.snb, static_cast<double>(found.sample) + 1e-9);
    EXPECT_GE(found.snb, 0);
    before = found.pitman;
  }
}

// The mean over draws of what is true and of what is estimated.
template <class Make>
void expect_close(const Make& make, std::size_t count, double share, double tolerance,
                  const std::string& what) {
  constexpr int kDraws = 8;
  double truth = 0;
  double estimate = 0;
  double ceiling = 0;
  for (std::uint64_t seed = 1; seed <= kDraws; ++seed) {
    SeededRandom random(seed);
    const auto records = static_cast<std::size_t>(share * static_cast<double>(count));
    const auto drawn = draw(make(random), records, random);
    const auto found = estimate_population_uniques(drawn.sizes, count);
    truth += static_cast<double>(drawn.alone) / kDraws;
    estimate += found.pitman / kDraws;
    ceiling += found.zayatz / kDraws;
  }
  const double chance = 3 * std::sqrt(truth / kDraws);  // of the draws: three standard errors
  EXPECT_NEAR(estimate, truth, tolerance * truth + chance) << what << ", share " << share;
  EXPECT_GE(ceiling, 0.9 * truth - chance) << what << ", share " << share;
}

TEST(PopulationUniques, PitmanIsRightOfPopulationsOfItsOwnKind) {
  for (const auto& [theta, alpha] : {std::pair{200.0, 0.3}, {50.0, 0.6}, {500.0, 0.05}}) {
    for (const double share : {0.02, 0.1, 0.4}) {
      expect_close(
          [theta = theta, alpha = alpha](SeededRandom& random) {
            return pitman_population(theta, alpha, 20'000, random);
          },
          20'000, share, 0.15, fmt::format("theta {}, alpha {}", theta, alpha));
    }
  }
}

TEST(PopulationUniques, TheNegativeBinomialIsRightOfPopulationsOfItsOwnKind) {
  constexpr int kDraws = 8;
  for (const auto& [a, p] : {std::pair{1, 0.2}, {2, 0.5}, {3, 0.3}}) {
    for (const double share : {0.1, 0.4}) {
      double truth = 0;
      double estimate = 0;
      for (std::uint64_t seed = 1; seed <= kDraws; ++seed) {
        SeededRandom random(seed);
        const auto people = negative_binomial_population(a, p, 6000, random);
        const auto records = static_cast<std::size_t>(share * static_cast<double>(people.size()));
        const auto drawn = draw(people, records, random);
        truth += static_cast<double>(drawn.alone) / kDraws;
        estimate += estimate_population_uniques(drawn.sizes, people.size()).snb / kDraws;
      }
      const double chance = 3 * std::sqrt(truth / kDraws);
      EXPECT_NEAR(estimate, truth, 0.3 * truth + chance)
          << "a " << a << ", p " << p << ", share " << share;
    }
  }
}

TEST(PopulationUniques, PitmanIsNearTheTruthOfPeople) {
  for (const double share : {0.02, 0.1, 0.4}) {
    expect_close([](SeededRandom& random) { return people_with_columns(50'000, random); }, 50'000,
                 share, 0.5, "people");
  }
}

}  // namespace
}  // namespace pratique::tables::population_uniques_test
