// k^m-anonymity of released sets of codes, from its definition.
//
// An item of a record is a code, or a label that the claim says which codes it covers. Codes X
// match a record when each of them is covered by an item of the record. The claim: whatever X of at
// most m codes, the records it matches are none or at least k.
//
// It is enough to look at rare sets of items. Let X match a record r, and let S be the items of r
// that cover X, at most as many as X has codes. All records with S match X. So if X matches fewer
// than k records, S is in fewer than k. For each set of items in fewer than k records, then, the
// codes under it are tried, one choice after the other, against all records. Where every code has
// one label in all records, a rare set of items is a breach at once.
//
// Counting follows the records item by item: a set's records are lists of the items that follow it,
// in one order of all items, rare ones first. Memory is that of the file, for each level of m.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "pratique/core/parallel.h"
#include "pratique/engine/code_sets_reader.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {
namespace {

using Item = std::uint32_t;

// What follows an item in a record, and how many patients have the record.
struct Tail {
  const Item* begin;
  const Item* end;
  std::uint32_t patients;
};

// The codes under each item, and the records that an adversary who knows a code is left with.
class Coverage {
 public:
  Coverage(const Json& labels, const CodeSets& release)
      : release_(release), codes_of_(release.codes.size()) {
    if (!labels.is_object()) throw malformed("no object 'labels'");
    for (const auto& [label, codes] : labels.items()) {
      const auto texts = texts_of(codes, "labels");
      if (texts.empty()) throw malformed("a label without codes");
      const auto item = release.codes.find(label);
      if (!item) continue;
      for (const auto& text : texts) cover(*item, text);
    }
    for (Item item = 0; item < codes_of_.size(); ++item) {
      if (codes_of_[item].empty()) cover(item, std::string(release.codes.value(item)));
    }
    holders_.resize(codes_of_.size());
    for (std::uint32_t s = 0; s < release.size(); ++s) {
      for (const Item item : release.set(s)) holders_[item].push_back(s);
    }
    for (const auto& items : items_of_) ambiguous_ = ambiguous_ || items.size() > 1;
  }

  // A choice of at most m codes under these items that fewer than k patients match; empty when
  // there is none.
  [[nodiscard]] std::vector<std::string> breach(std::span<const Item> items, std::uint64_t k, int m,
                                                std::uint64_t& patients) const {
    std::vector<std::uint32_t> chosen;
    if (!ambiguous_) {
      for (const Item item : items) chosen.push_back(codes_of_[item].front());
      return texts(chosen);
    }
    const int more = m - static_cast<int>(items.size());
    return choose(items, 0, more, {}, k, chosen, patients) ? texts(chosen)
                                                           : std::vector<std::string>();
  }

 private:
  void cover(Item item, const std::string& code) {
    const auto [entry, fresh] =
        number_.try_emplace(code, static_cast<std::uint32_t>(names_.size()));
    if (fresh) {
      names_.push_back(code);
      items_of_.emplace_back();
    }
    codes_of_[item].push_back(entry->second);
    items_of_[entry->second].push_back(item);
  }

  std::vector<std::string> texts(const std::vector<std::uint32_t>& codes) const {
    std::vector<std::string> result;
    for (const auto code : codes) result.push_back(names_[code]);
    return result;
  }

  std::vector<std::uint32_t> matching(std::uint32_t code) const {
    std::vector<std::uint32_t> sets;
    for (const Item item : items_of_[code]) {
      sets.insert(sets.end(), holders_[item].begin(), holders_[item].end());
    }
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    return sets;
  }

  // One code under each item, then further ones under any of them while there are `more`.
  bool choose(std::span<const Item> items, std::size_t index, int more,
              const std::vector<std::uint32_t>& left, std::uint64_t k,
              std::vector<std::uint32_t>& chosen, std::uint64_t& patients) const {
    if (index < items.size()) {
      return choose_under(items[index], items, index + 1, more, left, k, chosen, patients);
    }
    patients = 0;
    for (const auto s : left) patients += release_.counts[s];
    if (patients < k) return true;
    return more > 0 && std::any_of(items.begin(), items.end(), [&](Item item) {
             return choose_under(item, items, index, more - 1, left, k, chosen, patients);
           });
  }

