#include "pratique/kind/recorded_hierarchy.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/kind/testing/release_fixture.h"

namespace pratique::release::recorded_hierarchy_test {
namespace {

class RecordedHierarchyTest : public ReleaseFixture {
 protected:
  Column column = column_of({"12345", "12999"});
  std::vector<std::uint64_t> counts{1, 1};

  static Column column_of(const std::vector<std::string>& values) {
    Column column{.name = "zip", .dictionary = {}, .codes = {}};
    for (const auto& value : values) column.codes.push_back(column.dictionary.intern(value));
    return column;
  }
  ReleaseFile release_with(const Json& hierarchies, const Json& inputs = Json::array()) {
    (void)file("r.csv", "age,zip\n1,A\n1,A\n");
    Json manifest = manifest_of("r.csv", "tables", 2);
    manifest["inputs"] = inputs;
    manifest["parameters"] = {{"hierarchies", hierarchies}};
    write_manifest("r.csv", manifest);
    return ReleaseFile::read(path("r.csv"));
  }
};

TEST_F(RecordedHierarchyTest, IsMadeAgainFromItsWords) {
  const auto release = release_with({{"zip", "prefix"}});
  EXPECT_TRUE(records_hierarchy(release, "zip"));
  EXPECT_FALSE(records_hierarchy(release, "age"));
  const auto tree = recorded_hierarchy(release, "zip", column, counts);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->label(tree->ancestor(*tree->leaf("12345"), tree->height() - 1)), "*");
  EXPECT_FALSE(recorded_hierarchy(release, "age", column, counts));
}

TEST_F(RecordedHierarchyTest, OrReadAgainFromItsFile) {
  const std::string tree_file = file("tree.csv", "12345;low\n12999;low\n");
  Json input = input_of(tree_file);
  input["role"] = "setting";
  const auto release = release_with({{"zip", tree_file}}, Json::array({input}));
  const auto tree = recorded_hierarchy(release, "zip", column, counts);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->label(tree->ancestor(*tree->leaf("12999"), 1)), "low");
  (void)file("tree.csv", "12345;high\n12999;high\n");
  EXPECT_FALSE(recorded_hierarchy(release, "zip", column, counts));
}

TEST_F(RecordedHierarchyTest, WhatCannotBeMadeAgainMeansNothing) {
  column = column_of({"x", "y"});
  EXPECT_FALSE(recorded_hierarchy(release_with({{"zip", "interval:5,10"}}), "zip", column, counts));
  EXPECT_FALSE(recorded_hierarchy(release_with({{"zip", "nowhere.csv"}}), "zip", column, counts));
}

}  // namespace
}  // namespace pratique::release::recorded_hierarchy_test
