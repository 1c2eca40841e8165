// Whether the figures of a manifest of DNA are those of the released file, as far as it shows them.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/manifest/manifest.h"

namespace pratique::genomes {

// The keys of figures that the file does not have. What is no file of DNA is left to its claims.
[[nodiscard]] std::vector<std::string> miscounted_figures(const Manifest& manifest,
                                                          const Source& released, Engine& engine,
                                                          Progress& progress);

}  // namespace pratique::genomes
