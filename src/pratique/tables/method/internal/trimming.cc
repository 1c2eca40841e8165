#include "pratique/tables/method/internal/trimming.h"

#include <algorithm>
#include <optional>
#include <queue>

namespace pratique::tables {
namespace {

using Word = LossSpace::Word;
using Box = std::vector<Word>;

// Leaving out an item of a class.
struct Removal {
  double gain = 0;  // per record
  std::size_t eq_class = 0;
  std::size_t item = 0;
  std::uint64_t version = 0;  // of the class, when it was looked at

  friend bool operator<(const Removal& a, const Removal& b) {
    if (a.gain != b.gain) return a.gain < b.gain;
    return a.eq_class > b.eq_class;
  }
};

class Trimmer {
 public:
  Trimmer(const ProtectionInput& input, const Models& models, const LossSpace& space)
      : space_(space), check_(input, models) {}

  // The best removal that gains and leaves the models satisfied.
  std::optional<Removal> best_of(const Items& items) {
    if (items.size() < 2) return std::nullopt;
    // Boxes of the items before and after each.
    std::vector<Box> before(items.size());
    Box box = point(items[0]);
    for (std::size_t i = 1; i < items.size(); ++i) {
      before[i] = box;
      space_.unite(box.data(), space_.point(items[i].group));
    }
    const double cost = space_.cost(box.data());
    const auto records = static_cast<double>(records_in(items));
    std::vector<Removal> removals;
    Box after;
    for (std::size_t i = items.size(); i-- > 0;) {
      Box rest = before[i];
      if (rest.empty()) {
        rest = after;
      } else if (!after.empty()) {
        space_.unite(rest.data(), after.data());
      }
      const auto leaving = static_cast<double>(items[i].count);
      const double saved = (records - leaving) * (cost - space_.cost(rest.data()));
      const double lost = leaving * (static_cast<double>(space_.size()) - cost);
      if (leaving > 0 && saved > lost * (1 + 1e-9)) {
        removals.push_back({.gain = (saved - lost) / leaving, .item = i});
      }
      if (after.empty()) {
        after = point(items[i]);
      } else {
        space_.unite(after.data(), space_.point(items[i].group));
      }
    }
    std::sort(removals.begin(), removals.end(), [](const Removal& a, const Removal& b) {
      return a.gain != b.gain ? a.gain > b.gain : a.item < b.item;
    });
    for (const Removal& removal : removals) {
      Items rest = items;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(removal.item));
      if (check_.holds(rest)) return removal;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Box point(const Item& item) const {
    const Word* words = space_.point(item.group);
    return {words, words + space_.size()};
  }

  const LossSpace& space_;
  ModelCheck check_;
};

}  // namespace

std::uint64_t trim(std::vector<Items>& classes, const ProtectionInput& input, const Models& models,
                   const LossSpace& space, std::uint64_t most) {
  Trimmer trimmer(input, models, space);
  std::vector<std::uint64_t> versions(classes.size(), 0);
  std::priority_queue<Removal> queue;
  const auto look_at = [&](std::size_t c) {
    if (auto removal = trimmer.best_of(classes[c])) {
      removal->eq_class = c;
      removal->version = versions[c];
      queue.push(*removal);
    }
  };
  for (std::size_t c = 0; most > 0 && c < classes.size(); ++c) look_at(c);
  std::uint64_t taken = 0;
  while (!queue.empty()) {
    const Removal removal = queue.top();
    queue.pop();
    if (removal.version != versions[removal.eq_class]) continue;
    Items& items = classes[removal.eq_class];
    const std::uint64_t records = items[removal.item].count;
    if (taken + records > most) break;
    taken += records;
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(removal.item));
    ++versions[removal.eq_class];
    look_at(removal.eq_class);
  }
  return taken;
}

}  // namespace pratique::tables
