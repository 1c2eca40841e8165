// The map of risk and utility that a report was given (explore wrote it), with the release on it.
#pragma once

#include <optional>
#include <string_view>

#include "pratique/core/chart.h"
#include "pratique/kind/kind.h"

namespace pratique::release {

struct PlaceOnMap {
  double risk = 0;
  double utility = 0;
};

// Shows the map where one was given, it is of the release's original, and its risk is the one that
// maps of this kind show; a note says why not. No place: the manifest does not record it.
void show_on_map(PageContext& context, std::string_view risk_name,
                 const std::optional<PlaceOnMap>& place);

}  // namespace pratique::release
