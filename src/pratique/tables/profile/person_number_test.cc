#include "pratique/tables/profile/person_number.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pratique/columns/column_content.h"
#include "pratique/tables/profile/profile.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::person_number_test {
namespace {

// 30 people with two visits each. `Kenn` is theirs, `Los` (of a drug) is not, and neither header
// says so.
Table visits(const std::vector<std::string>& columns) {
  Rows rows;
  for (int visit = 0; visit < 60; ++visit) {
    const int person = visit % 30;
    rows.push_back({std::to_string(5000 + 37 * person), std::to_string(7000 + visit * visit % 30),
                    "0" + std::to_string(1 + person % 9) + "." + std::to_string(10 + person % 3) +
                        "." + std::to_string(1931 + 2 * person),
                    person % 2 == 0 ? "w" : "m", std::to_string(60 + visit % 13)});
  }
  return table_of(columns, rows);
}

std::vector<std::vector<std::string>> shared_in(const Table& table) {
  std::vector<columns::ColumnContent> contents;
  for (const auto& column : table.columns) contents.push_back(columns::read_content(column));
  return shared_by_person(table, contents);
}

const ColumnProfile& column(const Profile& profile, const std::string& name) {
  return *std::find_if(profile.columns.begin(), profile.columns.end(),
                       [&](const auto& candidate) { return candidate.name == name; });
}

TEST(PersonNumber, ItsRowsShareWhatLasts) {
  const auto shared = shared_in(visits({"Kenn", "Los", "Geb.-Dat.", "Geschl.", "Puls"}));
  EXPECT_EQ(shared[0], (std::vector<std::string>{"Geb.-Dat.", "Geschl."}));
  for (std::size_t c = 1; c < shared.size(); ++c) EXPECT_TRUE(shared[c].empty()) << c;
}

// Dates that span decades are births whatever they are called; the sex alone says nothing, because
// half of all rows share it.
TEST(PersonNumber, BirthsAreKnownByTheirYears) {
  EXPECT_EQ(shared_in(visits({"Kenn", "Los", "d", "s", "p"}))[0], std::vector<std::string>{"d"});
  Table table = visits({"Kenn", "Los", "d", "Geschl.", "p"});
  table.columns.erase(table.columns.begin() + 2);
  EXPECT_TRUE(shared_in(table)[0].empty());
}

TEST(PersonNumber, IsAdvisedToStayBehindAndAskedAbout) {
  const Profile result = profile(visits({"Kenn", "Los", "Geb.-Dat.", "Geschl.", "Puls"}));
  EXPECT_EQ(column(result, "Kenn").suggested_role, Role::identifier);
  EXPECT_TRUE(column(result, "Kenn").several_rows_each);
  EXPECT_NE(column(result, "Los").suggested_role, Role::identifier);
  EXPECT_NE(column(result, "Geschl.").suggested_role, Role::identifier);
}

// One slip in ten is a slip, two are not.
TEST(PersonNumber, SlipsAreForgiven) {
  Rows rows;
  for (int visit = 0; visit < 60; ++visit) {
    const int person = visit % 30;
    rows.push_back(
        {std::to_string(5000 + 37 * person), std::to_string(1931 + 2 * person) + "-03-04"});
  }
  for (int slips = 1; slips <= 6; ++slips) {
    rows[static_cast<std::size_t>(30 + slips)][1] = "1999-12-31";
    EXPECT_EQ(shared_in(table_of({"Kenn", "born"}, rows))[0].empty(), slips > 3) << slips;
  }
}

}  // namespace
}  // namespace pratique::tables::person_number_test
