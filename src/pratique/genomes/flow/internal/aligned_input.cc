#include "pratique/genomes/flow/internal/aligned_input.h"

#include "pratique/core/error.h"
#include "pratique/genomes/format/fasta.h"
#include "pratique/genomes/format/inflated.h"
#include "pratique/genomes/format/mafft.h"
#include "pratique/genomes/sequence/alignment.h"

namespace pratique::genomes::flow {

AlignedInput read_aligned(const std::string& path, const std::string& name,
                          const AlignmentChoice& choice, Progress& progress) {
  FastaParser parser(name);
  read_inflated(
      path, name, [&](std::string_view block) { parser.take(block); }, progress);
  SequenceSet read = parser.finish();
  if (!choice.names_repeat) read.refuse_repeated_names(name);
  read.sort_by_content();
  AlignedInput input;
  input.was_aligned = read.aligned();
  const bool mafft = choice.aligner == "mafft";
  if (mafft && !choice.reference.empty()) {
    throw Error::input("--reference does not go with --aligner mafft")
        .hint("MAFFT aligns all sequences with each other.");
  }
  if (input.was_aligned && !choice.realign && choice.reference.empty()) {
    input.sequences = std::move(read.sequences);
    return input;
  }
  input.realigned = true;
  if (mafft) {
    input.sequences = align_by_mafft(read.sequences, progress);
    return input;
  }
  Sequence against = usual_reference(read.sequences);
  if (!choice.reference.empty()) {
    SequenceSet given = read_fasta(choice.reference, progress);
    if (given.size() != 1) {
      throw Error::input("the reference is not one sequence")
          .at(choice.reference)
          .hint("A reference to align against is a FASTA file with a single sequence.");
    }
    against = without_gaps(given.sequences.front());
    // It needs no column of its own, and shows where its positions are.
    read.sequences.push_back(against);
  }
  try {
    input.sequences = align(read.sequences, against, progress);
  } catch (Error& error) {
    throw error.at(name);
  }
  if (!choice.reference.empty()) {
    const Sequence& aligned = input.sequences.back();
    for (std::uint32_t column = 0; column < aligned.size(); ++column) {
      if (aligned[column] != kGap) input.reference_columns.push_back(column);
    }
    input.sequences.pop_back();
  }
  return input;
}

}  // namespace pratique::genomes::flow
