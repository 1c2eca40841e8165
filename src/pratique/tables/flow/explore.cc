#include "pratique/tables/flow/explore.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/core/chart.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parts_progress.h"
#include "pratique/kind/ru_map_files.h"
#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/flow/method_choice.h"
#include "pratique/tables/flow/singled_out.h"
#include "pratique/tables/metric/ru_map.h"
#include "pratique/tables/metric/utility.h"

namespace pratique::tables::flow {

tables::RuPoint try_setting(PreparedTable& prepared, const tables::Method& method, std::uint64_t k,
                            Progress& progress) {
  const auto began = std::chrono::steady_clock::now();
  const auto released = protect_prepared(prepared, prepared.models_with(k), method, progress);
  tables::RuPoint point;
  point.method = method.name;
  point.k = k;
  point.exposure = tables::exposure_after(prepared.measured, released.recoding);
  point.utility = tables::measure_utility(prepared.measured, released.recoding,
                                          {k, method.label, method.workload}, progress);
  point.suppressed = released.recoding.suppressed;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  point.seconds = took.count();
  return point;
}

namespace {

// Something to look at while the rest is computed: by the quickest of the methods that were asked
// for and settle for the best so far when their time is over.
void tell_first_point(PreparedTable& prepared, const ExploreRequest& options, const Run& run) {
  constexpr std::uint64_t kMany = 20'000;
  constexpr double kMoment = 0.3;
  if (!run.part || prepared.records_read < kMany) return;
  const auto k = *std::max_element(options.ks.begin(), options.ks.end());
  for (const char* quick : {"mondrian", "optimal", "local", "cluster-down", "cluster-up"}) {
    if (std::count(options.methods.begin(), options.methods.end(), quick) == 0) continue;
    ProtectRequest setting = options.shared;
    setting.method = quick;
    setting.suppression = 0;
    setting.time_limit = kMoment;
    try {
      Json point = to_json(try_setting(prepared, method_of(setting, prepared), k, run.progress));
      point["provisional"] = true;
      run.part(point);
      return;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::check_failed) throw;
    }
  }
}

// What a choice is made by; ru-map.csv and scripts have the rest.
Json map_for_a_person(Json result) {
  const auto shorten = [](Json& point) {
    Json shown = Json::object();
    for (const char* key :
         {"method", "k", "risk_max", "risk_mean", "utility", "suppressed", "sensitive_disclosed"}) {
      if (point.contains(key)) shown[key] = point[key];
    }
    shown["best"] = point.value("pareto", false);
    point = std::move(shown);
  };
  for (auto& point : result["points"]) shorten(point);
  if (result.contains("chosen") && result["chosen"].is_object()) shorten(result["chosen"]);
  return result;
}

}  // namespace

Outcome explore(const ExploreRequest& options, const Run& run) {
  if (options.ks.empty()) throw Error::input("--ks needs at least one k");
  refuse_unused(options.shared, options.methods);
  ProtectRequest setting = options.shared;
  setting.models["k"] = {std::to_string(options.ks.front())};
  setting.releases = false;
  const std::filesystem::path folder = options.shared.out;
  release::refuse_name_of_file(folder.string());
  PreparedTable prepared(setting, run);
  std::filesystem::create_directories(folder);
  tell_first_point(prepared, options, run);
  std::vector<tables::RuPoint> points;
  Json failed = Json::array();
  PartsProgress progress(run.progress, "trying settings",
                         options.methods.size() * options.ks.size());
  for (const auto& name : options.methods) {
    setting.method = name;
    const tables::Method method = method_of(setting, prepared);
    for (const auto k : options.ks) {
      try {
        auto point = try_setting(prepared, method, k, progress.part());
        if (run.part) run.part(to_json(point));
        points.push_back(std::move(point));
      } catch (const Error& error) {
        if (error.code() != ErrorCode::check_failed) throw;
        failed.push_back({{"method", name}, {"k", k}, {"why", error.message()}});
      }
      progress.finish_part();
    }
  }
  tables::mark_pareto(points);
  const auto chosen = tables::choose(points, options.min_utility, options.max_risk);
  const Chart chart = tables::ru_chart(points, chosen);
  Json result = {{"points", Json::array()}};
  for (const auto& point : points) result["points"].push_back(to_json(point));
  if (!failed.empty()) result["failed"] = std::move(failed);
  const bool bounded = options.min_utility || options.max_risk;
  if (bounded) result["chosen"] = chosen ? to_json(points[*chosen]) : Json(nullptr);
  Json claims = Json::array();
  for (const auto& model : prepared.models)
    claims.push_back(model->claim(prepared.schema.quasi_identifiers));
  const SingledOut singled_out(prepared, claims);
  singled_out.put(result);
  if (const auto warnings = singled_out.warnings(0); !warnings.empty())
    result["warnings"] = warnings;
  result["out"] = folder.string();
  release::write_ru_map(folder.string(), tables::to_csv(points, chosen), chart, result["points"],
                        prepared.sources.front(), run);
  return {.result = result,
          .passed = !points.empty() && (!bounded || chosen),
          .for_a_person = map_for_a_person(result)};
}

}  // namespace pratique::tables::flow
