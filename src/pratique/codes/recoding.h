// What a method makes of sets of codes: for every distinct set of the input, what is released of
// it.
//
// A released item is a label: a code as it was, or something wider that stands for any non-empty
// subset of the codes it covers. An adversary who knows codes of a patient finds the records that
// have, for each of the codes, an item that covers it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pratique/codes/code_tree.h"
#include "pratique/data/code_sets.h"

namespace pratique::codes {

struct Label {
  std::string text;
  std::vector<Code> covers;              // codes of the data, ascending
  std::vector<std::string> leaves = {};  // all codes that it stands for; none: the code itself
  double ncp = 0;                        // leaves over all leaves; 0 for a code as it was
  // The hierarchy whose labels say what they stand for (data/code_labels.h); empty: the leaves do.
  std::string hierarchy = {};

  [[nodiscard]] bool exact() const { return leaves.empty(); }
  [[nodiscard]] std::size_t width() const { return exact() ? 1 : leaves.size(); }
};

struct Recoding {
  std::vector<Label> labels;
  std::vector<std::size_t> first = {0};  // where the items of each set start, and one more
  std::vector<std::uint32_t> items;      // labels, ascending within a set; a set may have none left
  std::size_t domain = 0;                // all codes there could be: the leaves of the hierarchy

  [[nodiscard]] std::span<const std::uint32_t> set(std::size_t index) const {
    return std::span(items).subspan(first[index], first[index + 1] - first[index]);
  }
};

// A set of codes, in their order, as it is written: (401.2|401.4). A long one by its ends, how many
// there are, and a digest of all, {250.00..401.9:38#3fa9c2d1}; the manifest lists it once.
[[nodiscard]] std::string set_text(const std::vector<std::string>& codes);

// The data as it is.
[[nodiscard]] Recoding unchanged(const CodeSets& sets, const CodeTree* tree);
// Every code of every set becomes the node of the tree that `node_of(set, code)` names, or is
// removed from the set.
inline constexpr CodeTree::Node kRemoved = 0xffffffffU;
[[nodiscard]] Recoding recode_by_tree(
    const CodeSets& sets, const CodeTree& tree,
    const std::function<CodeTree::Node(std::size_t set, Code code)>& node_of);
// Only the codes that are kept.
[[nodiscard]] Recoding recode_by_suppression(const CodeSets& sets, const CodeTree* tree,
                                             const std::vector<bool>& kept);

}  // namespace pratique::codes
