#include "pratique/tables/method/internal/mondrian_partition.h"

#include <algorithm>

#include "pratique/core/parallel.h"
#include "pratique/tables/method/internal/search_time.h"

namespace pratique::tables {
namespace {

// Larger parts are cut one after the other with their attributes in parallel, the rest in parallel
// with each other.
constexpr std::size_t kLargePart = 4096;

class Cutter {
 public:
  Cutter(const ProtectionInput& input, const Models& models, const LossSpace& space,
         const MondrianOptions& options, bool in_parallel)
      : options_(options) {
    for (std::size_t w = 0; w < (in_parallel ? space.size() : 1); ++w) {
      splitters_.emplace_back(input, models, space, options);
    }
  }

  [[nodiscard]] bool is_over() const {
    return options_.time != nullptr && options_.time->is_over();
  }

  bool cut(const Items& items, Items& first, Items& second) {
    const auto words = splitters_.front().words_by_width(items);
    const bool first_wins = options_.choice == MondrianOptions::Choice::widest &&
                            options_.label == nullptr && options_.target == nullptr;
    std::vector<std::optional<Splitter::Cut>> cuts(words.size());
    if (splitters_.size() > 1 && !first_wins) {
      parallel_blocks(words.size(), 1, [&](std::size_t at, std::size_t) {
        cuts[at] = splitters_[at].best_cut(items, words[at]);
      });
    } else {
      for (std::size_t at = 0; at < words.size(); ++at) {
        cuts[at] = splitters_.front().best_cut(items, words[at]);
        if (first_wins && cuts[at]) break;
      }
    }
    std::optional<Splitter::Cut> best;
    for (auto& candidate : cuts) {
      if (Splitter::better(candidate, best)) best = std::move(candidate);
    }
    if (!best) return false;
    Splitter::apply(*best, items, first, second);
    return true;
  }

 private:
  const MondrianOptions& options_;
  std::vector<Splitter> splitters_;  // one, or one per attribute to work in parallel
};

// Depth first, first half first. Parts of at most `enough` items are left as they are.
std::vector<Items> cut_down(Cutter& cutter, Items items, std::size_t enough, Progress& progress) {
  std::vector<Items> parts;
  std::vector<Items> pending;
  pending.push_back(std::move(items));
  Items first;
  Items second;
  while (!pending.empty()) {
    Items part = std::move(pending.back());
    pending.pop_back();
    progress.check();
    if (part.size() > enough && !cutter.is_over() && cutter.cut(part, first, second)) {
      pending.push_back(second);
      pending.push_back(first);
    } else {
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

}  // namespace

std::vector<Items> partition(const ProtectionInput& input, const Models& models,
                             const LossSpace& space, const MondrianOptions& options, Items items,
                             std::size_t enough, Progress& progress) {
  if (items.empty()) return {};
  std::vector<Items> large;
  {
    Cutter cutter(input, models, space, options, true);
    large = cut_down(cutter, std::move(items), std::max(enough, kLargePart), progress);
  }
  if (enough >= kLargePart) return large;
  std::vector<std::vector<Items>> small(large.size());
  parallel_blocks(large.size(), 1, [&](std::size_t at, std::size_t) {
    const std::size_t size = large[at].size();
    Cutter cutter(input, models, space, options, false);
    small[at] = cut_down(cutter, std::move(large[at]), enough, progress);
    progress.advance(size);
  });
  std::vector<Items> parts;
  for (auto& block : small) {
    for (auto& part : block) parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace pratique::tables
