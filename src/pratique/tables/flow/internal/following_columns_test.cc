#include "pratique/tables/flow/internal/following_columns.h"

#include <gtest/gtest.h>

namespace pratique::tables::flow::following_columns_test {
namespace {

Column column_of(const std::vector<std::string>& cells) {
  Column column;
  for (const auto& cell : cells) column.codes.push_back(column.dictionary.intern(cell));
  return column;
}

// People born from 1930 on; the age is that of the last day of 2020, the district that of the
// postcode, and the rest is drawn.
struct Facts {
  std::vector<std::string> born, age, postcode, district, half, weight;
};
Facts facts(int people) {
  Facts all;
  for (int i = 0; i < people; ++i) {
    const int year = 1930 + i * 7 % 80;
    all.born.push_back("0" + std::to_string(1 + i % 9) + "." + std::to_string(10 + i % 3) + "." +
                       std::to_string(year));
    all.age.push_back(std::to_string(2020 - year));
    all.postcode.push_back("6911" + std::to_string(i % 9));
    all.district.push_back("D" + std::to_string(i % 9 / 3));
    all.half.push_back(i % 2 == 0 ? "a" : "b");
    all.weight.push_back(std::to_string(50 + i * i % 47) + ",5");
  }
  return all;
}

TEST(FollowingColumns, AnAgeFollowsFromABirthAndADistrictFromAPostcode) {
  const Facts all = facts(120);
  EXPECT_TRUE(follows_from(column_of(all.age), column_of(all.born)));
  EXPECT_TRUE(follows_from(column_of(all.born), column_of(all.age)));
  EXPECT_TRUE(follows_from(column_of(all.district), column_of(all.postcode)));
  // A district does not tell which of its postcodes.
  EXPECT_FALSE(follows_from(column_of(all.postcode), column_of(all.district)));
  for (const auto& other : {all.half, all.weight, all.postcode}) {
    EXPECT_FALSE(follows_from(column_of(other), column_of(all.born)));
    EXPECT_FALSE(follows_from(column_of(all.age), column_of(other)));
  }
}

// By hand: 58 pairs of rows with the same postcode, of which one slip spoils two: 2 in 58 are more
// than 2 in 100, and fewer than 50 rows show nothing.
TEST(FollowingColumns, NearlyAlwaysIsNotMostlyAndFewRowsShowNothing) {
  Facts all = facts(67);
  EXPECT_TRUE(follows_from(column_of(all.district), column_of(all.postcode)));
  all.district[30] = "D9";
  EXPECT_FALSE(follows_from(column_of(all.district), column_of(all.postcode)));
  const Facts few = facts(49);
  EXPECT_FALSE(follows_from(column_of(few.age), column_of(few.born)));
  EXPECT_FALSE(follows_from(column_of(few.district), column_of(few.postcode)));
}

}  // namespace
}  // namespace pratique::tables::flow::following_columns_test
