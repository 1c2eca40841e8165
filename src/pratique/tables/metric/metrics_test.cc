#include "pratique/tables/metric/metrics.h"

#include <gtest/gtest.h>

#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::metrics_test {
namespace {

// The tutorial's nine-row table, from records that fill its ranges.
struct NineRows {
  ProtectionWorld world{{{"20", "0"},
                         {"30", "10"},
                         {"30", "26"},
                         {"40", "75"},
                         {"50", "0"},
                         {"60", "45"},
                         {"60", "50"},
                         {"90", "95"},
                         {"70", "60"}},
                        {"flat", "flat"}};
  Recoding recoding;

  NineRows() {
    recoding.groups = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    recoding.counts.assign(9, 1);
    recoding.class_of = {0, 0, 1, 1, 2, 2, 3, 3, 3};
    recoding.class_count = 4;
    write_cells(world.input, CellStyle::free, recoding);
  }
};

TEST(Metrics, DiscernibilityOfTheTutorialsTable) {
  EXPECT_DOUBLE_EQ(discernibility(NineRows().recoding), 2 * 2 + 2 * 2 + 2 * 2 + 3 * 3);
}

TEST(Metrics, CertaintyPenaltyOfTheTutorialsTable) {
  const NineRows nine;
  const double sum = 2 * (10.0 / 70 + 10.0 / 95) + 2 * (10.0 / 70 + 49.0 / 95) +
                     2 * (10.0 / 70 + 45.0 / 95) + 3 * (30.0 / 70 + 45.0 / 95);
  EXPECT_DOUBLE_EQ(normalized_certainty_penalty(nine.world.input, nine.recoding), sum / 18);
}

TEST(Metrics, UtilityMeasureCountsEveryClassAlike) {
  const NineRows nine;
  const double classes = (10.0 / 70 + 10.0 / 95) + (10.0 / 70 + 49.0 / 95) +
                         (10.0 / 70 + 45.0 / 95) + (30.0 / 70 + 45.0 / 95);
  EXPECT_DOUBLE_EQ(utility_measure(nine.world.input, nine.recoding), classes / 2 / 4);
}

TEST(Metrics, ClassesThatReadTheSameAreJoined) {
  NineRows nine;
  // The first two classes get one cell each in both columns, written twice.
  for (auto& column : nine.recoding.columns) {
    column.values = {"x", "x", "y"};
    column.leaves = {2, 2, 3};
    column.codes = {0, 0, 1, 1, 2, 2, 2, 2, 2};
  }
  nine.recoding.groups[2] = 0;  // a group that stands in both
  // What reads the same and lost more stays an entry of its own.
  Recoding other = nine.recoding;
  for (auto& column : other.columns) column.leaves = {1, 2, 3};
  const double lost = loss_metric(nine.world.input, other);
  join_equal_classes(other);
  EXPECT_EQ(other.class_count, 2U);
  EXPECT_EQ(other.groups, (std::vector<std::uint32_t>{0, 1, 0, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(other.class_of, (std::vector<ClassId>{0, 0, 0, 0, 1, 1, 1, 1, 1}));
  EXPECT_DOUBLE_EQ(loss_metric(nine.world.input, other), lost);
  join_equal_classes(nine.recoding);
  EXPECT_EQ(nine.recoding.class_count, 2U);
  EXPECT_EQ(nine.recoding.groups, (std::vector<std::uint32_t>{0, 1, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(nine.recoding.counts, (std::vector<std::uint64_t>{2, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(nine.recoding.class_of, (std::vector<ClassId>{0, 0, 0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(nine.recoding.columns[1].codes.size(), 8U);
}

TEST(Metrics, ASuppressedRecordLosesEverything) {
  NineRows nine;
  const double before = normalized_certainty_penalty(nine.world.input, nine.recoding);
  nine.recoding.suppressed = 3;
  EXPECT_DOUBLE_EQ(normalized_certainty_penalty(nine.world.input, nine.recoding),
                   (before * 18 + 6) / 24);
}

TEST(Metrics, CertaintyPenaltyOfLabelsStopsAtTheEndsOfTheData) {
  // 20..29 over the values 21 to 29 and 0..9 over 5 alone; the data reach from 5 to 29.
  const ProtectionWorld world({{"5", "a"}, {"21", "b"}, {"24", "c"}, {"29", "c"}},
                              {"interval:10", "flat"});
  Recoding recoding;
  recoding.groups = {0, 1, 2, 3};
  recoding.counts = {1, 1, 1, 1};
  recoding.class_of = {0, 1, 1, 1};
  recoding.class_count = 2;
  write_cells(world.input, CellStyle::labels, recoding);
  // Letters: the first is exact; the others have the root, three leaves of three.
  EXPECT_DOUBLE_EQ(normalized_certainty_penalty(world.input, recoding),
                   (3 * 8.0 / 24 + 3 * 1.0) / 8);
  write_cells(world.input, CellStyle::free, recoding);
  EXPECT_DOUBLE_EQ(normalized_certainty_penalty(world.input, recoding),
                   (3 * 8.0 / 24 + 3 * 2.0 / 3) / 8);
}

TEST(Metrics, ARangeWithTheMissingValueIsASet) {
  const ProtectionWorld world({{"1"}, {""}, {"3"}, {"9"}}, {"flat"});
  Recoding recoding;
  recoding.groups = {0, 1, 2, 3};
  recoding.counts = {1, 1, 1, 1};
  recoding.class_of = {0, 0, 1, 1};
  recoding.class_count = 2;
  write_cells(world.input, CellStyle::free, recoding);
  EXPECT_DOUBLE_EQ(normalized_certainty_penalty(world.input, recoding),
                   (2 * 2.0 / 4 + 2 * 6.0 / 8) / 4);
}

}  // namespace
}  // namespace pratique::tables::metrics_test
