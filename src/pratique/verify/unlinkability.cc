#include "pratique/verify/unlinkability.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/verify/internal/link_graph.h"
#include "pratique/verify/internal/third_party.h"
#include "pratique/verify/internal/trail_lists.h"

namespace pratique::verify {
namespace {

constexpr std::size_t kWorstShown = 10;

std::vector<LeftGroup> own_trails(const DistinctSets& sets) {
  std::vector<LeftGroup> groups;
  for (std::size_t g = 0; g < sets.trails.size(); ++g) {
    groups.push_back({sets.sizes[g], {sets.trails[g]}});
  }
  return groups;
}

// Definitions 19 and 22. The null trails may be anyone's.
LinkGraph external_graph(const DistinctSets& reserved, const DistinctSets& other,
                         std::size_t locations, std::uint32_t null_trails, Progress& progress) {
  auto left = own_trails(reserved);
  if (null_trails > 0) left.push_back({null_trails, {{}}});
  LinkGraph graph = link_parts(left, other, locations, {}, progress);
  graph.has_null_group = null_trails > 0;
  return graph;
}

// Adds what one adversary can do to the result.
class Tally {
 public:
  Tally(const TrailLists& lists, Unlinkability& result) : lists_(lists), result_(result) {}

  void add(bool identified, std::size_t group, std::uint64_t elements, std::uint64_t partners,
           const std::string& contributor) {
    auto& fewest = identified ? result_.k_identified : result_.k_deidentified;
    fewest = std::min(fewest.value_or(partners), partners);
    if (partners < result_.required) result_.violations += elements;
    auto& worst = result_.worst;
    if (worst.size() == kWorstShown && worst.back().partners <= partners) return;
    const auto& trail = (identified ? lists_.people : lists_.samples).trails[group];
    const auto place = std::upper_bound(
        worst.begin(), worst.end(), partners,
        [](std::uint64_t count, const FewPartners& few) { return count < few.partners; });
    worst.insert(place, {identified, elements, partners, lists_.names_of(trail), contributor});
    if (worst.size() > kWorstShown) worst.pop_back();
  }

  // `left_is_identified`: the reserved side has the names.
  void add(const LinkGraph& graph, const Partners& partners, bool left_is_identified,
           const std::string& contributor = {}) {
    const GroupGraph& groups = graph.groups;
    for (std::size_t l = 0; l < groups.left_size.size(); ++l) {
      if (!partners.left[l]) continue;
      add(left_is_identified, l, groups.left_size[l], *partners.left[l], contributor);
    }
    for (std::size_t r = 0; r < groups.right_size.size(); ++r) {
      if (!partners.right[r]) continue;
      add(!left_is_identified, r, groups.right_size[r], *partners.right[r], contributor);
    }
    result_.impossible = std::max(result_.impossible, partners.impossible);
  }

