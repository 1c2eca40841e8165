// t-plausibility (Jiang, Murugesan, Clifton and Si 2009): sensitive terms of a text rise to
// hypernyms, and the result is t-plausible when at least t texts could have been the original: the
// product, over the terms, of how many terms each hypernym stands for.
//
// Of all ways to rise, the one that loses the least is chosen: with a uniform choice among the
// texts the loss is log(texts), so it is the smallest product that reaches t. Products under t are
// followed exactly, one state for each value; of those that reach t only the smallest needs to be
// kept, since what is still to come multiplies them all alike. So it is the optimum, in
// O(terms * levels * t).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/notes/plausibility/ontology.h"

namespace pratique::notes {

struct Plausible {
  std::vector<std::size_t> levels;  // of each term's path
  std::uint64_t texts = 1;
  double loss = 0;  // log(texts) / log(texts with everything at the root)
};

// Every term stands for at least `minimum` after it (or for as many as its root does). None where
// even the roots do not reach t.
[[nodiscard]] std::optional<Plausible> make_plausible(
    const std::vector<std::vector<Hypernym>>& paths, std::uint64_t t, std::uint64_t minimum);

}  // namespace pratique::notes
