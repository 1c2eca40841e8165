#include "pratique/codes/flow/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/codes/flow/internal/riders.h"
#include "pratique/codes/method/protection.h"
#include "pratique/codes/metric/ru_map.h"
#include "pratique/core/error.h"
#include "pratique/core/pareto.h"
#include "pratique/core/parts_progress.h"
#include "pratique/kind/decided_columns.h"
#include "pratique/kind/ru_map_files.h"
#include "pratique/kind/shell_quoted.h"

namespace pratique::codes::flow {
namespace {

const Method& method_named(const std::string& name) {
  const auto all = methods();
  return *std::find_if(all.begin(), all.end(), [&](const Method& method) {
    return method.name == name && (method.model == "km" || method.model == "complete");
  });
}

// Each once: what a method does not listen to is not tried again.
std::vector<CodeSetting> settings_of(const ExploreRequest& request) {
  std::vector<CodeSetting> settings;
  for (const auto& name : request.methods) {
    const Method& method = method_named(name);
    const bool of_km = method.model == "km";
    const std::vector<std::uint64_t> ms = of_km ? request.ms : std::vector<std::uint64_t>{0};
    const std::vector<double> shares =
        of_km && method.needs_tree ? request.suppressions : std::vector<double>{0};
    for (const auto k : request.ks) {
      for (const auto m : ms) {
        for (const double share : shares)
          settings.push_back({std::string(method.model), name, k, static_cast<int>(m), share});
      }
    }
  }
  return settings;
}

std::string command_for(const CodeSetting& setting, const ExploreRequest& request,
                        const CodeFile& file, const std::string& hierarchy) {
  std::string command =
      fmt::format("pratique codes protect {} --model {} --method {} --k {}",
                  release::shell_quoted(request.file), setting.model, setting.method, setting.k);
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) command += fmt::format(" --{} {}", option, release::shell_quoted(value));
  };
  if (setting.m > 0) add("m", std::to_string(setting.m));
  if (setting.suppression > 0) add("suppression", fmt::format("{:g}", setting.suppression));
  add("hierarchy", hierarchy);
  add("format", request.codes.format);
  if (file.long_form()) {
    const auto& columns = request.codes.columns;
    add("patient", columns.patient);
    if (columns.wide.empty()) {
      add("code", columns.code);
    } else {
      add("codes", release::comma_separated(columns.wide));
    }
    add("separator", columns.separator);
    add("id", release::comma_separated(columns.identifiers));
    if (request.rows_are_people) command += " --rows-are-people";
    if (!file.riders.columns.empty()) command += " --roles suggested";
  }
  return command + " --out RELEASE";
}

CodeRuPoint try_setting(const CodeSetting& setting, const CodeFile& file, const CodeTree* tree,
                        const Workload& workload, Progress& progress) {
  const auto began = std::chrono::steady_clock::now();
  Task task{file.sets, tree, {}};
  task.parameters.k = setting.k;
  if (setting.m > 0) task.parameters.m = setting.m;
  task.parameters.suppression = setting.suppression;
  const Recoding recoding = protect(method_named(setting.method), task, progress);
  CodeRuPoint point;
  point.setting = setting;
  point.metrics = measure(file.sets, recoding, {}, progress, workload);
  if (point.metrics.suppressed_patients == file.sets.patients())
    throw Error::check("nothing would be left: every code of every patient would be removed");
  if (point.metrics.ncp >= 1)
    throw Error::check("nothing would be left: every code would become the most general one");
  const DistinctRecords distinct = distinct_records(file.sets, recoding);
  const SearchableRelease release(distinct.counted, distinct.records);
  point.all_codes_known = expose(release, file.sets, setting.k, ~std::size_t{0}, progress);
  point.whole_set_known = expose_whole_sets(release, file.sets, distinct.own, setting.k, progress);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  point.seconds = took.count();
  return point;
}

}  // namespace

std::vector<std::string> explored_methods() {
  return {"local", "apriori", "suppress", "partition"};
}

Outcome explore(const ExploreRequest& request, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  const auto late = [&] {
    return request.seconds &&
           std::chrono::steady_clock::now() - began >= std::chrono::seconds(*request.seconds);
  };
  const auto settings = settings_of(request);
  if (settings.empty()) throw Error::input("--ks, --ms and --methods need at least one each");
  const CodeFile file = request.codes.read(run, request.file);
  if (!request.rows_are_people) ask_whose_codes(file, run);
  const bool generalises =
      std::any_of(request.methods.begin(), request.methods.end(),
                  [](const std::string& name) { return method_named(name).needs_tree; });
  std::optional<CodeTree> tree;
  std::string hierarchy = request.codes.hierarchy;
  if (generalises) hierarchy = request.codes.hierarchy_for("explore", file);
  if (!hierarchy.empty()) tree.emplace(CodeTree::make(hierarchy, file.sets));
  const auto spelling = file.spelling ? file.spelling : spelling_of(file.sets, "");
  const auto workload = request.queries.empty()
                            ? Workload()
                            : read_workload(request.queries, file.sets.codes, spelling);
  const std::filesystem::path folder = request.out;
  release::refuse_name_of_file(folder.string());
  std::filesystem::create_directories(folder);

  std::vector<CodeRuPoint> points;
  Json failed = Json::array();
  Json not_tried = Json::array();
  PartsProgress progress(run.progress, "trying settings", settings.size());
  for (const auto& setting : settings) {
    if (late()) {
      not_tried.push_back(codes::to_json(setting));
      progress.finish_part();
      continue;
    }
    try {
      CodeRuPoint point =
          try_setting(setting, file, tree ? &*tree : nullptr, workload, progress.part());
      point.command = command_for(setting, request, file, tree ? hierarchy : "");
      if (run.part) run.part(codes::to_json(point));
      points.push_back(std::move(point));
    } catch (const Error& error) {
      const bool too_few = error.code() == ErrorCode::bad_input && setting.k > file.sets.patients();
      if (error.code() != ErrorCode::check_failed && !too_few) throw;
      Json failure = codes::to_json(setting);
      failure["why"] = error.message();
      failed.push_back(std::move(failure));
    }
    progress.finish_part();
  }
  mark_pareto_points(points);
  const auto chosen = choose_point(points, request.min_utility, request.max_risk,
                                   [](const CodeRuPoint& point) { return point.risk(); });
  const Chart chart = ru_chart(points, chosen);
  Json result = {{"points", Json::array()}};
  for (const auto& point : points) result["points"].push_back(codes::to_json(point));
  if (!failed.empty()) result["failed"] = std::move(failed);
  if (!not_tried.empty()) result["not_tried"] = std::move(not_tried);
  const bool bounded = request.min_utility || request.max_risk;
  if (bounded) result["chosen"] = chosen ? codes::to_json(points[*chosen]) : Json(nullptr);
  result["out"] = folder.string();
  release::write_ru_map(folder.string(), to_csv(points, chosen), chart, result["points"],
                        file.source, run);
  return {result, !points.empty() && (!bounded || chosen)};
}

}  // namespace pratique::codes::flow
