// Targets are looked for in the order of what is known of them, rarest code first, so that those
// who begin with the same codes share the records that are left after these.
#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>

#include "pratique/codes/attack/attack.h"
#include "pratique/codes/attack/rarity.h"
#include "pratique/core/parallel.h"

namespace pratique::codes {
namespace {

using Records = std::vector<std::uint32_t>;
using Key = std::uint32_t;
constexpr Key kNoKey = 0xffffffffU;

// Codes that the same items cover are told apart by no record: they are one key. Keys are numbered
// by the records that cover them, the fewest first.
class Keys {
 public:
  Keys(const SearchableRelease& release, std::size_t codes) : of_code_(codes, kNoKey) {
    std::map<std::vector<std::uint32_t>, Key> key_of;
    std::vector<Key> raw(codes, kNoKey);
    std::vector<Covered> covered;
    for (Code code = 0; code < codes; ++code) {
      const auto items = release.covering(code);
      if (items.empty()) continue;
      const auto [entry, fresh] =
          key_of.try_emplace({items.begin(), items.end()}, static_cast<Key>(covered.size()));
      raw[code] = entry->second;
      if (fresh) covered.push_back(by_any(release, items));
    }
    std::vector<Key> order(covered.size());
    std::iota(order.begin(), order.end(), Key{0});
    std::stable_sort(order.begin(), order.end(), [&](Key a, Key b) {
      return covered[a].records->size() < covered[b].records->size();
    });
    std::vector<Key> number(order.size(), kNoKey);
    for (const Key key : order) {
      if (covered[key].records->empty()) continue;
      number[key] = static_cast<Key>(covered_.size());
      covered_.push_back(covered[key]);
    }
    for (Code code = 0; code < codes; ++code) {
      if (raw[code] != kNoKey) of_code_[code] = number[raw[code]];
    }
  }

  [[nodiscard]] std::size_t size() const { return covered_.size(); }
  // kNoKey of a code that no record covers.
  [[nodiscard]] Key of(Code code) const { return of_code_[code]; }
  [[nodiscard]] const Records& records(Key key) const { return *covered_[key].records; }

  // Those of the records, ascending, that cover the key too.
  void keep_covering(const Records& records, Key key, Records& kept) const {
    kept.clear();
    visit_covering(records, key, [&](std::uint32_t r) {
      kept.push_back(r);
      return true;
    });
  }
  // Each of these, until `visit` returns false.
  template <class Visit>
  void visit_covering(const Records& records, Key key, const Visit& visit) const {
    const Bits& bits = *covered_[key].bits;
    if (!bits.empty()) {
      for (const auto r : records) {
        if ((bits[r / 64] >> (r % 64) & 1U) != 0 && !visit(r)) return;
      }
      return;
    }
    const Records& others = *covered_[key].records;
    for (auto a = records.begin(), b = others.begin(); a != records.end() && b != others.end();) {
      if (*a < *b) {
        ++a;
      } else if (*b < *a) {
        ++b;
      } else {
        if (!visit(*a)) return;
        ++a;
        ++b;
      }
    }
  }

 private:
  using Bits = std::vector<std::uint64_t>;
  struct Covered {
    const Records* records;
    const Bits* bits;  // empty where the release has none
  };

  // Lists and bits are those of the release, but for codes with several items over them.
  Covered by_any(const SearchableRelease& release, std::span<const std::uint32_t> items) {
    if (items.size() == 1) return {&release.with(items.front()), &release.among(items.front())};
    Records records;
    bool all_bits = true;
    for (const auto item : items) {
      records.insert(records.end(), release.with(item).begin(), release.with(item).end());
      all_bits = all_bits && !release.among(item).empty();
    }
    std::sort(records.begin(), records.end());
    records.erase(std::unique(records.begin(), records.end()), records.end());
    Bits bits;
    if (all_bits) {
      bits = release.among(items.front());
      for (const auto r : records) bits[r / 64] |= std::uint64_t{1} << (r % 64);
    }
    joined_.emplace_back(std::move(records), std::move(bits));
    return {&joined_.back().first, &joined_.back().second};
  }

  std::vector<Key> of_code_;
  std::vector<Covered> covered_;                 // by key
  std::deque<std::pair<Records, Bits>> joined_;  // stay where they are
};

// What is known of a target, as keys.
struct Known {
  std::vector<std::size_t> first = {0};
  std::vector<Key> keys;

