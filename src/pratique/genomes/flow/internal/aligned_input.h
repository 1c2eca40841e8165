// Sequences of a FASTA file as an alignment, in an order that depends on their letters alone: what
// methods choose by order then tells nothing about the order of the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/sequence/sequences.h"

namespace pratique::genomes::flow {

struct AlignmentChoice {
  std::string reference = {};      // a FASTA file with one sequence; empty: the longest
  bool realign = false;            // sequences of one length, too
  std::string aligner = "banded";  // or mafft
  bool names_repeat = false;       // names are no people's
};

struct AlignedInput {
  std::vector<Sequence> sequences;
  bool was_aligned = false;  // as it was read
  bool realigned = false;    // columns are not those that were read
  // By position of the reference that was given, its column; empty without one.
  std::vector<std::uint32_t> reference_columns = {};
};

// `name` of the file in messages.
[[nodiscard]] AlignedInput read_aligned(const std::string& path, const std::string& name,
                                        const AlignmentChoice& choice, Progress& progress);

}  // namespace pratique::genomes::flow
