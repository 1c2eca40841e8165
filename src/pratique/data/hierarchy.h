// A tree over the values of a column, leaves at level 0, the root at level height() - 1.
//
// Nodes are numbered from 0; every path from a leaf to the root has height() nodes. A hierarchy is
// checked as it is built: one root, one parent per node, no leaf with two paths. The number of
// leaves under each node is counted once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/dictionary.h"

namespace pratique {

class Hierarchy {
 public:
  using Node = std::uint32_t;

  // From paths, leaf first and root last, all of one length. `place(i)` names path i in errors.
  class Builder;

  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] std::size_t node_count() const { return parent_.size(); }
  [[nodiscard]] Node root() const { return root_; }
  [[nodiscard]] Node parent(Node node) const { return parent_[node]; }  // the root is its own
  [[nodiscard]] int level(Node node) const { return level_[node]; }
  [[nodiscard]] std::string_view label(Node node) const { return labels_[node]; }
  [[nodiscard]] std::uint32_t leaves_under(Node node) const { return leaves_[node]; }
  [[nodiscard]] std::uint32_t leaf_count() const { return leaves_[root_]; }
  [[nodiscard]] Node ancestor(Node node, int level) const;
  [[nodiscard]] bool is_under(Node node, Node ancestor) const;

  [[nodiscard]] std::optional<Node> leaf(std::string_view value) const;
  // The node with this label; where several levels share it, the highest.
  [[nodiscard]] std::optional<Node> find(std::string_view label) const;
  [[nodiscard]] std::vector<Node> children(Node node) const;

  // The leaf of every value of the column. Values the tree lacks are an Error that names up to ten
  // of them with their counts (an identifier's values would be private: only hierarchies over
  // quasi-identifiers and sensitive attributes are ever bound) and says what would fix it.
  [[nodiscard]] std::vector<Node> bind(const Dictionary& values,
                                       const std::vector<std::uint64_t>& counts,
                                       const std::string& column) const;

 private:
  int height_ = 0;
  Node root_ = 0;
  std::vector<Node> parent_;
  std::vector<std::int16_t> level_;
  std::vector<std::uint32_t> leaves_;
  std::vector<std::string_view> labels_;
  // ... label storage and look-up
};

// SPEC is a CSV path, or built in: flat | prefix | date | icd9 | interval:W1,W2,... (each width
// divides the next). Built-in trees are made over `values`.
[[nodiscard]] Hierarchy make_hierarchy(const std::string& spec, const Dictionary& values,
                                       const std::vector<std::uint64_t>& counts,
                                       const std::string& column);

}  // namespace pratique
