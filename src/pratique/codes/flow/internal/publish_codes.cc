#include "pratique/codes/flow/internal/publish_codes.h"

#include <nlohmann/json.hpp>

#include "pratique/codes/release/words.h"
#include "pratique/kind/publish.h"

namespace pratique::codes::flow {

Outcome publish_codes(const CodesToPublish& leaving, Json result, const Run& run) {
  const auto published =
      release::publish(run.engine, leaving.artefact, leaving.out,
                       {.kind = "codes",
                        .verb = "protect",
                        .command = leaving.seeded.command,
                        .seed = leaving.seeded.seed,
                        .inputs = {leaving.file.source},
                        .other_files = leaving.other_files,
                        .options = leaving.seeded.options,
                        .figures = figures(),
                        .told = told_results(),
                        .private_folder = run.private_folder},
                       leaving.parameters, Json::array({leaving.claim}), result, run.progress);
  const auto& verified = published.claims.front();
  result["models"] = {
      {std::string(leaving.method.model),
       {{"required", verified.required}, {"achieved", finite_or_null(verified.achieved)}}}};
  result["verified"] = true;
  result["out"] = leaving.out;
  result["private_manifest"] = published.private_manifest;
  result["seed"] = leaving.seeded.seed;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - leaving.began;
  result["seconds"] = took.count();
  return {result};
}

}  // namespace pratique::codes::flow
