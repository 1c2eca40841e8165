#include "pratique/genomes/attack/frequency_difference.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pratique/crypto/random.h"

namespace pratique::genomes::frequency_difference_test {
namespace {

using People = std::vector<std::vector<Dosage>>;  // by person, then by variant

GenotypeSet set_of(const People& people, const std::string& prefix = "p") {
  GenotypeSet set{
      .samples = {}, .variants = {}, .alleles = {}, .store = GenotypeStore(people.size())};
  for (std::size_t p = 0; p < people.size(); ++p) set.samples.push_back(prefix + std::to_string(p));
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

// With noise of this variance on counts, roughly normal.
FrequencyTable rounded_frequencies(const GenotypeSet& set, double step, double noise,
                                   std::uint64_t seed) {
  SeededRandom random(seed);
  FrequencyTable shown;
  for (std::size_t v = 0; v < set.variants.size(); ++v) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += random.uniform();
    const double f = set.alleles[v].frequency().value_or(0) +
                     sum * std::sqrt(noise) / static_cast<double>(set.alleles[v].alleles);
    shown.set(set.variants[v], std::round(f / step) * step);
  }
  return shown;
}

People drawn(std::size_t people, std::size_t variants, std::uint64_t seed) {
  SeededRandom random(seed);
  std::vector<double> frequencies;
  for (std::size_t v = 0; v < variants; ++v) frequencies.push_back(0.05 + 0.9 * random.uniform());
  People made(people);
  for (auto& person : made) {
    for (const double f : frequencies) {
      person.push_back(
          static_cast<Dosage>((random.chance(f) ? 1 : 0) + (random.chance(f) ? 1 : 0)));
    }
  }
  return made;
}

FrequencyDifference difference_of(const People& added, const People& earlier, double step,
                                  double noise = 0) {
  const GenotypeSet now = set_of(added);
  const GenotypeSet before = set_of(earlier);
  const FrequencyTable shown_now = rounded_frequencies(now, step, noise, 11);
  const FrequencyTable shown_before = rounded_frequencies(before, step, noise, 12);
  return subtract_frequencies(
      {&shown_now, step, noise, &now, std::vector<bool>(added.size(), true)},
      {&shown_before, step, noise, &before, std::vector<bool>(earlier.size(), true)},
      same_people(now, before), Progress::silent());
}

TEST(FrequencyDifference, OneWhoJoinsIsToldByCountsOfEvenOneVariant) {
  // 4 copies of 3 people, 5 of 4: the fourth has one copy. Rounded to 0.001 both counts are known.
  const People earlier = {{2}, {1}, {1}};
  People added = earlier;
  added.push_back({1});
  const auto found = difference_of(added, earlier, 0.001);
  EXPECT_EQ((std::vector<std::uint64_t>{found.both, found.joined, found.left}),
            (std::vector<std::uint64_t>{3, 1, 0}));
  EXPECT_EQ(found.certain, 1);
  EXPECT_EQ(found.found_joined, (std::vector<bool>{false, false, false, true}));
  EXPECT_EQ(found.found(), 1);
  // The other way round the same person leaves.
  EXPECT_EQ(difference_of(earlier, added, 0.001).found_left,
            (std::vector<bool>{false, false, false, true}));
  // Rounded to halves, 5/8 and 4/6 are both 0.5: 2 to 5 of 6 and 2 to 6 of 8 copies leave any
  // genotype open.
  EXPECT_EQ(difference_of(added, earlier, 0.5).found(), 0);
}

// Every small case against all that the two tables may come from.
TEST(FrequencyDifference, CountsAreCertainWhereOneGenotypeIsPossible) {
  for (const double step : {0.01, 0.1, 0.2, 0.25}) {
    for (unsigned copies = 0; copies <= 6; ++copies) {
      for (Dosage joiner = 0; joiner <= 2; ++joiner) {
        const auto dosage = [&](unsigned person) {
          return static_cast<Dosage>(copies > 2 * person ? std::min(2U, copies - 2 * person) : 0U);
        };
        const People earlier = {{dosage(0)}, {dosage(1)}, {dosage(2)}};
        People added = earlier;
        added.push_back({joiner});
        std::vector<bool> possible(3, false);
        const auto rounds_to = [&](double count, double of) {
          return std::round(count / of / step);
        };
        for (unsigned before = 0; before <= 6; ++before) {
          for (unsigned own = 0; own <= 2; ++own) {
            const bool fits =
                std::abs(before / 6.0 - rounds_to(copies, 6) * step) <= step / 2 + 1e-9 &&
                std::abs((before + own) / 8.0 - rounds_to(copies + joiner, 8) * step) <=
                    step / 2 + 1e-9;
            if (fits) possible[own] = true;
          }
        }
        const bool one = std::count(possible.begin(), possible.end(), true) == 1;
        EXPECT_EQ(difference_of(added, earlier, step).certain, one ? 1 : 0)
            << step << ' ' << copies << ' ' << int{joiner};
      }
    }
  }
}

TEST(FrequencyDifference, RoundingHidesNobodyOverManyVariants) {
  const People added = drawn(200, 3000, 1);
  const People earlier(added.begin(), added.end() - 1);
  // Counts are open, the test is not: 400 alleles rounded to 0.02 are off by up to eight.
  const auto found = difference_of(added, earlier, 0.02);
  EXPECT_EQ(found.both, 199);
  EXPECT_TRUE(found.found_joined.back());
  EXPECT_EQ(found.found(), 1);
  // Ten who join are found, too; whoever was there before is not.
  const People fewer(added.begin(), added.end() - 10);
  const auto ten = difference_of(added, fewer, 0.001);
  EXPECT_EQ(ten.joined, 10);
  EXPECT_GE(ten.found(), 9);
  for (std::size_t p = 0; p < 190; ++p) EXPECT_FALSE(ten.found_joined[p]);
}

TEST(FrequencyDifference, NoiseAndCrowdsHide) {
  const People added = drawn(100, 20, 2);
  const People earlier(added.begin(), added.end() - 1);
  // Without noise she is told, with a deviation of 40 copies she is not.
  EXPECT_EQ(difference_of(added, earlier, 0.001).found(), 1);
  EXPECT_EQ(difference_of(added, earlier, 0.001, 1600).found(), 0);
  EXPECT_EQ(difference_of(added, earlier, 0.001, 1600).certain, 0);
  // Of fifty who join, with twenty variants, nobody is found.
  const People half(added.begin(), added.begin() + 50);
  EXPECT_EQ(difference_of(added, half, 0.001).found(), 0);
  // The same people, and others altogether, leave nothing.
  EXPECT_EQ(difference_of(added, added, 0.001).apart(), 0);
  const auto others = difference_of(added, drawn(100, 20, 3), 0.001);
  EXPECT_EQ(others.both, 0);
  EXPECT_EQ(others.found(), 0);
}

// Without variants that fewer than `carriers` people have, or of which fewer have a call.
FrequencyTable listed_frequencies(const GenotypeSet& set, const People& people,
                                  const ListRule& rule) {
  FrequencyTable shown;
  for (std::size_t v = 0; v < set.variants.size(); ++v) {
    std::uint64_t carriers = 0;
    std::uint64_t calls = 0;
    for (const auto& person : people) {
      carriers += person[v] == 1 || person[v] == 2 ? 1 : 0;
      calls += person[v] != kMissingDosage ? 1 : 0;
    }
    if (carriers >= rule.carriers && calls >= rule.calls) shown.set(set.variants[v], 0);
  }
  return shown;
}
FrequencyDifference lists_of(const People& added, const People& earlier, const ListRule& rule) {
  const GenotypeSet now = set_of(added);
  const GenotypeSet before = set_of(earlier);
  const FrequencyTable shown_now = listed_frequencies(now, added, rule);
  const FrequencyTable shown_before = listed_frequencies(before, earlier, rule);
  std::vector<std::optional<std::size_t>> same(added.size());
  for (std::size_t p = 0; p < std::min(added.size(), earlier.size()); ++p) same[p] = p;
  return subtract_frequencies(
      {&shown_now, 0.5, 0, &now, std::vector<bool>(added.size(), true), rule},
      {&shown_before, 0.5, 0, &before, std::vector<bool>(earlier.size(), true), rule}, same,
      Progress::silent());
}

TEST(FrequencyDifference, AVariantThatIsListedOnceTellsOfWhoeverMadeItSo) {
  // Of ten people one or two carry the first, three the second; the eleventh carries both.
  for (int carriers = 1; carriers <= 2; ++carriers) {
    People earlier(10, {0, 0});
    for (int p = 0; p < carriers; ++p) earlier[static_cast<std::size_t>(p)][0] = 1;
    for (std::size_t p = 0; p < 3; ++p) earlier[p][1] = 1;
    People added = earlier;
    added.push_back({1, 1});
    const ListRule three{true, true, true, 3, 5};
    // Listed from three carriers on: with her the first has two, or three.
    const bool across = carriers == 2;
    EXPECT_EQ(lists_of(added, earlier, three).found_joined.back(), across);
    EXPECT_EQ(lists_of(earlier, added, three).found(), across ? 1 : 0);
    // Of a list that everybody knows, and of a draw, nothing follows.
    EXPECT_EQ(lists_of(added, earlier, {false, true, true, 3, 5}).found(), 0);
    // Nor of carriers where others of the file are not in the group.
    EXPECT_EQ(lists_of(added, earlier, {true, true, false, 3, 5}).found(), 0);
  }
  // Five calls of the first are too few, the sixth makes it listed.
  People earlier(10, {1, 1});
  for (std::size_t p = 5; p < 10; ++p) earlier[p][0] = kMissingDosage;
  People added = earlier;
  added.push_back({1, 1});
  EXPECT_EQ(lists_of(added, earlier, {true, true, true, 0, 6}).certain, 1);
  EXPECT_TRUE(lists_of(earlier, added, {true, true, true, 0, 6}).found_left.back());
  EXPECT_EQ(lists_of(added, earlier, {true, true, true, 0, 5}).certain, 0);
}

TEST(FrequencyDifference, AVariantWithoutALineIsOfWhoeverHasItAlone) {
  People earlier(10, {1});
  for (const bool own_alone : {true, false}) {
    People added(10, {1, static_cast<Dosage>(own_alone ? 0 : 1)});
    added.push_back({1, 1});
    const ListRule all{true, true, true, 0, 5};
    EXPECT_EQ(lists_of(added, earlier, all).found_joined.back(), own_alone);
    EXPECT_EQ(lists_of(earlier, added, all).found(), own_alone ? 1 : 0);
  }
}

TEST(FrequencyDifference, ListsFindSomeOfMany) {
  // 500 people, of each of sixty variants four carry it; six join, the first with half of those.
  People earlier(500, std::vector<Dosage>(60, 0));
  SeededRandom random(5);
  for (std::size_t v = 0; v < 60; ++v) {
    for (int c = 0; c < 4; ++c)
      earlier[(random.below(100) * 5) + static_cast<std::size_t>(c)][v] = 1;
  }
  People added = earlier;
  added.resize(506, std::vector<Dosage>(60, 0));
  for (std::size_t v = 0; v < 30; ++v) added[500][v] = 1;
  const ListRule five{true, true, true, 5, 5};
  const auto found = lists_of(added, earlier, five);
  EXPECT_EQ(found.certain, 0);
  EXPECT_TRUE(found.found_joined[500]);
  EXPECT_EQ(found.found(), 1);
  EXPECT_TRUE(lists_of(earlier, added, five).found_left[500]);
}

TEST(FrequencyDifference, AVariantBelowWhatAFileHasAtLeastIsOfWhoeverTookItOver) {
  // Four of ten carry the first, all the second; files were made of variants with five copies.
  for (const bool carries : {true, false}) {
    People added(10, {0, 1});
    for (std::size_t p = 0; p < 4; ++p) added[p][0] = 1;
    const People earlier(10, {1});
    added.push_back({static_cast<Dosage>(carries ? 1 : 0), 1});
    ListRule five{true, true, true, 0, 5};
    five.copies = 5;
    // The second stands in one file alone, as the first of it: its place is that of the first.
    const GenotypeSet now = set_of(added);
    GenotypeSet before = set_of(earlier);
    before.variants.front().position = 2;
    const FrequencyTable shown_now = listed_frequencies(now, added, five);
    FrequencyTable shown_before;
    shown_before.set(before.variants.front(), 0);
    std::vector<std::optional<std::size_t>> same(11);
    for (std::size_t p = 0; p < 10; ++p) same[p] = p;
    const auto told =
        subtract_frequencies({&shown_now, 0.5, 0, &now, std::vector<bool>(11, true), five},
                             {&shown_before, 0.5, 0, &before, std::vector<bool>(10, true), five},
                             same, Progress::silent());
    EXPECT_EQ(told.found_joined.back(), carries);
  }
}

TEST(SamePeople, AreKnownUnderAnotherNameAndNotByNameAlone) {
  const People people = drawn(30, 200, 4);
  const GenotypeSet set = set_of(people);
  People turned(people.rbegin(), people.rend());
  // In the other order, the same names belong to other genotypes.
  const auto same = same_people(set, set_of(turned));
  for (std::size_t p = 0; p < people.size(); ++p) EXPECT_EQ(same[p], people.size() - 1 - p);
  // A call that was corrected changes nobody.
  People corrected = people;
  corrected[3][7] = static_cast<Dosage>(2 - corrected[3][7]);
  EXPECT_EQ(same_people(set, set_of(corrected))[3], 3U);
  EXPECT_EQ(same_people(set, set_of(corrected, "q"))[3], 3U);
}

TEST(SamePeople, AreKnownUnderAnotherNameInSpiteOfErrors) {
  const People people = drawn(30, 200, 4);
  const GenotypeSet set = set_of(people);
  // A call in twenty is missing, and one in twenty is another.
  People typed_again = people;
  for (std::size_t p = 0; p < people.size(); ++p) {
    for (std::size_t v = p % 10; v < 200; v += 20) {
      typed_again[p][v] = kMissingDosage;
      typed_again[p][v + 10] = static_cast<Dosage>((people[p][v + 10] + 1) % 3);
    }
  }
  const auto same = same_people(set, set_of(typed_again, "q"));
  for (std::size_t p = 0; p < people.size(); ++p) EXPECT_EQ(same[p], p);
  // Where all calls of a person are missing, it may be anybody.
  typed_again[5].assign(200, kMissingDosage);
  EXPECT_EQ(same_people(set, set_of(typed_again, "q"))[5], std::nullopt);
}

TEST(SamePeople, AreNotTheirNearRelativesNorOneOfTwo) {
  const People people = drawn(30, 200, 4);
  const GenotypeSet set = set_of(people);
  // In place of one stands a relative who differs at a quarter of the variants.
  People others = people;
  for (std::size_t v = 0; v < 200; v += 4)
    others[3][v] = static_cast<Dosage>((others[3][v] + 1) % 3);
  EXPECT_EQ(same_people(set, set_of(others, "q"))[3], std::nullopt);
  // Two who are nearly the same: which one it is cannot be told.
  others = people;
  others[4] = others[3];
  others[3][0] = static_cast<Dosage>((others[3][0] + 1) % 3);
  others[4][1] = static_cast<Dosage>((others[4][1] + 1) % 3);
  EXPECT_EQ(same_people(set, set_of(others, "q"))[3], std::nullopt);
  // 31 variants are too few, 32 are enough.
  for (const std::size_t variants : {31U, 32U}) {
    const People some = drawn(10, variants, 9);
    const auto same = same_people(set_of(some), set_of(some, "q"));
    for (std::size_t p = 0; p < some.size(); ++p) EXPECT_EQ(same[p].has_value(), variants == 32);
  }
}

}  // namespace
}  // namespace pratique::genomes::frequency_difference_test
