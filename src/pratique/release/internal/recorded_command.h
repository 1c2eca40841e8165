// The command that a manifest records: how it read the data, and whether it asks for what the
// parameters say was asked for.
#pragma once

#include <string>
#include <vector>

#include "pratique/engine/engine.h"
#include "pratique/manifest/manifest.h"

namespace pratique::release {

// In plain words, without values; none where both agree. Of any kind of release k, m and the seed;
// of tables also the method, columns, hierarchies, models and what may be left out. What a file
// named by --config says is not looked at: where a flag is missing, it may stand there.
[[nodiscard]] std::vector<std::string> command_contradictions(const Manifest& manifest);

// How it was told to read CSV.
[[nodiscard]] CsvOptions recorded_csv_options(const Manifest& manifest);

}  // namespace pratique::release
