#include "pratique/data/table.h"

#include <gtest/gtest.h>

#include "pratique/core/error.h"

namespace pratique::table_test {
namespace {

Column column_of(const std::string& name, const std::vector<std::string>& cells) {
  Column column;
  column.name = name;
  for (const auto& cell : cells) column.codes.push_back(column.dictionary.intern(cell));
  return column;
}

TEST(Table, FindsColumnsAndCountsValues) {
  Table table;
  EXPECT_EQ(table.rows(), 0U);
  table.columns.push_back(column_of("sex", {"F", "M", "F"}));
  table.columns.push_back(column_of("zip", {"02138", "", "02139"}));
  EXPECT_EQ(table.rows(), 3U);
  EXPECT_EQ(table.column("sex").counts(), (std::vector<std::uint64_t>{2, 1}));
  EXPECT_EQ(table.column("zip").text(1), "");
  EXPECT_EQ(table.column("zip").text(2), "02139");
}

TEST(Table, OffersTheNearestNames) {
  const std::vector<std::string> names = {"age", "sex", "diagnosis", "zip_code"};
  EXPECT_EQ(nearest_names(names, "diagnossi"), (std::vector<std::string>{"diagnosis"}));
  EXPECT_EQ(nearest_names(names, "AGE"), (std::vector<std::string>{"age"}));
  EXPECT_TRUE(nearest_names(names, "completely else").empty());
  EXPECT_LE(nearest_names({"a1", "a2", "a3", "a4"}, "a5").size(), 3U);
  EXPECT_EQ(column_index(names, "sex"), 1U);
  try {
    (void)column_index(names, "zipcode", "patients.csv");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    EXPECT_EQ(error.place(), "patients.csv");
    EXPECT_NE(error.hint().find("zip_code"), std::string::npos);
  }
  try {
    (void)column_index(names, "unheard of");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("profile"), std::string::npos);
    EXPECT_EQ(error.hint().find("age"), std::string::npos);
  }
}

}  // namespace
}  // namespace pratique::table_test
