#include "pratique/server/csv_rows.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::server::csv_rows_test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::shared_ptr<CsvRows> rows_of(const std::string& text) {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/a.csv";
  std::ofstream(path, std::ios::binary) << text;
  return std::make_shared<CsvRows>(open(path.c_str(), O_RDONLY), "a.csv");
}

TEST(CsvRows, QuotesAndLineEnds) {
  const auto rows = rows_of(
      "a,b\r\n"
      "1,\"x,y\"\r\n"
      "\"2\"\"\",\"line\r\nbreak\"\r\n"
      "\r\n"
      "3,in\"side\r\n"
      "4,");
  const Rows expected = {{"1", "x,y"}, {"2\"", "line\r\nbreak"}, {"3", "in\"side"}, {"4", ""}};
  EXPECT_EQ(rows->columns(), (std::vector<std::string>{"a", "b"}));
  const auto page = rows->page(0, 100);
  EXPECT_EQ(page.rows, expected);
  EXPECT_EQ(page.total, 4);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(rows->page(i, 1).rows, Rows{expected[i]});
  }
  EXPECT_TRUE(rows->page(4, 10).rows.empty());
  EXPECT_TRUE(rows->page(1'000'000, 10).rows.empty());
}

TEST(CsvRows, OneColumnKeepsItsEmptyRows) {
  EXPECT_EQ(rows_of("a\n1\n\n2\n")->page(0, 9).rows, (Rows{{"1"}, {""}, {"2"}}));
}

TEST(CsvRows, Latin1AndCarriageReturns) {
  const auto rows = rows_of("a;b\rZ\xfcrich;1\rBern;2\r");
  EXPECT_EQ(rows->page(0, 9).rows, (Rows{{"Zürich", "1"}, {"Bern", "2"}}));
}

TEST(CsvRows, HeaderAlone) {
  const auto page = rows_of("a,b\n")->page(0, 10);
  EXPECT_TRUE(page.rows.empty());
  EXPECT_EQ(page.total, 0);
}

TEST(CsvRows, IsNoTable) { EXPECT_THROW((void)rows_of("a,b\n1\n"), Error); }

TEST(CsvRows, ManyRowsInAnyOrderAndASmallIndex) {
  std::string text = "n,m\n";
  constexpr std::uint64_t count = 300'000;
  for (std::uint64_t i = 0; i < count; ++i) {
    text += std::to_string(i) + (i % 1000 == 7 ? ",\"a\nb\"\n" : ",x\n");
  }
  const auto rows = rows_of(text);
  for (const std::uint64_t offset : {299'990ULL, 0ULL, 1023ULL, 1024ULL, 150'007ULL, 7ULL}) {
    const auto page = rows->page(offset, 3);
    ASSERT_EQ(page.rows.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(page.rows[i][0], std::to_string(offset + i));
      EXPECT_EQ(page.rows[i][1], (offset + i) % 1000 == 7 ? "a\nb" : "x");
    }
  }
  EXPECT_EQ(rows->page(0, 1).total, count);
  EXPECT_LT(rows->index_bytes(), 300'000 / 1024 * 8 + 100);
}

// The records of a text by the definition, a character at a time, all at once.
Rows brute_force(const std::string& text) {
  Rows records(1, {""});
  bool quoted = false;
  bool fresh = true;  // at the start of a field
  bool blank = true;
  std::vector<bool> blanks;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    auto& field = records.back().back();
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        field += '"';
        ++i;
      } else if (c == '"') {
        quoted = false;
      } else {
        field += c;
      }
      continue;
    }
    if (c == '\n' || c == '\r') {
      if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
      blanks.push_back(blank);
      records.push_back({""});
      blank = fresh = true;
      continue;
    }
    blank = false;
    if (c == '"' && fresh) {
      quoted = true;
      fresh = false;
    } else if (c == ',') {
      records.back().emplace_back();
      fresh = true;
    } else {
      field += c;
      fresh = false;
    }
  }
  blanks.push_back(blank);
  Rows kept;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!blanks[i]) kept.push_back(records[i]);
  }
  return kept;
}

RC_GTEST_PROP(RecordScanner, AgreesWithBruteForceHoweverTheBlocksFall, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::element('a', ',', '"', '\n', '\r', 'b'));
  const auto cut = *rc::gen::inRange<std::size_t>(1, 8);
  Rows rows;
  const auto ended = [&](std::uint64_t start, std::uint64_t end, bool blank) {
    if (!blank)
      rows.push_back(split_record(std::string_view(text).substr(start, end - start), ','));
  };
  RecordScanner scanner(',', 0);
  for (std::size_t i = 0; i < text.size(); i += cut) {
    scanner.feed(std::string_view(text).substr(i, cut), ended);
  }
  scanner.finish(ended);
  RC_ASSERT(rows == brute_force(text));
}

}  // namespace
}  // namespace pratique::server::csv_rows_test
