#include "pratique/verify/internal/link_graph.h"

#include <map>
#include <numeric>

#include "pratique/core/parallel.h"
#include "pratique/verify/internal/supertrails.h"

namespace pratique::verify {
namespace {

constexpr std::size_t kGroupsPerBlock = 256;

std::uint64_t sum(const std::vector<std::uint32_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

using Links = std::vector<std::vector<std::uint32_t>>;

LinkGraph graph_of(std::vector<std::uint32_t> left_size, const DistinctSets& right, Links links) {
  LinkGraph graph;
  graph.groups.left_size = std::move(left_size);
  graph.groups.right_size = right.sizes;
  graph.groups.first.push_back(0);
  for (const auto& partners : links) {
    graph.groups.first.push_back(graph.groups.first.back() + partners.size());
  }
  graph.groups.linked.reserve(graph.groups.first.back());
  for (auto& partners : links) {
    graph.groups.linked.insert(graph.groups.linked.end(), partners.begin(), partners.end());
    std::vector<std::uint32_t>().swap(partners);
  }
  return graph;
}

}  // namespace

LinkGraph link_parts(const std::vector<LeftGroup>& left, const DistinctSets& right,
                     std::size_t locations, const std::vector<Code>& complete, Progress& progress) {
  const Supertrails supertrails(right.trails, locations, complete);
  Links links(left.size());
  progress.begin("linking trails", left.size());
  parallel_blocks(left.size(), kGroupsPerBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t l = begin; l < end; ++l) {
      for (const auto& trail : left[l].ancestors) supertrails.find(trail, links[l]);
      if (left[l].ancestors.size() < 2) continue;
      std::sort(links[l].begin(), links[l].end());
      links[l].erase(std::unique(links[l].begin(), links[l].end()), links[l].end());
    }
    progress.advance(end - begin);
  });
  std::vector<std::uint32_t> sizes;
  for (const auto& group : left) sizes.push_back(group.size);
  return graph_of(std::move(sizes), right, std::move(links));
}

LinkGraph link_equals(const DistinctSets& left, const DistinctSets& right) {
  std::map<std::vector<Code>, std::uint32_t> numbers;
  for (std::uint32_t r = 0; r < right.trails.size(); ++r) numbers.emplace(right.trails[r], r);
  Links links(left.trails.size());
  for (std::size_t l = 0; l < left.trails.size(); ++l) {
    const auto entry = numbers.find(left.trails[l]);
    if (entry != numbers.end()) links[l].push_back(entry->second);
  }
  LinkGraph graph = graph_of(left.sizes, right, std::move(links));
  graph.both_complete = true;
  return graph;
}

Partners count_partners(const LinkGraph& graph, Progress& progress) {
  const GroupGraph& groups = graph.groups;
  const MaximumMatchings matchings = maximum_matchings(groups, progress);
  const std::size_t left = groups.left_size.size();
  const std::size_t right = groups.right_size.size();
  std::vector<std::uint64_t> of_left(left);
  std::vector<std::uint64_t> of_right(right);
  std::vector<std::uint64_t> disclosed_of_right(right);
  for (std::size_t l = 0; l < left; ++l) {
    for (auto link = groups.first[l]; link < groups.first[l + 1]; ++link) {
      if (matchings.in_union[link] == 0) continue;
      const auto r = groups.linked[link];
      of_left[l] += groups.right_size[r];
      of_right[r] += groups.left_size[l];
      if (!graph.is_null(l)) disclosed_of_right[r] += groups.left_size[l];
    }
  }
  Partners partners;
  partners.left.resize(left);
  partners.right.resize(right);
  for (std::size_t l = 0; l < left; ++l) {
    if (groups.left_size[l] > 0 && !graph.is_null(l)) partners.left[l] = of_left[l];
  }
  for (std::size_t r = 0; r < right; ++r) {
    if (groups.right_size[r] == 0) continue;
    if (disclosed_of_right[r] > 0 || graph.both_complete) partners.right[r] = of_right[r];
  }
  partners.impossible = sum(groups.left_size) - matchings.edges;
  if (graph.both_complete) partners.impossible += sum(groups.right_size) - matchings.edges;
  return partners;
}

}  // namespace pratique::verify
