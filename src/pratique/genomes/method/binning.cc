#include "pratique/genomes/method/binning.h"

#include <fmt/format.h>

#include <array>

#include "pratique/core/error.h"

namespace pratique::genomes {
namespace {

constexpr Letter kPurine = 1 | 4;      // A, G
constexpr Letter kPyrimidine = 2 | 8;  // C, T

Letter tree_parent(Letter letter) {
  if (letter == kPurine || letter == kPyrimidine || letter == kAnyBase) return kAnyBase;
  if ((letter & ~kPurine) == 0) return kPurine;
  return (letter & ~kPyrimidine) == 0 ? kPyrimidine : kAnyBase;
}

// A value of the hierarchy: other letters of several bases, and gaps, are N.
Letter in_tree(Letter letter) {
  const bool base = letter == 1 || letter == 2 || letter == 4 || letter == 8;
  return base || letter == kPurine || letter == kPyrimidine ? letter : kAnyBase;
}

}  // namespace

Letter tree_join(Letter x, Letter y) {
  x = in_tree(x);
  y = in_tree(y);
  if (x == y) return x;
  const auto both = static_cast<Letter>(x | y);
  if (both == kPurine || both == kPyrimidine) return both;
  return kAnyBase;
}

int tree_level(Letter letter) {
  letter = in_tree(letter);
  if (letter == kAnyBase) return 2;
  return letter == kPurine || letter == kPyrimidine ? 1 : 0;
}

std::vector<Sequence> bin_across(const std::vector<Sequence>& aligned,
                                 const std::vector<std::uint32_t>& columns,
                                 const SequenceGroups& groups) {
  std::vector<Sequence> binned;
  for (const auto& group : groups) {
    Sequence values;
    for (const std::uint32_t column : columns) {
      Letter value = in_tree(aligned[group.front()][column]);
      for (const std::uint32_t member : group) value = tree_join(value, aligned[member][column]);
      values.push_back(value);
    }
    binned.push_back(std::move(values));
  }
  return binned;
}

void bin_within(Sequence& values, std::uint64_t within) {
  if (values.size() < within) {
    throw Error::input(fmt::format("{} SNPs cannot be binned by {}", values.size(), within))
        .hint("Ask for smaller bins with --within.");
  }
  while (true) {
    std::array<std::uint64_t, kAnyBase + 1> counts{};
    for (const Letter value : values) ++counts[value];
    Letter rarest = 0;
    for (Letter value = 1; value < kAnyBase; ++value) {
      if (counts[value] > 0 && (rarest == 0 || counts[value] < counts[rarest])) rarest = value;
    }
    const bool any_is_rare = counts[kAnyBase] > 0 && counts[kAnyBase] < within;
    if (rarest == 0 || (counts[rarest] >= within && !any_is_rare)) return;
    // What is rare goes up one step; where only N is rare, the rarest other value joins it.
    const Letter parent = counts[rarest] < within ? tree_parent(rarest) : kAnyBase;
    for (Letter& value : values) {
      if (value == rarest) value = parent;
    }
  }
}

}  // namespace pratique::genomes
