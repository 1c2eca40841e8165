#include "pratique/genomes/attack/frequency_combination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pratique/crypto/random.h"

namespace pratique::genomes::frequency_combination_test {
namespace {

using People = std::vector<std::vector<Dosage>>;  // by person, then by variant

GenotypeSet set_of(const People& people) {
  GenotypeSet set{
      .samples = {}, .variants = {}, .alleles = {}, .store = GenotypeStore(people.size())};
  for (std::size_t p = 0; p < people.size(); ++p) set.samples.push_back("p" + std::to_string(p));
  for (std::size_t v = 0; v < people.front().size(); ++v) {
    set.variants.push_back({.chrom = "1",
                            .position = static_cast<std::int64_t>(v + 1),
                            .reference = "A",
                            .alternative = "G"});
    std::vector<Dosage> dosages;
    AlleleCount counted;
    for (const auto& person : people) {
      dosages.push_back(person[v]);
      counted.add(person[v]);
    }
    set.alleles.push_back(counted);
    set.store.add(dosages);
  }
  return set;
}

// A release of some people of all, rounded.
class Release {
 public:
  Release(const People& all, std::vector<std::size_t> who, double step)
      : number_(std::move(who)), set_(set_of(chosen(all, number_))) {
    for (std::size_t v = 0; v < set_.variants.size(); ++v) {
      const double f = set_.alleles[v].frequency().value_or(0);
      shown_.set(set_.variants[v], std::round(f / step) * step);
    }
    group_ = {&shown_, step, 0, &set_, std::vector<bool>(number_.size(), true), {}};
  }
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;
  ~Release() = default;
  [[nodiscard]] SignedGroup with(int sign) const { return {&group_, sign, &number_}; }

 private:
  static People chosen(const People& all, const std::vector<std::size_t>& who) {
    People some;
    for (const std::size_t p : who) some.push_back(all[p]);
    return some;
  }
  std::vector<std::size_t> number_;
  GenotypeSet set_;
  FrequencyTable shown_;
  ShownGroup group_;
};

std::vector<std::size_t> range(std::size_t from, std::size_t to) {
  std::vector<std::size_t> numbers(to - from);
  std::iota(numbers.begin(), numbers.end(), from);
  return numbers;
}

FrequencyCombination combined(const Release& a, const Release& b, const Release& c, int sign_b,
                              int sign_c, std::size_t people) {
  const std::vector<SignedGroup> groups = {a.with(1), b.with(sign_b), c.with(sign_c)};
  return combine_frequencies(groups, people, 0.001, Progress::silent());
}

// All genotypes of two halves of two and of one more, against all that three tables may come from.
TEST(FrequencyCombination, CountsAreCertainWhereOneSumOfCopiesIsPossible) {
  for (const double step : {0.01, 0.125, 0.25}) {
    for (unsigned halves = 0; halves < 25; ++halves) {
      for (Dosage own = 0; own <= 2; ++own) {
        const unsigned first = halves / 5;
        const unsigned second = halves % 5;
        const auto dosage = [](unsigned copies, bool later) {
          return static_cast<Dosage>(later ? copies / 2 : copies - copies / 2);
        };
        const People all = {{dosage(first, false)},
                            {dosage(first, true)},
                            {dosage(second, false)},
                            {dosage(second, true)},
                            {own}};
        std::vector<bool> possible(3, false);
        const auto is_shown = [&](unsigned copies, unsigned actual, double alleles) {
          const double shown = std::round(actual / alleles / step) * step;
          return std::abs(copies / alleles - shown) <= step / 2 + 1e-9;
        };
        for (unsigned a = 0; a <= 4; ++a) {
          for (unsigned b = 0; b <= 4; ++b) {
            for (unsigned x = 0; x <= 2; ++x) {
              if (is_shown(a, first, 4) && is_shown(b, second, 4) &&
                  is_shown(a + b + x, first + second + own, 10))
                possible[x] = true;
            }
          }
        }
        const bool single = std::count(possible.begin(), possible.end(), true) == 1;
        const auto told = combined(Release(all, range(0, 5), step), Release(all, range(0, 2), step),
                                   Release(all, range(2, 4), step), -1, -1, 5);
        EXPECT_EQ(told.apart, 1);
        EXPECT_EQ(told.variants, 1);
        EXPECT_EQ(told.certain, single ? 1 : 0) << step << ' ' << halves << ' ' << int{own};
        EXPECT_EQ(told.told[4], single);
      }
    }
  }
}

People drawn(std::size_t people, std::size_t variants, std::uint64_t seed) {
  SeededRandom random(seed);
  std::vector<double> frequencies;
  for (std::size_t v = 0; v < variants; ++v) frequencies.push_back(0.05 + 0.9 * random.uniform());
  People all(people);
  for (auto& person : all) {
    for (const double f : frequencies) {
      person.push_back(
          static_cast<Dosage>((random.chance(f) ? 1 : 0) + (random.chance(f) ? 1 : 0)));
    }
  }
  return all;
}

TEST(FrequencyCombination, WhoIsInNeitherHalfIsFoundInSpiteOfRounding) {
  const People all = drawn(201, 3000, 1);
  const Release everybody(all, range(0, 201), 0.01);
  const Release first(all, range(0, 100), 0.01);
  const Release second(all, range(100, 200), 0.01);
  const auto told = combined(everybody, first, second, -1, -1, 201);
  EXPECT_EQ(told.apart, 1);
  EXPECT_EQ(told.variants, 3000);
  EXPECT_TRUE(told.told[200]);
  EXPECT_EQ(std::count(told.told.begin(), told.told.end(), true), 1);
  // Those who are in both halves, and so are taken off twice, are found as well.
  const Release overlapping(all, range(99, 201), 0.01);
  const auto twice = combined(everybody, first, overlapping, -1, -1, 201);
  EXPECT_EQ(twice.apart, 1);
  EXPECT_TRUE(twice.told[99]);
}

TEST(FrequencyCombination, NothingIsFoundWhereNobodyCancelsOrEverybody) {
  const People all = drawn(60, 200, 2);
  const Release whole(all, range(0, 60), 0.001);
  const Release first(all, range(0, 30), 0.001);
  const Release second(all, range(30, 60), 0.001);
  const auto none = combined(whole, first, second, -1, -1, 60);
  EXPECT_EQ(none.apart, 0);
  EXPECT_EQ(none.certain, 0);
  const auto all_left = combined(whole, first, second, 1, 1, 60);
  EXPECT_EQ(all_left.apart, 60);
  EXPECT_EQ(std::count(all_left.told.begin(), all_left.told.end(), true), 0);
}

}  // namespace
}  // namespace pratique::genomes::frequency_combination_test
