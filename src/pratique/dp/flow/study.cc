#include "pratique/dp/flow/study.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/core/file.h"
#include "pratique/dp/study/dpcube.h"

namespace pratique::dp::flow {
namespace {

Json to_json(const Measured& measured) {
  return {{"mean", measured.mean}, {"low", measured.low}, {"high", measured.high}};
}

Json or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

std::string or_default(const std::optional<double>& number) {
  return number ? fmt::format("{}", *number) : "default";
}

}  // namespace

Outcome study(const StudyRequest& request, const Run& run) {
  const Seeded seeded = with_seed(run, request.seed);
  std::optional<AtomicFile> file;  // whether it can be written is known before minutes are spent
  if (!request.out.empty()) file.emplace(request.out);
  const CellGrid grid = census_grid();
  const auto counts = made_census(grid, request.rows, seeded.seed);
  auto settings = published_settings();
  std::erase_if(settings, [&](const StudySetting& setting) {
    return !request.vary.empty() && setting.varies != request.vary;
  });
  const auto rows = run_study(grid, counts, settings, request.draws, seeded.seed, run.progress);
  Json result = {{"rows", request.rows},   {"cells", grid.cells()}, {"occupied", counts.size()},
                 {"draws", request.draws}, {"seed", seeded.seed},   {"settings", Json::array()}};
  std::string table =
      "varies,method,alpha,split,xi0,xi1,queries,boxes,absolute,absolute_low,absolute_high,"
      "relative,relative_low,relative_high,useful_epsilon,useful_delta\n";
  for (const auto& [setting, boxes, absolute, relative, useful] : rows) {
    result["settings"].push_back(
        {{"varies", setting.varies},
         {"method", setting.method},
         {"alpha", setting.alpha},
         {"split", setting.split},
         {"xi0", or_null(setting.xi0)},
         {"xi1", or_null(setting.xi1)},
         {"queries", setting.queries},
         {"boxes", boxes},
         {"absolute", to_json(absolute)},
         {"relative", to_json(relative)},
         {"useful", {{"epsilon", useful.epsilon}, {"delta", useful.delta}}}});
    table += fmt::format(
        "{},{},{},{},{},{},{},{:.1f},{:.2f},{:.2f},{:.2f},{:.5f},{:.5f},{:.5f},{:.1f},{:.4f}\n",
        setting.varies, setting.method, setting.alpha, setting.split, or_default(setting.xi0),
        or_default(setting.xi1), setting.queries, boxes, absolute.mean, absolute.low, absolute.high,
        relative.mean, relative.low, relative.high, useful.epsilon, useful.delta);
  }
  if (file) {
    file->write(table);
    file->commit();
    result["out"] = request.out;
  }
  return {result};
}

}  // namespace pratique::dp::flow
