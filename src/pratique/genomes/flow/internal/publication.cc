#include "pratique/genomes/flow/internal/publication.h"

#include <nlohmann/json.hpp>

#include "pratique/genomes/release/words.h"
#include "pratique/kind/publish.h"

namespace pratique::genomes::flow {

void publish(const Publication& publication, const release::Artefact& artefact,
             const Json& parameters, const Json& claims, bool claim_counts, Json& result) {
  const auto& [request, run, seeded, source, other_files] = publication;
  const auto published = release::publish(run.engine, artefact, request.out,
                                          {.kind = "genomes",
                                           .verb = "protect",
                                           .command = seeded.command,
                                           .seed = seeded.seed,
                                           .inputs = {source},
                                           .other_files = run.settings(other_files),
                                           .options = seeded.options,
                                           .figures = figures(),
                                           .told = told_results(),
                                           .private_folder = run.private_folder},
                                          parameters, claims, result, run.progress);
  if (claim_counts)
    result["k_verified"] = static_cast<std::uint64_t>(published.claims.front().achieved);
  result["out"] = request.out;
  result["private_manifest"] = published.private_manifest;
  result["seed"] = seeded.seed;
}

}  // namespace pratique::genomes::flow
