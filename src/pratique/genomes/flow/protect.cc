#include "pratique/genomes/flow/protect.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/genomes/attack/sequence_match.h"
#include "pratique/genomes/flow/internal/aligned_input.h"
#include "pratique/genomes/format/fasta_release.h"
#include "pratique/genomes/method/dnala.h"
#include "pratique/genomes/metric/sequence_utility.h"
#include "pratique/genomes/release/words.h"
#include "pratique/kind/publish.h"

namespace pratique::genomes::flow {
namespace {

Json to_json(const SequenceMatches& matches) {
  return {{"unique", matches.unique},
          {"unique_share", static_cast<double>(matches.unique) /
                               static_cast<double>(std::max<std::uint64_t>(matches.people, 1))},
          {"fewest_candidates", matches.fewest},
          {"mean_candidates", matches.mean_candidates}};
}

Json to_json(const SequenceUtility& utility) {
  const auto side = [](const AssociationStrength& strength, double distance) {
    return Json{{"chi_square_at_cause", strength.at_cause},
                {"chi_square_elsewhere", strength.elsewhere},
                {"mean_distance", distance}};
  };
  return {{"frequency_error", utility.frequency_error},
          {"association_correlation", utility.association_correlation},
          {"distance_correlation", utility.distance_correlation},
          {"before", side(utility.before, utility.mean_distance_before)},
          {"after", side(utility.after, utility.mean_distance_after)}};
}

Pairing pairing_of(const ProtectRequest& request, std::size_t sequences) {
  if (request.pairing == "greedy") return Pairing::greedy;
  if (request.k == 2 && sequences > kMostForOptimalPairing) {
    throw Error::input(
        fmt::format("{} sequences are too many to be paired in the best way", sequences))
        .hint(fmt::format("--pairing greedy has no limit; the best pairing has {}.",
                          kMostForOptimalPairing));
  }
  return Pairing::optimal;
}

}  // namespace

Outcome protect(const ProtectRequest& request, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  const Source source = run.engine.open_sets(request.file, run.progress);
  std::vector<std::string> others;
  if (!request.reference.empty()) others.push_back(request.reference);
  release::refuse_overwriting_inputs(request.out, {source}, run.settings(others));

  const AlignedInput input = read_aligned(source.files.front(), request.file, request.reference,
                                          request.realign, run.progress);
  const auto columns = variable_regions(input.sequences);
  const LatticePlanes planes(input.sequences, columns);
  const Pairing pairing = pairing_of(request, planes.size());
  const SequenceGroups groups = group_sequences(planes, request.k, pairing, run.progress);
  const auto generalised = generalise(input.sequences, groups);
  const LatticeLoss loss = loss_of(input.sequences, groups, generalised);
  const std::int64_t greedy =
      pairing == Pairing::greedy
          ? loss.distance
          : distance_of(planes, group_sequences(planes, request.k, Pairing::greedy, run.progress));

  const Seeded seeded = with_seed(run, request.seed);
  std::vector<Sequence> released(planes.size());
  std::vector<std::string> leaving;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::string letters = to_text(without_gaps(generalised[g]));
    for (const std::uint32_t member : groups[g]) {
      released[member] = generalised[g];
      leaving.push_back(letters);
    }
  }
  Json result = {
      {"method", request.method},
      {"k", request.k},
      {"pairing", request.pairing},
      {"sequences", planes.size()},
      {"aligned", input.was_aligned},
      {"length", input.sequences.front().size()},
      {"variable_regions", columns.size()},
      {"groups", groups.size()},
      {"loss",
       {{"distance", loss.distance},
        {"bits", loss.bits},
        {"greedy_distance", greedy},
        {"per_sequence", static_cast<double>(loss.distance) / static_cast<double>(planes.size())}}},
      {"before", to_json(match_originals(planes, run.progress))},
      {"after", to_json(match_groups(planes, groups, run.progress))},
      {"utility",
       to_json(measure_utility(input.sequences, released, columns, seeded.seed, run.progress))}};
  const Json parameters = {
      {"method", request.method}, {"k", request.k}, {"pairing", request.pairing}};
  const Json claims = Json::array({{{"model", "sequence-anonymity"}, {"k", request.k}}});
  const auto published =
      release::publish(run.engine, FastaRelease(std::move(leaving), seeded.seed), request.out,
                       {.kind = "genomes",
                        .verb = "protect",
                        .command = seeded.command,
                        .seed = seeded.seed,
                        .inputs = {source},
                        .other_files = run.settings(others),
                        .options = seeded.options,
                        .figures = figures(),
                        .told = told_results(),
                        .private_folder = run.private_folder},
                       parameters, claims, result, run.progress);
  result["k_verified"] = static_cast<std::uint64_t>(published.claims.front().achieved);
  result["out"] = request.out;
  result["private_manifest"] = published.private_manifest;
  result["seed"] = seeded.seed;
  result["seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return {result};
}

}  // namespace pratique::genomes::flow
