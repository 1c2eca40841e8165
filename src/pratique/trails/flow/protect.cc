#include "pratique/trails/flow/protect.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/kind/group_sizes.h"
#include "pratique/kind/publish.h"
#include "pratique/trails/attack/attack.h"
#include "pratique/trails/method/overlooked.h"
#include "pratique/trails/method/protection.h"
#include "pratique/trails/method/trail_order.h"
#include "pratique/trails/release/words.h"

namespace pratique::trails::flow {
namespace {

void check_options(const ProtectRequest& options) {
  if (options.keep_copies &&
      (!trails::find_method(options.method).keeps_copies || options.is_secure())) {
    throw Error::input(
        "--keep-copies goes with --method best, and not with --secure or --coalition")
        .hint("Greedy-Dedup, Force-Dedup and the secure methods disclose a sample once.");
  }
  for (const auto& path : {options.sides.identified, options.sides.deidentified}) {
    if (path == "-") {
      throw Error::input("protecting trails cannot read from standard input")
          .hint("The lists are read once more to verify the release: name a file.");
    }
  }
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : "|") + name;
  return text;
}

// What is disclosed, as rows of the released file.
class Disclosed {
 public:
  Disclosed(const trails::NamedWorld& read, const trails::SideSource& side,
            const trails::Allocation& allocation) {
    for (const auto name : read.locations.values()) locations_.emplace_back(name);
    for (const auto name : read.deidentified.values()) names_.emplace_back(name);
    samples_ = names_.size();
    for (std::size_t c = 0; c < allocation.size(); ++c) {
      for (const trails::Id sample : allocation[c]) {
        location_codes_.push_back(static_cast<Code>(c));
        sample_codes_.push_back(sample);
        name_codes_.push_back(sample);
        const auto own = read.own_spellings.find({static_cast<trails::Location>(c), sample});
        if (own == read.own_spellings.end()) continue;
        name_codes_.back() = static_cast<Code>(names_.size());
        names_.push_back(own->second);
      }
    }
    counts_.assign(sample_codes_.size(), 1);
    content.columns = {{side.location_column, &location_codes_, &locations_},
                       {joined(side.element_columns), &name_codes_, &names_}};
    content.groups.resize(sample_codes_.size());
    std::iota(content.groups.begin(), content.groups.end(), 0);
    content.counts = &counts_;
  }
  Disclosed(const Disclosed&) = delete;
  Disclosed& operator=(const Disclosed&) = delete;

  // The samples as anybody sees them now.
  [[nodiscard]] trails::Side side() const { return {samples_, sample_codes_, location_codes_}; }
  [[nodiscard]] std::size_t records() const { return sample_codes_.size(); }

  release::Content content;

