#include "pratique/dp/person_rows.h"

#include <algorithm>
#include <numeric>

namespace pratique::dp {

std::vector<std::uint64_t> rows_within(const std::vector<std::uint64_t>& counts,
                                       const Column& person, std::uint64_t max_rows,
                                       RandomBits& random) {
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return person.codes[a] < person.codes[b]; });
  std::vector<std::uint64_t> kept(counts.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    std::uint64_t rows = 0;
    for (; end < order.size() && person.codes[order[end]] == person.codes[order[begin]]; ++end) {
      rows += counts[order[end]];
    }
    std::uint64_t wanted = std::min(rows, max_rows);
    for (; begin < end; ++begin) {
      for (std::uint64_t i = 0; i < counts[order[begin]]; ++i, --rows) {
        if (wanted < rows && random.below(rows) >= wanted) continue;
        ++kept[order[begin]];
        --wanted;
      }
    }
  }
  return kept;
}

}  // namespace pratique::dp
