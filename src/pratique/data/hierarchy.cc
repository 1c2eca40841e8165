#include "pratique/data/hierarchy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "pratique/core/csv_field.h"
#include "pratique/core/error.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/data/uncovered.h"
#include "pratique/data/utf8.h"

namespace pratique {
namespace {

constexpr std::size_t kHighest = 1000;

std::uint64_t key(std::size_t level, Code label) {
  return (static_cast<std::uint64_t>(level) << 32U) | label;
}

}  // namespace

Hierarchy::Builder::Builder(std::string source, char delimiter)
    : source_(std::move(source)), delimiter_(delimiter) {}

std::string Hierarchy::Builder::place(std::size_t line) const {
  return line == 0 ? source_ : fmt::format("{}:{}", source_, line);
}

std::string Hierarchy::Builder::earlier(Node node) const {
  const auto line = nodes_[node].line;
  return line == 0 ? "before" : fmt::format("in line {}", line);
}

void Hierarchy::Builder::check_shape(std::span<const std::string_view> path,
                                     std::size_t line) const {
  if (path.empty()) throw Error::input("a path of the hierarchy is empty").at(place(line));
  if (path.size() > kHighest) {
    throw Error::input(fmt::format("the hierarchy has more than {} levels", kHighest))
        .at(place(line))
        .hint("Check that the file is a hierarchy: one value per line, then its generalisations.");
  }
  if (height_ != 0 && path.size() != static_cast<std::size_t>(height_)) {
    throw Error::input(
        fmt::format("this path has {} levels, the ones before have {}", path.size(), height_))
        .at(place(line))
        .hint(
            "Give every value the same number of levels; repeat a label where a level adds "
            "nothing.");
  }
  for (std::size_t level = 1; level < path.size(); ++level) {
    const bool missing_path = path[0].empty() && level + 1 < path.size();
    if (path[level].empty() && !missing_path) {
      throw Error::input(fmt::format("level {} of {} is empty", level, in_quotes(path[0])))
          .at(place(line))
          .hint("Write the label; the most general one is usually *.");
    }
  }
}

void Hierarchy::Builder::two_roots(std::string_view label, std::size_t line) const {
  const auto first = std::find_if(nodes_.begin(), nodes_.end(),
                                  [this](const Seen& node) { return node.level == height_ - 1; });
  std::string hint = "The last column must hold the same label, usually *, in every line.";
  if (first->line == 1) hint += " If line 1 is a header, remove it.";
  throw Error::input(fmt::format("the hierarchy has two roots: {} and {} ({})", in_quotes(label),
                                 in_quotes(labels_.value(first->label)),
                                 earlier(static_cast<Node>(first - nodes_.begin()))))
      .at(place(line))
      .hint(hint);
}

// From a node that is already there, the path must go on as it did before.
void Hierarchy::Builder::check_rest(std::span<const std::string_view> path, std::size_t line,
                                    Node node) const {
  const bool known_leaf = nodes_[node].level == 0;
  for (std::size_t level = nodes_[node].level + 1U; level < path.size(); ++level) {
    const Node parent = nodes_[node].parent;
    const auto label = labels_.value(nodes_[parent].label);
    if (label != path[level]) {
      if (level + 1 == path.size()) two_roots(path[level], line);
      if (known_leaf) {
        throw Error::input(fmt::format("{} has two paths: level {} is {} here and {} {}",
                                       in_quotes(path[0]), level, in_quotes(path[level]),
                                       in_quotes(label), earlier(node)))
            .at(place(line))
            .hint("Keep one of the two lines.");
      }
      throw Error::input(fmt::format("{} at level {} has two parents: {} here and {} {}",
                                     in_quotes(path[level - 1]), level - 1, in_quotes(path[level]),
                                     in_quotes(label), earlier(node)))
          .at(place(line))
          .hint("Give it one parent, or tell the two apart by their labels.");
    }
    node = parent;
  }
}

void Hierarchy::Builder::add(std::span<const std::string_view> path, std::size_t line) {
  check_shape(path, line);
  height_ = static_cast<int>(path.size());
  Node below = kNone;
  for (std::size_t level = 0; level < path.size(); ++level) {
    const Code label = labels_.intern(path[level]);
    const auto [entry, is_new] =
        at_.try_emplace(key(level, label), static_cast<Node>(nodes_.size()));
    const Node node = entry->second;
    if (below != kNone) nodes_[below].parent = node;
    if (!is_new) {
      check_rest(path, line, node);
      return;
    }
    if (level + 1 == path.size() && at_.size() > path.size()) two_roots(path[level], line);
    nodes_.push_back(
        {node, label, static_cast<std::uint32_t>(line), static_cast<std::int16_t>(level)});
    below = node;
  }
}

Hierarchy Hierarchy::Builder::build() {
  if (nodes_.empty()) {
    throw Error::input("the hierarchy has no values")
        .at(source_)
        .hint("Write one line per value: the value, then its generalisations, the root last.");
  }
  Hierarchy tree;
  const std::size_t count = nodes_.size();
  tree.height_ = height_;
  tree.source_ = std::move(source_);
  tree.delimiter_ = delimiter_;

  std::vector<Node> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [this](Node a, Node b) { return nodes_[a].level < nodes_[b].level; });
  std::vector<Node> number(count);
  for (std::size_t i = 0; i < count; ++i) number[order[i]] = static_cast<Node>(i);

