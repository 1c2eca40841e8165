#include "pratique/genomes/flow/internal/aligned_input.h"

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/genomes/format/fasta.h"
#include "pratique/genomes/sequence/alignment.h"

namespace pratique::genomes::flow {

AlignedInput read_aligned(const std::string& path, const std::string& name,
                          const std::string& reference, bool realign, Progress& progress) {
  FastaParser parser(name);
  read_in_blocks(
      path, [&](std::string_view block) { parser.take(block); }, progress);
  SequenceSet read = parser.finish();
  read.sort_by_content();
  AlignedInput input;
  input.was_aligned = read.aligned();
  if (input.was_aligned && !realign && reference.empty()) {
    input.sequences = std::move(read.sequences);
    return input;
  }
  Sequence against = usual_reference(read.sequences);
  if (!reference.empty()) {
    SequenceSet given = read_fasta(reference, progress);
    if (given.size() != 1) {
      throw Error::input("the reference is not one sequence")
          .at(reference)
          .hint("A reference to align against is a FASTA file with a single sequence.");
    }
    against = std::move(given.sequences.front());
  }
  try {
    input.sequences = align(read.sequences, against, progress);
  } catch (Error& error) {
    throw error.at(name);
  }
  return input;
}

}  // namespace pratique::genomes::flow
