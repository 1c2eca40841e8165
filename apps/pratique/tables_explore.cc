#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.h"
#include "parts_progress.h"
#include "pratique/core/chart.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/metric/ru_map.h"
#include "pratique/tables/metric/utility.h"
#include "prepared_table.h"
#include "tables_verbs.h"

namespace pratique::app {
namespace {

struct ExploreOptions {
  ProtectOptions shared;
  std::vector<std::uint64_t> ks = {2, 3, 5, 10, 25, 50};
  std::vector<std::string> methods = {"optimal", "local", "mondrian"};
  std::optional<double> min_utility;
  std::optional<double> max_risk;
};

int explore(ExploreOptions& options, Session& session) {
  if (options.ks.empty()) throw Error::input("--ks needs at least one k");
  refuse_unused(options.shared, options.methods);
  options.shared.models["k"] = {std::to_string(options.ks.front())};
  const std::filesystem::path folder = options.shared.out;
  std::filesystem::create_directories(folder);
  PreparedTable prepared(options.shared, session);
  std::vector<tables::RuPoint> points;
  Json failed = Json::array();
  PartsProgress progress(session.progress, "trying settings",
                         options.methods.size() * options.ks.size());
  for (const auto& name : options.methods) {
    options.shared.method = name;
    const tables::Method method = method_of(options.shared, prepared);
    for (const auto k : options.ks) {
      const auto began = std::chrono::steady_clock::now();
      const tables::Models models = prepared.models_with(k);
      try {
        const auto made = tables::protect(prepared.input, models, method, progress.part());
        tables::RuPoint point;
        point.method = name;
        point.k = k;
        point.exposure = tables::exposure_after(prepared.measured, made.recoding);
        point.utility = tables::measure_utility(
            prepared.measured, made.recoding, {k, method.label, method.workload}, progress.part());
        point.suppressed = made.recoding.suppressed;
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        point.seconds = took.count();
        Session::report_point(to_json(point));
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
  result["out"] = folder.string();
  write_file_atomically((folder / "ru-map.csv").string(), tables::to_csv(points, chosen));
  write_file_atomically((folder / "ru-map.svg").string(), to_svg(chart));
  write_file_atomically((folder / "ru-map.json").string(),
                        to_text({{"chart", to_json(chart)},
                                 {"points", result["points"]},
                                 {"input_sha256", sha256_file(prepared.sources.front().path)}}));
  session.print(result);
  return points.empty() || (bounded && !chosen) ? 1 : 0;
}

}  // namespace

void add_tables_explore(CommandLine& program, Session& session) {
  auto options = std::make_shared<ExploreOptions>();
  Verb& verb =
      program.add("tables", "explore", "Draw the map of risk against utility over methods and k",
                  [options, &session] { return explore(*options, session); });
  add_shared_options(verb, options->shared);
  verb.remove("k");
  verb.group("Settings to try");
  verb.whole_number("ks", &options->ks, 1, kLargestSeed, "every k to try").separated_by_commas();
  verb.choice("methods", &options->methods, tables::method_names(), "every method to try")
      .separated_by_commas();
  verb.share("min-utility", &options->min_utility,
             "choose the least risky setting with at least this utility (1 - LM)");
  verb.share("max-risk", &options->max_risk,
             "choose the most useful setting in which no record's risk is larger");
  verb.group("Output");
  verb.folder_written("out", &options->shared.out, "for ru-map.csv, .json and .svg").require();
}

}  // namespace pratique::app
