// Calls of genotypes as BCF has them where alleles are few: a byte each, (allele + 1) << 1 with the
// phase in its lowest bit; 0 and 1 are missing, 0x80 too, and 0x81 ends a call of fewer alleles
// than the longest of the record. Read where they lie, many at a time.
#pragma once

#include <cstdint>
#include <span>

#include "pratique/genomes/format/genotypes.h"

namespace pratique::genomes {

// Of calls with two bytes each, how many are the allele: 2 for a call of one byte that is.
void take_dosages(std::span<const std::uint8_t> calls, int allele, std::span<Dosage> dosages);

// Whether no call is of an allele that a record with so many does not have.
[[nodiscard]] bool are_alleles_of(std::span<const std::uint8_t> calls, int alleles);

// Every allele that was called counts, also beside a missing one.
[[nodiscard]] AlleleCount count_alleles(std::span<const std::uint8_t> calls, int allele);

}  // namespace pratique::genomes
