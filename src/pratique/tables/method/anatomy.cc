#include "pratique/tables/method/anatomy.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <queue>
#include <set>

#include "pratique/core/error.h"
#include "pratique/data/generalised.h"

namespace pratique::tables {
namespace {

using Group = std::vector<std::uint32_t>;  // of records: the rows of the input that they stand for

void refuse_frequent(const std::vector<Group>& buckets, std::uint64_t records, std::uint64_t l) {
  const std::size_t most =
      std::max_element(buckets.begin(), buckets.end(), [](const Group& a, const Group& b) {
        return a.size() < b.size();
      })->size();
  if (most * l <= records) return;
  throw Error::check(
      fmt::format("one sensitive value has {} of {} records, more than one in {}: no groups can "
                  "have {} different values each",
                  most, records, l, l))
      .hint(records / most < 2
                ? std::string("Anatomy can hold no l here; generalisation with --suppression "
                              "(--method optimal) may. Nothing was written.")
                : fmt::format("--l {} is the largest that anatomy can hold here; generalisation "
                              "(--method optimal) may hold more. Nothing was written.",
                              records / most));
}

class Anatomist {
 public:
  Anatomist(const ProtectionInput& input, std::uint64_t l, const DrawBelow& below)
      : values_(*input.sensitive.front()), l_(l), below_(below) {
    // Codes come in the order of the rows: who stands first must not decide which value does.
    std::vector<Code> by_text(values_.dictionary.size());
    std::iota(by_text.begin(), by_text.end(), Code{0});
    std::sort(by_text.begin(), by_text.end(), [&](Code a, Code b) {
      return values_.dictionary.value(a) < values_.dictionary.value(b);
    });
    place_of_.resize(by_text.size());
    for (std::size_t place = 0; place < by_text.size(); ++place) place_of_[by_text[place]] = place;
    buckets_.resize(by_text.size());
    for (std::uint32_t row = 0; row < input.groups(); ++row) {
      auto& bucket = buckets_[place_of_[values_.codes[row]]];
      bucket.insert(bucket.end(), (*input.counts)[row], row);
    }
    if (buckets_.empty()) return;
    refuse_frequent(buckets_, records_of(input), l);
    for (auto& bucket : buckets_) shuffle(bucket);
  }

  std::vector<Group> run() {
    // The largest first; of equals the first value.
    using Size = std::pair<std::size_t, std::size_t>;  // records, values from the last
    std::priority_queue<Size> largest;
    for (std::size_t value = 0; value < buckets_.size(); ++value) {
      if (!buckets_[value].empty()) largest.emplace(buckets_[value].size(), ~value);
    }
    while (largest.size() >= l_) {
      Group group;
      std::vector<Size> taken;
      for (std::uint64_t i = 0; i < l_; ++i) {
        taken.push_back(largest.top());
        largest.pop();
      }
      for (auto& [records, last] : taken) {
        group.push_back(take(~last));
        if (--records > 0) largest.emplace(records, last);
      }
      groups_.push_back(std::move(group));
    }
    for (std::size_t value = 0; value < buckets_.size(); ++value) {
      while (!buckets_[value].empty()) join(value);
    }
    shuffle(groups_);
    return std::move(groups_);
  }

 private:
  template <typename Items>
  void shuffle(Items& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below_(i)]);
  }

  std::uint32_t take(std::size_t value) {
    const std::uint32_t row = buckets_[value].back();
    buckets_[value].pop_back();
    return row;
  }

  void join(std::size_t value) {
    std::vector<std::size_t> without;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (std::none_of(groups_[g].begin(), groups_[g].end(),
                       [&](std::uint32_t row) { return place_of_[values_.codes[row]] == value; }))
        without.push_back(g);
    }
    groups_[without[below_(without.size())]].push_back(take(value));
  }

  const Column& values_;
  std::uint64_t l_;
  const DrawBelow& below_;
  std::vector<std::size_t> place_of_;  // by code: the value's place in the order of texts
  std::vector<Group> buckets_;         // by value, in that order
  std::vector<Group> groups_;
};

}  // namespace

Recoding anatomy(const ProtectionInput& input, std::uint64_t l, const DrawBelow& below) {
  const auto groups = Anatomist(input, l, below).run();
  Recoding recoding;
  recoding.class_count = groups.size();
  for (std::size_t id = 0; id < groups.size(); ++id) {
    const std::set<std::uint32_t> rows(groups[id].begin(), groups[id].end());
    for (const auto row : rows) {
      recoding.groups.push_back(row);
      recoding.counts.push_back(
          static_cast<std::uint64_t>(std::count(groups[id].begin(), groups[id].end(), row)));
      recoding.class_of.push_back(static_cast<ClassId>(id));
    }
  }
  for (const auto& attribute : input.attributes) {
    RecodedColumn& column = recoding.columns.emplace_back(keep(*attribute.column, recoding));
    for (auto& value : column.values) value = GeneralisedValue::text(value).print();
    column.leaves.assign(column.values.size(), 1);
  }
  return recoding;
}

}  // namespace pratique::tables
