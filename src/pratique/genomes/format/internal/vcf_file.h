// VCF and BCF through htslib.
#pragma once

#include "pratique/genomes/format/genotypes.h"

namespace pratique::genomes {

[[nodiscard]] std::unique_ptr<GenotypeFile> open_vcf(const std::string& path);

}  // namespace pratique::genomes