  bool choose_under(Item item, std::span<const Item> items, std::size_t index, int more,
                    const std::vector<std::uint32_t>& left, std::uint64_t k,
                    std::vector<std::uint32_t>& chosen, std::uint64_t& patients) const {
    // Codes with the same items match the same records: one of them speaks for all.
    std::vector<const std::vector<Item>*> tried;
    for (const auto code : codes_of_[item]) {
      const auto& signature = items_of_[code];
      if (std::any_of(tried.begin(), tried.end(), [&](const auto* t) { return *t == signature; })) {
        continue;
      }
      tried.push_back(&signature);
      auto sets = matching(code);
      if (!chosen.empty()) {
        std::vector<std::uint32_t> both;
        std::set_intersection(sets.begin(), sets.end(), left.begin(), left.end(),
                              std::back_inserter(both));
        sets = std::move(both);
      }
      chosen.push_back(code);
      if (choose(items, index, more, sets, k, chosen, patients)) return true;
      chosen.pop_back();
    }
    return false;
  }

  const CodeSets& release_;
  std::vector<std::vector<std::uint32_t>> codes_of_;  // by item
  std::vector<std::vector<Item>> items_of_;           // by code
  std::vector<std::vector<std::uint32_t>> holders_;   // sets with each item
  std::unordered_map<std::string, std::uint32_t> number_;
  std::vector<std::string> names_;
  bool ambiguous_ = false;  // some code is covered by more than one item
};

struct Breach {
  std::vector<std::string> codes;
  std::uint64_t patients = 0;
};

class Counter {
 public:
  Counter(const Coverage& coverage, const std::vector<Item>& item_at, std::uint64_t k, int m)
      : coverage_(coverage), item_at_(item_at), k_(k), m_(m) {}

  [[nodiscard]] std::uint64_t smallest() const { return smallest_; }
  [[nodiscard]] const Breach& breach() const { return breach_; }

  // `place` is an item's place in the order.
  void look_at(Item place, const std::vector<Tail>& tails, int more) {
    path_.push_back(item_at_[place]);
    std::uint64_t patients = 0;
    for (const Tail& tail : tails) patients += tail.patients;
    if (patients < k_) {
      std::uint64_t matched = patients;
      auto codes = coverage_.breach(path_, k_, m_, matched);
      if (!codes.empty()) {
        breach_ = {std::move(codes), matched};
        smallest_ = std::min(smallest_, matched);
      }
    } else {
      smallest_ = std::min(smallest_, patients);
    }
    if (more > 0 && breach_.codes.empty()) look_beyond(tails, more);
    path_.pop_back();
  }

 private:
  void look_beyond(const std::vector<Tail>& tails, int more) {
    if (more == 1) return count_last(tails);
    std::vector<std::pair<Item, Tail>> next;
    for (const Tail& tail : tails) {
      for (const Item* p = tail.begin; p != tail.end; ++p) {
        next.push_back({*p, {p + 1, tail.end, tail.patients}});
      }
    }
    std::stable_sort(next.begin(), next.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < next.size() && breach_.codes.empty();) {
      std::vector<Tail> inside;
      const Item place = next[i].first;
      for (; i < next.size() && next[i].first == place; ++i) inside.push_back(next[i].second);
      look_at(place, inside, more - 1);
    }
  }

