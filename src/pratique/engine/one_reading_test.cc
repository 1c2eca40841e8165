#include "pratique/engine/one_reading.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "pratique/core/file.h"

namespace pratique::one_reading_test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

struct Grouped {
  Rows rows;
  std::vector<std::uint64_t> counts;
  friend bool operator==(const Grouped&, const Grouped&) = default;
};

Grouped groups_of(Engine& engine, const Source& source, const std::vector<std::string>& columns) {
  const GroupedTable table = engine.group(source, columns, Progress::silent());
  Grouped grouped{Rows(table.groups.rows()), table.counts};
  for (std::size_t row = 0; row < grouped.rows.size(); ++row) {
    for (const auto& column : table.groups.columns)
      grouped.rows[row].emplace_back(column.text(row));
  }
  return grouped;
}

TEST(OneReading, GroupsAsTheEngineDoes) {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/t.csv";
  std::ofstream text(path);
  text << "a,b,c,d\n";
  for (int i = 0; i < 60; ++i)
    text << i % 2 << ",x" << i % 3 << ',' << (i % 5 == 0 ? "" : "y") << ",z" << i % 7 << '\n';
  text.close();
  const auto engine = Engine::duckdb({.threads = 1});
  const Source source = engine->open(path, {}, Progress::silent());
  OneReading reading(*engine, source, {"a", "b", "c"});
  const std::vector<std::vector<std::string>> asked = {
      {"a"}, {"a", "b"}, {"a", "b", "c"}, {"c", "a"}, {"c"}, {"b", "c"}, {"d"}, {"a", "d"}};
  for (const auto& columns : asked)
    EXPECT_EQ(groups_of(reading, source, columns), groups_of(*engine, source, columns));
  // Of another file it knows nothing.
  std::ofstream(folder.path() + "/other.csv") << "a,b,c\n1,2,3\n";
  const Source other = engine->open(folder.path() + "/other.csv", {}, Progress::silent());
  EXPECT_EQ(groups_of(reading, other, {"a"}), (Grouped{{{"1"}}, {1}}));
}

// What was read is read once, whatever becomes of the file.
TEST(OneReading, ReadsOnce) {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/t.csv";
  std::ofstream(path) << "a,b\n1,2\n1,3\n";
  const auto engine = Engine::duckdb({.threads = 1});
  const Source source = engine->open(path, {}, Progress::silent());
  OneReading reading(*engine, source, {"a", "b"});
  EXPECT_EQ(groups_of(reading, source, {"a", "b"}), (Grouped{{{"1", "2"}, {"1", "3"}}, {1, 1}}));
  std::filesystem::remove(path);
  EXPECT_EQ(groups_of(reading, source, {"a"}), (Grouped{{{"1"}}, {2}}));
}

}  // namespace
}  // namespace pratique::one_reading_test
