#include "pratique/data/number.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <string>

namespace pratique::number_test {
namespace {

TEST(Number, KnowsWhatIsOne) {
  for (const char* yes : {"0", "007", "-1", "+1", "1.5", ".5", "-.5", "20.00"}) {
    EXPECT_TRUE(is_number(yes)) << yes;
  }
  for (const char* no : {"", "-", "+", ".", "5.", "-5.", "1.2.3", "1e5", " 1", "1 ", "1,5", "0x1",
                         "--1", "1-", "nan", "inf", "1..2"}) {
    EXPECT_FALSE(is_number(no)) << no;
  }
}

TEST(Number, ComparesBeyondWhatDoublesHold) {
  EXPECT_EQ(compare_numbers("9007199254740993", "9007199254740992"), 1);
  EXPECT_EQ(compare_numbers("0.10000000000000000000001", "0.1"), 1);
  EXPECT_EQ(compare_numbers("-0.10000000000000000000001", "-0.1"), -1);
  const std::string long_one(500, '9');
  EXPECT_EQ(compare_numbers(long_one, "1" + std::string(500, '0')), -1);
}

TEST(Number, EqualNumbersInDifferentTexts) {
  EXPECT_EQ(compare_numbers("-0", "0.00"), 0);
  EXPECT_EQ(compare_numbers("007", "7"), 0);
  EXPECT_EQ(compare_numbers("+.50", "0.5"), 0);
  EXPECT_EQ(compare_numbers("-0.0", ".0"), 0);
}

// Hundredths are exact integers, so the order of the texts can be told independently.
TEST(Number, AgreesWithIntegersOnAllHundredths) {
  const auto text = [](int hundredths) {
    const int magnitude = std::abs(hundredths);
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%s%d.%02d", hundredths < 0 ? "-" : "",
                  magnitude / 100, magnitude % 100);
    return std::string(buffer.data());
  };
  for (int a = -230; a <= 230; a += 7) {
    for (int b = -230; b <= 230; ++b) {
      ASSERT_EQ(compare_numbers(text(a), text(b)), (a > b) - (a < b)) << text(a) << " " << text(b);
    }
  }
}

RC_GTEST_PROP(Number, AgreesWithIntegers, (std::int64_t a, std::int64_t b)) {
  RC_ASSERT(compare_numbers(std::to_string(a), std::to_string(b)) == (a > b) - (a < b));
}

TEST(Number, CountsDecimals) {
  EXPECT_EQ(decimals("12"), 0U);
  EXPECT_EQ(decimals("12.50"), 2U);
  EXPECT_EQ(decimals("-.125"), 3U);
}

TEST(Number, ToDouble) {
  EXPECT_EQ(to_double("-12.5"), -12.5);
  EXPECT_EQ(to_double("+3"), 3);
  EXPECT_EQ(to_double(".25"), 0.25);
  EXPECT_TRUE(std::isinf(to_double(std::string(400, '9'))));
  EXPECT_LT(to_double("-" + std::string(400, '9')), 0);
  EXPECT_EQ(to_double("0." + std::string(400, '0') + "1"), 0);
}

}  // namespace
}  // namespace pratique::number_test
