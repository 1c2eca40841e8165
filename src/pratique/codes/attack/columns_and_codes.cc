#include "pratique/codes/attack/columns_and_codes.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "pratique/core/parallel.h"

namespace pratique::codes {
namespace {

constexpr std::size_t kExactItems = 3;
constexpr std::size_t kRarestItems = 200;

using Item = std::uint32_t;

// What follows an item in a record of the class.
struct TailOfRecord {
  std::uint32_t record;
  std::span<const Item> rest;
};

// Patients with the same columns. Items are numbered by how many of them have each, rare ones
// first.
class SameColumns {
 public:
  SameColumns(std::span<const RecordItems> all, std::span<const std::uint32_t> patients,
              std::uint64_t k)
      : k_(k), under_k_(patients.size(), false), alone_(patients.size(), false) {
    std::unordered_map<Item, std::uint32_t> support;
    for (const auto p : patients) {
      for (const Item item : all[p]) ++support[item];
    }
    std::vector<std::pair<std::uint32_t, Item>> order;
    for (const auto& [item, count] : support) order.emplace_back(count, item);
    std::sort(order.begin(), order.end());
    std::unordered_map<Item, Item> number;
    for (const auto& [count, item] : order) number.emplace(item, static_cast<Item>(number.size()));
    with_.resize(number.size());
    counts_.resize(number.size(), 0);
    for (std::uint32_t r = 0; r < patients.size(); ++r) {
      std::vector<Item> items;
      for (const Item item : all[patients[r]]) items.push_back(number.at(item));
      std::sort(items.begin(), items.end());
      for (const Item item : items) with_[item].push_back(r);
      records_.push_back(std::move(items));
    }
  }

  void look_for(std::size_t most) {
    std::vector<TailOfRecord> everybody;
    for (std::uint32_t r = 0; r < records_.size(); ++r) {
      const auto tried = std::min(records_[r].size(), kRarestItems);
      everybody.push_back({r, std::span(records_[r]).first(tried)});
    }
    judge(everybody);
    descend(everybody, std::min(most, kExactItems));
    if (most <= kExactItems) return;
    for (std::uint32_t r = 0; r < records_.size(); ++r) {
      if (!alone_[r]) look_for_rarest(r, std::min(most, records_[r].size()));
    }
  }

  void add_to(Exposure& exposure) const {
    exposure.targets += records_.size();
    exposure.matched_under_k +=
        static_cast<std::uint64_t>(std::count(under_k_.begin(), under_k_.end(), true));
    exposure.reidentified +=
        static_cast<std::uint64_t>(std::count(alone_.begin(), alone_.end(), true));
  }

 private:
  void mark(std::uint32_t record, std::uint64_t matched) {
    if (matched < k_) under_k_[record] = true;
    if (matched == 1) alone_[record] = true;
  }

  void judge(const std::vector<TailOfRecord>& tails) {
    for (const auto& tail : tails) mark(tail.record, tails.size());
  }

  // Sets of up to `more` further items.
  void descend(const std::vector<TailOfRecord>& tails, std::size_t more) {
    const bool all_alone = std::all_of(tails.begin(), tails.end(),
                                       [&](const auto& tail) { return alone_[tail.record]; });
    if (more == 0 || all_alone) return;
    if (more == 1) return count_last(tails);
    std::vector<std::pair<Item, TailOfRecord>> next;
    for (const auto& [record, rest] : tails) {
      for (std::size_t i = 0; i < rest.size(); ++i)
        next.push_back({rest[i], {record, rest.subspan(i + 1)}});
    }
    std::stable_sort(next.begin(), next.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<TailOfRecord> inside;
    for (std::size_t i = 0; i < next.size();) {
      inside.clear();
      const Item item = next[i].first;
      for (; i < next.size() && next[i].first == item; ++i) inside.push_back(next[i].second);
      judge(inside);
      descend(inside, more - 1);
    }
  }

  void count_last(const std::vector<TailOfRecord>& tails) {
    for (const auto& tail : tails) {
      for (const Item item : tail.rest) ++counts_[item];
    }
    for (const auto& tail : tails) {
      for (const Item item : tail.rest) mark(tail.record, counts_[item]);
    }
    for (const auto& tail : tails) {
      for (const Item item : tail.rest) counts_[item] = 0;
    }
  }

  void look_for_rarest(std::uint32_t record, std::size_t known) {
    if (known == 0) return;
    const auto wanted = std::span(records_[record]).first(known);
    const auto& candidates = with_[wanted.front()];
    mark(record, static_cast<std::uint64_t>(
                     std::count_if(candidates.begin(), candidates.end(), [&](std::uint32_t other) {
                       return std::ranges::includes(records_[other], wanted);
                     })));
  }

  std::uint64_t k_;
  std::vector<std::vector<Item>> records_;
  std::vector<std::vector<std::uint32_t>> with_;  // records by item
  std::vector<std::uint32_t> counts_;
  std::vector<bool> under_k_;
  std::vector<bool> alone_;
};

}  // namespace

Exposure expose_with_columns(std::span<const RecordItems> records,
                             std::span<const std::uint32_t> columns, std::uint64_t k,
                             std::size_t most, Progress& progress) {
  std::vector<std::vector<std::uint32_t>> same;
  for (std::uint32_t p = 0; p < records.size(); ++p) {
    if (records[p].empty()) continue;
    if (columns[p] >= same.size()) same.resize(columns[p] + 1);
    same[columns[p]].push_back(p);
  }
  Exposure total;
  std::mutex mutex;
  progress.begin("looking for patients by columns and codes", same.size());
  parallel_blocks(same.size(), 1, [&](std::size_t number, std::size_t) {
    SameColumns patients(records, same[number], k);
    patients.look_for(most);
    progress.advance(1);
    const std::lock_guard lock(mutex);
    patients.add_to(total);
  });
  return total;
}

}  // namespace pratique::codes
