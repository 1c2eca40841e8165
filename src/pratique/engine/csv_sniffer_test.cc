#include "pratique/engine/csv_sniffer.h"

#include <gtest/gtest.h>

#include "pratique/core/error.h"

namespace pratique::csv_sniffer_test {
namespace {

using Names = std::vector<std::string>;

CsvDialect sniff(std::string_view text, const CsvOptions& options = {}) {
  return sniff_csv(text, true, options, "t.csv");
}

// Where the error says it is; empty: none.
std::string refused(std::string_view text, const CsvOptions& options = {}) {
  try {
    (void)sniff(text, options);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    return error.place() + " " + error.message();
  }
}

TEST(CsvSniffer, ExcelsOwnFirstLineNamesTheDelimiter) {
  for (const char* first :
       {"sep=;\n", "sep=;\r\n", "\"sep=;\"\n", "SEP=;\n", "\xef\xbb\xbfsep=;\n"}) {
    // By commas alone, this would be a table of two columns.
    const std::string text = std::string(first) + "name,given;age\nOak,Ann;21\nElm,Bob;24\n";
    const CsvDialect dialect = sniff(text);
    EXPECT_EQ(dialect.delimiter, ';') << first;
    EXPECT_EQ(dialect.columns, (Names{"name,given", "age"})) << first;
    EXPECT_EQ(text.substr(dialect.header_bytes), "Oak,Ann;21\nElm,Bob;24\n") << first;
    EXPECT_TRUE(dialect.names_delimiter);
  }
  EXPECT_EQ(sniff("sep=\t\na\tb\nx\ty\n").columns, (Names{"a", "b"}));
  EXPECT_EQ(sniff("sep=;\na,b\nx,y\n", {.delimiter = ','}).columns, (Names{"a", "b"}));
}

// DuckDB reads one kind of line end.
TEST(CsvSniffer, ItsLineMayEndOtherwise) {
  EXPECT_TRUE(sniff("sep=;\na;b\r\nx;y\r\n").mixed_line_ends);
  EXPECT_TRUE(sniff("sep=;\r\na;b\nx;y\n").mixed_line_ends);
  EXPECT_FALSE(sniff("sep=;\r\na;b\r\nx;y\r\n").mixed_line_ends);
  EXPECT_FALSE(sniff("sep=;\na;b\nx;y\n").mixed_line_ends);
}

TEST(CsvSniffer, LinesAreCountedWithIt) {
  EXPECT_EQ(refused("sep=;\na;b\nx;y\nx\n"), "t.csv:4 this record has 1 fields, the header has 2");
  EXPECT_EQ(refused("sep=;\na;a\nx;y\n"), "t.csv:2 two columns are named 'a'");
  EXPECT_NE(refused("sep=;\n"), "");
  EXPECT_NE(refused("sep=;\n\n"), "");
}

TEST(CsvSniffer, WhatOnlyLooksLikeItIsAHeader) {
  EXPECT_EQ(sniff("sep=;;b\nx;y;z\n").columns.size(), 3U);
  EXPECT_EQ(sniff("sepsis,b\nx,y\n").columns, (Names{"sepsis", "b"}));
  EXPECT_FALSE(sniff("a,b\nx,y\n").names_delimiter);
}

TEST(CsvSniffer, AFirstLineThatIsARecordIsRefused) {
  for (const std::string text : {
           "Ann,21,F,13001,flu\nBob,24,M,13001,gout\nCid,27,F,13002,flu\n",
           "P1,1980-02-03\nP2,1981-03-04\n", "03/02/1980;Ann\n04/03/1981;Bob\n", "5\n6\n",
           "12.5,Ann\n,Bob\n7,Cid\n",
           "F,flu,Ann\nM,gout,Bob\nF,flu,Cid\n",  // nothing but text: two of three names recur
       }) {
    EXPECT_EQ(refused(text),
              "t.csv:1 the first line looks like a record, not like names of columns")
        << text;
    EXPECT_EQ(refused(text, {.delimiter = text.find(';') == std::string::npos ? ',' : ';'}), "")
        << text;
  }
}

TEST(CsvSniffer, NoNameIsTakenForAValue) {
  for (const char* text : {
           "name,age\nAnn,21\nBob,24\n",
           "name,age,21\nAnn,21,1\nBob,24,2\n",         // age is a name
           "patient,1,2,3\nA,5,6,7\nB,8,9,1\n",         // numbered
           "patient,0,10,20\nA,5,6,7\nB,8,9,1\n",       // doses
           "region,2019,2020\nNorth,5,6\nSouth,7,8\n",  // years
           "region,2019\nNorth,5\nSouth,7\n",           //
           "name,21\nAnn,x\nBob,y\n",                   // no numbers below it
           "smoker,sex\nsmoker,F\nnon-smoker,M\n",      // a name that is a value, too
           "age\n",
           "21\n",  // nothing to compare it with
           "a,b\n,\n",
       }) {
    EXPECT_EQ(refused(text), "") << text;
  }
}

}  // namespace
}  // namespace pratique::csv_sniffer_test
