#include "pratique/fusion/release/page.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/kind/document.h"
#include "pratique/tables/release/page.h"

namespace pratique::release {
namespace {

// As far apart as a curve of so many points needs.
constexpr double kNextLevel = 1.15;

std::string grouped_or_small(double value) {
  return value >= 1 ? grouped_digits(value) : fmt::format("{:g}", value);
}

double typical_error(const Json& attack, const char* key) {
  return std::sqrt(attack.at(key).get<double>());
}

void compare_estimates(PageContext& context, const Json& original, const Json& released) {
  auto& attacks = context.report.attacks;
  for (const auto& [key, what] :
       {std::pair{"dissimilarity_before", "typical error of an estimate without the web"},
        std::pair{"dissimilarity_after", "typical error of an estimate with the web"}}) {
    attacks.push_back({key, what, std::round(typical_error(original, key)),
                       std::round(typical_error(released, key)), false});
  }
  for (const auto& [key, what] : {std::pair{"within_5_percent", "share estimated within 5 %"},
                                  std::pair{"within_10_percent", "share estimated within 10 %"}}) {
    attacks.push_back(
        {key, what, original.at(key).get<double>(), released.at(key).get<double>(), true});
  }
  attacks.push_back({"rank_correlation", "rank correlation of estimates with the truth",
                     original.at("rank_correlation").get<double>(),
                     released.at("rank_correlation").get<double>(), false});
}

// Levels of anonymity that were tried, and the one that was chosen.
void draw_levels(PageContext& context, const Json& levels, std::uint64_t chosen) {
  Chart chart{"Typical error of the strongest estimate", "k", "typical error", true, false, {}};
  ChartSeries tried{"levels tried", {}, true};
  ChartSeries marked{"this release", {}, false, true};
  double next = 0;
  for (const auto& level : levels) {
    const auto k = level.at("k").get<std::uint64_t>();
    const ChartPoint point{static_cast<double>(k), typical_error(level, "dissimilarity"),
                           fmt::format("k = {}", k)};
    if (k == chosen) {
      marked.points.push_back({point.x, point.y, "this release", true});
      context.report.metrics.push_back({"utility", "utility", level.at("utility").get<double>(),
                                        "1 / sum of squared class sizes; larger is finer"});
      context.report.metrics.push_back({"classes", "classes", level.at("classes").get<double>(),
                                        "people in one class show the same cells"});
    }
    if (point.x < next) continue;
    next = kNextLevel * point.x;
    tried.points.push_back(point);
  }
  if (marked.points.empty()) return;
  chart.series = {std::move(tried), std::move(marked)};
  context.report.ru_map = std::move(chart);
  context.report.map_caption =
      "Higher means that even the best estimate is further off. Coarser levels are to the right.";
}

}  // namespace

void describe_fusion(PageContext& context) {
  const Json& results = *context.manifest.results;
  context.report.facts.push_back({"people", grouped_digits(results.value("people", 0.0))});
  add_facts(context, {"k_opt", "method"});
  const Json& parameters = *context.manifest.parameters;
  for (const auto& source : results.value("sources", Json::array())) {
    context.report.facts.push_back(
        {fmt::format("found on the web, in {}", cleaned(without_home(source.value("source", "")))),
         grouped_digits(source.value("matched", 0.0))});
  }
  for (const auto& [key, what] : {std::pair{"tp", "least dissimilarity required (tp)"},
                                  std::pair{"tu", "least utility required (tu)"}}) {
    if (parameters.contains(key))
      context.report.facts.push_back({what, grouped_or_small(parameters[key].get<double>())});
  }
  if (results.contains("as_it_is") && results.contains("released")) {
    compare_estimates(context, results["as_it_is"], results["released"]);
  }
  if (results.contains("levels") && results.contains("k_opt")) {
    draw_levels(context, results["levels"], results["k_opt"].get<std::uint64_t>());
  }
  describe_columns(context);
  remark_on_rows(context);
  const std::string target = cleaned(parameters.value("target", "the private number"));
  context.report.remarks.push_back(fmt::format(
      "This list keeps names: anyone who has it knows who is in it. It was made so that estimates "
      "of {} from the given rules and web facts are far off on average. For some people they are "
      "closer, and an adversary with better rules or more facts may do better.",
      target));
}

}  // namespace pratique::release
