#include "pratique/trails/release/sequence.h"

#include <algorithm>
#include <map>
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

// Adds the lists of people, as they were when the release was made.
void add_people(Engine& engine, const Json& lists, const std::string& era, trails::SideSource& side,
                Progress& progress) {
  std::vector<Source> sources;
  std::vector<std::string> locations;
  std::set<std::string> hashes;
  for (const auto& file : trails::trail_files(lists.at("path").get<std::string>())) {
    sources.push_back(engine.open(file.path, {}, progress));
    locations.push_back(file.location);
    hashes.insert(engine.identify(file.path).sha256);
  }
  if (hashes != hashes_of(lists)) {
    throw Error::input("the lists of people are not those that the release was made with")
        .at(lists.at("path").get<std::string>());
  }
  side.eras.resize(side.eras.size() + sources.size(), era);
  side.sources.insert(side.sources.end(), sources.begin(), sources.end());
  side.locations.insert(side.locations.end(), locations.begin(), locations.end());
}

// Releases of one sequence, and the lists of people that each was made with. Lists of different
// times are different locations, at which a person is whoever was listed then: so a sample belongs
// to somebody who was on the list of each release that shows it, and who came later has no earlier
// sample. Matching all of them at once subtracts the releases from each other.
class Eras {
 public:
  Eras(Engine& engine, const Json& claim, Progress& progress)
      : engine_(engine), claim_(claim), progress_(progress) {
    const Json& lists = claim.at("identified");
    people.location_column = lists.at("location").get<std::string>();
    people.element_columns = lists.at("element").get<std::vector<std::string>>();
    samples.location_column = claim.at("location").get<std::string>();
    samples.element_columns = claim.at("element").get<std::vector<std::string>>();
    (void)era_of(lists);
  }

  void add(const Source& source, const std::string& era = kNewest) {
    samples.sources.push_back(source);
    samples.locations.emplace_back();
    samples.eras.push_back(era);
  }

  // Why not, where it cannot be added.
  [[nodiscard]] std::string add_earlier(const ReleaseFile& file) {
    if (!file.complete()) return "its private manifest is not at hand";
    const Json* earlier = unlinkability_claim_of(file);
    if (earlier == nullptr) return "it does not claim k-unlinkability";
    const Json& lists = earlier->at("identified");
    const Json& newest = claim_.at("identified");
    if (earlier->at("location") != claim_.at("location") ||
        earlier->at("element") != claim_.at("element") ||
        lists.at("location") != newest.at("location") ||
        lists.at("element") != newest.at("element")) {
      return "its columns have other names";
    }
    std::string era;
    try {
      era = era_of(lists);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::bad_input) throw;
      return "the lists of people that it was made with are not where they were; keep a copy of "
             "the lists of each release";
    }
    add(open_release(engine_, file, progress_), era);
    return {};
  }

  [[nodiscard]] std::size_t count() const { return eras_.size(); }

  static constexpr const char* kNewest = "0:";
  trails::SideSource people;
  trails::SideSource samples;

 private:
  std::string era_of(const Json& lists) {
    const auto hashes = hashes_of(lists);
    const auto known = eras_.find(hashes);
    if (known != eras_.end()) return known->second;
    std::string era = std::to_string(eras_.size()) + ":";
    add_people(engine_, lists, era, people, progress_);
    eras_.emplace(hashes, era);
    return era;
  }

  Engine& engine_;
  const Json& claim_;
  Progress& progress_;
  std::map<std::set<std::string>, std::string> eras_;  // by the hashes of the lists
};

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
  Eras eras(engine, *claim, progress);
  eras.add(open_release(engine, request.added, progress));
  const auto alone = trails::read_world(engine, eras.people, eras.samples, progress);
  revealed.promised_k = request.added.k();
  for (const auto& file : request.earlier) {
    const std::string why_not = eras.add_earlier(file);
    if (why_not.empty()) {
      revealed.promised_k = std::min(revealed.promised_k, file.k());
    } else {
      leave_out(revealed, file.sha256(), why_not);
    }
  }
  std::set<std::string, std::less<>> shown_before;
  if (eras.count() > 1) {
    trails::SideSource others = eras.samples;
    others.sources.erase(others.sources.begin());
    others.locations.erase(others.locations.begin());
    others.eras.erase(others.eras.begin());
    const auto before = trails::read_world(engine, eras.people, others, progress);
    for (const auto name : before.deidentified.values()) shown_before.emplace(name);
  }
  for (const auto& path : request.known) eras.add(engine.open(path, {}, progress));
  const auto all = trails::read_world(engine, eras.people, eras.samples, progress);
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
  revealed.releases = eras.samples.sources.size();
  revealed.located = 1;
  double left = 0;
  double under = 0;
  double narrowed = 0;
  std::uint64_t differenced = 0;
  for (trails::Element e = 0; e < after.partners.size(); ++e) {
    const std::uint64_t now = after.partners[e];
    if (now == 0) continue;
    left += static_cast<double>(now);
    if (now < revealed.promised_k) ++under;
    const auto own = alone.deidentified.find(all.deidentified.value(e));
    if (own && now < before.partners[*own]) ++narrowed;
    // New since the lists grew, and hidden well by this release alone.
    if (own && eras.count() > 1 && now < revealed.promised_k &&
        before.partners[*own] >= revealed.promised_k &&
        !shown_before.contains(all.deidentified.value(e))) {
      ++differenced;
    }
  }
  const double seen = after.samples == 0 ? 1 : static_cast<double>(after.samples);
  revealed.attributes.push_back({.sensitive = "person",
                                 .releases = revealed.releases,
                                 .disclosed_alone = before.certain,
                                 .disclosed = after.certain,
                                 .vulnerable = narrowed / seen,
                                 .values_left = left / seen,
                                 .differenced_people = differenced});
  revealed.k_alone = before.fewest;
  revealed.k_across = after.fewest;
  revealed.under_k = under / seen;
  revealed.rows_link = revealed.releases > 1;
  revealed.k_counts = true;
  return revealed;
}

}  // namespace pratique::release
