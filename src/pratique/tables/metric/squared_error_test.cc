#include "pratique/tables/metric/squared_error.h"

#include <gtest/gtest.h>

#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::squared_error_test {
namespace {

// 10, 20, 30, 60: mean 30, squares 400 + 100 + 0 + 900 = 1400.
struct FourAges {
  ProtectionWorld world{{{"10", "a"}, {"20", "b"}, {"30", "a"}, {"60", "b"}}, {"flat", "flat"}};
  Recoding recoding;

  FourAges() {
    recoding.groups = {0, 1, 2, 3};
    recoding.counts.assign(4, 1);
    recoding.class_of = {0, 0, 1, 1};
    recoding.class_count = 2;
    write_cells(world.input, CellStyle::free, recoding);
  }
};

TEST(SquaredError, ARangeStandsForTheMeanOfItsLeaves) {
  const FourAges four;
  ASSERT_EQ(four.recoding.columns[0].values[0], "10..20");
  // 15 for 10 and 20, 45 for 30 and 60: 25 + 25 + 225 + 225.
  EXPECT_NEAR(*squared_error(four.world.input, four.recoding, 0), 500.0 / 1400, 1e-12);
}

TEST(SquaredError, AMeanIsItself) {
  FourAges four;
  four.recoding.columns[0].values[1] = "40.0";
  // 15 and 40: 25 + 25 + 100 + 400.
  EXPECT_NEAR(*squared_error(four.world.input, four.recoding, 0), 550.0 / 1400, 1e-12);
}

TEST(SquaredError, AMonthStandsForTheMiddleOfItsDays) {
  ProtectionWorld world{
      {{"2000-03-01", "a"}, {"2000-03-31", "a"}, {"2000-05-01", "b"}, {"2000-05-31", "b"}},
      {"date", "flat"}};
  Recoding recoding;
  recoding.groups = {0, 1, 2, 3};
  recoding.counts.assign(4, 1);
  recoding.class_of = {0, 0, 1, 1};
  recoding.class_count = 2;
  write_cells(world.input, CellStyle::free, recoding);
  recoding.columns[0].values[recoding.columns[0].codes[0]] = "2000-03";
  recoding.columns[0].values[recoding.columns[0].codes[2]] = "2000-05";
  // Days 0, 30, 61, 91 have the mean 45.5; each is 15 from the middle of its month.
  EXPECT_NEAR(*squared_error(world.input, recoding, 0), 4 * 225 / (2 * (45.5 * 45.5 + 15.5 * 15.5)),
              1e-12);
}

TEST(SquaredError, WhoIsSuppressedCountsAsTheMean) {
  FourAges four;
  four.recoding.groups = {0, 1};
  four.recoding.counts = {1, 1};
  four.recoding.class_of = {0, 0};
  four.recoding.class_count = 1;
  four.recoding.suppressed = 2;
  write_cells(four.world.input, CellStyle::free, four.recoding);
  EXPECT_NEAR(*squared_error(four.world.input, four.recoding, 0), (50.0 + 0 + 900) / 1400, 1e-12);
}

TEST(SquaredError, CategoriesHaveNone) {
  const FourAges four;
  EXPECT_FALSE(squared_error(four.world.input, four.recoding, 1).has_value());
}

}  // namespace
}  // namespace pratique::tables::squared_error_test
