#include "pratique/codes/code_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "pratique/codes/recoding.h"
#include "pratique/core/error.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/code_labels.h"
#include "pratique/data/code_systems.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/data/uncovered.h"
#include "pratique/data/utf8.h"

namespace pratique::codes {
namespace {

constexpr std::uint32_t kNoNode = 0xffffffffU;

std::vector<Hierarchy::Node> bind_codes(const Hierarchy& hierarchy, const CodeSets& sets,
                                        const std::string& place) {
  std::vector<Hierarchy::Node> leaves;
  const auto supports = sets.supports();
  Uncovered missing(supports);
  for (Code code = 0; code < sets.codes.size(); ++code) {
    const auto leaf = hierarchy.leaf(sets.codes.value(code));
    if (!leaf) missing.add(code, sets.codes.value(code));
    leaves.push_back(leaf.value_or(0));
  }
  if (missing.empty()) return leaves;
  std::vector<std::string> known;
  for (Hierarchy::Node leaf = 0; leaf < hierarchy.leaf_count(); ++leaf) {
    known.emplace_back(hierarchy.label(leaf));
  }
  const std::string first(missing.first_values().front());
  const auto near = nearest_names(known, first);
  std::string values = missing.named();
  if (!near.empty())
    values += fmt::format("\nThe nearest to {} is {}.", in_quotes(first), in_quotes(near.front()));
  throw UncoveredValues(Error::input(fmt::format("the hierarchy is missing {}", missing.describe()))
                            .at(place)
                            .hint(fmt::format("Add {} to the hierarchy, or correct it in the data.",
                                              missing.first_values().size() == 1 ? "it" : "them")),
                        values);
}

// For a code that is not of the system's form: as much of its beginning as is, else a code of the
// data that is written much like it. Empty where there is neither.
std::string nearest_in(const CodeSystem& system, std::string_view text, const Dictionary& codes) {
  const bool points = written_with_points(codes);
  for (std::size_t length = text.size(); length > 2; --length) {
    if (const auto code = system.normal(text.substr(0, length), points)) return *code;
  }
  std::vector<std::string> good;
  for (const auto value : codes.values()) {
    if (system.normal(value, points)) good.emplace_back(value);
  }
  const auto near = nearest_names(good, text);
  return near.empty() ? "" : near.front();
}

}  // namespace

CodeTree CodeTree::make(const std::string& spec, const CodeSets& sets) {
  if (const CodeSystem* system = find_code_system(spec); system != nullptr) {
    try {
      return {make_builtin_hierarchy(spec, sets.codes, sets.supports(), "code"), sets, spec, spec};
    } catch (const UncoveredValues& error) {
      for (const auto value : sets.codes.values()) {
        if (system->normal(value, true)) continue;
        const std::string near = nearest_in(*system, value, sets.codes);
        if (near.empty()) throw;
        throw UncoveredValues(error, fmt::format("{}\nThe nearest to {} is {}.", error.values(),
                                                 in_quotes(value), in_quotes(near)));
      }
      throw;
    }
  }
  if (is_builtin_hierarchy(spec) && !labels_speak(spec)) {
    throw Error::input(fmt::format("'{}' is not a hierarchy of codes", spec))
        .hint("Give a system of codes (icd9, icd10, atc), flat or a CSV file.");
  }
  if (is_builtin_hierarchy(spec) || spec.find_first_of("./\\") == std::string::npos) {
    return {make_builtin_hierarchy(spec, sets.codes, sets.supports(), "code"), sets, spec, spec};
  }
  return {read_hierarchy_csv(spec, PathLengths::ragged), sets, spec};
}

CodeTree::CodeTree(const Hierarchy& hierarchy, const CodeSets& sets, const std::string& place,
                   const std::string& speaks)
    : speaks_(speaks), codes_(sets.codes.size()), leaf_count_(hierarchy.leaf_count()) {
  const auto bound = bind_codes(hierarchy, sets, place);
  std::vector<Node> node_of(hierarchy.node_count(), kNoNode);
  std::vector<Hierarchy::Node> source;  // of each node here
  for (Code code = 0; code < codes_; ++code) {
    node_of[bound[code]] = code;
    source.push_back(bound[code]);
    parent_.push_back(kNoNode);
  }
  // Nodes of a hierarchy stand level by level, so that children come before their parents.
  for (Hierarchy::Node h = hierarchy.leaf_count(); h < hierarchy.node_count(); ++h) {
    std::vector<Node> inside;
    for (const auto child : hierarchy.children(h)) {
      if (node_of[child] != kNoNode) inside.push_back(node_of[child]);
    }
    if (inside.empty()) continue;
    if (inside.size() == 1) {
      node_of[h] = inside.front();
      continue;
    }
    node_of[h] = static_cast<Node>(parent_.size());
    for (const Node child : inside) parent_[child] = node_of[h];
    parent_.push_back(kNoNode);
    source.push_back(h);
  }
  parent_.back() = root();

  const std::size_t nodes = parent_.size();
  first_child_.assign(nodes + 1, 0);
  for (Node node = 0; node + 1 < nodes; ++node) ++first_child_[parent_[node] + 1];
  for (std::size_t i = 1; i <= nodes; ++i) first_child_[i] += first_child_[i - 1];
  children_.resize(nodes - 1);
  auto next = first_child_;
  for (Node node = 0; node + 1 < nodes; ++node) children_[next[parent_[node]]++] = node;

  code_counts_.assign(nodes, 0);
  first_code_.assign(nodes, 0);
  for (Node node = 0; node < nodes; ++node) {
    if (is_code(node)) code_counts_[node] = 1;
    if (node != root()) code_counts_[parent_[node]] += code_counts_[node];
  }
  for (std::size_t i = nodes; i-- > 0;) {
    std::size_t start = first_code_[i];
    for (const Node child : children(static_cast<Node>(i))) {
      first_code_[child] = start;
      start += code_counts_[child];
    }
  }
  order_.resize(codes_);
  for (Code code = 0; code < codes_; ++code) order_[first_code_[code]] = code;

  leaves_.resize(nodes);
  labels_.resize(nodes);
  ncp_.assign(nodes, 0);
  std::vector<std::vector<Hierarchy::Node>> leaf_nodes(hierarchy.node_count());
  for (Hierarchy::Node h = 0; h < hierarchy.node_count(); ++h) {
    if (hierarchy.is_leaf(h)) leaf_nodes[h] = {h};
    for (const auto child : hierarchy.children(h)) {
      auto& mine = leaf_nodes[h];
      mine.insert(mine.end(), leaf_nodes[child].begin(), leaf_nodes[child].end());
    }
  }
  std::unordered_set<std::string> taken;
  for (Hierarchy::Node leaf = 0; leaf < hierarchy.leaf_count(); ++leaf) {
    taken.emplace(hierarchy.label(leaf));
  }
  for (std::size_t i = nodes; i-- > 0;) {
    for (const auto leaf : leaf_nodes[source[i]]) leaves_[i].emplace_back(hierarchy.label(leaf));
    labels_[i] = hierarchy.label(source[i]);
    if (is_code(static_cast<Node>(i))) continue;
    ncp_[i] = static_cast<double>(leaves_[i].size()) / leaf_count_;
    if (taken.insert(labels_[i]).second) continue;
    // A section of one category is called like it; the star says the same of both.
    labels_[i] = speaks_.empty() ? set_text(leaves_[i]) : labels_[i] + "*";
  }
}

}  // namespace pratique::codes
