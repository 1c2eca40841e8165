#include "pratique/trails/release/sequence.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/trails/attack/attack.h"
#include "pratique/trails/format/reader.h"

namespace pratique::release {
namespace {

const Json* unlinkability_claim_of(const ReleaseFile& file) {
  for (const auto& claim : *file.manifest().claims) {
    if (claim.at("model") == "k-unlinkability" && claim.at("view") == "external") return &claim;
  }
  return nullptr;
}

std::set<std::string> hashes_of(const Json& lists) {
  std::set<std::string> hashes;
  for (const auto& file : lists.at("files")) hashes.insert(file.at("sha256").get<std::string>());
  return hashes;
}

// The lists of people, as they were when the release was made.
trails::SideSource people_of(Engine& engine, const Json& lists, Progress& progress) {
  trails::SideSource side;
  side.location_column = lists.at("location").get<std::string>();
  side.element_columns = lists.at("element").get<std::vector<std::string>>();
  std::set<std::string> hashes;
  for (const auto& file : trails::trail_files(lists.at("path").get<std::string>())) {
    side.sources.push_back(engine.open(file.path, {}, progress));
    side.locations.push_back(file.location);
    hashes.insert(engine.identify(file.path).sha256);
  }
  if (hashes != hashes_of(lists)) {
    throw Error::input("the lists of people are not those that the release was made with")
        .at(lists.at("path").get<std::string>());
  }
  return side;
}

// Of the samples that were seen.
struct Linked {
  std::vector<std::uint64_t> partners;  // by sample; 0: not seen
  std::size_t samples = 0;
  double certain = 0;  // share whose person is certain
  std::uint64_t fewest = 0;
};

Linked link(const trails::World& world, Progress& progress) {
  const auto disclosure = trails::find_disclosure(world, trails::Reserved::deidentified);
  auto linkage = trails::attack(world, disclosure,
                                {.count_partners_to = world.identified.elements()}, progress);
  Linked linked;
  linked.samples = world.deidentified.seen();
  if (linked.samples == 0) return linked;
  linked.certain =
      static_cast<double>(linkage.reidentified()) / static_cast<double>(linked.samples);
  linked.partners = std::move(linkage.partners);
  for (const auto count : linked.partners) {
    if (count > 0 && (linked.fewest == 0 || count < linked.fewest)) linked.fewest = count;
  }
  return linked;
}

}  // namespace

SequenceRevealed attack_trails(Engine& engine, const SequenceRequest& request, Progress& progress) {
  SequenceRevealed revealed;
  const Json* claim = unlinkability_claim_of(request.added);
  if (claim == nullptr) {
    revealed.why_not = "the release does not claim k-unlinkability";
    return revealed;
  }
  if (!request.added.complete()) {
    revealed.why_not =
        "its private manifest is not at hand, which tells the lists of people that it was made "
        "with";
    return revealed;
  }
  if (request.people) {
    throw Error::input("--people does not apply to trails")
        .at(*request.people)
        .hint("They are linked to the lists of people that the release was made with.");
  }
  const Json& lists = claim->at("identified");
  trails::SideSource samples;
  samples.location_column = claim->at("location").get<std::string>();
  samples.element_columns = claim->at("element").get<std::vector<std::string>>();
  const auto add = [&](const Source& source) {
    samples.sources.push_back(source);
    samples.locations.emplace_back();
  };
  add(open_release(engine, request.added, progress));
  const auto people = people_of(engine, lists, progress);
  const auto alone = trails::read_world(engine, people, samples, progress);
  revealed.promised_k = request.added.k();
  for (const auto& file : request.earlier) {
    const Json* earlier = unlinkability_claim_of(file);
    if (!file.complete()) {
      leave_out(revealed, file.sha256(), "its private manifest is not at hand");
    } else if (earlier == nullptr || hashes_of(earlier->at("identified")) != hashes_of(lists)) {
      leave_out(revealed, file.sha256(), "it was made with other lists of people");
    } else if (earlier->at("location") != claim->at("location") ||
               earlier->at("element") != claim->at("element")) {
      leave_out(revealed, file.sha256(), "its columns have other names");
    } else {
      add(open_release(engine, file, progress));
      revealed.promised_k = std::min(revealed.promised_k, file.k());
    }
  }
  for (const auto& path : request.known) add(engine.open(path, {}, progress));
  const auto all = trails::read_world(engine, people, samples, progress);
  Linked before;
  Linked after;
  try {
    before = link(alone.world, progress);
    after = link(all.world, progress);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_input) throw;
    revealed.why_not =
        "the lists of all releases together cannot be of these people, each with one sample; "
        "samples may have other names in each release";
    return revealed;
  }
  revealed.attacked = true;
  revealed.people = all.world.identified.elements();
  revealed.releases = samples.sources.size();
  revealed.located = 1;
  double left = 0;
  double under = 0;
  double narrowed = 0;
  for (trails::Element e = 0; e < after.partners.size(); ++e) {
    const std::uint64_t now = after.partners[e];
    if (now == 0) continue;
    left += static_cast<double>(now);
    if (now < revealed.promised_k) ++under;
    const auto own = alone.deidentified.find(all.deidentified.value(e));
    if (own && now < before.partners[*own]) ++narrowed;
  }
  const double seen = after.samples == 0 ? 1 : static_cast<double>(after.samples);
  revealed.attributes.push_back({.sensitive = "person",
                                 .releases = revealed.releases,
                                 .disclosed_alone = before.certain,
                                 .disclosed = after.certain,
                                 .vulnerable = narrowed / seen,
                                 .values_left = left / seen});
  revealed.k_alone = before.fewest;
  revealed.k_across = after.fewest;
  revealed.under_k = under / seen;
  revealed.rows_link = revealed.releases > 1;
  revealed.k_counts = true;
  return revealed;
}

}  // namespace pratique::release