 private:
  std::vector<std::string> locations_;
  std::vector<std::string> names_;
  std::size_t samples_ = 0;
  std::vector<Code> location_codes_;
  std::vector<Code> sample_codes_;
  std::vector<Code> name_codes_;
  std::vector<std::uint64_t> counts_;
};

// A file is named by its path alone: the manifest commits to it.
Json lists_of(const std::string& path, const trails::SideSource& side, const CsvOptions& said) {
  Json files = Json::array();
  for (const auto& source : side.sources) files.push_back({{"path", source.name}});
  Json lists = {{"path", path},
                {"location", side.location_column},
                {"element", side.element_columns},
                {"files", std::move(files)}};
  if (said.delimiter) lists["delimiter"] = std::string(1, *said.delimiter);
  return lists;
}

Json claims_of(const ProtectRequest& options, const trails::SideSource& identified,
               const trails::SideSource& deidentified, const CsvOptions& said) {
  Json claims = Json::array();
  for (const char* view : {"external", "central", "contributor"}) {
    claims.push_back({{"model", "k-unlinkability"},
                      {"k", options.k},
                      {"view", view},
                      {"location", deidentified.location_column},
                      {"element", {joined(deidentified.element_columns)}},
                      {"identified", lists_of(options.sides.identified, identified, said)}});
    if (!options.is_secure()) break;
  }
  if (options.coalition) claims.back()["coalition"] = *options.coalition;
  for (std::size_t c = 1; c < claims.size(); ++c) {
    claims[c]["submitted"] = lists_of(options.sides.deidentified, deidentified, said);
  }
  return claims;
}

// What the exact attack finds of the samples that are seen.
struct Linked {
  Json figures;                       // reidentified, k_reidentified, and the share of each
  std::vector<std::uint64_t> people;  // samples by how many people they may belong to, by step
};

Linked link(const trails::World& world, const trails::Disclosure& disclosure, std::uint64_t k,
            Progress& progress) {
  const auto steps = release::group_size_steps(k);
  const std::size_t seen = world.deidentified.seen();
  trails::Attack linkage;
  if (seen > 0)
    linkage = trails::attack(world, disclosure, {.count_partners_to = steps.back()}, progress);
  const auto share = [&](std::size_t samples) {
    return seen == 0 ? 0 : static_cast<double>(samples) / static_cast<double>(seen);
  };
  Linked linked;
  linked.figures = {{"reidentified", linkage.reidentified()},
                    {"reidentified_share", share(linkage.reidentified())},
                    {"k_reidentified", linkage.fewer_partners_than(k)},
                    {"k_reidentified_share", share(linkage.fewer_partners_than(k))}};
  linked.people.resize(steps.size());
  for (const auto people : linkage.partners) {
    const auto above = std::upper_bound(steps.begin(), steps.end(), people);
    if (above != steps.begin()) ++linked.people[above - steps.begin() - 1];
  }
  return linked;
}

Json figures(const trails::Spread& spread) {
  return {{"mean", spread.mean}, {"deviation", spread.deviation}};
}

// Securely: by trails alone, as a consortium's authority decides that sees elements encrypted.
trails::Protection decide(const trails::NamedWorld& read, const trails::Holdings& holdings,
                          const trails::ProtectRequest& request, Progress& progress) {
  if (!request.secure) return trails::protect(holdings, request, progress);
  std::vector<std::string> names;
  for (const auto name : read.locations.values()) names.emplace_back(name);
  const auto ordered = trails::ordered_by_trails(holdings, names);
  auto protection = trails::protect(ordered.holdings, request, progress);
  protection.allocation = ordered.restored(protection.allocation);
  return protection;
}

std::string why_nothing(const trails::Holdings& holdings, const ProtectRequest& options) {
  if (holdings.samples == 0) return "there are no samples to disclose";
  if (trails::disclosure_bound(holdings, {.k = options.k}).samples == 0) {
    return fmt::format("no location with samples names {} people or more", options.k);
  }
  return options.is_secure()
             ? "no sample can be disclosed that is safe from every location as well; try "
               "a smaller k, or without --secure"
             : "no sample can be disclosed safely; try a smaller k";
}

}  // namespace

