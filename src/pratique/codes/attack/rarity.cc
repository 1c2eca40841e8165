#include "pratique/codes/attack/rarity.h"

#include <algorithm>
#include <numeric>

namespace pratique::codes {

std::vector<std::uint32_t> rarity_of(const CodeSets& sets) {
  const auto supports = sets.supports();
  std::vector<Code> order(supports.size());
  std::iota(order.begin(), order.end(), Code{0});
  std::sort(order.begin(), order.end(), [&](Code a, Code b) {
    return supports[a] != supports[b] ? supports[a] < supports[b]
                                      : sets.codes.value(a) < sets.codes.value(b);
  });
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  return place;
}

}  // namespace pratique::codes