  [[nodiscard]] std::span<const Key> of(std::size_t set) const {
    return std::span(keys).subspan(first[set], first[set + 1] - first[set]);
  }
};

Known rarest_codes(const CodeSets& sets, std::size_t most, const Keys& keys) {
  const auto rarity = rarity_of(sets);
  Known known;
  std::vector<Code> chosen;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    chosen.assign(sets.set(s).begin(), sets.set(s).end());
    if (chosen.size() > most) {
      std::partial_sort(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(most),
                        chosen.end(), [&](Code a, Code b) { return rarity[a] < rarity[b]; });
      chosen.resize(most);
    }
    const auto begin = static_cast<std::ptrdiff_t>(known.keys.size());
    for (const Code code : chosen) {
      if (keys.of(code) != kNoKey) known.keys.push_back(keys.of(code));
    }
    std::sort(known.keys.begin() + begin, known.keys.end());
    known.keys.erase(std::unique(known.keys.begin() + begin, known.keys.end()), known.keys.end());
    known.first.push_back(known.keys.size());
  }
  return known;
}

// Looks for targets one after the other, each list of records made from that of a shorter list of
// keys. The last key of a target only has to tell whether enough records are left.
class Search {
 public:
  Search(const SearchableRelease& release, const Keys& keys, std::uint64_t enough)
      : release_(release), keys_(keys), enough_(enough) {}

  // The patients who match, but no more than `enough` of them; targets come in ascending order.
  std::uint64_t look_for(std::span<const Key> wanted) {
    if (std::ranges::equal(wanted, last_)) return matched_;
    last_.assign(wanted.begin(), wanted.end());
    matched_ = 0;
    const auto add = [&](std::uint32_t r) {
      matched_ += release_.patients(r);
      return matched_ < enough_;
    };
    if (wanted.size() == 1) {
      for (const auto r : keys_.records(wanted[0])) {
        if (!add(r)) break;
      }
    } else {
      keys_.visit_covering(left_after(wanted.first(wanted.size() - 1)), wanted.back(), add);
    }
    return matched_;
  }

 private:
  // The records that cover all of the keys.
  const Records& left_after(std::span<const Key> keys) {
    std::size_t shared = 0;
    while (shared < keys.size() && shared < path_.size() && path_[shared] == keys[shared]) {
      ++shared;
    }
    path_.resize(shared);
    if (left_.size() < keys.size()) left_.resize(keys.size());
    for (std::size_t depth = shared; depth < keys.size(); ++depth) {
      path_.push_back(keys[depth]);
      if (depth == 0) continue;
      const Records& before = depth == 1 ? keys_.records(keys[0]) : left_[depth - 1];
      keys_.keep_covering(before, keys[depth], left_[depth]);
    }
    return keys.size() == 1 ? keys_.records(keys[0]) : left_[keys.size() - 1];
  }

  const SearchableRelease& release_;
  const Keys& keys_;
  std::uint64_t enough_;
  std::vector<Key> path_;
  std::vector<Records> left_;  // by depth: what covers the path up to there
  std::vector<Key> last_;      // who was looked for last, and
  std::uint64_t matched_ = 0;
};

}  // namespace

Exposure expose(const SearchableRelease& release, const CodeSets& sets, std::uint64_t k,
                std::size_t most, Progress& progress) {
  progress.begin("attacking", sets.size());
  const Keys keys(release, sets.codes.size());
  const Known known = rarest_codes(sets, most, keys);
  const auto enough = std::max<std::uint64_t>(k, 2);
  Exposure total;
  std::mutex mutex;
  const auto count = [&](Exposure& here, std::uint64_t matched, std::uint32_t patients) {
    here.targets += patients;
    if (matched > 0 && matched < k) here.matched_under_k += patients;
    if (matched == 1) here.reidentified += patients;
  };
  std::vector<std::vector<std::uint32_t>> beginning_with(keys.size());
  for (std::uint32_t s = 0; s < sets.size(); ++s) {
    if (known.of(s).empty()) {
      // Nothing useful is known: any record that is there may be the target's.
      count(total, release.count({}, enough), sets.counts[s]);
    } else {
      beginning_with[known.of(s).front()].push_back(s);
    }
  }
  parallel_blocks(keys.size(), 1, [&](std::size_t key, std::size_t) {
    auto& targets = beginning_with[key];
    if (targets.empty()) return;
    std::sort(targets.begin(), targets.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::lexicographical_compare(known.of(a), known.of(b));
    });
    Search search(release, keys, enough);
    Exposure here;
    for (const auto s : targets) count(here, search.look_for(known.of(s)), sets.counts[s]);
    progress.advance(targets.size());
    const std::lock_guard lock(mutex);
    total.targets += here.targets;
    total.matched_under_k += here.matched_under_k;
    total.reidentified += here.reidentified;
  });
  return total;
}

}  // namespace pratique::codes
