#include "pratique/tables/model/internal/hierarchy_paths.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pratique::tables {

Json path_of(const Hierarchy& hierarchy, Hierarchy::Node leaf) {
  Json path = Json::array();
  for (int level = 0; level < hierarchy.height(); ++level) {
    path.push_back(std::string(hierarchy.label(hierarchy.ancestor(leaf, level))));
  }
  return path;
}

Json all_paths(const Hierarchy& hierarchy) {
  Json paths = Json::array();
  for (Hierarchy::Node leaf = 0; leaf < hierarchy.leaf_count(); ++leaf) {
    paths.push_back(path_of(hierarchy, leaf));
  }
  // The order in which values came would tell which of them are in the table.
  std::sort(paths.begin(), paths.end());
  return paths;
}

Json paths_through(const Hierarchy& hierarchy, const std::set<Hierarchy::Node>& leaves,
                   const std::set<Hierarchy::Node>& nodes) {
  Json paths = Json::array();
  std::set<Hierarchy::Node> there;
  for (const auto leaf : leaves) {
    paths.push_back(path_of(hierarchy, leaf));
    for (int level = 0; level < hierarchy.height(); ++level)
      there.insert(hierarchy.ancestor(leaf, level));
  }
  for (const auto node : nodes) {
    if (there.contains(node)) continue;
    const std::string label(hierarchy.label(node));
    Json path = Json::array();
    for (int level = 0; level < hierarchy.level(node); ++level) path.push_back(label);
    for (auto at = node;; at = hierarchy.parent(at)) {
      path.push_back(std::string(hierarchy.label(at)));
      if (at == hierarchy.root()) break;
    }
    paths.push_back(std::move(path));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace pratique::tables
