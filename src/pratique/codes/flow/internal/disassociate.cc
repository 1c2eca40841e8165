#include "pratique/codes/flow/internal/disassociate.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "pratique/codes/flow/disassociated_release.h"
#include "pratique/codes/flow/internal/exposure_json.h"
#include "pratique/codes/method/disassociation.h"
#include "pratique/codes/metric/disassociation_metrics.h"
#include "pratique/codes/metric/diseases.h"
#include "pratique/codes/release/words.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/kind/publish.h"

namespace pratique::codes::flow {
namespace {

template <typename Release>
Json attack_of(const Release& release, const codes::Task& task, Progress& progress) {
  const auto& [k, m] = std::pair(task.parameters.k, static_cast<std::size_t>(task.parameters.m));
  return {{"m_codes_known", to_json(codes::expose(release, task.sets, k, m, progress))},
          {"all_codes_known",
           to_json(codes::expose(release, task.sets, k, ~std::size_t{0}, progress))}};
}

}  // namespace

Outcome protect_by_disassociation(const codes::CodeFile& file, const codes::Method& method,
                                  const codes::Parameters& wanted, const std::string& out,
                                  std::optional<std::uint64_t> given_seed,
                                  const std::vector<std::string>& files, const std::string& queries,
                                  const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  const codes::Task task{file.sets, nullptr, wanted};
  codes::check(method, task);
  const codes::Disassociation disassociation = codes::disassociate(task, run.progress);
  const release::DisassociatedRelease leaving(disassociation.release, file.long_form(),
                                              file.source.delimiter);
  const auto workload = queries.empty()
                            ? codes::Workload()
                            : read_workload(queries, file.sets.codes, spelling_of(file.sets, ""));
  codes::DisassociationMetrics metrics;
  Json before;
  Json after;
  parallel_tasks(
      {[&] { metrics = codes::measure(file.sets, disassociation, run.progress, workload); },
       [&] {
         before =
             attack_of(codes::SearchableRelease(file.sets, codes::unchanged(file.sets, nullptr)),
                       task, run.progress);
       },
       [&] { after = attack_of(disassociation, task, run.progress); }});
  // Every code is in the release, as it was.
  Json result = {{"model", method.model},
                 {"method", method.name},
                 {"patients_in", file.sets.patients()},
                 {"patients_out", file.sets.patients()},
                 {"metrics",
                  {{"ncp", 0},
                   {"ul", 0},
                   {"are", metrics.are},
                   {"are_one_code", metrics.are},
                   {"suppressed_items", 0},
                   {"suppressed_occurrences", 0},
                   {"suppressed_patients", 0},
                   {"groups", 0},
                   {"occurrences_counted", metrics.occurrences_counted},
                   {"pairs_kept", metrics.pairs_kept},
                   {"joint_clusters", metrics.joint_clusters},
                   {"clusters", metrics.clusters},
                   {"chunks", metrics.chunks},
                   {"shared_chunks", metrics.shared_chunks}}}};
  if (may_be_icd9(file.spelling ? file.spelling : spelling_of(file.sets, ""))) {
    result["metrics"]["gwas_supported"] = codes::gwas_supported(file.sets, disassociation.release);
  }
  result["before"] = std::move(before);
  result["after"] = std::move(after);
  // Beside a part of a record, what else is known of its patient would join the parts again.
  Json dropped = file.dropped;
  for (const auto& rider : file.riders.columns) dropped.push_back(rider.name);
  result["unchanged"] = Json::array();
  result["dropped"] = std::move(dropped);

  const std::uint64_t seed = given_seed.value_or(0);  // nothing is drawn
  Json parameters = {{"model", method.model},
                     {"method", method.name},
                     {"k", wanted.k},
                     {"m", wanted.m},
                     {"format", file.long_form() ? "long" : "sets"}};
  if (file.long_form()) {
    parameters["patient"] = file.columns.patient;
    parameters["code"] = file.columns.code;
    parameters["code_columns"] = file.cells.columns;
    parameters["separator"] = file.cells.separator;
  }
  const Json claims =
      Json::array({{{"model", "km-disassociation"}, {"k", wanted.k}, {"m", wanted.m}}});
  const auto published = release::publish(run.engine, leaving.artefact(), out,
                                          {.kind = "codes",
                                           .verb = "protect",
                                           .command = run.command,
                                           .seed = seed,
                                           .inputs = {file.source},
                                           .other_files = files,
                                           .options = run.options,
                                           .figures = codes::figures(),
                                           .told = codes::told_results(),
                                           .private_folder = run.private_folder},
                                          parameters, claims, result, run.progress);
  result["models"] = {{std::string(method.model),
                       {{"required", published.claims.front().required},
                        {"achieved", published.claims.front().achieved}}}};
  result["verified"] = true;
  result["out"] = out;
  result["private_manifest"] = published.private_manifest;
  result["seed"] = seed;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  result["seconds"] = took.count();
  return {result};
}

}  // namespace pratique::codes::flow