  tree.parent_.resize(count);
  tree.level_.resize(count);
  tree.label_.resize(count);
  tree.leaves_.assign(count, 0);
  tree.first_child_.assign(count + 1, 0);
  tree.leaf_of_label_.assign(labels_.size(), kNone);
  tree.highest_of_label_.assign(labels_.size(), kNone);
  for (std::size_t i = 0; i < count; ++i) {
    const Seen& seen = nodes_[order[i]];
    tree.parent_[i] = number[seen.parent];
    tree.level_[i] = seen.level;
    tree.label_[i] = seen.label;
    if (seen.level == 0) tree.leaf_of_label_[seen.label] = static_cast<Node>(i);
    tree.highest_of_label_[seen.label] = static_cast<Node>(i);
    // Nodes come level by level, so a node's own leaves are all counted when its turn comes.
    if (seen.level == 0) tree.leaves_[i] = 1;
    if (i + 1 < count) {
      tree.leaves_[tree.parent_[i]] += tree.leaves_[i];
      ++tree.first_child_[tree.parent_[i] + 1];
    }
  }
  std::partial_sum(tree.first_child_.begin(), tree.first_child_.end(), tree.first_child_.begin());
  tree.children_.resize(count - 1);
  std::vector<Node> next(tree.first_child_.begin(), tree.first_child_.end() - 1);
  for (Node i = 0; i + 1 < count; ++i) tree.children_[next[tree.parent_[i]]++] = i;

  const std::size_t leaves = tree.leaf_count();
  tree.ancestors_.resize(leaves * static_cast<std::size_t>(height_));
  std::iota(tree.ancestors_.begin(), tree.ancestors_.begin() + static_cast<std::ptrdiff_t>(leaves),
            0);
  for (std::size_t i = leaves; i < tree.ancestors_.size(); ++i) {
    tree.ancestors_[i] = tree.parent_[tree.ancestors_[i - leaves]];
  }
  tree.labels_ = std::exchange(labels_, Dictionary());
  nodes_.clear();
  at_.clear();
  height_ = 0;
  return tree;
}

std::optional<Hierarchy::Node> Hierarchy::leaf(std::string_view value) const {
  const auto code = labels_.find(value);
  if (!code || leaf_of_label_[*code] == kNone) return std::nullopt;
  return leaf_of_label_[*code];
}

std::optional<Hierarchy::Node> Hierarchy::find(std::string_view label) const {
  const auto code = labels_.find(label);
  return code ? std::optional<Node>(highest_of_label_[*code]) : std::nullopt;
}

// The form of the line a CSV lacks; the missing value may stay empty up to the root.
std::string Hierarchy::line_to_add(std::string_view value) const {
  std::string line = csv_field(value);
  for (int level = 1; level + 1 < height_; ++level) {
    line += delimiter_;
    if (!value.empty()) line += fmt::format("LEVEL{}", level);
  }
  return line + delimiter_ + csv_field(label(root()));
}

std::vector<Hierarchy::Node> Hierarchy::bind(const Dictionary& values,
                                             const std::vector<std::uint64_t>& counts,
                                             const std::string& column) const {
  std::vector<Node> nodes(values.size());
  Uncovered uncovered(counts);
  for (Code code = 0; code < values.size(); ++code) {
    const auto node = leaf(values.value(code));
    if (node) {
      nodes[code] = *node;
    } else {
      uncovered.add(code, values.value(code));
    }
  }
  if (uncovered.empty()) return nodes;

  std::string hint = "Make the hierarchy over all values of the column.";
  std::string values_named = uncovered.named();
  if (delimiter_ != 0) {
    hint = "Add a line for each, with labels of its own.";
    values_named += "\nTo add, with labels in the place of LEVEL:";
    for (const auto value : uncovered.first_values()) values_named += '\n' + line_to_add(value);
  }
  throw UncoveredValues(Error::input(fmt::format("the hierarchy of column '{}' is missing {}",
                                                 column, uncovered.describe()))
                            .at(source_)
                            .hint(hint),
                        values_named);
}

}  // namespace pratique
