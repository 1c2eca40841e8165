// A hierarchy's CSV either builds a tree that keeps its promises, or is an Error. An input whose
// first line is !SPEC makes the built-in hierarchy over the lines that follow.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/hierarchy_csv.h"

namespace {

using pratique::Hierarchy;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const Hierarchy& tree) {
  require(tree.height() >= 1 && tree.node_count() >= 1);
  require(tree.leaf_count() >= 1);
  require(tree.parent(tree.root()) == tree.root());
  std::vector<std::uint32_t> leaves(tree.node_count(), 0);
  for (Hierarchy::Node leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    require(tree.leaf(tree.label(leaf)) == leaf);
    Hierarchy::Node node = leaf;
    for (int level = 0; level < tree.height(); ++level) {
      require(tree.level(node) == level);
      require(tree.ancestor(leaf, level) == node);
      ++leaves[node];
      if (level + 1 == tree.height()) require(node == tree.root());
      node = tree.parent(node);
    }
  }
  std::size_t children = 0;
  for (Hierarchy::Node node = 0; node < tree.node_count(); ++node) {
    require(tree.leaves_under(node) == leaves[node] && leaves[node] > 0);
    require(tree.find(tree.label(node)).has_value());
    require(tree.level(*tree.find(tree.label(node))) >= tree.level(node));
    for (const auto child : tree.children(node)) require(tree.parent(child) == node);
    children += tree.children(node).size();
  }
  require(children + 1 == tree.node_count());
}

void make_builtin(std::string_view input) {
  pratique::Dictionary values;
  const std::size_t end = input.find('\n');
  const std::string spec(input.substr(1, end == std::string_view::npos ? end : end - 1));
  std::string_view rest = end == std::string_view::npos ? "" : input.substr(end + 1);
  while (!rest.empty()) {
    const std::size_t line = rest.find('\n');
    values.intern(rest.substr(0, line));
    rest.remove_prefix(line == std::string_view::npos ? rest.size() : line + 1);
  }
  const auto tree = pratique::make_builtin_hierarchy(spec, values, {}, "column");
  check(tree);
  require(tree.bind(values, {}, "column").size() == values.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    if (input.starts_with('!')) {
      make_builtin(input);
    } else {
      check(pratique::parse_hierarchy_csv(input, "input.csv"));
    }
  } catch (const pratique::Error& error) {
    require(error.code() == pratique::ErrorCode::bad_input && !error.message().empty());
  }
  return 0;
}
