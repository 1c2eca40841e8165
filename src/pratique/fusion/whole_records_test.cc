#include "pratique/fusion/whole_records.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace pratique::fusion::whole_records_test {
namespace {

struct Row {
  tables::ClassId class_id = 0;
  std::string diagnosis;
  std::string ward;
  std::uint64_t times = 1;
};

// A release of one row per person, or with `of_people` of several rows that are theirs.
class Release {
 public:
  Release(const std::vector<Row>& rows, std::size_t classes, bool of_people = false) {
    auto& columns = released_.rows.groups.columns;
    columns.resize(2);
    columns[0].name = "diagnosis";
    columns[1].name = "ward";
    for (const auto& row : rows) {
      columns[0].codes.push_back(columns[0].dictionary.intern(row.diagnosis));
      columns[1].codes.push_back(columns[1].dictionary.intern(row.ward));
      released_.rows.counts.push_back(row.times);
      released_.class_of.push_back(row.class_id);
      if (of_people) released_.whose.push_back(static_cast<Code>(released_.whose.size()));
      located_.set_of.push_back(row.class_id);
    }
    located_.class_count = classes;
    released_.located = &located_;
  }
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;
  [[nodiscard]] const ReleasedRows& rows() const { return released_; }

 private:
  LocatedTargets located_;
  ReleasedRows released_;
};

const std::vector<Row> kWards = {
    {0, "flu", "A"}, {0, "hiv", "A"}, {0, "flu", "B"}, {0, "hiv", "B"}, {0, "gout", "A"}};
constexpr DifferencingLimits kLimits{.k = 3, .l = 2};

std::uint64_t people_between(const std::vector<Row>& before, const std::vector<Row>& after,
                             bool of_people = false) {
  const Release earlier(before, 1, of_people);
  const Release later(after, 1, of_people);
  return subtract_records(earlier.rows(), later.rows(), "diagnosis", kLimits).people();
}

TEST(WholeRecords, WhoMovedIsTold) {
  EXPECT_EQ(people_between(kWards, kWards), 0U);
  auto moved = kWards;
  moved[4].ward = "B";  // one record is lost, one is gained
  EXPECT_EQ(people_between(kWards, moved), 2U);
  // Three who moved hide each other: their two illnesses may be anybody's of them.
  moved[0].ward = "C";
  moved[1].ward = "C";
  EXPECT_EQ(people_between(kWards, moved), 0U);
  // Unless they have one illness.
  auto alike = kWards;
  for (auto& row : alike) row.diagnosis = row.ward == "A" ? "flu" : "hiv";
  moved = alike;
  for (auto& row : moved) row.ward = row.ward == "A" ? "C" : row.ward;
  EXPECT_EQ(people_between(alike, moved), 6U);
}

TEST(WholeRecords, AWardIsWhatIsReadAndWhatIsWritten) {
  auto other = kWards;
  other[4].ward = "a ";
  EXPECT_EQ(people_between(kWards, other), 2U);  // as it is written
  for (auto& row : other) row.ward = row.ward == "A" ? "a" : row.ward == "B" ? "b" : row.ward;
  EXPECT_EQ(people_between(kWards, other), 0U);  // five who are written otherwise
  other[4].ward = "b";
  EXPECT_EQ(people_between(kWards, other), 2U);  // as it is read
}

TEST(WholeRecords, HowManyRowsAreAPersonsTells) {
  auto again = kWards;
  again[1].times = 2;
  EXPECT_EQ(people_between(kWards, again, true), 2U);
  EXPECT_EQ(people_between(again, again, true), 0U);
}

TEST(WholeRecords, WhatLiesBesideAValueNarrowsItDown) {
  // flu and hiv are in both classes of everybody; in one ward only flu is.
  const Release first({{0, "flu", "A"}, {0, "hiv", "B"}, {1, "flu", "C"}, {1, "hiv", "C"}}, 2);
  const Release second({{0, "flu", "A"}, {0, "hiv", "C"}, {1, "flu", "C"}, {1, "hiv", "B"}}, 2);
  NarrowedRecords narrowed(first.rows(), "diagnosis");
  for (std::size_t p = 0; p < 4; ++p) EXPECT_FALSE(narrowed.is_certain(p));
  narrowed.narrow(second.rows());
  for (std::size_t p = 0; p < 4; ++p) EXPECT_TRUE(narrowed.is_certain(p));
}

TEST(WholeRecords, AColumnThatChangesIsNotReliedOn) {
  const Release first({{0, "flu", "A"}, {0, "hiv", "B"}}, 1);
  const Release second({{0, "flu", "C"}, {0, "hiv", "D"}}, 1);
  NarrowedRecords narrowed(first.rows(), "diagnosis");
  narrowed.narrow(second.rows());
  EXPECT_FALSE(narrowed.is_certain(0));
}

// Everybody's record stays: what is left is what both classes have, by definition.
RC_GTEST_PROP(WholeRecords, IntersectsRecords, ()) {
  std::vector<Row> before;
  std::vector<Row> after;
  for (int p = *rc::gen::inRange(1, 16); p > 0; --p) {
    Row row{*rc::gen::inRange<tables::ClassId>(0, 3), *rc::gen::element<std::string>("a", "b", "c"),
            *rc::gen::element<std::string>("X", "Y", "Z")};
    before.push_back(row);
    row.class_id = *rc::gen::inRange<tables::ClassId>(0, 3);
    after.push_back(row);
  }
  const Release earlier(before, 3);
  const Release later(after, 3);
  NarrowedRecords narrowed(later.rows(), "diagnosis");
  narrowed.narrow(earlier.rows());
  for (std::size_t p = 0; p < before.size(); ++p) {
    std::set<std::string> left;
    for (const auto& old : before) {
      for (const auto& row : after) {
        if (old.class_id == before[p].class_id && row.class_id == after[p].class_id &&
            old.diagnosis == row.diagnosis && old.ward == row.ward)
          left.insert(row.diagnosis);
      }
    }
    RC_ASSERT(narrowed.is_certain(p) == (left.size() == 1));
  }
}

}  // namespace
}  // namespace pratique::fusion::whole_records_test
