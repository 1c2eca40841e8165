#include "pratique/genomes/attack/same_genotypes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pratique/crypto/random.h"

namespace pratique::genomes::same_genotypes_test {
namespace {

using Calls = std::vector<std::vector<Dosage>>;  // by person

class Genotypes final : public GenotypeFile {
 public:
  Genotypes(Calls people, std::string chrom = "1", bool exchanged = false)
      : people_(std::move(people)), exchanged_(exchanged) {
    for (std::size_t p = 0; p < people_.size(); ++p) samples_.push_back(std::to_string(p));
    variant_.chrom = std::move(chrom);
    dosages_.resize(people_.size());
  }
  [[nodiscard]] const std::vector<std::string>& samples() const override { return samples_; }
  [[nodiscard]] const Variant& variant() const override { return variant_; }
  [[nodiscard]] std::span<const Dosage> dosages() const override { return dosages_; }
  bool next() override {
    const auto v = static_cast<std::size_t>(variant_.position);
    if (v >= people_.front().size()) return false;
    ++variant_.position;
    variant_.reference = exchanged_ ? "G" : "A";
    variant_.alternative = exchanged_ ? "A" : "G";
    for (std::size_t p = 0; p < people_.size(); ++p) {
      const Dosage own = people_[p][v];
      dosages_[p] = exchanged_ && own != kMissingDosage ? static_cast<Dosage>(2 - own) : own;
    }
    return true;
  }

 private:
  Calls people_;
  bool exchanged_;
  std::vector<std::string> samples_;
  std::vector<Dosage> dosages_;
  Variant variant_;
};

Calls drawn(std::size_t people, std::size_t variants, double frequency, std::uint64_t seed) {
  SeededRandom random(seed);
  Calls calls(people);
  for (auto& person : calls) {
    for (std::size_t v = 0; v < variants; ++v)
      person.push_back(static_cast<Dosage>((random.chance(frequency) ? 1 : 0) +
                                           (random.chance(frequency) ? 1 : 0)));
  }
  return calls;
}

FrequencyTable all_of(const Calls& people) {
  Genotypes file(people);
  return count_frequencies(file, Progress::silent());
}

SampledCalls sampled(const Calls& people, const FrequencyTable& listed,
                     const std::string& chrom = "1", bool exchanged = false) {
  Genotypes file(people, chrom, exchanged);
  return sample_calls(file, listed, Progress::silent());
}

TEST(SameGenotypes, ArePeopleUnderOtherNamesInSpiteOfErrors) {
  const Calls people = drawn(20, 3000, 0.3, 1);
  const FrequencyTable listed = all_of(people);
  Calls others = drawn(20, 3000, 0.3, 2);
  others[4] = people[7];
  others[9] = people[11];
  // One call in fifty is another, and one in ten is missing.
  for (std::size_t v = 0; v < 3000; v += 50) others[9][v] = static_cast<Dosage>(2 - others[9][v]);
  for (std::size_t v = 5; v < 3000; v += 10) others[9][v] = kMissingDosage;
  for (const bool exchanged : {false, true}) {
    const auto among = who_is_among(
        sampled(people, listed), sampled(others, listed, "1", exchanged), {}, Progress::silent());
    for (std::size_t p = 0; p < among.size(); ++p) EXPECT_EQ(among[p], p == 7 || p == 11) << p;
  }
  std::vector<bool> wanted(20, true);
  wanted[4] = false;
  EXPECT_FALSE(who_is_among(sampled(people, listed), sampled(others, listed), wanted,
                            Progress::silent())[7]);
}

TEST(SameGenotypes, AreNotThoseOfSiblingsNorOfWhoHasTheReferenceAlone) {
  // A sibling has the same call at three in four places.
  const Calls people = drawn(10, 2000, 0.4, 3);
  const FrequencyTable listed = all_of(people);
  Calls siblings = people;
  for (auto& person : siblings) {
    for (std::size_t v = 0; v < person.size(); v += 4)
      person[v] = static_cast<Dosage>((person[v] + 1) % 3);
  }
  for (const bool same :
       who_is_among(sampled(people, listed), sampled(siblings, listed), {}, Progress::silent()))
    EXPECT_FALSE(same);
  // Where hardly anybody has anything, all agree.
  const Calls rare(5, std::vector<Dosage>(500, 0));
  const FrequencyTable rare_listed = all_of(rare);
  for (const bool same :
       who_is_among(sampled(rare, rare_listed), sampled(rare, rare_listed), {}, Progress::silent()))
    EXPECT_FALSE(same);
}

TEST(SameGenotypes, AreLookedForWherePeopleDiffer) {
  const Calls people = drawn(5, 100, 0.5, 4);
  const FrequencyTable listed = all_of(people);
  // Many have one mitochondrial genome; and of a pool that lists other variants nothing is kept.
  FrequencyTable mitochondrial;
  for (std::int64_t v = 1; v <= 100; ++v)
    mitochondrial.set({.chrom = "MT", .position = v, .reference = "A", .alternative = "G"}, 0.5);
  EXPECT_TRUE(sampled(people, mitochondrial, "MT").by_variant.empty());
  EXPECT_TRUE(sampled(people, mitochondrial).by_variant.empty());
  EXPECT_EQ(sampled(people, listed).by_variant.size(), 100);
}

// Frequencies of people drawn from the same population, and of some of the same people.
TEST(SameFrequencies, AreThoseOfTheSamePeople) {
  const Calls people = drawn(120, 2000, 0.3, 5);
  const auto of = [&](std::size_t from, std::size_t to) {
    return all_of(Calls(people.begin() + static_cast<std::ptrdiff_t>(from),
                        people.begin() + static_cast<std::ptrdiff_t>(to)));
  };
  const FrequencyTable pool = of(0, 40);
  EXPECT_TRUE(are_of_the_same_people(pool, pool));
  EXPECT_FALSE(are_of_the_same_people(pool, of(40, 120)));
  EXPECT_FALSE(are_of_the_same_people(pool, of(40, 80)));
  // Half of the reference are the pool: (1/80 - 1/160) of (1/80 + 1/160) is a third.
  EXPECT_TRUE(are_of_the_same_people(pool, of(0, 80)));
  // A twentieth of it is.
  EXPECT_FALSE(are_of_the_same_people(pool, of(38, 78)));
  // Rounded, and without the numbers of people.
  FrequencyTable rounded;
  for (const auto& [key, f] : pool.by_variant) rounded.by_variant[key] = std::round(f * 100) / 100;
  rounded.people = 40;
  EXPECT_TRUE(are_of_the_same_people(rounded, pool));
  FrequencyTable uncounted = pool;
  uncounted.people = 0;
  EXPECT_TRUE(are_of_the_same_people(uncounted, pool));
  EXPECT_FALSE(are_of_the_same_people(uncounted, of(40, 80)));
  // A few variants agree by chance.
  EXPECT_FALSE(are_of_the_same_people(all_of(drawn(40, 7, 0.3, 6)), all_of(drawn(40, 7, 0.3, 6))));
}

}  // namespace
}  // namespace pratique::genomes::same_genotypes_test