  void count_last(const std::vector<Tail>& tails) {
    counts_.resize(item_at_.size(), 0);
    seen_.clear();
    for (const Tail& tail : tails) {
      for (const Item* p = tail.begin; p != tail.end; ++p) {
        if (counts_[*p] == 0) seen_.push_back(*p);
        counts_[*p] += tail.patients;
      }
    }
    for (const Item place : seen_) {
      const std::uint64_t patients = counts_[place];
      counts_[place] = 0;
      if (patients >= k_) {
        smallest_ = std::min(smallest_, patients);
      } else if (breach_.codes.empty()) {
        look_at(place, {{nullptr, nullptr, static_cast<std::uint32_t>(patients)}}, 0);
      }
    }
  }

  const Coverage& coverage_;
  const std::vector<Item>& item_at_;
  std::uint64_t k_;
  int m_;
  std::uint64_t smallest_ = std::numeric_limits<std::uint64_t>::max();
  Breach breach_;
  std::vector<Item> path_;
  std::vector<std::uint64_t> counts_;
  std::vector<Item> seen_;
};

}  // namespace

ClaimResult check_km(const ClaimContext& context) {
  const Json& claim = context.claim;
  const auto k = static_cast<std::uint64_t>(whole_in(claim, "k"));
  const auto m = static_cast<int>(whole_in(claim, "m"));
  const bool sets_form = context.release.format == FileFormat::sets;
  const CodeSets release =
      read_code_sets(context.engine, context.release, sets_form ? "" : text_in(claim, "patient"),
                     sets_form ? "" : text_in(claim, "code"), context.progress);
  if (!claim.contains("labels")) throw malformed("no object 'labels'");
  const Coverage coverage(claim["labels"], release);

  // Items in an order of their own: rare ones first, so that long tails are few.
  const auto supports = release.supports();
  std::vector<Item> item_at(supports.size());
  for (Item i = 0; i < item_at.size(); ++i) item_at[i] = i;
  std::stable_sort(item_at.begin(), item_at.end(),
                   [&](Item a, Item b) { return supports[a] < supports[b]; });
  std::vector<Item> place_of(item_at.size());
  for (Item place = 0; place < item_at.size(); ++place) place_of[item_at[place]] = place;
  std::vector<Item> places;
  places.reserve(release.items.size());
  std::vector<std::vector<Tail>> tails(item_at.size());
  for (std::size_t s = 0; s < release.size(); ++s) {
    const std::size_t begin = places.size();
    for (const Item item : release.set(s)) places.push_back(place_of[item]);
    std::sort(places.begin() + static_cast<std::ptrdiff_t>(begin), places.end());
    const Item* end = places.data() + places.size();
    for (const Item* p = places.data() + begin; p != end; ++p) {
      tails[*p].push_back({p + 1, end, release.counts[s]});
    }
  }

  Breach first;
  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  std::mutex mutex;
  context.progress.begin("counting sets of codes", tails.size());
  parallel_blocks(tails.size(), 8, [&](std::size_t begin, std::size_t end) {
    Counter counter(coverage, item_at, k, m);
    for (std::size_t place = begin; place < end; ++place) {
      context.progress.advance(1);
      if (counter.breach().codes.empty()) {
        counter.look_at(static_cast<Item>(place), tails[place], m - 1);
      }
    }
    const std::lock_guard lock(mutex);
    smallest = std::min(smallest, counter.smallest());
    if (first.codes.empty() ||
        (!counter.breach().codes.empty() && counter.breach().codes < first.codes)) {
      first = counter.breach();
    }
  });

  ClaimResult result;
  result.required = static_cast<double>(k);
  result.achieved = smallest == std::numeric_limits<std::uint64_t>::max()
                        ? std::numeric_limits<double>::infinity()
                        : static_cast<double>(smallest);
  result.holds = first.codes.empty();
  result.explanation =
      result.holds ? fmt::format("any {} codes match at least {} patients, or none", m, k)
                   : fmt::format("the codes {{{}}} together match {} patient{}, fewer than {}",
                                 fmt::join(first.codes, ", "), first.patients,
                                 first.patients == 1 ? "" : "s", k);
  return result;
}

}  // namespace pratique::verify
