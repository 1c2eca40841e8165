#include "pratique/verify/unlinkability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/verify/internal/both_incomplete.h"
#include "pratique/verify/internal/contributors.h"
#include "pratique/verify/internal/link_graph.h"
#include "pratique/verify/internal/partner_tally.h"
#include "pratique/verify/internal/third_party.h"
#include "pratique/verify/internal/trail_lists.h"

namespace pratique::verify {
namespace {

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

std::uint64_t count_withheld(const SeenAt& submitted, const SeenAt& published) {
  const auto sightings = [](const SeenAt& side) {
    std::uint64_t count = 0;
    for (std::size_t e = 0; e < side.size(); ++e) count += side.count(e) * side.locations(e).size();
    return count;
  };
  return sightings(submitted) - sightings(published);
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
  result.identified = lists.identified.elements();
  result.deidentified = lists.deidentified.elements();
  result.locations = lists.locations.size();

  PartnerTally tally(lists, result);
  const bool left_is_identified = result.reserved == ReservedSide::identified;
  const bool complete = result.reserved == ReservedSide::none;
  const DistinctSets& reserved = left_is_identified ? lists.people : lists.samples;
  const DistinctSets& other = left_is_identified ? lists.samples : lists.people;
  if (lists.submitted)
    result.suppressed_samples = count_withheld(*lists.submitted, lists.deidentified);
  if (lists.submitted_people) {
    result.suppressed_people = count_withheld(*lists.submitted_people, lists.identified);
  }
  if (result.reserved == ReservedSide::both) {
    const Partners partners = partners_of_both(lists, progress);
    for (std::size_t s = 0; s < partners.left.size(); ++s) {
      if (partners.left[s]) tally.add(false, s, lists.samples.sizes[s], *partners.left[s], {});
    }
    for (std::size_t p = 0; p < partners.right.size(); ++p) {
      if (partners.right[p]) tally.add(true, p, lists.people.sizes[p], *partners.right[p], {});
    }
    tally.impossible(partners.impossible);
    return result;
  }
  if (complete) {
    const LinkGraph graph = link_equals(reserved, other);
    tally.add(graph, count_partners(graph, progress), left_is_identified);
    return result;
  }
  std::uint64_t everybody = left_is_identified ? result.deidentified : result.identified;
  if (question.view != TrailView::external) {
    everybody = std::max(everybody, lists.submitted->elements());
  }
  const std::uint64_t published = left_is_identified ? result.identified : result.deidentified;
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
    return result;
  }
  std::optional<std::vector<Code>> owners;
  if (!question.truth.empty()) owners = read_truth(engine, question.truth, lists, progress);
  tally.impossible(count_partners(graph, progress).impossible);
  result.coalition = question.coalition;
  result.exact = tally_coalitions(lists, graph, question.coalition, owners, tally, progress);
  // The bound is one for both sides.
  if (!result.exact) result.k_identified = result.k();
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
  } else if (result.reserved == ReservedSide::both) {
    text = "either side's trails may be incomplete; at each location the longer list is complete";
  }
  return text +
         (result.reserved_was_said ? " (as said)" : " (detected from the sizes per location)");
}

Json number(const std::optional<std::uint64_t>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Section 6.3.3: that a pair is linked rightly has probability 1/k, and protection is 1 - 1/k.
Json protection(const std::optional<std::uint64_t>& k) {
  return k ? Json(1 - 1 / static_cast<double>(std::max<std::uint64_t>(*k, 1))) : Json(nullptr);
}

// The entropy, in bits, of whether a pair is linked rightly (Steinbrecher and Koepsell): 1 at k =
// 2, and less the larger k is, as it counts knowing that a pair is not linked like knowing that it
// is.
Json ent_unlinkability(const std::optional<std::uint64_t>& k) {
  if (!k) return nullptr;
  if (*k <= 1) return 0.0;
  const double share = 1 / static_cast<double>(*k);
  return -share * std::log2(share) - (1 - share) * std::log2(1 - share);
}

}  // namespace

Json to_json(const Unlinkability& result) {
  Json worst = Json::array();
  for (const auto& few : result.worst) {
    Json entry = {{"side", few.identified ? "identified" : "deidentified"},
                  {"partners", few.partners},
                  {"elements", few.elements},
                  {"locations", few.locations}};
    if (few.contributors.size() == 1) entry["contributor"] = few.contributors.front();
    if (!few.contributors.empty()) entry["contributors"] = few.contributors;
    worst.push_back(std::move(entry));
  }
  Json json = {{"holds", result.holds()},
               {"k", number(result.k())},
               {"k_deidentified", number(result.k_deidentified)},
               {"k_identified", number(result.k_identified)},
               {"protection", protection(result.k())},
               {"ent_unlinkability", ent_unlinkability(result.k())},
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
  if (result.suppressed_samples || result.suppressed_people) {
    json["suppressed"] = {{"deidentified", number(result.suppressed_samples)},
                          {"identified", number(result.suppressed_people)}};
  }
  if (result.view == TrailView::contributor) json["coalition"] = result.coalition;
  if (result.view == TrailView::central) json["k_joint"] = number(result.k_joint);
  if (!result.tried()) {
    json["note"] = fmt::format("there is nothing to link: no {} was published",
                               result.deidentified == 0 ? "sample" : "person");
  }
  return json;
}

}  // namespace pratique::verify
