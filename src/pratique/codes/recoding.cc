#include "pratique/codes/recoding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "pratique/crypto/hash.h"

namespace pratique::codes {
namespace {

constexpr std::uint32_t kNoLabel = 0xffffffffU;

void end_set(Recoding& recoding) {
  const auto begin = recoding.items.begin() + static_cast<std::ptrdiff_t>(recoding.first.back());
  std::sort(begin, recoding.items.end());
  recoding.items.erase(std::unique(begin, recoding.items.end()), recoding.items.end());
  recoding.first.push_back(recoding.items.size());
}

}  // namespace

std::string set_text(const std::vector<std::string>& codes) {
  constexpr std::size_t kLongest = 80;
  constexpr std::size_t kDigestDigits = 8;
  const std::string all = fmt::format("{}", fmt::join(codes, "|"));
  if (all.size() <= kLongest) return fmt::format("({})", all);
  return fmt::format("{{{}..{}:{}#{}}}", codes.front(), codes.back(), codes.size(),
                     sha256_hex(all).substr(0, kDigestDigits));
}

Recoding recode_by_suppression(const CodeSets& sets, const CodeTree* tree,
                               const std::vector<bool>& kept) {
  Recoding recoding;
  recoding.domain = tree == nullptr ? sets.codes.size() : tree->leaf_count();
  std::vector<std::uint32_t> label_of(sets.codes.size(), kNoLabel);
  for (Code code = 0; code < sets.codes.size(); ++code) {
    if (!kept[code]) continue;
    label_of[code] = static_cast<std::uint32_t>(recoding.labels.size());
    recoding.labels.push_back({std::string(sets.codes.value(code)), {code}});
  }
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (const Code code : sets.set(s)) {
      if (kept[code]) recoding.items.push_back(label_of[code]);
    }
    end_set(recoding);
  }
  return recoding;
}

Recoding unchanged(const CodeSets& sets, const CodeTree* tree) {
  return recode_by_suppression(sets, tree, std::vector<bool>(sets.codes.size(), true));
}

Recoding recode_by_tree(const CodeSets& sets, const CodeTree& tree,
                        const std::function<CodeTree::Node(std::size_t set, Code code)>& node_of) {
  Recoding recoding;
  recoding.domain = tree.leaf_count();
  std::vector<std::uint32_t> label_of(tree.node_count(), kNoLabel);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (const Code code : sets.set(s)) {
      const CodeTree::Node node = node_of(s, code);
      if (node == kRemoved) continue;
      if (label_of[node] == kNoLabel) {
        label_of[node] = static_cast<std::uint32_t>(recoding.labels.size());
        const auto covered = tree.codes_under(node);
        Label label{tree.label(node), {covered.begin(), covered.end()}};
        std::sort(label.covers.begin(), label.covers.end());
        if (!tree.is_code(node)) {
          label.leaves = tree.leaves_under(node);
          label.hierarchy = tree.speaks();
        }
        label.ncp = tree.ncp(node);
        recoding.labels.push_back(std::move(label));
      }
      recoding.items.push_back(label_of[node]);
    }
    end_set(recoding);
  }
  return recoding;
}

}  // namespace pratique::codes
