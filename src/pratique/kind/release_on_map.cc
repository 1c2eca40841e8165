#include "pratique/kind/release_on_map.h"

#include <fmt/format.h>

namespace pratique::release {

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
  Chart map = context.ru_map->chart;
  map.series.push_back(
      {"this release", {{place->risk, place->utility, "this release", true}}, false, true});
  context.report.ru_map = std::move(map);
  context.report.map_caption =
      "Settings that were tried: risk to the right, utility upwards. A ring marks settings that no "
      "other beats on both; the wide ring is this release.";
}

}  // namespace pratique::release
