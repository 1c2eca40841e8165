// Whether a manifest of DNA claims what was requested: its options, parameters, claims and figures
// hold each other's numbers, whatever the released file is like.
#pragma once

#include <string>
#include <vector>

#include "pratique/manifest/manifest.h"

namespace pratique::genomes {

// In plain words, without values; none where all agrees. What is not there is not compared.
[[nodiscard]] std::vector<std::string> unrequested_claims(const Manifest& manifest);

}  // namespace pratique::genomes
