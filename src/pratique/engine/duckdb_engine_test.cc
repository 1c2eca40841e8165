#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/engine/csv_sniffer.h"
#include "pratique/engine/engine.h"

namespace pratique::duckdb_engine_test {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<std::vector<std::string>>;

class EngineTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.memory_bytes = 1U << 30, .threads = 2});

  [[nodiscard]] std::string path(const std::string& name) const {
    return folder.path() + "/" + name;
  }

  std::string file(const std::string& text, const std::string& name = "t.csv") const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  Table load(const std::string& file_path, const CsvOptions& options = {}) const {
    const Source source = engine->open(file_path, options, Progress::silent());
    return engine->load(source, {}, Progress::silent());
  }

  static Rows rows_of(const Table& table) {
    Rows rows(table.rows());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (const auto& column : table.columns) rows[r].emplace_back(column.text(r));
    }
    return rows;
  }

  // The place and message of the Error that loading `text` ends with.
  Error refused(const std::string& text, const CsvOptions& options = {}) const {
    try {
      (void)load(file(text), options);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "was read";
    return Error::input("");
  }

  void expect_refused_at(const std::string& text, int line) const {
    const Error error = refused(text);
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    EXPECT_EQ(error.place(), path("t.csv") + ":" + std::to_string(line)) << error.message();
  }
};

TEST_F(EngineTest, ReadsEveryColumnAsText) {
  const Table table = load(file("code,zip\n296.00,02139\n1e3,007\n"));
  EXPECT_EQ(rows_of(table), (Rows{{"296.00", "02139"}, {"1e3", "007"}}));
}

