#include "pratique/tables/attack/exposure.h"

#include <gtest/gtest.h>

#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::exposure_test {
namespace {

TEST(Exposure, CountsWhoIsAloneAndWhoseClassAgrees) {
  // Ages 20 (flu, flu, gout), 30 (flu twice), 40 (gout, alone).
  const Table table =
      table_of({"age", "illness"}, {{"20", "flu"}, {"20", "gout"}, {"30", "flu"}, {"40", "gout"}});
  const std::vector<std::uint64_t> counts{2, 1, 2, 1};
  const Column& age = table.columns[0];
  const Hierarchy flat = make_hierarchy("flat", age.dictionary, age.counts(), "age");
  ProtectionInput input;
  input.attributes.push_back(make_attribute(age, flat, age.counts()));
  input.sensitive = {&table.columns[1]};
  input.counts = &counts;

  const Exposure before = exposure_before(input);
  EXPECT_EQ(before.records, 6U);
  EXPECT_EQ(before.classes, 3U);
  EXPECT_EQ(before.unique, 1U);
  EXPECT_EQ(before.sensitive_disclosed, 3U);
  EXPECT_DOUBLE_EQ(before.mean_risk(), 3.0 / 6);
  EXPECT_DOUBLE_EQ(before.largest_risk(), 1);

  // Ages 20 and 30 leave together; 40 is suppressed.
  Recoding recoding;
  recoding.groups = {0, 1, 2};
  recoding.counts = {2, 1, 2};
  recoding.class_of = {0, 0, 0};
  recoding.class_count = 1;
  recoding.suppressed = 1;
  const Exposure after = exposure_after(input, recoding);
  EXPECT_EQ(after.records, 5U);
  EXPECT_EQ(after.unique, 0U);
  EXPECT_EQ(after.sensitive_disclosed, 0U);
  EXPECT_DOUBLE_EQ(after.largest_risk(), 1.0 / 5);
}

TEST(Exposure, CountsWhoseValueNineInTenShare) {
  // Nine of ten have flu at 20, eight of nine at 30.
  const Table table =
      table_of({"age", "illness"}, {{"20", "flu"}, {"20", "gout"}, {"30", "flu"}, {"30", "gout"}});
  const std::vector<std::uint64_t> counts{9, 1, 8, 1};
  const Column& age = table.columns[0];
  const Hierarchy flat = make_hierarchy("flat", age.dictionary, age.counts(), "age");
  ProtectionInput input;
  input.attributes.push_back(make_attribute(age, flat, age.counts()));
  input.sensitive = {&table.columns[1]};
  input.counts = &counts;
  EXPECT_EQ(exposure_before(input).believed, 9U);
  // Ten of eleven of a class that keeps only one who has gout.
  const Recoding recoding{.groups = {0, 1, 2},
                          .counts = {9, 1, 1},
                          .class_of = {0, 0, 0},
                          .class_count = 1,
                          .columns = {},
                          .suppressed = 8};
  EXPECT_EQ(exposure_after(input, recoding).believed, 10U);
}

}  // namespace
}  // namespace pratique::tables::exposure_test
