#include "pratique/notes/plausibility/plausibility.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace pratique::notes {
namespace {

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > kMost / b ? kMost : a * b;
}

}  // namespace

std::optional<Plausible> make_plausible(const std::vector<std::vector<Hypernym>>& paths,
                                        std::uint64_t t, std::uint64_t minimum) {
  // Product -> the levels chosen so far.
  std::map<std::uint64_t, std::vector<std::size_t>> states = {{1, {}}};
  double most = 0;
  for (const auto& path : paths) {
    std::map<std::uint64_t, std::vector<std::size_t>> next;
    const std::uint64_t least = std::min(minimum, path.back().terms);
    for (const auto& [product, levels] : states) {
      for (std::size_t level = 0; level < path.size(); ++level) {
        if (path[level].terms < least) continue;
        const std::uint64_t reached = times(product, path[level].terms);
        const auto place = next.lower_bound(t);
        if (reached >= t && place != next.end()) {
          if (place->first <= reached) continue;
          next.erase(place);
        }
        auto more = levels;
        more.push_back(level);
        next.emplace(reached, std::move(more));
        if (product >= t || reached >= t) break;  // higher levels only lose more
      }
    }
    states = std::move(next);
    most += std::log(static_cast<double>(path.back().terms));
  }
  const auto best = states.lower_bound(t);
  if (best == states.end() || paths.empty()) return std::nullopt;
  Plausible result{best->second, best->first, 0};
  if (most > 0) result.loss = std::log(static_cast<double>(result.texts)) / most;
  return result;
}

}  // namespace pratique::notes
