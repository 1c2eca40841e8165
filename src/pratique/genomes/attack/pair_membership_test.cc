#include "pratique/genomes/attack/pair_membership.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "pratique/crypto/random.h"

namespace pratique::genomes::pair_membership_test {
namespace {

constexpr std::size_t kSnps = 300;

GenotypeSet empty_set(std::size_t people, std::size_t snps) {
  GenotypeSet set{.samples = std::vector<std::string>(people),
                  .variants = {},
                  .alleles = {},
                  .store = GenotypeStore(people)};
  for (std::size_t s = 0; s < snps; ++s)
    set.variants.push_back({.chrom = "1",
                            .position = static_cast<std::int64_t>(s),
                            .reference = "A",
                            .alternative = "G"});
  return set;
}

// Neighbours are inherited together, in chains of ten.
GenotypeSet linked_people(std::size_t people, SeededRandom& random) {
  GenotypeSet set = empty_set(people, kSnps);
  std::vector<std::vector<Dosage>> variants(kSnps, std::vector<Dosage>(people, 0));
  for (std::size_t p = 0; p < people; ++p) {
    for (int copy = 0; copy < 2; ++copy) {
      bool allele = false;
      for (std::size_t s = 0; s < kSnps; ++s) {
        if (s % 10 == 0 || random.chance(0.3)) allele = random.chance(0.4);
        variants[s][p] = static_cast<Dosage>(variants[s][p] + (allele ? 1 : 0));
      }
    }
  }
  for (const auto& variant : variants) set.store.add(variant);
  return set;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<std::size_t> all_of(const GenotypeSet& set) {
  std::vector<std::size_t> people(set.samples.size());
  std::iota(people.begin(), people.end(), 0U);
  return people;
}

TEST(PairMembership, ByItsDefinition) {
  // Two SNPs, four people: r of (0,0), (1,1), (2,2), (1,0) is 0.853; frequencies 1/2 and 3/8.
  GenotypeSet reference = empty_set(4, 2);
  reference.store.add(std::vector<Dosage>{0, 1, 2, 1});
  reference.store.add(std::vector<Dosage>{0, 1, 2, 0});
  const PairMembership pairs({{{"1", 0}, {"1", 1}, 0.25}, {{"1", 0}, {"7", 1}, 0.9}}, reference,
                             {0, 1, 2, 3}, Progress::silent());
  // |r| must be two standard errors, which are 1 with four people.
  EXPECT_EQ(pairs.pairs(), 0U);
  // The same people nine times over.
  GenotypeSet more = empty_set(36, 2);
  std::vector<Dosage> a;
  std::vector<Dosage> b;
  for (int i = 0; i < 9; ++i) {
    a.insert(a.end(), {0, 1, 2, 1});
    b.insert(b.end(), {0, 1, 2, 0});
  }
  more.store.add(a);
  more.store.add(b);
  const PairMembership known({{{"1", 0}, {"1", 1}, 0.25}}, more, all_of(more), Progress::silent());
  ASSERT_EQ(known.pairs(), 1U);
  const double r = 2.0 / std::sqrt(2 * 2.75);
  const double weight = 0.5 - r;
  const auto z = [](double g, double f) { return (g - 2 * f) / std::sqrt(2 * f * (1 - f)); };
  // With the alleles of the second exchanged, and one person without a call.
  GenotypeSet people = empty_set(3, 2);
  people.variants[1] = {.chrom = "1", .position = 1, .reference = "G", .alternative = "A"};
  people.store.add(std::vector<Dosage>{2, 0, kMissingDosage});
  people.store.add(std::vector<Dosage>{0, 1, 1});
  const auto scores = known.scores(people, Progress::silent());
  EXPECT_NEAR(scores[0], weight * z(2, 0.5) * z(2, 0.375), 1e-9);
  EXPECT_NEAR(scores[1], weight * z(0, 0.5) * z(1, 0.375), 1e-9);
  EXPECT_EQ(scores[2], 0);
}

TEST(PairMembership, APairIsComparedWhereBothSnpsAre) {
  GenotypeSet reference = empty_set(36, 3);
  for (int s = 0; s < 3; ++s) {
    std::vector<Dosage> calls;
    for (int i = 0; i < 36; ++i) calls.push_back(static_cast<Dosage>(i % 3));
    reference.store.add(calls);
  }
  const std::vector<PublishedPair> published = {
      {{"1", 0}, {"1", 1}, 0.25}, {{"1", 0}, {"1", 2}, 0.25}, {{"1", 1}, {"1", 2}, 0.25}};
  // People of the first `snps`; of the second the alleles are exchanged.
  const auto kept = [&](std::size_t snps) {
    GenotypeSet people = empty_set(1, snps);
    for (auto& variant : people.variants)
      if (variant.position == 1) std::swap(variant.reference, variant.alternative);
    PairMembership pairs(published, reference, all_of(reference), Progress::silent());
    pairs.keep_pairs_of(people);
    return pairs.pairs();
  };
  EXPECT_EQ(kept(3), 3U);
  EXPECT_EQ(kept(2), 1U);
  EXPECT_EQ(kept(1), 0U);
  EXPECT_EQ(kept(0), 0U);
}

TEST(PairMembership, MembersPullLinkageTowardsThem) {
  SeededRandom random(5);
  const GenotypeSet pool = linked_people(25, random);
  const GenotypeSet reference = linked_people(200, random);
  const GenotypeSet others = linked_people(200, random);
  const auto published = pairs_to_publish(pool, 5);
  for (const auto& pair : published) EXPECT_NEAR(pair.r2 * 100, std::round(pair.r2 * 100), 1e-9);
  const PairMembership attack(published, reference, all_of(reference), Progress::silent());
  EXPECT_GT(attack.pairs(), 300U);
  const auto members = attack.scores(pool, Progress::silent());
  const auto strangers = attack.scores(others, Progress::silent());
  double variance = 0;
  for (const double value : strangers)
    variance += (value - mean(strangers)) * (value - mean(strangers)) / 199;
  EXPECT_GT((mean(members) - mean(strangers)) / std::sqrt(variance), 2);
}

}  // namespace
}  // namespace pratique::genomes::pair_membership_test
