#include "pratique/dp/study/usefulness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pratique/crypto/random.h"

namespace pratique::dp::usefulness_test {
namespace {

TEST(Usefulness, IsTheLargestErrorAndTheLeastDeltaThatDrawsCanShow) {
  const auto of_three = usefulness({3, 9, 1});
  EXPECT_EQ(of_three.epsilon, 9);
  EXPECT_NEAR(std::pow(1 - of_three.delta, 3), 0.05, 1e-12);
  // 59 draws are the fewest that show 0.05 with 95 % confidence (Wilks 1941).
  EXPECT_LE(usefulness(std::vector<double>(59, 1)).delta, 0.05);
  EXPECT_GT(usefulness(std::vector<double>(58, 1)).delta, 0.05);
  EXPECT_EQ(usefulness({}).delta, 1);
}

// Errors uniform on [0, 1]: P(w <= e) is e. What is claimed is wrong in one study of twenty.
TEST(Usefulness, IsRightAsOftenAsItSays) {
  SeededRandom random(4);
  constexpr int kStudies = 20'000;
  int wrong = 0;
  for (int study = 0; study < kStudies; ++study) {
    std::vector<double> errors(10);
    for (double& error : errors) error = random.uniform();
    const auto [epsilon, delta] = usefulness(errors);
    wrong += epsilon < 1 - delta ? 1 : 0;
  }
  EXPECT_NEAR(wrong, 0.05 * kStudies, 6 * std::sqrt(0.05 * 0.95 * kStudies));
}

}  // namespace
}  // namespace pratique::dp::usefulness_test