 private:
  const TrailLists& lists_;
  Unlinkability& result_;
};

// Definition 25, W_i of every location.
void contributors_by_truth(const TrailLists& lists, const LinkGraph& everybody,
                           const std::vector<Code>& owner, Tally& tally, Progress& progress) {
  const auto published = lists.published_group();
  progress.begin("contributors", lists.locations.size());
  LinkGraph known = everybody;
  for (Code location = 0; location < lists.locations.size(); ++location) {
    known.groups.left_size = everybody.groups.left_size;
    known.groups.right_size = everybody.groups.right_size;
    for (std::size_t s = 0; s < published.size(); ++s) {
      const auto trail = lists.submitted->locations(s);
      if (!std::binary_search(trail.begin(), trail.end(), location)) continue;
      --known.groups
            .left_size[published[s].value_or(static_cast<std::uint32_t>(known.null_group()))];
      --known.groups.right_size[lists.people.group_of[owner[s]]];
    }
    tally.add(known, count_partners(known, progress), false,
              std::string(lists.locations.value(location)));
    progress.advance(1);
  }
}

// A location that submitted a sample for each person it lists knows these people, and one that
// submitted none knows nobody: for them W_i needs no truth. Says which they are.
std::vector<bool> contributors_by_sizes(const TrailLists& lists, const LinkGraph& everybody,
                                        Tally& tally, Progress& progress) {
  const std::size_t locations = lists.locations.size();
  const auto listed = lists.identified.sizes(locations);
  const auto submitted = lists.submitted->sizes(locations);
  const auto published = lists.published_group();
  std::vector<bool> decided(locations);
  progress.begin("contributors", locations);
  LinkGraph known = everybody;
  for (Code location = 0; location < locations; ++location) {
    progress.advance(1);
    decided[location] = submitted[location] == 0 || submitted[location] == listed[location];
    if (!decided[location]) continue;
    known.groups.left_size = everybody.groups.left_size;
    known.groups.right_size = everybody.groups.right_size;
    for (std::size_t s = 0; s < published.size(); ++s) {
      const auto trail = lists.submitted->locations(s);
      if (!std::binary_search(trail.begin(), trail.end(), location)) continue;
      --known.groups
            .left_size[published[s].value_or(static_cast<std::uint32_t>(known.null_group()))];
    }
    for (std::size_t p = 0; submitted[location] > 0 && p < lists.people.trails.size(); ++p) {
      const auto& trail = lists.people.trails[p];
      if (std::binary_search(trail.begin(), trail.end(), location)) known.groups.right_size[p] = 0;
    }
    tally.add(known, count_partners(known, progress), false,
              std::string(lists.locations.value(location)));
  }
  return decided;
}

// The bound that holds for every truth (see the header), for the locations not yet decided.
void contributors_by_bound(const TrailLists& lists, const LinkGraph& everybody,
                           const std::vector<bool>& decided, Tally& tally) {
  const std::size_t locations = lists.locations.size();
  const std::size_t groups = lists.samples.sizes.size();
  const auto submitted_sizes = lists.submitted->sizes(locations);
  const auto published = lists.published_group();
  std::vector<std::uint64_t> unknown(locations, lists.deidentified.size());
  std::vector<std::vector<std::uint32_t>> known(groups, std::vector<std::uint32_t>(locations));
  for (std::size_t s = 0; s < published.size(); ++s) {
    if (!published[s]) continue;
    for (const Code location : lists.submitted->locations(s)) {
      --unknown[location];
      ++known[*published[s]][location];
    }
  }
  for (std::size_t g = 0; g < groups; ++g) {
    std::uint64_t fitting = 0;
    std::vector<std::uint64_t> fitting_there(locations);
    for (auto link = everybody.groups.first[g]; link < everybody.groups.first[g + 1]; ++link) {
      const auto person = everybody.groups.linked[link];
      fitting += lists.people.sizes[person];
      for (const Code location : lists.people.trails[person]) {
        fitting_there[location] += lists.people.sizes[person];
      }
    }
    for (Code location = 0; location < locations; ++location) {
      const std::uint64_t alternatives = lists.samples.sizes[g] - known[g][location];
      if (alternatives == 0 || decided[location]) continue;
      const std::uint64_t taken =
          std::min(submitted_sizes[location], fitting_there[location]) + unknown[location];
      const std::uint64_t partners = alternatives + (fitting > taken ? fitting - taken : 0);
      tally.add(false, g, alternatives, partners, std::string(lists.locations.value(location)));
    }
  }
}

void require_for_view(const UnlinkabilityQuestion& question, ReservedSide reserved) {
  if (question.view == TrailView::external) return;
  if (!question.submitted) {
    throw Error::input("this view needs the lists that were submitted")
        .hint("Give them with --submitted: what each location held before some was withheld.");
  }
  if (reserved != ReservedSide::deidentified) {
    throw Error::input("this view is about withheld samples, so samples are the incomplete side")
        .hint("Leave --reserved out, or say --reserved deidentified.");
  }
}

}  // namespace

std::optional<std::uint64_t> Unlinkability::k() const {
  if (!k_identified) return k_deidentified;
  return k_deidentified ? std::min(*k_identified, *k_deidentified) : k_identified;
}

Unlinkability verify_unlinkability(Engine& engine, const UnlinkabilityQuestion& question,
                                   Progress& progress) {
  const TrailLists lists(engine, question, progress);
  Unlinkability result;
  result.required = question.k;
  result.view = question.view;
  result.reserved_was_said = question.reserved.has_value();
  result.reserved = question.reserved ? *question.reserved : find_reserved(lists);
  // Equal sizes everywhere: the lists are complete, and an incomplete side's are too.
  if (!result.reserved_was_said && question.view != TrailView::external &&
      result.reserved == ReservedSide::none) {
    result.reserved = ReservedSide::deidentified;
  }
  require_for_view(question, result.reserved);
  result.identified = lists.identified.size();
  result.deidentified = lists.deidentified.size();
  result.locations = lists.locations.size();

  Tally tally(lists, result);
  const bool left_is_identified = result.reserved == ReservedSide::identified;
  const bool complete = result.reserved == ReservedSide::none;
  const DistinctSets& reserved = left_is_identified ? lists.people : lists.samples;
  const DistinctSets& other = left_is_identified ? lists.samples : lists.people;
  if (complete) {
    const LinkGraph graph = link_equals(reserved, other);
    tally.add(graph, count_partners(graph, progress), left_is_identified);
    return result;
  }
  std::size_t everybody = other.group_of.size();
  if (question.view != TrailView::external) {
    everybody = std::max(everybody, lists.submitted->size());
  }
  const std::size_t published = reserved.group_of.size();
  const auto null_trails =
      static_cast<std::uint32_t>(everybody > published ? everybody - published : 0);
  result.undisclosed = null_trails;
  if (question.view == TrailView::central) {
    const MadeOf groups = made_of(lists, null_trails);
    const LinkGraph graph = central_graph(lists, groups, null_trails > 0, progress);
    tally.add(graph, count_partners(graph, progress), false);
    result.k_joint = fewest_joint_partners(lists, groups, null_trails > 0, progress);
    return result;
  }
  const LinkGraph graph =
      external_graph(reserved, other, lists.locations.size(), null_trails, progress);
  if (question.view == TrailView::external) {
    tally.add(graph, count_partners(graph, progress), left_is_identified);
  } else if (question.truth.empty()) {
    result.impossible = count_partners(graph, progress).impossible;
    const auto decided = contributors_by_sizes(lists, graph, tally, progress);
    result.exact = std::find(decided.begin(), decided.end(), false) == decided.end();
    if (!result.exact) {
      contributors_by_bound(lists, graph, decided, tally);
      result.k_identified = result.k();
    }
  } else {
    contributors_by_truth(lists, graph, read_truth(engine, question.truth, lists, progress), tally,
                          progress);
  }
  return result;
}

namespace {

const char* to_text(TrailView view) {
  if (view == TrailView::central) return "central";
  return view == TrailView::contributor ? "contributor" : "external";
}

std::string assumption(const Unlinkability& result) {
  std::string text = "both sides are complete";
  if (result.reserved == ReservedSide::deidentified) {
    text = "de-identified trails may be incomplete";
  } else if (result.reserved == ReservedSide::identified) {
    text = "identified trails may be incomplete";
  }
  return text +
         (result.reserved_was_said ? " (as said)" : " (detected from the sizes per location)");
}

Json number(const std::optional<std::uint64_t>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

Json to_json(const Unlinkability& result) {
  Json worst = Json::array();
  for (const auto& few : result.worst) {
    Json entry = {{"side", few.identified ? "identified" : "deidentified"},
                  {"partners", few.partners},
                  {"elements", few.elements},
                  {"locations", few.locations}};
    if (!few.contributor.empty()) entry["contributor"] = few.contributor;
    worst.push_back(std::move(entry));
  }
  Json json = {{"holds", result.holds()},
               {"k", number(result.k())},
               {"k_deidentified", number(result.k_deidentified)},
               {"k_identified", number(result.k_identified)},
               {"required", result.required},
               {"exact", result.exact},
               {"violations", result.violations},
               {"impossible", result.impossible},
               {"view", to_text(result.view)},
               {"assumption", assumption(result)},
               {"identified", result.identified},
               {"deidentified", result.deidentified},
               {"locations", result.locations},
               {"undisclosed", result.undisclosed},
               {"worst", std::move(worst)}};
  if (result.view == TrailView::central) json["k_joint"] = number(result.k_joint);
  if (!result.tried()) {
    json["note"] = fmt::format("there is nothing to link: no {} was published",
                               result.deidentified == 0 ? "sample" : "person");
  }
  return json;
}

}  // namespace pratique::verify
