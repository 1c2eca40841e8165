#include "pratique/fusion/observations.h"

#include <gtest/gtest.h>

#include <limits>

#include "pratique/fusion/fcl.h"
#include "pratique/fusion/people.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::fusion::observations_test {
namespace {

using tables::table_of;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Variable employment() {
  Variable variable{"employment", {}, {}};
  variable.terms.push_back({"clerk", Singleton{1}});
  variable.terms.push_back({"chief_executive", Singleton{9}});
  variable.terms.push_back({"high", LinearSet{{{5, 0}, {7, 1}, {9, 1}}}});
  return variable;
}

TEST(Observations, CellsAreReadAsWhatTheyLeaveOpen) {
  const Variable variable = employment();
  const auto read = [&](const char* cell) { return read_input(cell, variable); };
  EXPECT_EQ(read("12.5"), (Input{{12.5, 12.5}}));
  EXPECT_EQ(read("5..10"), (Input{{5, 10}}));
  EXPECT_EQ(read("[5, 10)"), (Input{{5, 10}}));
  EXPECT_EQ(read("20-29"), (Input{{20, 29}}));
  EXPECT_EQ(read(">=90"), (Input{{90, kInfinity}}));
  EXPECT_EQ(read("{3|7}"), (Input{{3, 3}, {7, 7}}));
  EXPECT_EQ(read("Chief Executive"), (Input{{9, 9}}));
  EXPECT_EQ(read("High"), (Input{{7, 9}}));
  EXPECT_EQ(read("{Clerk|Chief Executive}"), (Input{{9, 9}, {1, 1}}));
  for (const auto* cell : {"*", "", "Astronaut", "{Clerk|Astronaut}", "2012-01-01..2012-12-31"}) {
    EXPECT_EQ(read(cell), Input{}) << cell;
  }
}

TEST(Observations, AFactWinsOverTheReleaseWhereThereIsOne) {
  FuzzySystem system;
  system.inputs = {{"age", {{"old", LinearSet{{{40, 0}, {60, 1}}}}}, {}},
                   {"rooms", {{"many", LinearSet{{{2, 0}, {5, 1}}}}}, {}},
                   {"lost", {{"many", LinearSet{{{2, 0}, {5, 1}}}}}, {}}};
  const Table release = table_of({"name", "Age"}, {{"a", "30..39"}, {"b", "40..49"}, {"c", "*"}});
  const Table facts = table_of({"name", "age", "rooms"}, {{"a", "33", "4"}, {"b", "", "2"}});
  const auto seen = observe(system, release, &facts, {0, 1, kNotFound});
  const auto value = [&](std::size_t input, std::size_t row) {
    return seen.inputs[input].values[seen.inputs[input].of_row[row]];
  };
  EXPECT_EQ(value(0, 0), (Input{{33, 33}}));
  EXPECT_EQ(value(0, 1), (Input{{40, 49}}));
  EXPECT_EQ(value(0, 2), Input{});
  EXPECT_EQ(value(1, 1), (Input{{2, 2}}));
  EXPECT_EQ(value(1, 2), Input{});
  EXPECT_NEAR(seen.inputs[0].known(), 2.0 / 3, 1e-12);
  EXPECT_EQ(seen.inputs[2].known(), 0);
  EXPECT_TRUE(seen.inputs[0].in_release && seen.inputs[0].in_auxiliary);
  EXPECT_FALSE(seen.inputs[1].in_release);
}

TEST(People, ASampleTakesFromTheReleaseWhatItLacks) {
  const Table sample = table_of({"name", "income"}, {{"b", "10"}, {"x", "20"}});
  const Table release = table_of({"name", "age"}, {{"a", "30"}, {"b", "40..49"}});
  const Table joined = with_cells_of(sample, release, {1, kNotFound});
  ASSERT_EQ(joined.columns.size(), 3U);
  EXPECT_EQ(joined.column("age").text(0), "40..49");
  EXPECT_EQ(joined.column("age").text(1), "");
  EXPECT_EQ(joined.column("name").text(0), "b");
}

TEST(People, TheMiddleOfACell) {
  EXPECT_EQ(middle_of("5..10"), 7.5);
  EXPECT_EQ(middle_of("{3|7}"), 5);
  EXPECT_EQ(middle_of(">=90"), 90);
  EXPECT_EQ(middle_of("-2.5"), -2.5);
  EXPECT_TRUE(std::isnan(middle_of("*")));
  EXPECT_TRUE(std::isnan(middle_of("word")));
}

}  // namespace
}  // namespace pratique::fusion::observations_test
