#include "pratique/verify/internal/third_party.h"

#include <algorithm>
#include <set>

namespace pratique::verify {
namespace {

// Where a location submitted a sample of everyone it lists, a blank is an absence (Algorithm 1).
std::vector<Code> complete_locations(const TrailLists& lists) {
  const std::size_t locations = lists.locations.size();
  const auto listed = lists.identified.sizes(locations);
  const auto submitted = lists.submitted->sizes(locations);
  std::vector<Code> complete;
  for (Code location = 0; location < locations; ++location) {
    if (listed[location] == submitted[location]) complete.push_back(location);
  }
  return complete;
}

}  // namespace

MadeOf made_of(const TrailLists& lists, std::uint32_t null_trails) {
  const auto published = lists.published_group();
  const std::size_t groups = lists.samples.sizes.size();
  MadeOf result(groups + (null_trails > 0 ? 1 : 0));
  std::uint32_t withheld = 0;
  for (std::size_t s = 0; s < published.size(); ++s) {
    const auto trail = lists.submitted->locations(s);
    const std::uint32_t count = lists.submitted->count(s);
    result[published[s].value_or(groups)][{trail.begin(), trail.end()}] += count;
    withheld += published[s] ? 0 : count;
  }
  // People of whom nothing was submitted.
  if (null_trails > withheld) result.back()[{}] = null_trails - withheld;
  return result;
}

LinkGraph central_graph(const TrailLists& lists, const MadeOf& groups, bool has_null_group,
                        Progress& progress) {
  std::vector<LeftGroup> left;
  for (const auto& trails : groups) {
    LeftGroup& group = left.emplace_back();
    for (const auto& [trail, samples] : trails) {
      group.size += samples;
      group.ancestors.push_back(trail);
    }
  }
  LinkGraph graph =
      link_parts(left, lists.people, lists.locations.size(), complete_locations(lists), progress);
  graph.has_null_group = has_null_group;
  return graph;
}

std::optional<std::uint64_t> fewest_joint_partners(const TrailLists& lists, const MadeOf& groups,
                                                   bool has_null_group, Progress& progress) {
  std::vector<LeftGroup> left;
  std::vector<std::size_t> group_of;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const auto& [trail, samples] : groups[g]) {
      left.push_back({samples, {trail}});
      group_of.push_back(g);
    }
  }
  const LinkGraph graph =
      link_parts(left, lists.people, lists.locations.size(), complete_locations(lists), progress);
  const MaximumMatchings matchings = maximum_matchings(graph.groups, progress);
  std::vector<std::set<std::uint32_t>> people(groups.size());
  for (std::size_t l = 0; l < left.size(); ++l) {
    for (auto link = graph.groups.first[l]; link < graph.groups.first[l + 1]; ++link) {
      if (matchings.in_union[link] != 0) people[group_of[l]].insert(graph.groups.linked[link]);
    }
  }
  std::vector<std::uint64_t> samples_of(lists.people.sizes.size());
  std::vector<bool> published_of(lists.people.sizes.size());
  std::optional<std::uint64_t> fewest;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const bool null = has_null_group && g + 1 == groups.size();
    std::uint64_t samples = 0;
    for (const auto& [trail, count] : groups[g]) samples += count;
    std::uint64_t partners = 0;
    for (const std::uint32_t person : people[g]) {
      partners += lists.people.sizes[person];
      samples_of[person] += samples;
      if (!null) published_of[person] = true;
    }
    if (!null) fewest = std::min(fewest.value_or(partners), partners);
  }
  for (std::size_t person = 0; person < samples_of.size(); ++person) {
    if (published_of[person]) fewest = std::min(*fewest, samples_of[person]);
  }
  return fewest;
}

}  // namespace pratique::verify
