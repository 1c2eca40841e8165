#include "pratique/fusion/internal/hierarchical_mondrian.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/data/generalised.h"
#include "pratique/tables/model/class_counts.h"

namespace pratique::fusion::internal {
namespace {

using Node = Hierarchy::Node;

struct Partition {
  std::vector<std::uint32_t> groups;
  std::vector<Node> nodes;  // by attribute
};

class Cutter {
 public:
  Cutter(const tables::ProtectionInput& input, const tables::Models& models)
      : input_(input), models_(models), counter_(input) {}

  tables::Recoding run() {
    Partition all;
    all.groups.resize(input_.groups());
    std::iota(all.groups.begin(), all.groups.end(), 0U);
    for (const auto& attribute : input_.attributes) {
      all.nodes.push_back(attribute.hierarchy->root());
    }
    if (!holds(all.groups)) {
      throw Error::check("the table as a whole breaks a model")
          .hint("Ask for less, or use a larger table.");
    }
    result_.columns.resize(input_.attributes.size());
    cells_.resize(input_.attributes.size());
    std::vector<Partition> open;
    open.push_back(std::move(all));
    while (!open.empty()) {
      Partition partition = std::move(open.back());
      open.pop_back();
      if (!cut(partition, open)) close(partition);
    }
    return std::move(result_);
  }

 private:
  bool holds(const std::vector<std::uint32_t>& groups) {
    counter_.clear();
    for (const auto group : groups) counter_.add(group);
    return all_hold(models_, counter_.view());
  }

  // Whether the partition was cut; its parts are then open.
  bool cut(const Partition& partition, std::vector<Partition>& open) {
    std::vector<std::size_t> order(input_.attributes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto width = [&](std::size_t a) {
      const Hierarchy& tree = *input_.attributes[a].hierarchy;
      return static_cast<double>(tree.leaves_under(partition.nodes[a])) /
             static_cast<double>(tree.leaf_count());
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return width(a) > width(b); });
    return std::any_of(order.begin(), order.end(),
                       [&](std::size_t a) { return cut_along(a, partition, open); });
  }

  bool cut_along(std::size_t a, const Partition& partition, std::vector<Partition>& open) {
    const auto& attribute = input_.attributes[a];
    const Hierarchy& tree = *attribute.hierarchy;
    if (tree.is_leaf(partition.nodes[a])) return false;
    const int level = tree.level(partition.nodes[a]) - 1;
    std::map<Node, std::vector<std::uint32_t>> parts;
    for (const auto group : partition.groups) {
      parts[tree.ancestor(attribute.leaf[attribute.column->codes[group]], level)].push_back(group);
    }
    if (parts.size() > 1 && !std::all_of(parts.begin(), parts.end(),
                                         [&](const auto& part) { return holds(part.second); })) {
      return false;
    }
    for (auto& [node, groups] : parts) {
      open.push_back({std::move(groups), partition.nodes});
      open.back().nodes[a] = node;
    }
    return true;
  }

  void close(const Partition& partition) {
    const auto id = static_cast<tables::ClassId>(result_.class_count++);
    for (const auto group : partition.groups) {
      const std::uint64_t count = (*input_.counts)[group];
      if (count == 0) continue;
      result_.groups.push_back(group);
      result_.counts.push_back(count);
      result_.class_of.push_back(id);
    }
    for (std::size_t a = 0; a < partition.nodes.size(); ++a) {
      const Code code = cell(a, partition.nodes[a]);
      result_.columns[a].codes.resize(result_.groups.size(), code);
    }
  }

  Code cell(std::size_t a, Node node) {
    auto& column = result_.columns[a];
    const auto [place, added] = cells_[a].emplace(node, static_cast<Code>(column.values.size()));
    if (added) {
      const Hierarchy& tree = *input_.attributes[a].hierarchy;
      column.values.push_back(tree.is_leaf(node) ? GeneralisedValue::text(tree.label(node)).print()
                                                 : std::string(tree.label(node)));
      column.leaves.push_back(tree.leaves_under(node));
    }
    return place->second;
  }

  const tables::ProtectionInput& input_;
  const tables::Models& models_;
  tables::ClassCounter counter_;
  tables::Recoding result_;
  std::vector<std::map<Node, Code>> cells_;  // by attribute
};

}  // namespace

tables::Recoding hierarchical_mondrian(const tables::ProtectionInput& input,
                                       const tables::Models& models) {
  return Cutter(input, models).run();
}

}  // namespace pratique::fusion::internal