TEST_F(EngineTest, GroupsManyRowsAsItDoesFew) {
  // From 100,000 rows on DuckDB groups them; 7 rows in 10 are x.
  for (const int tens : {1, 12'000}) {
    std::string text = "a,b\n";
    for (int ten = 0; ten < tens; ++ten) {
      for (int i = 0; i < 10; ++i) text += i < 7 ? "x,1\n" : i < 9 ? "y,1\n" : "x,2\n";
    }
    const Source source = engine->open(file(text), {}, Progress::silent());
    const GroupedTable grouped = engine->group(source, {"a", "b"}, Progress::silent());
    EXPECT_EQ(rows_of(grouped.groups), (Rows{{"x", "1"}, {"x", "2"}, {"y", "1"}}));
    const auto n = static_cast<std::uint64_t>(tens);
    EXPECT_EQ(grouped.counts, (std::vector<std::uint64_t>{7 * n, n, 2 * n}));
  }
}

TEST_F(EngineTest, AnswersTheSameHoweverOftenItIsAsked) {
  // From some question on it reads a table of its own, and not the file.
  std::string text = "Age,age,note\n";
  for (int i = 0; i < 30'000; ++i)
    text += std::to_string(i % 7) + "," + (i % 5 == 0 ? "" : "0" + std::to_string(i)) +
            (i % 3 == 0 ? ",\"a \"\"b\"\"\nc\"\n" : ",\n");
  const Source source = engine->open(file(text), {}, Progress::silent());
  const Rows rows = rows_of(engine->load(source, {}, Progress::silent()));
  ASSERT_EQ(rows.size(), 30'000U);
  const auto first = engine->group(source, {"note", "Age"}, Progress::silent());
  for (int again = 0; again < 12; ++again) {
    EXPECT_EQ(rows_of(engine->load(source, {}, Progress::silent())), rows);
    const auto now = engine->group(source, {"note", "Age"}, Progress::silent());
    EXPECT_EQ(rows_of(now.groups), rows_of(first.groups));
    EXPECT_EQ(now.counts, first.counts);
    EXPECT_EQ(engine->count_rows(source, Progress::silent()), 30'000U);
  }
}

TEST_F(EngineTest, AFileThatIsDamagedIsRefusedHoweverOftenItIsAskedAbout) {
  // Behind what is looked at when it is opened.
  std::string text = "a,b\n";
  while (text.size() < 2 * kCsvSampleBytes) text += "1,2\n";
  const Source source = engine->open(file(text + "3\n"), {}, Progress::silent());
  for (int again = 0; again < 12; ++again)
    EXPECT_THROW((void)engine->load(source, {}, Progress::silent()), Error);
}

// Where the first lines all differ, rows are grouped as they are put in order: the later ones may
// repeat, and texts that begin alike are told apart.
TEST_F(EngineTest, GroupsRowsThatBeginByDiffering) {
  constexpr std::uint64_t kDifferent = 60'000;
  std::string text = "a,b\n";
  for (std::uint64_t i = 0; i < 2 * kDifferent; ++i)
    text += "beginning-" + std::to_string(i % kDifferent) + (i % 2 == 0 ? ",x\n" : ",y\n");
  const Source source = engine->open(file(text), {}, Progress::silent());
  const GroupedTable grouped = engine->group(source, {"a", "b"}, Progress::silent());
  const GroupedTable turned = engine->group(source, {"b", "a"}, Progress::silent());
  for (const auto* table : {&grouped, &turned}) {
    ASSERT_EQ(table->counts.size(), kDifferent);
    EXPECT_EQ(table->counts, std::vector<std::uint64_t>(kDifferent, 2));
    const Rows rows = rows_of(table->groups);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
  }
}

TEST_F(EngineTest, StoresEachValueOnce) {
  const Table table = load(file("a\nx\ny\nx\nx\n"));
  EXPECT_EQ(table.columns[0].dictionary.size(), 2U);
  EXPECT_EQ(table.columns[0].counts(), (std::vector<std::uint64_t>{3, 1}));
}

TEST_F(EngineTest, FindsTheDelimiter) {
  for (const char delimiter : {',', ';', '\t', '|'}) {
    std::string text = "a,b\n1,2\n3,4\n";
    std::replace(text.begin(), text.end(), ',', delimiter);
    EXPECT_EQ(rows_of(load(file(text))), (Rows{{"1", "2"}, {"3", "4"}})) << delimiter;
  }
}

TEST_F(EngineTest, ADelimiterInsideTheOthersFieldsIsNotMistaken) {
  EXPECT_EQ(rows_of(load(file("name;price\na,b;1,5\nc;2\n"))), (Rows{{"a,b", "1,5"}, {"c", "2"}}));
}

TEST_F(EngineTest, TakesTheDelimiterItIsTold) {
  EXPECT_EQ(rows_of(load(file("a,b;c\n1,2;3\n"), {.delimiter = ';'})), (Rows{{"1,2", "3"}}));
}

TEST_F(EngineTest, ReadsQuotesAndEmbeddedNewlines) {
  EXPECT_EQ(rows_of(load(file("a,b\n\"x, \"\"y\"\"\nz\",2\n"))), (Rows{{"x, \"y\"\nz", "2"}}));
}

TEST_F(EngineTest, ReadsAByteOrderMark) {
  const Table table = load(file("\xef\xbb\xbfname,b\n1,2\n"));
  EXPECT_EQ(table.columns[0].name, "name");
  EXPECT_EQ(rows_of(table), (Rows{{"1", "2"}}));
}

TEST_F(EngineTest, AFaultAfterAByteOrderMarkAndAQuotedHeaderHasItsLine) {
  expect_refused_at("\xef\xbb\xbf\"a\",b\n1,2\n1\n", 3);
  EXPECT_EQ(load(file("\xef\xbb\xbf\"a\nx\",b\n1,2\n")).columns[0].name, "a\nx");
}

TEST_F(EngineTest, ReadsLatin1AsUtf8) {
  const Table table = load(file("na\xefve,b\nM\xfcller,\x80 5\n"));
  EXPECT_EQ(table.columns[0].name, "naïve");
  EXPECT_EQ(rows_of(table), (Rows{{"Müller", "€ 5"}}));
}

TEST_F(EngineTest, RefusesUtf8WithAFaultInIt) {
  expect_refused_at("a,b\nM\xc3\xbcller,1\nZo\xff,2\n", 3);
  expect_refused_at("a,b\nZo\xff,2\nM\xc3\xbcller,1\nx,1\n", 2);
  expect_refused_at(
      "\xef\xbb\xbf"
      "a,b\nZo\xff,2\n",
      2);
}

TEST_F(EngineTest, TellsNamesApartByCase) {
  EXPECT_EQ(rows_of(load(file("Age,age\n1,2\n"))), (Rows{{"1", "2"}}));
}

TEST_F(EngineTest, ATableWhoseFirstColumnIsPar1IsNoParquet) {
  EXPECT_EQ(rows_of(load(file("PAR1,b\n1,2\n"))), (Rows{{"1", "2"}}));
}

TEST_F(EngineTest, ReadsEveryKindOfLineEnd) {
  for (const std::string text :
       {"a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r1,2\r3,4\r", "a,b\r\n1,2\n3,4\r\n"}) {
    EXPECT_EQ(rows_of(load(file(text))), (Rows{{"1", "2"}, {"3", "4"}})) << text;
  }
}

TEST_F(EngineTest, AMissingCellIsTheEmptyText) {
  EXPECT_EQ(rows_of(load(file("a,b\n1,\n,\"\"\n"))), (Rows{{"1", ""}, {"", ""}}));
}

TEST_F(EngineTest, OneColumnKeepsItsEmptyCells) {
  EXPECT_EQ(rows_of(load(file("a\n1\n\n2\n"))), (Rows{{"1"}, {""}, {"2"}}));
}

TEST_F(EngineTest, AHeaderAloneIsATableWithoutRows) {
  const Table table = load(file("a,b\n"));
  EXPECT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.rows(), 0U);
  EXPECT_EQ(load(file("a,b")).rows(), 0U);
}

TEST_F(EngineTest, NamesAnEmptyHeader) {
  EXPECT_EQ(load(file(",b\n1,2\n")).columns[0].name, "column_1");
}

TEST_F(EngineTest, RefusesWithFileAndLine) {
  expect_refused_at("a,a\n1,2\n", 1);
  expect_refused_at("a,b\n1,2\n1,2,3\n", 3);
  expect_refused_at("a,b\n1,2\n1\n", 3);
  expect_refused_at("a,b\n1,\"2\n", 2);
  expect_refused_at("a,b\n1,\"2\" x\n", 2);
  expect_refused_at(std::string("a,b\n1,2\0\n", 9), 2);
}

TEST_F(EngineTest, RefusesFaultsBeyondTheSampleWithTheirLine) {
  std::string good = "a,b\n";
  int lines = 1;
  while (good.size() < 3U << 20) {
    good += "some text of a record,and more of it\n";
    ++lines;
  }
  expect_refused_at(good + "1,2,3\n", lines + 1);
  expect_refused_at(good + "1,\"2\n", lines + 1);
  expect_refused_at(good + "1,M\xfcller\n1,2\n", lines + 1);
  expect_refused_at(good + "1,2\r\n1,2\r\n", lines + 1);
  expect_refused_at(good + "1," + std::string(10U << 20, 'x') + "\n", lines + 1);
  EXPECT_NE(refused(good + std::string("1,\0\n", 4)).message().find("NUL"), std::string::npos);
}

TEST_F(EngineTest, NoErrorQuotesTheData) {
  std::string text = "a,b\n";
  while (text.size() < 2U << 20) text += "1,2\n";
  for (const std::string bad : {"SECRET,2,3\n", "SECRET,\"2\n", "SECRET,\xfc\n1,2\n"}) {
    const Error error = refused(text + bad);
    EXPECT_EQ((error.message() + error.place() + error.hint()).find("SECRET"), std::string::npos);
  }
}

TEST_F(EngineTest, RefusesWhatIsNoTable) {
  EXPECT_EQ(refused("").message(), "the file is empty");
  EXPECT_EQ(refused("\n\n").message(), "the file has no text in it");
  EXPECT_EQ(refused("\x1f\x8b\x08 rest").message(), "this file is compressed with gzip");
  EXPECT_EQ(refused("PAR1 but nothing else PAR1").message(),
            "this Parquet file cannot be read; it may be damaged");
  EXPECT_EQ(refused("PAR1xxxx").message(), "this is not a Parquet file, or only part of one");
  EXPECT_THROW((void)load(folder.path()), Error);
  EXPECT_THROW((void)load(path("nowhere.csv")), Error);
}

TEST_F(EngineTest, OffersTheNearestColumn) {
  const Source source = engine->open(file("diagnosis,age\n1,2\n"), {}, Progress::silent());
  try {
    (void)engine->load(source, {"diagnosys"}, Progress::silent());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.hint(), "Did you mean diagnosis?");
  }
}

TEST_F(EngineTest, ReadsNamesThatTheEngineWouldTakeForPatterns) {
  EXPECT_EQ(load(file("a\n1\n", "it's [1]*.csv")).rows(), 1U);
}

TEST_F(EngineTest, ReadsAFifo) {
  const std::string fifo = path("pipe");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(fifo) << "a,b\n1,2\n"; });
  const Table table = load(fifo);
  writer.join();
  EXPECT_EQ(rows_of(table), (Rows{{"1", "2"}}));
}

