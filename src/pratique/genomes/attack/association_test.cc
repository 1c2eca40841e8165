#include "pratique/genomes/attack/association.h"

#include <gtest/gtest.h>

namespace pratique::genomes::association_test {
namespace {

TEST(Association, ChiSquareOfATableOfFour) {
  // 30 of 100 alleles of cases, 20 of 200 of controls: N (ad - bc)^2 / (rows x columns).
  const double a = 30;
  const double b = 70;
  const double c = 20;
  const double d = 180;
  const double expected = 300 * (a * d - b * c) * (a * d - b * c) / (100.0 * 200.0 * 50.0 * 250.0);
  EXPECT_NEAR(association_chi_square(0.3, 0.1, {100, 200}), expected, 1e-9);
  EXPECT_EQ(association_chi_square(0, 0, {100, 200}), 0);
}

TEST(Association, PublishedQuantiles) {
  EXPECT_NEAR(p_value_of(3.841459), 0.05, 1e-6);
  EXPECT_NEAR(chi_square_of(0.05), 3.841459, 1e-5);
  EXPECT_NEAR(chi_square_of(5e-8), 29.7168, 1e-3);  // what association studies ask for
  EXPECT_NEAR(chi_square_of(1), 0, 1e-9);
}

TEST(Association, FrequenciesComeBackFromPValues) {
  for (const double controls : {0.05, 0.3, 0.5, 0.9}) {
    for (const double cases : {0.02, 0.31, 0.7, 0.95}) {
      const AssociationSizes sizes{400, 600};
      const double p = p_value_of(association_chi_square(cases, controls, sizes));
      const auto found = frequency_from_p_value(p, controls, cases > controls, sizes);
      ASSERT_TRUE(found);
      // Where a p-value is 0 as a number, the frequency is only as far as numbers reach.
      if (p > 1e-250) {
        EXPECT_NEAR(*found, cases, 1e-6);
      }
    }
  }
  EXPECT_FALSE(frequency_from_p_value(1e-30, 0.99, true, {20, 20}));
}

}  // namespace
}  // namespace pratique::genomes::association_test
