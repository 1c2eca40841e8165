#include "pratique/kind/release_on_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pratique::release {
namespace {

// Maps of other settings of the same table have other points: one that shows this release among
// them would show choices that nobody had.
bool shows(const Chart& map, const PlaceOnMap& place) {
  constexpr double kSame = 1e-9;
  return std::any_of(map.series.begin(), map.series.end(), [&](const ChartSeries& series) {
    return std::any_of(series.points.begin(), series.points.end(), [&](const ChartPoint& point) {
      return std::abs(point.x - place.risk) < kSame && std::abs(point.y - place.utility) < kSame;
    });
  });
}

}  // namespace

void show_on_map(PageContext& context, std::string_view risk_name,
                 const std::optional<PlaceOnMap>& place) {
  if (!context.ru_map) return;
  const auto kept = context.file.find_private(context.ru_map->private_name);
  const auto& inputs = context.file.manifest().inputs;
  if (!kept || !context.file.complete()) {
    context.report.notes.emplace_back(
        "The given map of risk and utility is not shown: the private manifest that tells of which "
        "table it is, or that of this release, is not at hand.");
    return;
  }
  if (inputs.empty() || kept->commitment(inputs.front()) != context.ru_map->input ||
      context.ru_map->chart.x_name != risk_name) {
    context.report.notes.push_back(fmt::format(
        "The given map of risk and utility is of another table, so it is not shown with this "
        "release. Make one from its original with pratique {} explore.",
        context.kind.noun));
    return;
  }
  if (!place) {
    context.report.notes.emplace_back(
        "The given map of risk and utility is not shown: the manifest does not record the risk and "
        "the loss that would place this release on it.");
    return;
  }
  if (!shows(context.ru_map->chart, *place)) {
    context.report.notes.push_back(fmt::format(
        "The given map of risk and utility has no point where this release lies: it was drawn with "
        "other settings, so it is not shown. Draw one with the settings of this release: pratique "
        "{} explore.",
        context.kind.noun));
    return;
  }
  Chart map = context.ru_map->chart;
  map.series.push_back(
      {"this release", {{place->risk, place->utility, "this release", true}}, false, true});
  context.report.ru_map = std::move(map);
  context.report.map_caption =
      "Settings that were tried: risk to the right, utility upwards. A ring marks settings that no "
      "other beats on both; the wide ring is this release.";
}

}  // namespace pratique::release
