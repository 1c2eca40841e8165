#include "pratique/engine/spooled_columns.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "pratique/core/file.h"
#include "pratique/engine/engine.h"

namespace pratique::spooled_columns_test {
namespace {

namespace fs = std::filesystem;
using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

std::string add(SpooledColumns& columns, const Row& row) {
  const std::vector<std::string_view> cells(row.begin(), row.end());
  return columns.add(cells);
}

Row read(SpooledColumns::Reader& reader, const std::string& mark) {
  const auto& cells = reader.read(mark);
  return {cells.begin(), cells.end()};
}

TEST(SpooledColumns, EveryRowIsReadAsItWasAddedWhateverStandsBetween) {
  const PrivateFolder folder;
  SpooledColumns columns({"a", "b"}, folder.path());
  Rows rows;
  std::vector<std::string> marks;
  for (int i = 0; i < 3000; ++i) {
    rows.push_back({std::string(static_cast<std::size_t>(i), 'x'), i % 2 == 0 ? "" : "\"\n,"});
    marks.push_back(add(columns, rows.back()));
  }
  columns.finish();
  SpooledColumns::Reader reader(columns);
  for (std::size_t i = rows.size(); i-- > 0;) ASSERT_EQ(read(reader, marks[i]), rows[i]);
}

TEST(SpooledColumns, MarksAreEqualExactlyWhereAllCellsAre) {
  const PrivateFolder folder;
  SpooledColumns columns({"a", "b"}, folder.path());
  const std::string mark = add(columns, {"ab", "c"});
  EXPECT_NE(add(columns, {"a", "bc"}), mark);
  EXPECT_NE(add(columns, {"", "abc"}), mark);
  EXPECT_NE(add(columns, {"c", "ab"}), mark);
  EXPECT_EQ(add(columns, {"ab", "c"}), mark);
}

TEST(SpooledColumns, ContentFollowsFromTheCellsAlone) {
  const PrivateFolder folder;
  SpooledColumns columns({"a"}, folder.path());
  SpooledColumns others({"a"}, folder.path());
  (void)add(others, {"before"});
  const std::string mark = add(columns, {"x"});
  const std::string other = add(others, {"x"});
  EXPECT_NE(mark, other);
  EXPECT_EQ(SpooledColumns::content_of(mark), SpooledColumns::content_of(other));
}

TEST(SpooledColumns, LeavesNoFileUnderAName) {
  const PrivateFolder folder;
  const auto files = [&] {
    return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
  };
  const auto before = files();
  SpooledColumns columns({"a"}, folder.path());
  (void)add(columns, {"x"});
  columns.finish();
  EXPECT_EQ(files(), before);
}

class Aside : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.memory_bytes = 1U << 30, .threads = 2});

  [[nodiscard]] std::string path(const std::string& name) const {
    return folder.path() + "/" + name;
  }
  [[nodiscard]] Rows sorted_rows(const std::string& file) const {
    const Source source = engine->open(file, {}, Progress::silent());
    const Table table = engine->load(source, {}, Progress::silent());
    Rows rows(table.rows());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (const auto& column : table.columns) rows[r].emplace_back(column.text(r));
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }
  void write_rows(const Rows& rows, const std::string& file) const {
    const Row names = {"a", "b", "c"};
    std::vector<std::vector<std::string>> values(names.size());
    std::vector<Code> codes(rows.size());
    std::iota(codes.begin(), codes.end(), 0);
    Output output;
    for (std::size_t c = 0; c < names.size(); ++c) {
      for (const auto& row : rows) values[c].push_back(row[c]);
      output.columns.push_back({names[c], &codes, &values[c]});
    }
    output.row_count = rows.size();
    engine->write(output, file, Progress::silent());
  }
};

// Cells of few letters, so that many rows are equal, in part or wholly.
RC_GTEST_FIXTURE_PROP(Aside, WhatIsPutAsideLeavesAsItCame, ()) {
  const auto cell = rc::gen::container<std::string>(rc::gen::element('x', ',', '"', '\n', ' '));
  auto rows = *rc::gen::nonEmpty(
      rc::gen::container<Rows>(rc::gen::container<Row>(3, rc::gen::resize(3, cell))));
  write_rows(rows, path("in.csv"));
  const Source source = engine->open(path("in.csv"), {}, Progress::silent());
  std::map<std::string, std::map<std::string, std::uint64_t>> counted;
  const SpooledTable read = engine->group_with_aside(
      source, {"b"}, {"a", "c"}, Progress::silent(), [&](const ValueCounts& values) {
        for (Code code = 0; code < values.counts.size(); ++code)
          counted[values.name][std::string(values.values.value(code))] = values.counts[code];
      });
  std::map<std::string, std::map<std::string, std::uint64_t>> expected;
  for (const auto& row : rows) {
    ++expected["a"][row[0]];
    ++expected["c"][row[2]];
  }
  RC_ASSERT(counted == expected);
  RC_ASSERT(read.table.rows() == rows.size());
  std::sort(rows.begin(), rows.end());
  RC_ASSERT(read.table.counts.size() ==
            static_cast<std::size_t>(std::set<Row>(rows.begin(), rows.end()).size()));

  const Column& held = read.table.groups.columns.front();
  const Column& marks = read.table.groups.columns.back();
  const std::vector<std::string> values(held.dictionary.values().begin(),
                                        held.dictionary.values().end());
  const auto aside = [&](const char* name, std::size_t cell_place) {
    return OutputColumn{.name = name,
                        .codes = &marks.codes,
                        .values = nullptr,
                        .aside = read.aside.get(),
                        .marks = &marks.dictionary,
                        .cell = cell_place};
  };
  std::vector<std::uint32_t> order;
  for (std::uint32_t group = 0; group < read.table.counts.size(); ++group)
    order.insert(order.end(), read.table.counts[group], group);
  const Output output{.columns = {aside("a", 0), {"b", &held.codes, &values}, aside("c", 1)},
                      .rows = &order,
                      .row_count = order.size()};
  for (const char* name : {"out.csv", "out.parquet"}) {
    engine->write(output, path(name), Progress::silent());
    RC_ASSERT(sorted_rows(path(name)) == rows);
  }
}

TEST_F(Aside, ANulIsRefusedThere) {
  write_rows({{"1", "2", std::string("x\0y", 3)}}, path("nul.parquet"));
  const Source source = engine->open(path("nul.parquet"), {}, Progress::silent());
  EXPECT_THROW((void)engine->group_with_aside(source, {"a"}, {"c"}, Progress::silent(),
                                              [](const ValueCounts&) {}),
               Error);
}

}  // namespace
}  // namespace pratique::spooled_columns_test
