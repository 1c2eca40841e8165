#include "pratique/synthetic/haplotypes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pratique::synthetic::haplotypes_test {
namespace {

double r2_of(const std::vector<Haplotype>& people, std::size_t a, std::size_t b) {
  double x = 0;
  double y = 0;
  double both = 0;
  const auto n = static_cast<double>(people.size());
  for (const auto& person : people) {
    x += person[a] / n;
    y += person[b] / n;
    both += person[a] * person[b] / n;
  }
  const double variance = x * (1 - x) * y * (1 - y);
  return variance > 0 ? (both - x * y) * (both - x * y) / variance : 0;
}

TEST(Haplotypes, RareVariantsAreCommonAndNearSitesAreLinked) {
  SeededRandom random(3);
  const HaplotypeModel model(400, random);
  std::vector<Haplotype> people;
  for (int i = 0; i < 400; ++i) people.push_back(model.founder(random));
  int rare = 0;
  int even = 0;
  for (std::size_t s = 0; s < 400; ++s) {
    double share = 0;
    for (const auto& person : people) share += person[s] / 400.0;
    rare += share < 0.1 ? 1 : 0;
    even += share >= 0.4 && share < 0.5 ? 1 : 0;
  }
  EXPECT_GT(rare, 3 * even);
  double near = 0;
  double far = 0;
  for (std::size_t s = 0; s + 200 < 400; ++s) {
    near += r2_of(people, s, s + 1) / 200;
    far += r2_of(people, s, s + 200) / 200;
  }
  EXPECT_GT(near, 5 * far);
  for (std::size_t s = 1; s < 400; ++s) EXPECT_LT(model.positions()[s - 1], model.positions()[s]);
}

TEST(Haplotypes, AChildHasWhatAParentHasAndTheWantedOrigin) {
  SeededRandom random(4);
  const HaplotypeModel model(300, random);
  for (int i = 0; i < 50; ++i) {
    const DiploidGenome parent{model.founder(random), Haplotype(300, 2)};
    for (const bool second : {false, true}) {
      const auto child = model.inherited(parent, GivenOrigin{150, second}, random);
      EXPECT_EQ(child[150], second ? 2 : parent.first[150]);
      for (std::size_t s = 0; s < 300; ++s)
        EXPECT_TRUE(child[s] == parent.first[s] || child[s] == 2);
    }
  }
}

}  // namespace
}  // namespace pratique::synthetic::haplotypes_test
