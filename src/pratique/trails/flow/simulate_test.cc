#include "pratique/trails/flow/simulate.h"

#include <nlohmann/json.hpp>
#include <set>

#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::trails::flow::simulate_test {
namespace {

class TrailsSimulateFlow : public FlowFixture {
 protected:
  SimulateRequest request{.subjects = 30, .locations = 4, .runs = 2, .seed = 3};
  Json reported() { return *simulate(request, run()).result; }

  using Trails = std::map<std::string, std::set<std::string>>;
  static Trails trails_in(const std::string& path) {
    Trails trails;
    for (const auto& row : rows_of(path)) trails[row.at("element")].insert(row.at("location"));
    return trails;
  }
};

TEST_F(TrailsSimulateFlow, WhereEverybodyIsEverywhereNobodyIsFound) {
  request.access = "uniform:1";
  const auto result = reported();
  EXPECT_EQ(result.at("subjects"), 30);
  EXPECT_EQ(result.at("locations"), 4);
  EXPECT_EQ(result.at("access"), "uniform:1");
  EXPECT_EQ(result.at("missing"), 0);
  EXPECT_EQ(result.at("algorithm"), "complete");
  EXPECT_EQ(result.at("runs"), 2);
  EXPECT_EQ(result.at("mean_share"), 0);
  EXPECT_EQ(result.at("sd_share"), 0);
  EXPECT_EQ(result.at("entropy_bits"), 0);
  EXPECT_EQ(result.at("seed"), 3);
  EXPECT_GE(result.at("seconds"), 0);
  EXPECT_LT(result.at("seconds"), 60);
  EXPECT_FALSE(result.contains("world"));
  request.subjects = 1;
  EXPECT_EQ(reported().at("mean_share"), 1);
  request.access = "zipf:0";  // each location by as many
  EXPECT_EQ(reported().at("mean_share"), 1);
  request.access = "zipf:0:0";  // none by anybody
  EXPECT_EQ(reported().at("mean_share"), 0);
}

TEST_F(TrailsSimulateFlow, ASeedThatWasDrawnIsTold) {
  request.seed.reset();
  auto first = reported();
  EXPECT_NE(reported().at("seed"), first.at("seed"));
  request.seed = first.at("seed").get<std::uint64_t>();
  auto again = reported();
  first.erase("seconds");
  again.erase("seconds");
  EXPECT_EQ(again, first);
}

TEST_F(TrailsSimulateFlow, TheWorldOfTheFirstRunIsWritten) {
  request.runs = 1;
  request.locations = 6;
  request.world = path("new/world");
  const auto result = reported();
  EXPECT_EQ(result.at("world"), request.world);
  const auto people = trails_in(request.world + "/identified.csv");
  const auto samples = trails_in(request.world + "/deidentified.csv");
  EXPECT_EQ(people.size(), samples.size());
  bool numbers_differ = false;
  std::set<std::string> named;
  for (const auto& row : rows_of(request.world + "/truth.csv")) {
    EXPECT_EQ(samples.at(row.at("deidentified")), people.at(row.at("identified")));
    numbers_differ =
        numbers_differ || row.at("deidentified").substr(1) != row.at("identified").substr(1);
    named.insert(row.at("deidentified"));
  }
  EXPECT_TRUE(numbers_differ);
  EXPECT_EQ(named.size(), samples.size());
  std::set<std::string> locations;
  for (const auto& [name, trail] : people) {
    const int number = std::stoi(name.substr(1));
    EXPECT_TRUE(name.front() == 'P' && number >= 1 && number <= 30) << name;
    locations.insert(trail.begin(), trail.end());
  }
  EXPECT_EQ(locations, (std::set<std::string>{"L1", "L2", "L3", "L4", "L5", "L6"}));
  for (const auto& [name, trail] : samples) {
    const int number = std::stoi(name.substr(1));
    EXPECT_TRUE(name.front() == 'S' && number >= 1 && number <= 30) << name;
  }
  // With complete lists, whoever's trail is nobody else's is found.
  std::map<std::set<std::string>, int> alike;
  for (const auto& [name, trail] : people) ++alike[trail];
  const auto unique = std::count_if(alike.begin(), alike.end(),
                                    [](const auto& trail) { return trail.second == 1; });
  EXPECT_NEAR(result.at("mean_share").get<double>(), static_cast<double>(unique) / 30, 1e-12);
}

TEST_F(TrailsSimulateFlow, SamplesThatAreWithheldAreMissing) {
  request.world = path("world");
  request.missing = 1;
  (void)reported();
  EXPECT_EQ(lines_of(path("world/deidentified.csv")), std::vector<std::string>{"location,element"});
  EXPECT_EQ(lines_of(path("world/truth.csv")), std::vector<std::string>{"deidentified,identified"});
  EXPECT_FALSE(trails_in(path("world/identified.csv")).empty());
}

TEST_F(TrailsSimulateFlow, AGridIsWrittenWithItsCurves) {
  request.grid = true;
  request.subjects = 12;
  request.first_locations = 3;
  request.last_locations = 4;
  const auto printed = reported();
  EXPECT_FALSE(printed.contains("files"));
  request.out = path("grid.csv");
  const auto result = reported();
  EXPECT_EQ(result.at("subjects"), 12);
  EXPECT_EQ(result.at("points"), 40);
  EXPECT_EQ(result.at("seed"), 3);
  const auto points = rows_of(request.out);
  ASSERT_EQ(points.size(), 40U);
  ASSERT_EQ(result.at("curves").size(), 4U);
  EXPECT_EQ(rows_of(path("grid.curves.csv")).size(), 4U);
  for (std::size_t c = 0; c < 4; ++c) {
    const auto& curve = result.at("curves").at(c);
    EXPECT_EQ(curve.at("access"), points[c * 10].at("access"));
    EXPECT_EQ(std::to_string(curve.at("locations").get<int>()), points[c * 10].at("locations"));
    double largest = 0;
    double area = 0;
    double before = 0;
    for (std::size_t p = 0; p < 10; ++p) {
      const double share = std::stod(points[c * 10 + p].at("mean_share"));
      largest = std::max(largest, share);
      if (p > 0) area += (before + share) / 20;
      before = share;
    }
    EXPECT_NEAR(curve.at("maximum").get<double>(), largest, 1e-5);
    EXPECT_NEAR(curve.at("area").get<double>(), area, 1e-5);
  }
  Json files = Json::array({request.out});
  for (const auto* name : {"curves.csv", "maximum.svg", "area.svg", "shape.svg", "shift.svg",
                           "uniform.svg", "zipf.svg"}) {
    files.push_back(path(std::string("grid.") + name));
    EXPECT_GT(read_file(files.back()).size(), 100U);
  }
  EXPECT_EQ(result.at("files"), files);

  request.out.clear();
  request.last_locations = 3;
  EXPECT_EQ(reported().at("points"), 20);
  request.last_locations = 2;
  EXPECT_NE(refusal([&] { return simulate(request, run()); }).find("--from"), std::string::npos);
}

TEST_F(TrailsSimulateFlow, WaysToVisitHaveTheirRanges) {
  for (const auto* fine : {"uniform:0", "uniform:1", "zipf:0", "zipf:10", "zipf:1:0", "zipf:1:1"}) {
    request.access = fine;
    EXPECT_EQ(reported().at("access"), fine);
  }
  for (const auto* wrong : {"uniform", "uniform:", "uniform:1.01", "uniform:-0.1", "zipf:10.1",
                            "zipf:-1", "pareto:1", "zipf:x", "zipf:1x", "zipf:1:1.01", "zipf:1:-1",
                            "uniform:0.5:1", "zipf:", "zipf:1:", "uniform:nan"}) {
    request.access = wrong;
    EXPECT_NE(refusal([&] { return simulate(request, run()); }).find("--access"), std::string::npos)
        << wrong;
  }
}

TEST_F(TrailsSimulateFlow, OneWorldOrAGrid) {
  request.out = path("grid.csv");
  EXPECT_NE(refusal([&] { return simulate(request, run()); }).find("--grid"), std::string::npos);
  request.out.clear();
  request.grid = true;
  request.world = path("world");
  EXPECT_NE(refusal([&] { return simulate(request, run()); }).find("--world"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(request.world));
}

}  // namespace
}  // namespace pratique::trails::flow::simulate_test