TEST_F(EngineTest, GroupsLikeACountByHand) {
  const Source source =
      engine->open(file("a,b,c\n1,x,p\n1,x,q\n2,,r\n1,y,s\n2,,t\n"), {}, Progress::silent());
  const GroupedTable grouped = engine->group(source, {"a", "b"}, Progress::silent());
  std::map<std::vector<std::string>, std::uint64_t> counts;
  const Rows groups = rows_of(grouped.groups);
  for (std::size_t i = 0; i < groups.size(); ++i) counts[groups[i]] = grouped.counts[i];
  EXPECT_EQ(counts, (std::map<std::vector<std::string>, std::uint64_t>{
                        {{"1", "x"}, 2}, {{"2", ""}, 2}, {{"1", "y"}, 1}}));
  EXPECT_EQ(engine->count_rows(source, Progress::silent()), 5U);
}

TEST_F(EngineTest, CountsEveryColumnFromOneReading) {
  const Source source = engine->open(file("a,b\n1,x\n1,\n2,x\n1,y\n"), {}, Progress::silent());
  std::vector<std::pair<std::string, std::map<std::string, std::uint64_t>>> counted;
  // The order asked for, and a column twice.
  engine->count_values(source, {"b", "a", "b"}, Progress::silent(), [&](const ValueCounts& column) {
    auto& values = counted.emplace_back(column.name, std::map<std::string, std::uint64_t>()).second;
    for (Code code = 0; code < column.values.size(); ++code) {
      values[std::string(column.values.value(code))] = column.counts[code];
    }
  });
  const std::map<std::string, std::uint64_t> b = {{"x", 2}, {"", 1}, {"y", 1}};
  ASSERT_EQ(counted.size(), 3U);
  EXPECT_EQ(counted[0], std::pair(std::string("b"), b));
  EXPECT_EQ(counted[1].second, (std::map<std::string, std::uint64_t>{{"1", 3}, {"2", 1}}));
  EXPECT_EQ(counted[2].second, b);
  const auto ignore = [](const ValueCounts&) {};
  EXPECT_THROW(engine->count_values(source, {"c"}, Progress::silent(), ignore), Error);
}