Outcome protect(const ProtectRequest& options, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  check_options(options);
  const auto identified = options.sides.identified_side(run);
  const auto deidentified = options.sides.deidentified_side(run);
  std::vector<Source> inputs = deidentified.sources;
  inputs.insert(inputs.end(), identified.sources.begin(), identified.sources.end());
  release::refuse_overwriting_inputs(options.out, inputs, run.settings());

  const auto read = read_world(run.engine, identified, deidentified, run.progress);
  const auto disclosure = find_disclosure(read.world, options.sides.said());
  if (disclosure.reserved == trails::Reserved::identified) {
    throw Error::input("the lists of people are incomplete, so nobody can say who protects whom")
        .hint("Everybody who has a sample at a location must be named there.");
  }
  const auto holdings = trails::holdings_of(read.world);
  const Seeded seeded = with_seed(run, options.seed);
  Linked before;
  try {
    before = link(read.world, disclosure, options.k, run.progress);
  } catch (trails::ImpossibleTrails& error) {
    throw std::move(
        error.at(place_of(run.engine, deidentified,
                          read.deidentified.value(error.elements().front()), run.progress)));
  }
  const auto request = options.request(seeded.seed);
  const auto protection = decide(read, holdings, request, run.progress);

  const Disclosed disclosed(read, deidentified, protection.allocation);
  const trails::World left{read.world.locations, read.world.identified, disclosed.side()};
  const Linked after =
      link(left, find_disclosure(left, trails::Reserved::deidentified), options.k, run.progress);
  Json result = {
      {"method", options.method},
      {"k", options.k},
      {"secure", options.is_secure()},
      {"maximise", options.maximise},
      {"assumption", disclosure.to_text()},
      {"people", holdings.people},
      {"spellings_joined", read.other_spellings},
      {"samples_joined", read.variants.size()},
      {"samples_in", holdings.samples},
      {"samples_out", trails::disclosed_samples(protection.allocation)},
      {"locations_in", trails::disclosing_locations(holdings.samples_at)},
      {"locations_out", trails::disclosing_locations(protection.allocation)},
      {"records_in", read.world.deidentified.sightings()},
      {"records_out", disclosed.records()},
      {"before", before.figures},
      {"after", after.figures},
      {"possible_people",
       {{"at_least", release::group_size_steps(options.k)},
        {"before", before.people},
        {"after", after.people}}},
      {"bound", {{"samples", protection.bound.samples}, {"locations", protection.bound.locations}}},
      {"runs",
       {{"count", request.run_count()},
        {"samples", figures(protection.samples)},
        {"locations", figures(protection.locations)}}}};

  if (options.is_secure()) {
    result["coalition"] = request.coalition;
    const auto overlooked = trails::overlooked_people(holdings);
    result["overlooked"] = {
        {"pairs", overlooked.pairs}, {"most", overlooked.most}, {"mean", overlooked.mean}};
  }

  if (auto note = note_of_spellings(read.other_spellings, read.variants.size()); !note.empty())
    result["note"] = std::move(note);
  if (disclosed.records() == 0) {
    result["note"] = fmt::format("{}; nothing was written", why_nothing(holdings, options));
    return {result, false};
  }
  Json parameters = {{"method", options.method},
                     {"k", options.k},
                     {"secure", options.is_secure()},
                     {"maximise", options.maximise},
                     {"runs", request.run_count()},
                     {"keep_copies", options.keep_copies},
                     {"deidentified", lists_of(options.sides.deidentified, deidentified, run.csv)}};
  if (options.coalition) parameters["coalition"] = *options.coalition;
  const auto published = release::publish(
      run.engine, disclosed.content, options.out,
      {.kind = "trails",
       .verb = "protect",
       .command = seeded.command,
       .seed = seeded.seed,
       .inputs = inputs,
       .other_files = run.settings(),
       .options = seeded.options,
       .figures = trails::figures(),
       .told = trails::told_results(),
       .private_parameters = Json{{"reserved", trails::to_text(disclosure.reserved)},
                                  {"assumption", result["assumption"]}},
       .private_folder = run.private_folder},
      parameters, claims_of(options, identified, deidentified, run.csv), result, run.progress);
  result["verified"] = Json::object();
  double k = std::numeric_limits<double>::infinity();
  for (const auto& claim : published.claims) {
    k = std::min(k, claim.achieved);
    result["verified"][claim.attribute] = std::isfinite(claim.achieved)
                                              ? Json(static_cast<std::uint64_t>(claim.achieved))
                                              : Json(nullptr);
  }
  // What the verifier says of the file; null where every view knows all that is disclosed.
  result["k_verified"] = std::isfinite(k) ? Json(static_cast<std::uint64_t>(k)) : Json(nullptr);
  result["out"] = options.out;
  result["private_manifest"] = published.private_manifest;
  result["seed"] = seeded.seed;
  result["seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return {result};
}

}  // namespace pratique::trails::flow
