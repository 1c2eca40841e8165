// The hierarchy over the codes that are in the data, without what cannot help to hide them.
//
// Nodes 0, 1, ... are the codes themselves, numbered as in the dictionary; the other nodes follow,
// children before parents, the root last. A node of the hierarchy with a single child here is left
// out: what it covers besides is in no record, so it would cost and hide nothing.
//
// A released node stands for any non-empty subset of the codes under it. Its label is that of the
// hierarchy. Where another node or a code has the same text (ICD-9 has both a category 401 and the
// code 401), it gets a star, 401*, if the hierarchy's labels say what they stand for
// (data/code_labels.h), and is written as the set of its codes else: (401|401.0|401.1).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/code_sets.h"
#include "pratique/data/hierarchy.h"

namespace pratique::codes {

class CodeTree {
 public:
  using Node = std::uint32_t;

  // Codes that the hierarchy lacks are an Error that names them, with the nearest code it has.
  // `speaks` names the hierarchy, where its labels say what they stand for.
  CodeTree(const Hierarchy& hierarchy, const CodeSets& sets, const std::string& place,
           const std::string& speaks = {});
  // From a CSV file, whose lines need not be of one length, or icd9, icd10, atc, flat, made
  // over the codes.
  [[nodiscard]] static CodeTree make(const std::string& spec, const CodeSets& sets);

  [[nodiscard]] std::size_t code_count() const { return codes_; }
  [[nodiscard]] std::size_t node_count() const { return parent_.size(); }
  [[nodiscard]] Node root() const { return static_cast<Node>(parent_.size() - 1); }
  [[nodiscard]] Node parent(Node node) const { return parent_[node]; }  // the root is its own
  [[nodiscard]] bool is_code(Node node) const { return node < codes_; }
  [[nodiscard]] std::span<const Node> children(Node node) const {
    return std::span(children_).subspan(first_child_[node],
                                        first_child_[node + 1] - first_child_[node]);
  }
  // The codes of the data under it.
  [[nodiscard]] std::span<const Code> codes_under(Node node) const {
    return std::span(order_).subspan(first_code_[node], code_counts_[node]);
  }
  [[nodiscard]] bool is_under(Node node, Node ancestor) const {
    return first_code_[node] >= first_code_[ancestor] &&
           first_code_[node] + code_counts_[node] <= first_code_[ancestor] + code_counts_[ancestor];
  }
  [[nodiscard]] const std::string& speaks() const { return speaks_; }
  [[nodiscard]] const std::string& label(Node node) const { return labels_[node]; }
  // Of the hierarchy, whether in the data or not.
  [[nodiscard]] const std::vector<std::string>& leaves_under(Node node) const {
    return leaves_[node];
  }
  [[nodiscard]] std::uint32_t leaf_count() const { return leaf_count_; }
  // Normalised certainty penalty: the share of all leaves that the node covers; 0 for a code.
  [[nodiscard]] double ncp(Node node) const { return ncp_[node]; }

 private:
  std::string speaks_;
  std::size_t codes_ = 0;
  std::uint32_t leaf_count_ = 0;
  std::vector<Node> parent_;
  std::vector<std::size_t> first_child_;
  std::vector<Node> children_;
  std::vector<Code> order_;  // codes such that those under a node are neighbours
  std::vector<std::size_t> first_code_;
  std::vector<std::size_t> code_counts_;
  std::vector<std::string> labels_;
  std::vector<std::vector<std::string>> leaves_;
  std::vector<double> ncp_;
};

}  // namespace pratique::codes
