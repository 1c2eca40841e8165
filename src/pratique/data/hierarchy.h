// A tree over the values of a column, leaves at level 0, the root at level height() - 1.
//
// Every path from a leaf to the root has height() nodes; a node is its level and its label, so one
// label may stand on several levels. Leaves are numbered from 0 in the order they were given, then
// come the nodes of level 1, and so on; the root is last. A hierarchy is checked as it is built:
// one root, one parent per node, no leaf with two paths. The leaves under each node are counted
// once. An empty leaf is the missing value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pratique/data/dictionary.h"

namespace pratique {

class Hierarchy {
 public:
  using Node = std::uint32_t;
  class Builder;

  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] std::size_t node_count() const { return parent_.size(); }
  [[nodiscard]] Node root() const { return static_cast<Node>(parent_.size() - 1); }
  [[nodiscard]] Node parent(Node node) const { return parent_[node]; }  // the root is its own
  [[nodiscard]] int level(Node node) const { return level_[node]; }
  [[nodiscard]] std::string_view label(Node node) const { return labels_.value(label_[node]); }
  [[nodiscard]] std::uint32_t leaves_under(Node node) const { return leaves_[node]; }
  [[nodiscard]] std::uint32_t leaf_count() const { return leaves_.back(); }
  [[nodiscard]] bool is_leaf(Node node) const { return node < leaf_count(); }
  // In the order in which they were given; none for a leaf.
  [[nodiscard]] std::span<const Node> children(Node node) const {
    return std::span(children_).subspan(first_child_[node],
                                        first_child_[node + 1] - first_child_[node]);
  }

  // The node itself where `level` is not above it. One look-up for a leaf.
  [[nodiscard]] Node ancestor(Node node, int level) const {
    if (is_leaf(node)) return ancestors_[static_cast<std::size_t>(level) * leaf_count() + node];
    while (level_[node] < level) node = parent_[node];
    return node;
  }
  [[nodiscard]] bool is_under(Node node, Node ancestor_node) const {
    return ancestor(node, level(ancestor_node)) == ancestor_node;
  }

  [[nodiscard]] std::optional<Node> leaf(std::string_view value) const;
  // The node with this label; where several levels share it, the highest.
  [[nodiscard]] std::optional<Node> find(std::string_view label) const;

  // The leaf of every value of the column. Values the tree lacks are an Error that counts them, has
  // up to ten of them for whoever asks (uncovered.h), and says what would fix it.
  [[nodiscard]] std::vector<Node> bind(const Dictionary& values,
                                       const std::vector<std::uint64_t>& counts,
                                       const std::string& column) const;

 private:
  static constexpr Node kNone = 0xffffffffU;

  [[nodiscard]] std::string line_to_add(std::string_view value) const;

  int height_ = 0;
  std::vector<Node> parent_;
  std::vector<std::int16_t> level_;
  std::vector<std::uint32_t> leaves_;
  std::vector<Node> first_child_;  // where each node's children start in children_, and one more
  std::vector<Node> children_;
  std::vector<Node> ancestors_;  // level by level, the ancestor of each leaf
  std::vector<Code> label_;
  Dictionary labels_;
  std::vector<Node> leaf_of_label_;  // by label code; kNone where the label is no leaf
  std::vector<Node> highest_of_label_;
  std::string source_;
  char delimiter_ = 0;  // of the source; 0 where it is no file
};

// From paths, leaf first and root last, all of one length. Errors are placed at SOURCE:LINE. A
// source that is no file has no delimiter, and its lines are 0.
class Hierarchy::Builder {
 public:
  explicit Builder(std::string source, char delimiter = 0);

  // The same path may be given again. Labels may be empty only in the path of the missing value,
  // and not at the root.
  void add(std::span<const std::string_view> path, std::size_t line = 0);
  // The builder is empty afterwards. Throws Error when no path was added.
  [[nodiscard]] Hierarchy build();

 private:
  [[nodiscard]] std::string place(std::size_t line) const;
  [[nodiscard]] std::string earlier(Node node) const;
  void check_shape(std::span<const std::string_view> path, std::size_t line) const;
  void check_rest(std::span<const std::string_view> path, std::size_t line, Node node) const;
  [[noreturn]] void two_roots(std::string_view label, std::size_t line) const;

  // Nodes in the order they were first seen, all levels mixed.
  struct Seen {
    Node parent;
    Code label;
    std::uint32_t line;
    std::int16_t level;
  };
  std::string source_;
  char delimiter_;
  int height_ = 0;
  std::vector<Seen> nodes_;
  Dictionary labels_;
  std::unordered_map<std::uint64_t, Node> at_;  // level and label to node
};

// SPEC is a CSV path (see hierarchy_csv.h), or built in (see builtin_hierarchies.h):
// flat | prefix | date | icd9 | interval:W1,W2,... Built-in trees are made over `values`. Every
// value of the column is in the tree that comes back.
[[nodiscard]] Hierarchy make_hierarchy(const std::string& spec, const Dictionary& values,
                                       const std::vector<std::uint64_t>& counts,
                                       const std::string& column);

}  // namespace pratique
