#include "pratique/core/chart.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"

namespace pratique::chart_test {
namespace {

Chart example() {
  Chart chart;
  chart.title = "Risk & utility";
  chart.x_name = "risk";
  chart.y_name = "loss, in %";
  chart.series = {{"one", {{0.1, 2, "k=5", true}, {0.2, 1, "k=<2>"}}, true}, {"two", {{0.3, 3}}}};
  return chart;
}

TEST(Chart, CsvHoldsEveryPoint) {
  EXPECT_EQ(to_csv(example()),
            "series,label,risk,\"loss, in %\",marked\n"
            "one,k=5,0.1,2,1\none,k=<2>,0.2,1,0\ntwo,,0.3,3,0\n");
}

TEST(Chart, JsonHoldsEveryPoint) {
  const Json json = to_json(example());
  EXPECT_EQ(json["series"][0]["points"][0], Json::array({0.1, 2.0, "k=5", true}));
  EXPECT_EQ(json["x"]["log"], false);
}

TEST(Chart, JsonReadsBackAsTheSameChart) {
  EXPECT_EQ(to_json(chart_from_json(to_json(example()), "here")), to_json(example()));
  Json broken = to_json(example());
  broken["series"][0]["points"][0].erase(3);
  EXPECT_THROW((void)chart_from_json(broken, "here"), Error);
  EXPECT_THROW((void)chart_from_json(Json::array(), "here"), Error);
}

TEST(Chart, SvgEscapesAndStaysInsideItsFrame) {
  const std::string svg = to_svg(example());
  EXPECT_NE(svg.find("Risk &amp; utility"), std::string::npos);
  EXPECT_NE(svg.find("k=&lt;2&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
}

// The names of the series stand at the right: a name there would stand on them.
TEST(Chart, TheNameOfAPointStandsWhereThereIsRoom) {
  Chart chart = example();
  chart.series.push_back({"this", {{0.3, 3, "right"}}, false, true});
  EXPECT_NE(to_svg(chart).find("text-anchor='end' font-weight='600'>right"), std::string::npos);
  chart.series.back().points = {{0.1, 3, "left"}};
  EXPECT_NE(to_svg(chart).find("text-anchor='start' font-weight='600'>left"), std::string::npos);
}

TEST(Chart, AShortLogarithmicAxisHasTicksBetweenPowersOfTen) {
  Chart chart = example();
  chart.log_x = true;
  chart.series = {{"levels", {{2, 1}, {76, 2}}}};
  const std::string svg = to_svg(chart);
  for (const char* tick : {">2<", ">5<", ">10<", ">20<", ">50<"})
    EXPECT_NE(svg.find(tick), std::string::npos) << tick;
  EXPECT_EQ(svg.find(">100<"), std::string::npos);
}

TEST(Chart, LargeTicksAreWrittenOut) {
  Chart chart = example();
  chart.series = {{"error", {{1, 24'000}, {2, 27'000}}}};
  const std::string svg = to_svg(chart);
  EXPECT_NE(svg.find(">25,000<"), std::string::npos);
  EXPECT_EQ(svg.find("e+04"), std::string::npos);
}

TEST(Chart, OddFiguresDrawNothingWrong) {
  Chart chart = example();
  chart.series.clear();
  EXPECT_EQ(to_svg(chart).find("nan"), std::string::npos);
  chart.series = {{"flat", {{1, 1}, {1, 1}}}};
  chart.log_x = true;
  EXPECT_EQ(to_svg(chart).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace pratique::chart_test
