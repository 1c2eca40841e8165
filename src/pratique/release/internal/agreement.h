// Whether a manifest agrees with itself and with the files: what the verifier does not look at. The
// verifier derives the claims; a report also repeats who was protected by which columns, what was
// asked for, and what attacks found, and whoever changes those would have a verified report that is
// not true.
//
// Checked, where the manifest has it: the command asks for what the parameters say
// (recorded_command.h); the claims are about the quasi-identifiers and the k and m of the
// parameters, and there is one for each k, l and t that was asked for; shares and risks follow from
// the counts beside them. Of tables, where they are at hand: the columns named are columns of the
// files, and those that left unchanged have the original's rows; cells are of the levels named;
// rows read and released; classes and what they disclose before, as the original has it; and after,
// as the released file has it, or no less where the method made more classes (of which some have
// the same cells). Of trails whose claims hold: nobody was found after.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/release/manifest.h"

namespace pratique::release {

struct Evidence {
  Engine& engine;
  const ReleaseFile& file;
  const Manifest& manifest;
  // Where they are still what the manifest says.
  const std::optional<Source>& release;
  const std::optional<Source>& original;
  bool claims_hold;  // as the verifier finds now
  Progress& progress;
};

// In plain words, without values; none where all agrees.
[[nodiscard]] std::vector<std::string> contradictions(const Evidence& evidence);

}  // namespace pratique::release
