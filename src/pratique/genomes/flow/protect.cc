#include "pratique/genomes/flow/protect.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/genomes/attack/sequence_match.h"
#include "pratique/genomes/flow/internal/aligned_input.h"
#include "pratique/genomes/flow/internal/publication.h"
#include "pratique/genomes/format/fasta_release.h"
#include "pratique/genomes/method/binning.h"
#include "pratique/genomes/method/dnala.h"
#include "pratique/genomes/metric/sequence_utility.h"
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

}  // namespace

Json utility_json(const SequenceUtility& utility) {
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

namespace {

Pairing pairing_of(const ProtectRequest& request, std::uint64_t k, std::size_t sequences) {
  if (request.pairing == "greedy") return Pairing::greedy;
  if (k == 2 && sequences > kMostForOptimalPairing) {
    throw Error::input(
        fmt::format("{} sequences are too many to be paired in the best way", sequences))
        .hint(fmt::format("--pairing greedy has no limit; the best pairing has {}.",
                          kMostForOptimalPairing));
  }
  return Pairing::optimal;
}

// Sequences on their way from what was read to what leaves.
struct Grouped {
  AlignedInput input;
  std::vector<std::uint32_t> columns;  // variable regions
  LatticePlanes planes;
  Pairing pairing;
  SequenceGroups groups;
};

Grouped read_and_group(const ProtectRequest& request, std::uint64_t k, const Source& source,
                       const Run& run) {
  AlignedInput input =
      read_aligned(source.files.front(), request.file, alignment_of(request), run.progress);
  auto columns = variable_regions(input.sequences);
  LatticePlanes planes(input.sequences, columns);
  const Pairing pairing = pairing_of(request, k, planes.size());
  SequenceGroups groups = group_sequences(planes, k, pairing, run.progress);
  return {std::move(input), std::move(columns), std::move(planes), pairing, std::move(groups)};
}

Json common_result(const ProtectRequest& request, const Grouped& grouped) {
  return {{"method", request.method},
          {"pairing", request.pairing},
          {"sequences", grouped.planes.size()},
          {"aligned", grouped.input.was_aligned},
          {"length", grouped.input.sequences.front().size()},
          {"variable_regions", grouped.columns.size()},
          {"groups", grouped.groups.size()}};
}

struct Leaving {
  std::vector<std::string> letters;  // an entry each
  std::vector<Sequence> by_person;   // as they leave, in the order that was read
};

Leaving leaving_of(const Grouped& grouped, const std::vector<Sequence>& released) {
  Leaving leaving;
  leaving.by_person.resize(grouped.planes.size());
  for (std::size_t g = 0; g < grouped.groups.size(); ++g) {
    const std::string letters = to_text(without_gaps(released[g]));
    for (const std::uint32_t member : grouped.groups[g]) {
      leaving.by_person[member] = released[g];
      leaving.letters.push_back(letters);
    }
  }
  return leaving;
}

std::uint64_t count_unchanged(const Grouped& grouped, const std::vector<Sequence>& released) {
  std::uint64_t unchanged = 0;
  for (std::size_t g = 0; g < grouped.groups.size(); ++g) {
    for (const std::uint32_t member : grouped.groups[g])
      unchanged += grouped.input.sequences[member] == released[g] ? 1 : 0;
  }
  return unchanged;
}

Outcome protect_by_dnala(const ProtectRequest& request, const Publication& publication) {
  const Run& run = publication.run;
  const Grouped grouped = read_and_group(request, request.k, publication.source, run);
  const auto generalised = generalise(grouped.input.sequences, grouped.groups);
  const LatticeLoss loss = loss_of(grouped.input.sequences, grouped.groups, generalised);
  const std::int64_t greedy =
      grouped.pairing == Pairing::greedy
          ? loss.distance
          : distance_of(grouped.planes,
                        group_sequences(grouped.planes, request.k, Pairing::greedy, run.progress));
  const Leaving leaving = leaving_of(grouped, generalised);
  Json result = common_result(request, grouped);
  result["k"] = request.k;
  result["loss"] = {{"distance", loss.distance},
                    {"bits", loss.bits},
                    {"greedy_distance", greedy},
                    {"per_sequence", static_cast<double>(loss.distance) /
                                         static_cast<double>(grouped.planes.size())}};
  result["before"] = to_json(match_originals(grouped.planes, run.progress));
  result["after"] = to_json(match_groups(grouped.planes, grouped.groups, run.progress));
  // Equal before: two samples of one person under two names would be among them.
  result["unchanged"] = count_unchanged(grouped, generalised);
  const auto recovered =
      recovered_by_rest(grouped.input.sequences, grouped.groups, generalised, grouped.columns);
  result["recovered_by_rest"] = recovered ? Json(*recovered) : Json(nullptr);
  result["utility"] =
      utility_json(measure_utility(grouped.input.sequences, leaving.by_person, grouped.columns,
                                   publication.seeded.seed, run.progress));
  publish(publication, FastaRelease(leaving.letters, publication.seeded.seed),
          {{"method", request.method}, {"k", request.k}, {"pairing", request.pairing}},
          Json::array({{{"model", "sequence-anonymity"}, {"k", request.k}}}), true, result);
  return {result};
}

Outcome protect_by_binning(const ProtectRequest& request, const Publication& publication) {
  const Run& run = publication.run;
  const Grouped grouped = read_and_group(request, request.across, publication.source, run);
  if (grouped.columns.empty()) {
    throw Error::input("all sequences are equal: there are no SNPs to bin").at(request.file);
  }
  auto binned = bin_across(grouped.input.sequences, grouped.columns, grouped.groups);
  for (auto& values : binned) bin_within(values, request.within);
  std::int64_t distance = 0;
  double bits = 0;
  std::vector<std::uint64_t> entries;
  std::vector<Sequence> originals(grouped.planes.size());
  for (std::size_t g = 0; g < grouped.groups.size(); ++g) {
    entries.push_back(grouped.groups[g].size());
    for (const std::uint32_t member : grouped.groups[g]) {
      for (std::size_t c = 0; c < grouped.columns.size(); ++c) {
        const Letter before = grouped.input.sequences[member][grouped.columns[c]];
        originals[member].push_back(before);
        distance += tree_level(binned[g][c]) - tree_level(before);
        // R and Y stand for two bases, N for four: a bit for each level.
        bits += tree_level(binned[g][c]) - tree_level(before);
      }
    }
  }
  std::vector<std::uint32_t> snps(grouped.columns.size());
  std::iota(snps.begin(), snps.end(), 0U);
  const LatticePlanes released(binned, snps);
  std::vector<PlaneRow> rows;
  for (std::size_t g = 0; g < binned.size(); ++g) rows.push_back(released.row(g));
  const Leaving leaving = leaving_of(grouped, binned);
  Json result = common_result(request, grouped);
  result["within"] = request.within;
  result["across"] = request.across;
  result["loss"] = {
      {"distance", distance},
      {"bits", bits},
      {"per_sequence", static_cast<double>(distance) / static_cast<double>(grouped.planes.size())}};
  result["before"] = to_json(match_originals(grouped.planes, run.progress));
  result["after"] = to_json(match_rows(grouped.planes, rows, entries, run.progress));
  result["utility"] = utility_json(
      measure_utility(originals, leaving.by_person, snps, publication.seeded.seed, run.progress));
  publish(publication, FastaRelease(leaving.letters, publication.seeded.seed),
          {{"method", request.method}, {"within", request.within}, {"across", request.across}},
          Json::array(
              {{{"model", "snp-bins"}, {"within", request.within}, {"across", request.across}}}),
          true, result);
  return {result};
}

}  // namespace

AlignmentChoice alignment_of(const ProtectRequest& request) {
  return {.reference = request.reference,
          .realign = request.realign,
          .aligner = request.aligner,
          .names_repeat = request.names_repeat};
}

Outcome protect(const ProtectRequest& request, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  Outcome outcome;
  if (request.method == "mask") {
    outcome = protect_by_masking(request, run);
  } else if (request.method == "frequencies") {
    outcome = protect_frequencies(request, run);
  } else {
    const Source source = run.engine.open_sets(request.file, run.progress);
    std::vector<std::string> others;
    if (!request.reference.empty()) others.push_back(request.reference);
    release::refuse_overwriting_inputs(request.out, {source}, run.settings(others));
    const Seeded seeded = with_seed(run, request.seed);
    const Publication publication{request, run, seeded, source, others};
    outcome = request.method == "binning" ? protect_by_binning(request, publication)
                                          : protect_by_dnala(request, publication);
  }
  Json result = *outcome.result;
  result["seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return {result, outcome.passed};
}

}  // namespace pratique::genomes::flow
