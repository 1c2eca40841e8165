#include "pratique/genomes/format/genotype_store.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pratique/crypto/random.h"

namespace pratique::genomes::genotype_store_test {
namespace {

// By the definition, a person at a time.
std::optional<double> correlation_by_hand(const std::vector<Dosage>& a,
                                          const std::vector<Dosage>& b,
                                          const std::vector<std::size_t>& of) {
  std::vector<std::pair<double, double>> both;
  double mean_a = 0;
  double mean_b = 0;
  for (const std::size_t p : of) {
    if (a[p] == kMissingDosage || b[p] == kMissingDosage) continue;
    both.emplace_back(a[p], b[p]);
    mean_a += a[p];
    mean_b += b[p];
  }
  mean_a /= static_cast<double>(both.size());
  mean_b /= static_cast<double>(both.size());
  double aa = 0;
  double bb = 0;
  double ab = 0;
  for (const auto& [x, y] : both) {
    aa += (x - mean_a) * (x - mean_a);
    bb += (y - mean_b) * (y - mean_b);
    ab += (x - mean_a) * (y - mean_b);
  }
  if (aa < 1e-9 || bb < 1e-9) return std::nullopt;
  return ab / std::sqrt(aa * bb);
}

TEST(GenotypeStore, GivesBackWhatWentInAndCountsIt) {
  SeededRandom random(7);
  for (const std::size_t people : {1, 3, 63, 64, 65, 130}) {
    GenotypeStore store(people);
    std::vector<std::vector<Dosage>> variants;
    for (int v = 0; v < 6; ++v) {
      auto& variant = variants.emplace_back();
      for (std::size_t p = 0; p < people; ++p)
        variant.push_back(static_cast<Dosage>(random.below(4)));
      store.add(variant);
    }
    ASSERT_EQ(store.variants(), variants.size());
    std::vector<std::size_t> some;
    std::vector<std::size_t> all;
    for (std::size_t p = 0; p < people; ++p) {
      all.push_back(p);
      if (random.chance(0.6)) some.push_back(p);
    }
    EXPECT_EQ(store.everybody(), store.those(all));
    for (std::size_t v = 0; v < variants.size(); ++v) {
      AlleleCount expected;
      for (std::size_t p = 0; p < people; ++p) EXPECT_EQ(store.at(v, p), variants[v][p]);
      for (const std::size_t p : some) expected.add(variants[v][p]);
      const AlleleCount counted = store.count(v, store.those(some));
      EXPECT_EQ(counted.alternative, expected.alternative);
      EXPECT_EQ(counted.alleles, expected.alleles);
      for (std::size_t w = 0; w < variants.size(); ++w) {
        const auto here = store.correlation(v, w, store.those(all));
        const auto there = correlation_by_hand(variants[v], variants[w], all);
        ASSERT_EQ(here.has_value(), there.has_value());
        if (here) {
          EXPECT_NEAR(*here, *there, 1e-9);
        }
      }
    }
  }
}

}  // namespace
}  // namespace pratique::genomes::genotype_store_test
