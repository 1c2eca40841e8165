#include "pratique/tables/profile/hierarchy_view.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/data/hierarchy_csv.h"

namespace pratique::tables::hierarchy_view_test {
namespace {

TEST(HierarchyView, CountsRowsAndNamesGaps) {
  const Hierarchy tree = parse_hierarchy_csv("cat;pet;*\ndog;pet;*\ncow;farm;*\n", "t.csv");
  Column column;
  for (const char* value : {"cat", "cat", "cow", "dogg", "dogg", "hen"}) {
    column.codes.push_back(column.dictionary.intern(value));
  }
  const auto view = view_hierarchy(tree, column, column.counts());
  EXPECT_EQ(view.missing_values, 2U);
  EXPECT_EQ(view.missing_rows, 3U);
  ASSERT_EQ(view.gaps.size(), 2U);
  EXPECT_EQ(view.gaps[0].value, "dogg");
  EXPECT_EQ(view.gaps[0].rows, 2U);
  EXPECT_EQ(view.gaps[0].nearest.front(), "dog");

  const Json json = to_json(view, tree, 100);
  EXPECT_EQ(json.at("height"), 3);
  EXPECT_EQ(json.at("leaves"), 3);
  EXPECT_EQ(json.at("levels")[1].at("examples"), Json::array({"pet", "farm"}));
  EXPECT_EQ(json.at("tree").at("rows"), 3);
  EXPECT_EQ(json.at("tree").at("children")[0],
            Json::parse(R"({"label":"pet","level":1,"rows":2,"leaves":2,"children":[
              {"label":"cat","level":0,"rows":2,"leaves":1},
              {"label":"dog","level":0,"rows":0,"leaves":1}]})"));
  // Cut: the root, both its children, and one leaf.
  const Json cut = to_json(view, tree, 4);
  EXPECT_EQ(cut.at("tree").at("children")[0].at("children").size(), 1U);
  EXPECT_EQ(cut.at("tree").at("children")[0].at("more"), 1);
  EXPECT_EQ(cut.at("tree").at("children")[1].at("more"), 1);
}

TEST(HierarchyView, ExamplesOfNumbersComeInTheirOrder) {
  const Hierarchy tree =
      parse_hierarchy_csv("1;0..3;*\n10;8..11;*\n12;12..15;*\n2;0..3;*\n9;8..11;*\n", "t.csv");
  const auto examples = [&](std::size_t level) {
    return to_json(view_hierarchy(tree, Column(), {}), tree, 100)
        .at("levels")[level]
        .at("examples");
  };
  EXPECT_EQ(examples(0), Json::array({"1", "2", "9", "10", "12"}));
  EXPECT_EQ(examples(1), Json::array({"0..3", "8..11", "12..15"}));
}

TEST(HierarchyView, ShowsOnlyTheMostFrequentGaps) {
  const Hierarchy tree = parse_hierarchy_csv("a;*\n", "t.csv");
  Column column;
  for (int i = 0; i < 30; ++i) column.codes.push_back(column.dictionary.intern(std::to_string(i)));
  const auto view = view_hierarchy(tree, column, column.counts(), 5);
  EXPECT_EQ(view.missing_values, 30U);
  EXPECT_EQ(view.gaps.size(), 5U);
}

}  // namespace
}  // namespace pratique::tables::hierarchy_view_test
