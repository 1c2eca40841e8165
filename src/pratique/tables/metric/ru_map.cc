#include "pratique/tables/metric/ru_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/pareto.h"

namespace pratique::tables {
void mark_pareto(std::vector<RuPoint>& points) { mark_pareto_points(points); }

std::optional<std::size_t> choose(const std::vector<RuPoint>& points,
                                  std::optional<double> min_utility,
                                  std::optional<double> max_risk) {
  return choose_point(points, min_utility, max_risk,
                      [](const RuPoint& point) { return point.exposure.largest_risk(); });
}

Chart ru_chart(const std::vector<RuPoint>& points, std::optional<std::size_t> chosen) {
  Chart chart;
  chart.title = "Risk and utility";
  chart.x_name = kMeanRisk;
  chart.y_name = "utility (1 - LM)";
  chart.log_x = true;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const RuPoint& point = points[i];
    auto series = std::find_if(chart.series.begin(), chart.series.end(),
                               [&](const auto& existing) { return existing.name == point.method; });
    if (series == chart.series.end()) {
      chart.series.push_back({point.method, {}, true});
      series = chart.series.end() - 1;
    }
    const bool marked = chosen ? *chosen == i : point.pareto;
    series->points.push_back(
        {point.risk(), point.usefulness(),
         fmt::format("{} k={}{}", point.method, point.k, point.pareto ? ", Pareto" : ""), marked});
  }
  return chart;
}

std::string to_csv(const std::vector<RuPoint>& points, std::optional<std::size_t> chosen) {
  std::string csv = "method,k,risk_mean,risk_max,utility,suppressed,pareto,chosen,seconds\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    const RuPoint& point = points[i];
    csv += fmt::format("{},{},{},{},{},{},{},{},{:.3f}\n", point.method, point.k, point.risk(),
                       point.exposure.largest_risk(), point.usefulness(), point.suppressed,
                       point.pareto, chosen == i, point.seconds);
  }
  return csv;
}

Json to_json(const RuPoint& point) {
  Json json = {{"method", point.method},          {"k", point.k},
               {"risk_mean", point.risk()},       {"risk_max", point.exposure.largest_risk()},
               {"utility", point.usefulness()},   {"suppressed", point.suppressed},
               {"pareto", point.pareto},          {"seconds", point.seconds},
               {"unique", point.exposure.unique}, {"metrics", to_json(point.utility)}};
  if (point.exposure.sensitive_disclosed)
    json["sensitive_disclosed"] = *point.exposure.sensitive_disclosed;
  if (point.exposure.believed) json["believed"] = *point.exposure.believed;
  return json;
}

}  // namespace pratique::tables
