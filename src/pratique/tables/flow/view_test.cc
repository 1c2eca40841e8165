#include "pratique/tables/flow/view.h"

#include <nlohmann/json.hpp>

#include "pratique/kind/testing/table_flow_fixture.h"

namespace pratique::tables::flow::view_test {
namespace {

class ViewFlow : public TableFlowFixture {
 protected:
  std::string pets = file("pets.csv", "who,pet\nann,cat\nbob,dog\ncid,cat\ndot,\n");
};

TEST_F(ViewFlow, RowsFromAnOffsetOn) {
  const Json all = *view_rows({.file = pets}, run).result;
  EXPECT_EQ(all, Json::parse(R"({"columns":["who","pet"],"rows":[["ann","cat"],["bob","dog"],
      ["cid","cat"],["dot",""]],"offset":0,"total":4})"));
  const Json page = *view_rows({.file = pets, .offset = 1, .limit = 2}, run).result;
  EXPECT_EQ(page, Json::parse(R"({"columns":["who","pet"],"rows":[["bob","dog"],["cid","cat"]],
      "offset":1,"total":4})"));
  const Json past = *view_rows({.file = pets, .offset = 4, .limit = 2}, run).result;
  EXPECT_EQ(past["rows"], Json::array());
  EXPECT_EQ(past["total"], 4);
}

TEST_F(ViewFlow, RowsOfParquetAreCountedToo) {
  const std::vector<Code> codes{0, 1, 0};
  const std::vector<std::string> values{"x", "y"};
  Output output;
  output.columns = {{"v", &codes, &values}};
  output.row_count = 3;
  run.engine.write(output, path("v.parquet"), progress);
  const Json seen = *view_rows({.file = path("v.parquet"), .offset = 2}, run).result;
  EXPECT_EQ(seen["rows"], Json::parse(R"([["x"]])"));
  EXPECT_EQ(seen["total"], 3);
}

TEST_F(ViewFlow, DistributionsOfAllColumnsOrThoseNamed) {
  const Json all = *view_distributions({.file = pets, .columns = {}, .top = 20}, run).result;
  EXPECT_EQ(all["rows"], 4);
  ASSERT_EQ(all["columns"].size(), 2U);
  EXPECT_EQ(all["columns"][0]["name"], "who");
  EXPECT_EQ(all["columns"][0]["distinct"], 4);
  const Json named = *view_distributions({.file = pets, .columns = {"pet"}, .top = 20}, run).result;
  ASSERT_EQ(named["columns"].size(), 1U);
  EXPECT_EQ(named["columns"][0]["name"], "pet");
  EXPECT_EQ(named["columns"][0]["missing"], 1);
  std::map<std::string, int> counts;
  for (const auto& bin : named["columns"][0]["bins"]) counts[bin["label"]] = bin["count"];
  EXPECT_EQ(counts, (std::map<std::string, int>{{"cat", 2}, {"dog", 1}}));
  // The bins that there is no room for are one.
  const Json few = *view_distributions({.file = pets, .columns = {"who"}, .top = 2}, run).result;
  EXPECT_LE(few["columns"][0]["bins"].size(), 3U);
  EXPECT_EQ(few["columns"][0]["bins"].back()["other"], true);
  EXPECT_THROW((void)view_distributions({.file = pets, .columns = {"pett"}, .top = 2}, run), Error);
}

TEST_F(ViewFlow, TwoColumnsAgainstEachOther) {
  std::string text = "sex,ward\n";
  const auto rows = [&](int n, const char* row) {
    for (int i = 0; i < n; ++i) text += row;
  };
  rows(4, "F,north\n");
  rows(2, "F,south\n");
  rows(4, "M,south\n");
  const std::string wards = file("wards.csv", text);
  const Json seen = *view_crosstab({.file = wards, .columns = {"sex", "ward"}}, run).result;
  EXPECT_EQ(seen["rows"], 10);
  EXPECT_EQ(seen["columns"][0], Json::parse(R"({"name":"sex","values":["F","M"],"others":false})"));
  EXPECT_EQ(seen["columns"][1]["values"], Json::parse(R"(["south","north"])"));
  EXPECT_EQ(seen["counts"], Json::parse("[[2,4],[4,0]]"));
  // Of 2 x 2 it is the correlation: (4*4 - 2*0) / sqrt(6*4*4*6).
  EXPECT_NEAR(seen["association"].get<double>(), 16.0 / 24.0, 1e-12);

  // Those for which there is no room count together; association is of all values all the same.
  const Json few =
      *view_crosstab({.file = wards, .columns = {"sex", "ward"}, .top = 1}, run).result;
  EXPECT_EQ(few["columns"][1], Json::parse(R"({"name":"ward","values":["south"],"others":true})"));
  EXPECT_EQ(few["counts"], Json::parse("[[2,4],[4,0]]"));
  EXPECT_EQ(few["association"], seen["association"]);

  // What tells the other completely, and what never varies.
  const Json same = *view_crosstab({.file = pets, .columns = {"who", "pet"}}, run).result;
  EXPECT_NEAR(same["association"].get<double>(), 1, 1e-12);
  const std::string one = file("one.csv", "a,b\n1,x\n2,x\n");
  EXPECT_EQ((*view_crosstab({.file = one, .columns = {"a", "b"}}, run).result)["association"], 0);
  EXPECT_THROW((void)view_crosstab({.file = pets, .columns = {"pet"}}, run), Error);
  EXPECT_THROW((void)view_crosstab({.file = pets, .columns = {"pet", "pet"}}, run), Error);
}

TEST_F(ViewFlow, NumbersWithDecimalCommasAreNumbers) {
  std::string text = "hba1c;note\n";
  for (int i = 0; i < 40; ++i)
    text += std::to_string(5 + i % 4) + "," + std::to_string(i % 10) + ";x\n";
  text += "unknown;x\n;x\n";
  const Json all =
      *view_distributions({.file = file("lab.csv", text), .columns = {"hba1c"}, .top = 4}, run)
           .result;
  const Json& seen = all["columns"][0];
  EXPECT_EQ(seen["kind"], "number");
  EXPECT_EQ(seen["missing"], 2);  // the word, and the empty cell
  std::uint64_t counted = 0;
  for (const auto& bin : seen["bins"]) {
    EXPECT_GE(bin["low"], 5);
    EXPECT_LE(bin["high"], 9);
    counted += bin["count"].get<std::uint64_t>();
  }
  EXPECT_EQ(counted, 40U);
}

TEST_F(ViewFlow, AHierarchyThatCoversTheColumnPasses) {
  HierarchyRequest request{.file = pets, .column = "pet", .columns = {}};
  request.columns.hierarchies = {"pet=flat"};
  const Outcome flat = view_hierarchy(request, run);
  EXPECT_TRUE(flat.passed);
  EXPECT_EQ((*flat.result)["column"], "pet");
  EXPECT_EQ((*flat.result)["spec"], "flat");
  EXPECT_EQ((*flat.result)["height"], 2);
  EXPECT_EQ((*flat.result)["leaves"], 3);  // missing is a leaf
  EXPECT_EQ((*flat.result)["tree"]["rows"], 4);
}

TEST_F(ViewFlow, AHierarchyWithGapsDoesNotPassAndNamesThem) {
  HierarchyRequest request{.file = pets, .column = "pet", .nodes = 1, .columns = {}};
  request.columns.hierarchies = {"pet=" + file("tree.csv", "cat;*\n;*\nhen;*\n")};
  const Outcome gaps = view_hierarchy(request, run);
  EXPECT_FALSE(gaps.passed);
  EXPECT_EQ((*gaps.result)["gaps"]["values"], 1);
  EXPECT_EQ((*gaps.result)["gaps"]["list"][0]["value"], "dog");
  EXPECT_EQ((*gaps.result)["tree"]["rows"], 3);
  EXPECT_EQ((*gaps.result)["tree"]["more"], 3);  // no node is shown below the root
}

TEST_F(ViewFlow, AColumnTakesTheHierarchyThatFitsIt) {
  const auto seen = view_hierarchy({.file = pets, .column = "pet", .columns = {}}, run);
  EXPECT_EQ((*seen.result)["spec"], "flat");
  const std::string ages = file("ages.csv", "age,pet\n17,cat\n90,cat\n");
  EXPECT_EQ((*view_hierarchy({.file = ages, .column = "age", .columns = {}}, run).result)["spec"],
            "interval:5,10,20,40");
}

}  // namespace
}  // namespace pratique::tables::flow::view_test
