#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/release/distributions.h"
#include "pratique/release/internal/kinds.h"

namespace pratique::release {

void describe_trails(KindContext& context) {
  add_facts(context, {"people", "samples_in", "samples_out", "locations_in", "locations_out",
                      "records_in", "records_out", "method", "assumption"});
  ReleaseReport& report = context.report;
  const Json& results = context.manifest.at("results");
  if (results.contains("before") && results["before"].is_number() && results.contains("after") &&
      results["after"].is_number()) {
    report.attacks.push_back({"reidentified", "share of samples whose person is certain",
                              results["before"].get<double>(), results["after"].get<double>(),
                              true});
  }
  if (results.contains("assumption") && results["assumption"].is_string()) {
    report.remarks.push_back(fmt::format("Assumed about blanks: {}.",
                                         cleaned(results["assumption"].get<std::string>())));
  }
  const Json& claims = context.manifest.at("claims");
  if (claims.empty()) return;
  const std::string location = claims.front().value("location", "");
  report.columns.push_back(
      {cleaned(location), "place", "as it was, where the sample is disclosed there"});
  for (const auto& element : claims.front().value("element", Json::array())) {
    report.columns.push_back({cleaned(element.get<std::string>()), "sample",
                              "as it was, at the places chosen to disclose it"});
  }
  if (!context.release) return;
  const auto& columns = context.release->columns;
  if (std::find(columns.begin(), columns.end(), location) == columns.end()) return;
  const auto places = context.engine.group(*context.release, {location}, context.progress);
  auto distribution = compare_distributions(
      cleaned(location), nullptr, value_counts(places, places.groups.columns.front()), report.k);
  if (distribution.cells.empty()) {
    report.hidden.push_back(cleaned(location));
    return;
  }
  for (auto& cell : distribution.cells) cell.label = cleaned(cell.label);
  BarChart chart = to_chart(distribution);
  chart.title = "Released samples by place";
  report.distributions.push_back(std::move(chart));
}

}  // namespace pratique::release
