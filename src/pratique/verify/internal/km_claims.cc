// k^m-anonymity of released sets of codes, from its definition.
//
// An item of a record is a code, or a label that stands for codes. The claim: whatever 1 to m items
// stand together in a released record stand together in at least k.
//
// So whoever knows at most m codes of a patient, and finds a record that shows them, finds k
// records that show them by the very same items: neither how many records fit, nor how well each of
// them fits, tells one from k others. Counting every record that covers the known codes would not
// do: k records of the most general label cover everything, and would hide whatever stands beside
// them.
//
// Counting follows the records item by item: a set's records are lists of the items that follow it,
// in one order of all items, rare ones first. Memory is that of the file, for each level of m.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>

#include "pratique/core/parallel.h"
#include "pratique/data/code_labels.h"
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

// Labels mean something, whether the file shows them or not.
void check_labels(const Json& claim) {
  if (!claim.contains("labels") || !claim["labels"].is_object()) {
    throw malformed("no object 'labels'");
  }
  for (const auto& [label, codes] : claim["labels"].items()) {
    if (codes.is_string() && labels_speak(codes.get<std::string>())) continue;
    if (texts_of(codes, "labels").empty()) throw malformed("a label without codes");
  }
}

struct Breach {
  std::vector<std::string> items;
  std::uint64_t patients = 0;
};

class Counter {
 public:
  Counter(const CodeSets& release, const std::vector<Item>& item_at, std::uint64_t k)
      : release_(release), item_at_(item_at), k_(k) {}

  [[nodiscard]] std::uint64_t smallest() const { return smallest_; }
  [[nodiscard]] const Breach& breach() const { return breach_; }

  // `place` is an item's place in the order.
  void look_at(Item place, const std::vector<Tail>& tails, int more) {
    path_.push_back(item_at_[place]);
    std::uint64_t patients = 0;
    for (const Tail& tail : tails) patients += tail.patients;
    smallest_ = std::min(smallest_, patients);
    if (patients < k_) {
      breach_ = {{}, patients};
      for (const Item item : path_) breach_.items.emplace_back(release_.codes.value(item));
    } else if (more > 0) {
      look_beyond(tails, more);
    }
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
    for (std::size_t i = 0; i < next.size() && breach_.items.empty();) {
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
      } else if (breach_.items.empty()) {
        look_at(place, {{nullptr, nullptr, static_cast<std::uint32_t>(patients)}}, 0);
      }
    }
  }

  const CodeSets& release_;
  const std::vector<Item>& item_at_;
  std::uint64_t k_;
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
  check_labels(claim);

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
    Counter counter(release, item_at, k);
    for (std::size_t place = begin; place < end; ++place) {
      context.progress.advance(1);
      if (counter.breach().items.empty()) {
        counter.look_at(static_cast<Item>(place), tails[place], m - 1);
      }
    }
    const std::lock_guard lock(mutex);
    smallest = std::min(smallest, counter.smallest());
    if (first.items.empty() ||
        (!counter.breach().items.empty() && counter.breach().items < first.items)) {
      first = counter.breach();
    }
  });

  ClaimResult result;
  result.required = static_cast<double>(k);
  result.achieved = smallest == std::numeric_limits<std::uint64_t>::max()
                        ? std::numeric_limits<double>::infinity()
                        : static_cast<double>(smallest);
  result.holds = first.items.empty();
  result.explanation =
      result.holds ? fmt::format("any {} items of a record are in at least {} records", m, k)
                   : fmt::format("the items {{{}}} stand together in {} record{}, fewer than {}",
                                 fmt::join(first.items, ", "), first.patients,
                                 first.patients == 1 ? "" : "s", k);
  return result;
}

}  // namespace pratique::verify