TEST_F(EngineTest, CountsNoNulBytes) {
  std::string text = "a\n";
  while (text.size() < 2U << 20) text += "text of a record\n";
  const Source source = engine->open(file(text + std::string("b\0\n", 3)), {}, Progress::silent());
  EXPECT_THROW(engine->count_values(source, {"a"}, Progress::silent(), [](const ValueCounts&) {}),
               Error);
}

TEST_F(EngineTest, StopsOnRequest) {
  std::string text = "a,b\n";
  for (int i = 0; i < 200000; ++i) text += std::to_string(i) + ",x\n";
  const Source source = engine->open(file(text), {}, Progress::silent());
  Progress progress;
  progress.stop();
  EXPECT_THROW((void)engine->load(source, {}, progress), Error);
}

TEST_F(EngineTest, LeavesNoFolderBehind) {
  const std::string own = path("tmp");
  fs::create_directory(own);
  ASSERT_EQ(setenv("TMPDIR", own.c_str(), 1), 0);
  {
    const auto scoped = Engine::duckdb();
    (void)scoped->open(file("a\n1\n"), {}, Progress::silent());
    ASSERT_FALSE(fs::is_empty(own));
    for (const auto& entry : fs::directory_iterator(own)) {
      EXPECT_EQ(fs::status(entry).permissions(), fs::perms::owner_all);
    }
  }
  ASSERT_EQ(unsetenv("TMPDIR"), 0);
  EXPECT_TRUE(fs::is_empty(own));
}

TEST_F(EngineTest, AFailedWriteLeavesTheOldFileAndNothingElse) {
  const std::string target = file("old", "out.csv");
  const std::vector<std::string> values{std::string(1000, 'x')};
  const std::vector<Code> codes(10000, 0);
  const Output output{.columns = {{"a", &codes, &values}}, .row_count = codes.size()};
  ASSERT_NE(std::signal(SIGXFSZ, SIG_IGN), SIG_ERR);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{100000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(engine->write(output, target, Progress::silent()), Error);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(read_file(target), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 2);
}

RC_GTEST_FIXTURE_PROP(EngineTest, WhatIsWrittenIsReadBack, ()) {
  const auto cell =
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab,;|\t\"\n '\\{}*.-1")));
  const auto width = *rc::gen::inRange<std::size_t>(1, 4);
  const auto height = *rc::gen::inRange<std::size_t>(0, 50);
  const char delimiter = *rc::gen::elementOf(std::string(",;\t|"));
  std::vector<std::vector<std::string>> values(width);
  std::vector<std::vector<Code>> codes(width);
  std::vector<std::uint32_t> order(height);
  Output output{.rows = &order, .row_count = height, .delimiter = delimiter};
  for (std::size_t r = 0; r < height; ++r) order[r] = static_cast<std::uint32_t>(height - 1 - r);
  Rows expected(height);
  for (std::size_t c = 0; c < width; ++c) {
    values[c] = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(cell));
    codes[c] = *rc::gen::container<std::vector<Code>>(
        height, rc::gen::inRange<Code>(0, static_cast<Code>(values[c].size())));
    output.columns.push_back({"c" + std::to_string(c), &codes[c], &values[c]});
    for (std::size_t r = 0; r < height; ++r) {
      expected[r].push_back(values[c][codes[c][height - 1 - r]]);
    }
  }
  const std::string parquet = path("o.parquet");
  engine->write(output, parquet, Progress::silent());
  RC_ASSERT(rows_of(load(parquet)) == expected);

  engine->write(output, path("o.csv"), Progress::silent());
  RC_ASSERT(rows_of(load(path("o.csv"), {.delimiter = delimiter})) == expected);
}

}  // namespace
}  // namespace pratique::duckdb_engine_test
