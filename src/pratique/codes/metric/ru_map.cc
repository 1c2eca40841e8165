#include "pratique/codes/metric/ru_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pratique::codes {

std::string CodeSetting::text() const {
  std::string words = fmt::format("{} k={}", method, k);
  if (m > 0) words += fmt::format(" m={}", m);
  if (suppression > 0) words += fmt::format(" suppression={:g}", suppression);
  return words;
}

double CodeRuPoint::risk() const {
  return whole_set_known.targets == 0 ? 0
                                      : static_cast<double>(whole_set_known.named) /
                                            static_cast<double>(whole_set_known.targets);
}

Chart ru_chart(const std::vector<CodeRuPoint>& points, std::optional<std::size_t> chosen) {
  Chart chart;
  chart.title = "Risk and utility";
  chart.x_name = kNamedShare;
  chart.y_name = "utility (1 - NCP)";
  for (std::size_t i = 0; i < points.size(); ++i) {
    const CodeRuPoint& point = points[i];
    const std::string& name = point.setting.method;
    auto series = std::find_if(chart.series.begin(), chart.series.end(),
                               [&](const auto& existing) { return existing.name == name; });
    if (series == chart.series.end()) {
      chart.series.push_back({name, {}, true});
      series = chart.series.end() - 1;
    }
    const bool marked = chosen ? *chosen == i : point.pareto;
    series->points.push_back({point.risk(), point.usefulness(),
                              point.setting.text() + (point.pareto ? ", Pareto" : ""), marked});
  }
  return chart;
}

std::string to_csv(const std::vector<CodeRuPoint>& points, std::optional<std::size_t> chosen) {
  std::string csv =
      "model,method,k,m,suppression,risk,utility,are_one_code,pareto,chosen,seconds,command\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    const CodeRuPoint& point = points[i];
    std::string command;
    for (const char c : point.command) {
      command += c;
      if (c == '"') command += c;
    }
    csv +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{:.3f},\"{}\"\n", point.setting.model,
                    point.setting.method, point.setting.k, point.setting.m,
                    point.setting.suppression, point.risk(), point.usefulness(),
                    point.metrics.are_one_code, point.pareto, chosen == i, point.seconds, command);
  }
  return csv;
}

Json to_json(const CodeSetting& setting) {
  Json json = {{"model", setting.model}, {"method", setting.method}, {"k", setting.k}};
  if (setting.m > 0) json["m"] = setting.m;
  json["suppression"] = setting.suppression;
  return json;
}

Json to_json(const CodeRuPoint& point) {
  Json json = to_json(point.setting);
  json.update({{"risk", point.risk()},
               {"utility", point.usefulness()},
               {"pareto", point.pareto},
               {"seconds", point.seconds},
               {"command", point.command},
               {"metrics",
                {{"ncp", point.metrics.ncp},
                 {"are", point.metrics.are},
                 {"are_one_code", point.metrics.are_one_code},
                 {"suppressed_occurrences", point.metrics.suppressed_occurrences},
                 {"suppressed_patients", point.metrics.suppressed_patients},
                 {"groups", point.metrics.groups}}},
               {"all_codes_known",
                {{"targets", point.all_codes_known.targets},
                 {"matched_under_k", point.all_codes_known.matched_under_k},
                 {"reidentified", point.all_codes_known.reidentified}}},
               {"whole_set_known",
                {{"targets", point.whole_set_known.targets},
                 {"matched_under_k", point.whole_set_known.matched_under_k},
                 {"named", point.whole_set_known.named},
                 {"named_rightly", point.whole_set_known.named_rightly}}}});
  return json;
}

}  // namespace pratique::codes
