// MAFFT (Katoh and Standley, 2013), where it is installed: aligns all sequences with each other,
// for people who are less alike than a star alignment (sequence/alignment.h) is made for.
//
// It runs as a process of its own, in a private folder, on letters under running numbers: no name
// of the input reaches it.
#pragma once

#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/sequence/sequences.h"

namespace pratique::genomes {

// Gaps that were there are taken out first. Throws Error::input where there is no mafft,
// Error::machine where it fails.
[[nodiscard]] std::vector<Sequence> align_by_mafft(const std::vector<Sequence>& sequences,
                                                   Progress& progress);

}  // namespace pratique::genomes
