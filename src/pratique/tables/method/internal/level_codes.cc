#include "pratique/tables/method/internal/level_codes.h"

#include <limits>

namespace pratique::tables::internal {
namespace {}  // namespace

LevelCodes::LevelCodes(const Attribute& attribute) {
  const Hierarchy& hierarchy = *attribute.hierarchy;
  const auto height = static_cast<std::size_t>(hierarchy.height());
  nodes_.resize(height);
  std::vector<Code> code_of_node(hierarchy.node_count(), kNoCode);
  for (const Hierarchy::Node leaf : attribute.leaf) {
    for (int level = 0; level < hierarchy.height(); ++level) {
      const Hierarchy::Node node = hierarchy.ancestor(leaf, level);
      auto& nodes = nodes_[static_cast<std::size_t>(level)];
      if (code_of_node[node] == kNoCode) {
        code_of_node[node] = static_cast<Code>(nodes.size());
        nodes.push_back(node);
      }
    }
    lowest_.push_back(code_of_node[leaf]);
  }
  raise_.resize(height);
  for (std::size_t from = 0; from < height; ++from) {
    for (std::size_t to = from; to < height; ++to) {
      std::vector<Code> raised;
      raised.reserve(nodes_[from].size());
      for (std::size_t code = 0; code < nodes_[from].size(); ++code) {
        raised.push_back(
            to == from
                ? static_cast<Code>(code)
                : code_of_node[hierarchy.ancestor(nodes_[from][code], static_cast<int>(to))]);
      }
      raise_[from].push_back(std::move(raised));
    }
  }
}

}  // namespace pratique::tables::internal
