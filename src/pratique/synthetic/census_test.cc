#include "pratique/synthetic/census.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/hash.h"
#include "pratique/synthetic/internal/census_model.h"

namespace pratique::census_test {
namespace {

namespace fs = std::filesystem;

using Rows = std::vector<std::vector<std::string>>;

Rows split(const std::string& text, char delimiter) {
  Rows rows(1, {""});
  for (const char c : text) {
    if (c == '\n') {
      rows.push_back({""});
    } else if (c == delimiter) {
      rows.back().emplace_back();
    } else if (c != '\r') {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

std::string generate(std::uint64_t rows, std::uint64_t seed) {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/census.csv";
  (void)generate_census({rows, seed, path}, Progress::silent());
  return read_file(path);
}

TEST(Census, SameSeedSameBytesOnAnyNumberOfThreads) {
  // More than one round of blocks, the last block short.
  constexpr std::uint64_t rows = 300001;
  std::vector<std::string> hashes;
  for (const std::size_t threads : {1U, 2U}) {
    const ThreadLimit limit(threads);
    hashes.push_back(sha256_hex(generate(rows, 5)));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_NE(hashes[0], sha256_hex(generate(rows, 6)));
}

TEST(Census, ALongerTableBeginsWithTheShorterOne) {
  const std::string shorter = generate(16384, 5);
  EXPECT_TRUE(generate(20000, 5).starts_with(shorter));
}

TEST(Census, HasTheAskedNumberOfRowsAndAdultsColumns) {
  for (const std::uint64_t rows : {1U, 16384U, 16385U}) {
    const Rows table = split(generate(rows, 1), ',');
    ASSERT_EQ(table.size(), rows + 1);
    const std::vector<std::string> columns = {
        "sex",       "age",        "race",        "marital-status", "education", "native-country",
        "workclass", "occupation", "salary-class"};
    EXPECT_EQ(table[0], columns);
    for (const auto& row : table) ASSERT_EQ(row.size(), columns.size());
  }
}

TEST(Census, SummaryTellsWhatWasWritten) {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/people.csv";
  const CensusSummary summary = generate_census({1000, 1, path}, Progress::silent());
  EXPECT_EQ(summary.rows, 1000U);
  EXPECT_EQ(summary.bytes, file_size(path));
  EXPECT_EQ(summary.hierarchy_folder, folder.path() + "/people_hierarchies");
  ASSERT_EQ(summary.hierarchies.size(), 9U);
  for (const auto& [column, spec] : summary.hierarchies) {
    EXPECT_EQ(spec, column == "age" ? "interval:5,10,20"
                                    : summary.hierarchy_folder + "/" + column + ".csv");
    EXPECT_TRUE(fs::exists(summary.hierarchy_folder + "/" + column + ".csv"));
  }
}

TEST(Census, HierarchiesAreTreesOverEveryValueWithTheHeightsOfAdults) {
  const std::map<std::string, std::size_t> heights = {
      {"sex", 2},        {"age", 5},          {"race", 2},
      {"education", 4},  {"workclass", 3},    {"marital-status", 3},
      {"occupation", 3}, {"salary-class", 2}, {"native-country", 3}};
  const PrivateFolder folder;
  const std::string path = folder.path() + "/census.csv";
  const CensusSummary summary = generate_census({200000, 3, path}, Progress::silent());
  const Rows table = split(read_file(path), ',');
  for (std::size_t column = 0; column < table[0].size(); ++column) {
    const std::string& name = table[0][column];
    SCOPED_TRACE(name);
    const Rows paths = split(read_file(summary.hierarchy_folder + "/" + name + ".csv"), ';');
    std::set<std::string> leaves;
    // Nodes of a level by label; the parent of each.
    std::map<std::pair<std::size_t, std::string>, std::string> parent;
    for (const auto& levels : paths) {
      ASSERT_EQ(levels.size(), heights.at(name));
      EXPECT_TRUE(leaves.insert(levels[0]).second) << levels[0];
      EXPECT_EQ(levels.back(), "*");
      for (std::size_t level = 0; level + 1 < levels.size(); ++level) {
        const auto [at, is_new] = parent.try_emplace({level, levels[level]}, levels[level + 1]);
        EXPECT_EQ(at->second, levels[level + 1]);
      }
    }
    for (std::size_t row = 1; row < table.size(); ++row) {
      ASSERT_TRUE(leaves.contains(table[row][column])) << table[row][column];
    }
  }
}

TEST(Census, AgesAreGroupedByTheirIntervals) {
  const std::vector<std::string> paths = synthetic::census_hierarchy("age");
  EXPECT_EQ(paths.at(37 - 17), "37;35..39;30..39;20..39;*");
  EXPECT_EQ(paths.back(), "90;90..94;90..99;80..99;*");
}

TEST(Census, RefusesZeroRowsAndLeavesNothing) {
  const PrivateFolder folder;
  EXPECT_THROW((void)generate_census({0, 1, folder.path() + "/c.csv"}, Progress::silent()), Error);
  EXPECT_FALSE(fs::exists(folder.path() + "/c.csv"));
}

TEST(Census, StoppingLeavesNothing) {
  const PrivateFolder folder;
  const std::string inside = folder.path() + "/out";
  fs::create_directory(inside);
  Progress progress;
  progress.stop();
  EXPECT_THROW((void)generate_census({100000, 1, inside + "/c.csv"}, progress), Error);
  EXPECT_TRUE(fs::is_empty(inside));
}

TEST(Census, AFailureToWriteHierarchiesLeavesNoTable) {
  const PrivateFolder folder;
  write_file_atomically(folder.path() + "/c_hierarchies", "a file in the way");
  EXPECT_THROW((void)generate_census({10, 1, folder.path() + "/c.csv"}, Progress::silent()), Error);
  EXPECT_FALSE(fs::exists(folder.path() + "/c.csv"));
}

// How near the census is to the table it takes its shape from, when that table is at hand.
class CensusBesideAdult : public testing::Test {
 protected:
  static constexpr const char* kAdult = "../shared/data/adult/adult.csv";
  using Key = std::vector<std::string>;

  void SetUp() override {
    if (!fs::exists(kAdult)) GTEST_SKIP() << "needs " << kAdult;
    adult_ = split(read_file(kAdult), ';');
    census_ = split(generate(adult_.size() - 1, 1), ',');
    ASSERT_EQ(adult_[0], census_[0]);
  }
  static std::map<Key, double> frequencies(const Rows& table,
                                           const std::vector<std::size_t>& columns,
                                           bool age_in_fives) {
    std::map<Key, double> result;
    for (std::size_t row = 1; row < table.size(); ++row) {
      Key key;
      for (const std::size_t column : columns) {
        key.push_back(age_in_fives && table[0][column] == "age"
                          ? std::to_string(std::stoi(table[row][column]) / 5)
                          : table[row][column]);
      }
      result[key] += 1.0 / static_cast<double>(table.size() - 1);
    }
    return result;
  }
  // Half the sum of absolute differences.
  [[nodiscard]] double distance(const std::vector<std::size_t>& columns, bool age_in_fives) const {
    auto difference = frequencies(adult_, columns, age_in_fives);
    for (const auto& [key, share] : frequencies(census_, columns, age_in_fives)) {
      difference[key] -= share;
    }
    double sum = 0;
    for (const auto& [key, share] : difference) sum += std::abs(share);
    return sum / 2;
  }
  Rows adult_;
  Rows census_;
};

TEST_F(CensusBesideAdult, EveryColumnIsNear) {
  for (std::size_t column = 0; column < adult_[0].size(); ++column) {
    EXPECT_LT(distance({column}, false), 0.05) << adult_[0][column];
  }
}

TEST_F(CensusBesideAdult, EveryPairOfColumnsIsNear) {
  for (std::size_t a = 0; a < adult_[0].size(); ++a) {
    for (std::size_t b = a + 1; b < adult_[0].size(); ++b) {
      EXPECT_LT(distance({a, b}, true), 0.08) << adult_[0][a] << ", " << adult_[0][b];
    }
  }
}

TEST_F(CensusBesideAdult, AsManyRowsAreDistinct) {
  for (const std::size_t width : {9U, 8U, 4U}) {
    std::vector<std::size_t> columns(width);
    for (std::size_t i = 0; i < width; ++i) columns[i] = i;
    const auto ours = static_cast<double>(frequencies(census_, columns, false).size());
    const auto theirs = static_cast<double>(frequencies(adult_, columns, false).size());
    EXPECT_LT(std::max(ours / theirs, theirs / ours), 1.15) << width << " columns";
  }
}

}  // namespace
}  // namespace pratique::census_test
