#include "pratique/fusion/fred.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "pratique/fusion/closeness.h"
#include "pratique/fusion/named_release.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::fusion::fred_test {
namespace {

using tables::table_of;
using Method = tables::AnonymisationLevels::Method;

// Ten people, one quasi-identifier in two far groups of four and six.
Table ten_people() {
  return table_of({"name", "index", "income"}, {{"a", "1", "10"},
                                                {"b", "2", "12"},
                                                {"c", "3", "14"},
                                                {"d", "4", "16"},
                                                {"e", "101", "50"},
                                                {"f", "102", "52"},
                                                {"g", "103", "54"},
                                                {"h", "104", "56"},
                                                {"i", "105", "58"},
                                                {"j", "106", "60"}});
}

const std::vector<double> kIncome = {10, 12, 14, 16, 50, 52, 54, 56, 58, 60};

// An adversary who estimates half of the released index.
LevelAttack half_of_index(NamedRelease& release, const tables::Recoding& recoding) {
  const Table& shown = release.show(recoding);
  std::vector<double> estimates;
  for (std::size_t row = 0; row < shown.rows(); ++row) {
    estimates.push_back(std::stod(std::string(shown.column("index").text(row))) / 2);
  }
  const double dissimilarity = closeness(kIncome, estimates).dissimilarity;
  return {1000, dissimilarity, dissimilarity, "half", "none"};
}

TEST(Fred, HOfTenRowsByHand) {
  NamedRelease release(ten_people(), {"index"}, {"income"});
  const auto attack = [&](const tables::Recoding& recoding) {
    return half_of_index(release, recoding);
  };
  FredOptions options;
  options.w1 = 0.5;
  options.w2 = 0.25;
  options.largest_k = 5;
  const Fred scan = fred(release.input(), Method::microaggregate, options, attack);
  ASSERT_EQ(scan.levels.size(), 4U);
  // k = 4: {1, 2, 3, 4} show 2.5 and {101, ..., 106} show 103.5, so the estimates are 1.25 and
  // 51.75. Squared distances: 8.75^2 + 10.75^2 + 12.75^2 + 14.75^2 = 572.25;
  // 1.75^2 + 0.25^2 + 2.25^2 + 4.25^2 + 6.25^2 + 8.25^2 = 133.375; together 705.625, the mean
  // 70.5625.
  const FredLevel& four = scan.levels[2];
  EXPECT_EQ(four.k, 4U);
  EXPECT_EQ(four.classes, 2U);
  EXPECT_NEAR(four.attack.after, 70.5625, 1e-9);
  EXPECT_NEAR(four.gain(), 1000 - 70.5625, 1e-9);
  // C_DM = 4 * 4 + 6 * 6; C_i = 4 for four records and 6 for six.
  EXPECT_NEAR(four.utility, 1.0 / 52, 1e-15);
  const double mean_square = (4.0 / (4 * 4) + 6.0 / (6 * 6)) / 10;
  EXPECT_NEAR(four.h, 0.5 * 70.5625 + 0.25 * mean_square, 1e-12);
  EXPECT_NEAR(four.weighted_sum, 0.5 * 70.5625 + 0.25 / 52, 1e-12);
  // k = 5: the farthest from the mean is 1, and its class takes 1, 2, 3, 4 and 101; both classes
  // hold five.
  const FredLevel& five = scan.levels[3];
  EXPECT_NEAR(five.utility, 1.0 / 50, 1e-15);
  EXPECT_NEAR(five.h, 0.5 * five.attack.after + 0.25 / (5 * 5), 1e-12);
  // All are admitted without thresholds; the largest H wins.
  ASSERT_TRUE(scan.best);
  for (const auto& level : scan.levels) {
    EXPECT_TRUE(level.admitted);
    EXPECT_LE(level.h, scan.levels[*scan.best].h);
  }
}

TEST(Fred, GoesOnWhileUtilityHoldsAndAdmitsByItsOwnDissimilarity) {
  NamedRelease release(ten_people(), {"index"}, {"income"});
  // Protection that rises and falls with k.
  const std::map<std::uint64_t, double> protection = {{2, 5}, {3, 1}, {4, 9}, {5, 7}, {6, 99}};
  std::uint64_t k = 1;
  const auto attack = [&](const tables::Recoding&) {
    ++k;
    return LevelAttack{100, 100, protection.at(k), "", ""};
  };
  FredOptions options;
  options.protection = 5;
  options.utility = 1.0 / 60;  // k = 5 has 1/50, k = 6 one class and 1/100
  const Fred scan = fred(release.input(), Method::microaggregate, options, attack);
  ASSERT_EQ(scan.levels.size(), 5U);  // k = 7 has at most 1/70
  EXPECT_TRUE(scan.utility_ended_it);
  EXPECT_EQ(scan.levels[*scan.least].k, 2U);
  std::vector<bool> admitted;
  for (const auto& level : scan.levels) admitted.push_back(level.admitted);
  EXPECT_EQ(admitted, (std::vector<bool>{true, false, true, true, false}));
  EXPECT_EQ(scan.levels[*scan.best].k, 4U);
  EXPECT_EQ(scan.recoding.class_count, 2U);
}

TEST(Fred, ALevelThatIsNotUsefulDoesNotEndTheScan) {
  NamedRelease release(ten_people(), {"index"}, {"income"});
  // C_DM of k = 2 to 5, as above: 5 * 2^2, 3^2 + 3^2 + 4^2, 4^2 + 6^2 and 5^2 + 5^2.
  FredOptions options;
  options.utility = 1.0 / 51;
  std::vector<std::uint64_t> tried;
  const auto attack = [&](const tables::Recoding& recoding) {
    tried.push_back(recoding.class_count);
    const double protection = tried.size() == 4 ? 9 : 1;
    return LevelAttack{9, 9, protection, "", ""};
  };
  options.protection = 5;
  const Fred scan = fred(release.input(), Method::microaggregate, options, attack);
  EXPECT_EQ(tried, (std::vector<std::uint64_t>{5, 3, 2, 2}));
  ASSERT_TRUE(scan.best);
  EXPECT_EQ(scan.levels[*scan.best].k, 5U);
  EXPECT_FALSE(scan.levels[2].admitted);
  EXPECT_TRUE(scan.utility_ended_it);  // 1 / (10 * 6) is below 1/51
  options.largest_k = 4;
  tried.clear();
  EXPECT_FALSE(fred(release.input(), Method::microaggregate, options, attack).utility_ended_it);
}

TEST(Fred, WithoutAnAdmittedLevelTheNearestIsKnown) {
  NamedRelease release(ten_people(), {"index"}, {"income"});
  double protection = 0;
  const auto attack = [&](const tables::Recoding&) {
    protection = protection == 3 ? 2 : protection + 1;
    return LevelAttack{100, 100, protection, "", ""};
  };
  FredOptions options;
  options.protection = 50;
  options.largest_k = 5;
  const Fred scan = fred(release.input(), Method::mondrian, options, attack);
  EXPECT_FALSE(scan.best);
  EXPECT_EQ(scan.levels[scan.nearest].k, 4U);
  EXPECT_TRUE(scan.recoding.columns.empty());
  options.utility = 1;
  const Fred useless = fred(release.input(), Method::mondrian, options, attack);
  EXPECT_EQ(useless.levels.size(), 1U);
  EXPECT_EQ(useless.nearest, 0U);
}

TEST(NamedRelease, KeepsNamesAndLosesTheTarget) {
  for (const auto method : {Method::microaggregate, Method::mondrian}) {
    NamedRelease release(table_of({"name", "index", "ward", "income"}, {{"a", "1", "x", "5"},
                                                                        {"b", "1", "y", "6"},
                                                                        {"c", "1", "x", "7"},
                                                                        {"d", "9", "x", "8"},
                                                                        {"e", "9", "x", "9"}}),
                         {"index"}, {"income"});
    ASSERT_EQ(release.input().counts->size(), 2U);
    tables::AnonymisationLevels levels(release.input(), method);
    const Table& shown = release.show(levels.at(2));
    ASSERT_EQ(shown.columns.size(), 3U);
    EXPECT_EQ(shown.column("name").text(4), "e");
    EXPECT_EQ(shown.column("ward").text(1), "y");
    EXPECT_EQ(shown.column("index").text(0), "1");
    EXPECT_EQ(shown.column("index").text(4), "9");
    const Table& merged = release.show(levels.at(5));
    for (std::size_t row = 0; row < 5; ++row) {
      EXPECT_EQ(merged.column("index").text(row), method == Method::mondrian ? "1..9" : "4.2");
    }
  }
}

}  // namespace
}  // namespace pratique::fusion::fred_test
