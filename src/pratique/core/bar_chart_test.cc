#include "pratique/core/bar_chart.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/core/markup.h"

namespace pratique::bar_chart_test {
namespace {

BarChart example() {
  return {
      "a < b", "age", "records", {"original", "released"}, {{"20..29", {10, 5}}, {"x,y", {0, 7}}}};
}

TEST(BarChart, CsvAndJsonHoldEveryNumber) {
  EXPECT_EQ(to_csv(example()), "age,original,released\n20..29,10,5\n\"x,y\",0,7\n");
  EXPECT_EQ(to_json(example())["rows"][0]["values"], Json::array({10.0, 5.0}));
}

TEST(BarChart, TheLongestBarFillsTheRoomAndOthersAreInProportion) {
  const std::string svg = to_svg(example());
  // 440 less 160 for labels and 60 for numbers.
  EXPECT_NE(svg.find("width='220.0'"), std::string::npos);
  EXPECT_NE(svg.find("width='110.0'"), std::string::npos);
  EXPECT_NE(svg.find("width='154.0'"), std::string::npos);
}

TEST(BarChart, ALongTitleIsWrittenSmaller) {
  BarChart chart = example();
  EXPECT_NE(to_svg(chart).find("font-size='16' font-weight='600'"), std::string::npos);
  chart.title = std::string(50, 'm');  // 40 fit
  EXPECT_NE(to_svg(chart).find("font-size='12.8' font-weight='600'"), std::string::npos);
}

TEST(BarChart, TextStaysText) {
  BarChart chart = example();
  chart.rows[0].label = "<script>'\"&";
  const std::string svg = to_svg(chart);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("&lt;script&gt;&#39;&quot;&amp;"), std::string::npos);
}

TEST(BarChart, OddFiguresDrawNothingWrong) {
  BarChart chart = example();
  chart.rows = {{"none", {0, std::numeric_limits<double>::infinity()}}};
  EXPECT_EQ(to_svg(chart).find("nan"), std::string::npos);
  EXPECT_EQ(to_svg(chart).find("inf"), std::string::npos);
  chart.rows.clear();
  chart.series.clear();
  EXPECT_EQ(to_svg(chart).find("nan"), std::string::npos);
}

TEST(BarChart, LongLabelsAreCutBetweenCharacters) {
  BarChart chart = example();
  std::string label;
  for (int i = 0; i < 40; ++i) label += "ä";
  chart.rows[0].label = label;
  const std::string svg = to_svg(chart);
  EXPECT_NE(svg.find(label.substr(0, 42) + "…<"), std::string::npos);
}

TEST(BarChart, DigitsStandInGroups) {
  EXPECT_EQ(grouped_digits(0), "0");
  EXPECT_EQ(grouped_digits(999), "999");
  EXPECT_EQ(grouped_digits(1000), "1,000");
  EXPECT_EQ(grouped_digits(-1234567.5), "-1,234,567.50");
}

}  // namespace
}  // namespace pratique::bar_chart_test
