#include "pratique/core/jaro_winkler.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pratique::jaro_winkler_test {
namespace {

// Winkler (1990; and table 1 of his 2006 overview), to the three places printed there.
TEST(JaroWinkler, PublishedFigures) {
  EXPECT_NEAR(jaro("MARTHA", "MARHTA"), 0.944, 5e-4);
  EXPECT_NEAR(jaro_winkler("MARTHA", "MARHTA"), 0.961, 5e-4);
  EXPECT_NEAR(jaro("DWAYNE", "DUANE"), 0.822, 5e-4);
  EXPECT_NEAR(jaro_winkler("DWAYNE", "DUANE"), 0.840, 5e-4);
  EXPECT_NEAR(jaro("DIXON", "DICKSONX"), 0.767, 5e-4);
  EXPECT_NEAR(jaro_winkler("DIXON", "DICKSONX"), 0.813, 5e-4);
  EXPECT_NEAR(jaro_winkler("SHACKLEFORD", "SHACKELFORD"), 0.982, 5e-4);
  EXPECT_NEAR(jaro_winkler("JERALDINE", "GERALDINE"), 0.926, 5e-4);
}

TEST(JaroWinkler, Ends) {
  EXPECT_EQ(jaro_winkler("", ""), 1);
  EXPECT_EQ(jaro_winkler("a", ""), 0);
  EXPECT_EQ(jaro_winkler("abc", "xyz"), 0);
}

RC_GTEST_PROP(JaroWinkler, BetweenZeroAndOne, (const std::string& a, const std::string& b)) {
  const double value = jaro_winkler(a, b);
  RC_ASSERT(value >= 0 && value <= 1);
  RC_ASSERT(jaro_winkler(a, a) == 1);
  RC_ASSERT((value > 1 - 1e-12) == (a == b));
}

}  // namespace
}  // namespace pratique::jaro_winkler_test
