// What every method of `genomes protect` does in the end.
#pragma once

#include "pratique/genomes/flow/internal/aligned_input.h"
#include "pratique/genomes/flow/protect.h"
#include "pratique/genomes/metric/sequence_utility.h"
#include "pratique/kind/artefact.h"

namespace pratique::genomes::flow {

struct Publication {
  const ProtectRequest& request;
  const Run& run;
  const Seeded& seeded;
  const Source& source;
  std::vector<std::string> other_files;
};

// Publishes, and adds to the result what came of it: k_verified (as the verifier found the first
// claim, where it counts), out, private_manifest, seed.
void publish(const Publication& publication, const release::Artefact& artefact,
             const Json& parameters, const Json& claims, bool claim_counts, Json& result);

[[nodiscard]] AlignmentChoice alignment_of(const ProtectRequest& request);
[[nodiscard]] Json utility_json(const SequenceUtility& utility);

// mask, frequencies
[[nodiscard]] Outcome protect_by_masking(const ProtectRequest& request, const Run& run);
[[nodiscard]] Outcome protect_frequencies(const ProtectRequest& request, const Run& run);

}  // namespace pratique::genomes::flow
