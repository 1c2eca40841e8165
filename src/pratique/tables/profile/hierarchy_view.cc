#include "pratique/tables/profile/hierarchy_view.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

namespace pratique::tables {
namespace {

using Node = Hierarchy::Node;
constexpr std::size_t kExamples = 5;
// Finding near names compares with every leaf: not for a tree of all postcodes.
constexpr std::size_t kMostLeavesToCompare = 20'000;

// The nodes to show: breadth first, so that the top of the tree is whole before it is cut.
std::vector<bool> shown_nodes(const Hierarchy& hierarchy, std::size_t most) {
  std::vector<bool> shown(hierarchy.node_count(), false);
  std::vector<Node> queue = {hierarchy.root()};
  shown[hierarchy.root()] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const Node child : hierarchy.children(queue[i])) {
      if (queue.size() >= std::max<std::size_t>(1, most)) return shown;
      shown[child] = true;
      queue.push_back(child);
    }
  }
  return shown;
}

// The number that a label begins with: 20 of 20..39.
std::optional<double> leading_number(std::string_view label) {
  double number = 0;
  const auto read = std::from_chars(label.data(), label.data() + label.size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  return number;
}

// Numbers and ranges of them in their order; anything else as the hierarchy has it.
void sort_numbers(const Hierarchy& hierarchy, std::vector<Node>& nodes) {
  std::vector<std::pair<double, Node>> numbers;
  for (const Node node : nodes) {
    const auto number = leading_number(hierarchy.label(node));
    if (!number) return;
    numbers.emplace_back(*number, node);
  }
  std::sort(numbers.begin(), numbers.end());
  std::transform(numbers.begin(), numbers.end(), nodes.begin(),
                 [](const auto& number) { return number.second; });
}

Json tree_json(const HierarchyView& view, const Hierarchy& hierarchy,
               const std::vector<bool>& shown, Node node) {
  Json json = {{"label", hierarchy.label(node)},
               {"level", hierarchy.level(node)},
               {"rows", view.rows[node]},
               {"leaves", hierarchy.leaves_under(node)}};
  Json children = Json::array();
  std::size_t more = 0;
  for (const Node child : hierarchy.children(node)) {
    if (shown[child]) {
      children.push_back(tree_json(view, hierarchy, shown, child));
    } else {
      ++more;
    }
  }
  if (!children.empty()) json["children"] = std::move(children);
  if (more > 0) json["more"] = more;
  return json;
}

}  // namespace

HierarchyView view_hierarchy(const Hierarchy& hierarchy, const Column& column,
                             const std::vector<std::uint64_t>& counts, std::size_t most_gaps) {
  HierarchyView view;
  view.rows.assign(hierarchy.node_count(), 0);
  for (std::size_t code = 0; code < column.dictionary.size(); ++code) {
    if (counts[code] == 0) continue;
    const std::string_view value = column.dictionary.value(static_cast<Code>(code));
    const auto leaf = hierarchy.leaf(value);
    if (!leaf) {
      ++view.missing_values;
      view.missing_rows += counts[code];
      view.gaps.push_back({std::string(value), counts[code], {}});
      continue;
    }
    for (int level = 0; level < hierarchy.height(); ++level) {
      view.rows[hierarchy.ancestor(*leaf, level)] += counts[code];
    }
  }
  std::sort(view.gaps.begin(), view.gaps.end(), [](const HierarchyGap& a, const HierarchyGap& b) {
    return a.rows != b.rows ? a.rows > b.rows : a.value < b.value;
  });
  if (view.gaps.size() > most_gaps) view.gaps.resize(most_gaps);
  if (!view.gaps.empty() && hierarchy.leaf_count() <= kMostLeavesToCompare) {
    std::vector<std::string> leaves;
    for (Node leaf = 0; leaf < hierarchy.leaf_count(); ++leaf) {
      leaves.emplace_back(hierarchy.label(leaf));
    }
    for (auto& gap : view.gaps) gap.nearest = nearest_names(leaves, gap.value);
  }
  return view;
}

Json to_json(const HierarchyView& view, const Hierarchy& hierarchy, std::size_t nodes) {
  std::vector<std::vector<Node>> by_level(static_cast<std::size_t>(hierarchy.height()));
  for (Node node = 0; node < hierarchy.node_count(); ++node) {
    by_level[static_cast<std::size_t>(hierarchy.level(node))].push_back(node);
  }
  for (auto& level : by_level) sort_numbers(hierarchy, level);
  Json levels = Json::array();
  for (std::size_t level = 0; level < by_level.size(); ++level) {
    Json examples = Json::array();
    for (std::size_t i = 0; i < std::min(kExamples, by_level[level].size()); ++i) {
      examples.push_back(hierarchy.label(by_level[level][i]));
    }
    levels.push_back(
        {{"level", level}, {"values", by_level[level].size()}, {"examples", std::move(examples)}});
  }
  Json gaps = Json::array();
  for (const auto& gap : view.gaps) {
    gaps.push_back({{"value", gap.value}, {"rows", gap.rows}, {"nearest", gap.nearest}});
  }
  return {
      {"height", hierarchy.height()},
      {"leaves", hierarchy.leaf_count()},
      {"levels", std::move(levels)},
      {"tree", tree_json(view, hierarchy, shown_nodes(hierarchy, nodes), hierarchy.root())},
      {"gaps",
       {{"values", view.missing_values}, {"rows", view.missing_rows}, {"list", std::move(gaps)}}}};
}

}  // namespace pratique::tables
