#include "pratique/codes/flow/internal/disassociate.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "pratique/codes/flow/disassociated_release.h"
#include "pratique/codes/flow/internal/exposure_json.h"
#include "pratique/codes/flow/internal/publish_codes.h"
#include "pratique/codes/method/disassociation.h"
#include "pratique/codes/metric/disassociation_metrics.h"
#include "pratique/codes/metric/diseases.h"
#include "pratique/core/parallel.h"

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
  Json claim = {{"model", "km-disassociation"}, {"k", wanted.k}, {"m", wanted.m}};
  return publish_codes({leaving.artefact(),
                        file,
                        method,
                        files,
                        out,
                        {.seed = given_seed.value_or(0),  // nothing is drawn
                         .command = run.command,
                         .options = run.options},
                        std::move(parameters),
                        std::move(claim),
                        began},
                       std::move(result), run);
}

}  // namespace pratique::codes::flow
