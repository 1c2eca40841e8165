#include "pratique/codes/format/code_cells.h"

#include <gtest/gtest.h>

#include "pratique/core/error.h"

namespace pratique::codes::code_cells_test {
namespace {

using Names = std::vector<std::string>;

Table table_of(const Names& names, const std::vector<Names>& rows) {
  Table table;
  for (std::size_t c = 0; c < names.size(); ++c) {
    Column column;
    column.name = names[c];
    for (const auto& row : rows) column.codes.push_back(column.dictionary.intern(row[c]));
    table.columns.push_back(std::move(column));
  }
  return table;
}

Names texts_of(const Column& column) {
  Names texts;
  for (std::size_t row = 0; row < column.codes.size(); ++row) texts.emplace_back(column.text(row));
  return texts;
}

TEST(CodeCells, ColumnsOfCodesAreNamedOrDetected) {
  const Names claims = {"id", "DX1", "DX2", "DX10", "PR1", "PR2", "year"};
  EXPECT_EQ(code_columns_of(claims, "code", {}, "f"), (Names{"DX1", "DX2", "DX10"}));
  EXPECT_EQ(code_columns_of(claims, "code", {"PR*"}, "f"), (Names{"PR1", "PR2"}));
  EXPECT_EQ(code_columns_of(claims, "code", {"DX1", "PR2"}, "f"), (Names{"DX1", "PR2"}));
  EXPECT_EQ(code_columns_of(claims, "year", {}, "f"), (Names{"year"}));
  EXPECT_EQ(code_columns_of({"id", "x"}, "code", {}, "f"), (Names{"code"}));
  EXPECT_EQ(
      code_columns_of({"ICD9_DGNS_CD_1", "ICD9_DGNS_CD_2", "ICD9_PRCDR_CD_1"}, "code", {}, "f"),
      (Names{"ICD9_DGNS_CD_1", "ICD9_DGNS_CD_2"}));
  // The release beside a claims file.
  EXPECT_EQ(code_columns_of({"patient", "code"}, "code", {"DX*"}, "f"), (Names{"code"}));
  EXPECT_THROW((void)code_columns_of({"DX1", "DX2", "diag1", "diag2"}, "code", {}, "f"), Error);
  EXPECT_THROW((void)code_columns_of(claims, "code", {"Q*"}, "f"), Error);
  EXPECT_THROW((void)code_columns_of(claims, "code", {"DX3"}, "f"), Error);
}

TEST(CodeCells, AColumnThatMayHoldTheCodesIsProposed) {
  const auto hint = [](const Names& columns) {
    try {
      (void)code_columns_of(columns, "code", {}, "f");
    } catch (const Error& error) {
      return error.hint();
    }
    return std::string();
  };
  EXPECT_EQ(hint({"patient", "diagnoses"}), "Name it: --code diagnoses");
  EXPECT_EQ(hint({"id", "primary_diagnosis", "other_diagnoses"}),
            "Name the columns that hold them: --codes primary_diagnosis,other_diagnoses");
  // Where none is likely, the name is looked up as any other.
  EXPECT_EQ(hint({"patient", "what"}), "");
}

// Two claims of ann, one of bob; zoe has no code.
TEST(CodeCells, AWideRowBecomesARowForEachCode) {
  const auto rows =
      one_code_a_row(table_of({"id", "DX1", "DX2", "sex"}, {{"ann", "250.00", "", "f"},
                                                            {"zoe", "", "", "f"},
                                                            {"bob", "401.9", "250.00", "m"},
                                                            {"ann", "V58.1", "401.9", "f"}}),
                     {1, 2}, "", "code", "f");
  EXPECT_EQ(rows.patients_without_codes, 1U);
  ASSERT_EQ(rows.table.columns.size(), 3U);
  EXPECT_EQ(rows.table.columns[1].name, "code");
  EXPECT_EQ(texts_of(rows.table.columns[0]), (Names{"ann", "bob", "bob", "ann", "ann"}));
  EXPECT_EQ(texts_of(rows.table.columns[1]),
            (Names{"250.00", "401.9", "250.00", "V58.1", "401.9"}));
  EXPECT_EQ(texts_of(rows.table.columns[2]), (Names{"f", "m", "m", "f", "f"}));
  EXPECT_EQ(rows.table.columns[0].dictionary.size(), 2U);
}

TEST(CodeCells, ACellMayHoldSeveralCodes) {
  auto table = table_of({"id", "codes"}, {{"ann", "250.00; 401.9;"}, {"bob", "V58.1"}});
  EXPECT_EQ(detect_separator(table, {1}), ";");
  const auto rows = one_code_a_row(std::move(table), {1}, ";", "codes", "f");
  EXPECT_EQ(texts_of(rows.table.columns[0]), (Names{"ann", "ann", "bob"}));
  EXPECT_EQ(texts_of(rows.table.columns[1]), (Names{"250.00", "401.9", "V58.1"}));
  EXPECT_EQ(detect_separator(table_of({"id", "c"}, {{"a", "250.00 401.9"}}), {1}), " ");
  EXPECT_EQ(detect_separator(table_of({"id", "c"}, {{"a", "250.00"}}), {1}), "");
  EXPECT_EQ(detect_separator(table_of({"id", "c"}, {{"a", "milk;bread"}}), {1}), "");
}

TEST(CodeCells, CodesOfNobodyAreRefused) {
  EXPECT_THROW((void)one_code_a_row(table_of({"id", "DX1", "DX2"}, {{"", "250.00", ""}}), {1, 2},
                                    "", "code", "f"),
               Error);
}

}  // namespace
}  // namespace pratique::codes::code_cells_test
