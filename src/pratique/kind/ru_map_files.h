// What explore writes to its folder: ru-map.csv, .svg and .json (chart, points, settings,
// private, input), which their owner alone can read, since they have exact figures about the
// original. The settings are the options of the search, by name: a release that was made with
// others lies on another map. Which table
// they are of is for whoever has it: the JSON has a commitment, which a private manifest opens
// (manifest/private_manifest.h).
#pragma once

#include <string>

#include "pratique/core/chart.h"
#include "pratique/core/json.h"
#include "pratique/kind/run.h"

namespace pratique::release {

// Throws where the folder's name is that of a file: whoever writes map.html means one.
void refuse_name_of_file(const std::string& folder);

void write_ru_map(const std::string& folder, const std::string& csv, const Chart& chart,
                  const Json& points, const Source& original, const Run& run);

}  // namespace pratique::release
