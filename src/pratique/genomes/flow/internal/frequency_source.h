// Allele frequencies from whatever has them: genotypes, sites with INFO/AF, or a table.
#pragma once

#include <string>

#include "pratique/genomes/attack/membership.h"
#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

// A table has columns chrom, pos, ref, alt and frequency (or freq, af). Throws Error::input with
// the row where a position or a frequency is none.
[[nodiscard]] FrequencyTable read_frequencies(const std::string& path, const Run& run);

}  // namespace pratique::genomes::flow
