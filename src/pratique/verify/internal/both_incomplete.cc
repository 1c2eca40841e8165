#include "pratique/verify/internal/both_incomplete.h"

#include <algorithm>
#include <iterator>

#include "pratique/core/parallel.h"

namespace pratique::verify {
namespace {

constexpr std::size_t kSamplesPerBlock = 64;

// Locations where a side's list is complete.
struct CompleteAt {
  std::vector<bool> people;
  std::vector<bool> samples;
};

CompleteAt longer_lists(const TrailLists& lists) {
  const auto people = lists.identified.sizes(lists.locations.size());
  const auto samples = lists.deidentified.sizes(lists.locations.size());
  CompleteAt complete;
  for (std::size_t c = 0; c < people.size(); ++c) {
    complete.people.push_back(people[c] >= samples[c]);
    complete.samples.push_back(samples[c] >= people[c]);
  }
  return complete;
}

// No location of `seen` that `other` has not, and whose list of the other side is complete.
bool no_conflict(const std::vector<Code>& seen, const std::vector<Code>& other,
                 const std::vector<bool>& other_complete) {
  auto next = other.begin();
  for (const Code location : seen) {
    while (next != other.end() && *next < location) ++next;
    if ((next == other.end() || *next != location) && other_complete[location]) return false;
  }
  return true;
}

bool needs_counterpart(const std::vector<Code>& seen, const std::vector<bool>& other_complete) {
  return std::any_of(seen.begin(), seen.end(),
                     [&](Code location) { return other_complete[location]; });
}

}  // namespace

Partners partners_of_both(const TrailLists& lists, Progress& progress) {
  const CompleteAt complete = longer_lists(lists);
  const auto& samples = lists.samples;
  const auto& people = lists.people;
  const auto unlisted_person = static_cast<std::uint32_t>(people.trails.size());
  std::vector<std::vector<std::uint32_t>> links(samples.trails.size());
  progress.begin("linking trails", links.size());
  parallel_blocks(links.size(), kSamplesPerBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const auto& seen = samples.trails[s];
      for (std::uint32_t p = 0; p < unlisted_person; ++p) {
        if (no_conflict(seen, people.trails[p], complete.people) &&
            no_conflict(people.trails[p], seen, complete.samples)) {
          links[s].push_back(p);
        }
      }
      if (!needs_counterpart(seen, complete.people)) links[s].push_back(unlisted_person);
    }
    progress.advance(end - begin);
  });
  std::vector<std::uint32_t> of_unlisted_sample;
  for (std::uint32_t p = 0; p < unlisted_person; ++p) {
    if (!needs_counterpart(people.trails[p], complete.samples)) of_unlisted_sample.push_back(p);
  }
  of_unlisted_sample.push_back(unlisted_person);
  links.push_back(std::move(of_unlisted_sample));

  GroupGraph graph;
  graph.left_size = samples.sizes;
  graph.left_size.push_back(static_cast<std::uint32_t>(lists.identified.elements()));
  graph.right_size = people.sizes;
  graph.right_size.push_back(static_cast<std::uint32_t>(lists.deidentified.elements()));
  graph.first.push_back(0);
  for (const auto& partners : links) {
    graph.linked.insert(graph.linked.end(), partners.begin(), partners.end());
    graph.first.push_back(graph.linked.size());
  }
  const MaximumMatchings matchings = maximum_matchings(graph, progress);
  Partners result;
  result.left.resize(samples.trails.size());
  result.right.resize(people.trails.size());
  std::vector<std::uint64_t> of_person(people.trails.size());
  std::vector<bool> may_be_without(people.trails.size());
  for (std::size_t s = 0; s < links.size(); ++s) {
    std::uint64_t listed = 0;
    std::uint64_t others = 0;
    for (auto link = graph.first[s]; link < graph.first[s + 1]; ++link) {
      if (matchings.in_union[link] == 0) continue;
      const auto p = graph.linked[link];
      if (s == samples.trails.size()) {
        if (p != unlisted_person) may_be_without[p] = true;
      } else if (p == unlisted_person) {
        others = 1;
      } else {
        listed += people.sizes[p];
        of_person[p] += samples.sizes[s];
      }
    }
    // What cannot be anybody's who is listed needs no protection.
    if (s < samples.trails.size() && listed > 0) result.left[s] = listed + others;
  }
  for (std::size_t p = 0; p < of_person.size(); ++p) {
    if (of_person[p] > 0) result.right[p] = of_person[p] + (may_be_without[p] ? 1 : 0);
  }
  result.impossible = lists.identified.elements() + lists.deidentified.elements() - matchings.edges;
  return result;
}

}  // namespace pratique::verify
