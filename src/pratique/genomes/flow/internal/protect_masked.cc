#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/genomes/flow/internal/aligned_input.h"
#include "pratique/genomes/flow/internal/publication.h"
#include "pratique/genomes/format/fasta_release.h"
#include "pratique/genomes/method/masking.h"
#include "pratique/kind/publish.h"

namespace pratique::genomes::flow {
namespace {

Json imputation_json(const Imputation& imputation) {
  return {{"accuracy", imputation.accuracy},
          {"baseline", imputation.baseline},
          {"gain", imputation.gain()}};
}

}  // namespace

Outcome protect_by_masking(const ProtectRequest& request, const Run& run) {
  const Source source = run.engine.open_sets(request.file, run.progress);
  std::vector<std::string> others;
  if (!request.reference.empty()) others.push_back(request.reference);
  release::refuse_overwriting_inputs(request.out, {source}, run.settings(others));
  const Seeded seeded = with_seed(run, request.seed);
  const AlignedInput input = read_aligned(source.files.front(), request.file, request.reference,
                                          request.realign, run.progress);
  const std::size_t length = input.sequences.front().size();
  if (request.loci.empty()) {
    throw Error::input("--method mask needs the loci to hide")
        .hint("Name columns of the alignment with --loci, counted from 1.");
  }
  std::vector<std::uint32_t> loci;
  for (const std::uint64_t locus : request.loci) {
    if (locus == 0 || locus > length) {
      throw Error::input(fmt::format("--loci names column {} of {}", locus, length))
          .hint("Columns of the alignment are counted from 1.");
    }
    loci.push_back(static_cast<std::uint32_t>(locus - 1));
  }
  const Masking masking = mask_loci(input.sequences, loci, request.tolerance, run.progress);
  std::vector<std::string> letters;
  for (Sequence sequence : input.sequences) {
    for (const std::uint32_t column : masking.hidden) sequence[column] = kAnyBase;
    // A column stays where it is: a gap is N here.
    std::replace(sequence.begin(), sequence.end(), kGap, kAnyBase);
    letters.push_back(to_text(sequence));
  }
  Json hidden = Json::array();
  for (const std::uint32_t column : masking.hidden) hidden.push_back(column + 1);
  Json result = {{"method", request.method},
                 {"sequences", input.sequences.size()},
                 {"aligned", input.was_aligned},
                 {"length", length},
                 {"variable_regions", variable_regions(input.sequences).size()},
                 {"loci", request.loci},
                 {"hidden", masking.hidden.size()},
                 {"hidden_columns", hidden},
                 {"tolerance", request.tolerance},
                 {"within_tolerance", masking.within_tolerance},
                 {"before", imputation_json(masking.alone)},
                 {"after", imputation_json(masking.after)}};
  publish({request, run, seeded, source, others}, FastaRelease(std::move(letters), seeded.seed),
          {{"method", request.method}, {"tolerance", request.tolerance}},
          Json::array({{{"model", "masked-loci"}, {"loci", hidden}}}), false, result);
  return {result};
}

}  // namespace pratique::genomes::flow
