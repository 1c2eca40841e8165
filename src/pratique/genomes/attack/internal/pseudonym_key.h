// Keys of pseudonyms, from the file that somebody has.
#pragma once

#include <string>
#include <vector>

#include "pratique/genomes/attack/dictionary.h"

namespace pratique::genomes {

// A key's file may hold the bytes themselves, with or without a line end, or write them down: all
// readings. None where the scheme has no key.
[[nodiscard]] std::vector<std::string> keys_of(const PseudonymScheme& scheme);

}  // namespace pratique::genomes
