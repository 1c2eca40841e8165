#include "pratique/codes/attack/differencing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace pratique::codes {
namespace {

using GroupList = std::vector<std::uint32_t>;  // ascending
using CountedRecords = std::map<GroupList, std::uint64_t>;

constexpr char kOfColumn = '\x1F';                  // items begin with it
constexpr std::uint32_t kColumnGroups = 1U << 31U;  // and have numbers from here on

bool is_of_column(std::string_view item) { return !item.empty() && item.front() == kOfColumn; }

// Codes that some item of either release covers together, under one number. Numbers ascend with the
// first name of each, so that the order of a file's records changes nothing.
class JointCodes {
 public:
  JointCodes(const ComposedRelease& earlier, const ComposedRelease& later) {
    std::set<std::string> names;
    for (const auto* release : {&earlier, &later}) {
      for (const auto item : release->records.codes.values()) {
        if (is_of_column(item)) continue;
        for (auto& code : meaning_of(item, *release)) names.insert(std::move(code));
      }
    }
    for (const auto& name : names) (void)number(name);
    for (const auto* release : {&earlier, &later}) join_items(*release);
    if (parent_.empty()) parent_.push_back(0);  // no item names a code
    std::vector<bool> shown_before(parent_.size(), false);
    std::vector<bool> shown_after(parent_.size(), false);
    mark(earlier, shown_before);
    mark(later, shown_after);
    for (std::size_t i = 0; i < parent_.size(); ++i)
      shown_.push_back(shown_before[i] && shown_after[i]);
  }

  [[nodiscard]] CountedRecords records(const ComposedRelease& release) {
    CountedRecords all;
    for (std::size_t r = 0; r < release.records.size(); ++r) {
      GroupList groups;
      for (const Code item : release.records.set(r)) {
        const auto group = group_of(release.records.codes.value(item), release);
        if (group >= kColumnGroups || shown_[group]) groups.push_back(group);
      }
      std::sort(groups.begin(), groups.end());
      groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
      all[groups] += release.records.counts[r];
    }
    return all;
  }

 private:
  std::uint32_t root(std::uint32_t code) {
    while (parent_[code] != code) code = parent_[code] = parent_[parent_[code]];
    return code;
  }
  std::uint32_t number(const std::string& code) {
    const Code known = codes_.intern(code);
    while (parent_.size() <= known) parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    return known;
  }
  void join_items(const ComposedRelease& release) {
    for (const auto item : release.records.codes.values()) {
      if (is_of_column(item)) continue;
      const auto meant = meaning_of(item, release);
      if (meant.empty()) joins_all_ = true;
      for (const auto& code : meant) {
        const auto [first, second] = std::minmax({root(number(code)), root(number(meant.front()))});
        parent_[second] = first;
      }
    }
  }
  std::uint32_t group_of(std::string_view item, const ComposedRelease& release) {
    if (is_of_column(item)) return kColumnGroups + columns_.intern(item);
    if (joins_all_) return 0;
    return root(number(meaning_of(item, release).front()));
  }
  void mark(const ComposedRelease& release, std::vector<bool>& shown) {
    for (const Code item : release.records.items) {
      const auto group = group_of(release.records.codes.value(item), release);
      if (group < kColumnGroups) shown[group] = true;
    }
  }

  Dictionary codes_;
  Dictionary columns_;  // items of columns
  std::vector<std::uint32_t> parent_;
  std::vector<bool> shown_;  // by group: in both releases
  bool joins_all_ = false;   // an item stands for any code
};

CountedRecords without(const CountedRecords& records, const CountedRecords& others) {
  CountedRecords rest;
  for (const auto& [groups, patients] : records) {
    const auto other = others.find(groups);
    const std::uint64_t cancelled = other == others.end() ? 0 : other->second;
    if (patients > cancelled) rest[groups] = patients - cancelled;
  }
  return rest;
}

std::uint64_t patients_in(const CountedRecords& records) {
  return std::accumulate(records.begin(), records.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& record) { return sum + record.second; });
}

// Patients whose m rarest codes fewer than k of these records have.
std::uint64_t found_among(const CountedRecords& records, const CompositionQuestion& question) {
  std::map<std::uint32_t, std::vector<CountedRecords::const_iterator>> with;
  std::map<std::uint32_t, std::uint64_t> support;
  for (auto record = records.begin(); record != records.end(); ++record) {
    for (const auto group : record->first) {
      with[group].push_back(record);
      support[group] += record->second;
    }
  }
  std::uint64_t exposed = 0;
  for (const auto& [groups, patients] : records) {
    GroupList known = groups;
    std::stable_sort(known.begin(), known.end(), [&](std::uint32_t a, std::uint32_t b) {
      return support.at(a) < support.at(b);
    });
    known.resize(std::min(known.size(), question.known));
    if (known.empty()) continue;
    const std::uint32_t rarest = known.front();
    std::sort(known.begin(), known.end());
    std::uint64_t fitting = 0;
    for (const auto& record : with.at(rarest)) {
      if (std::includes(record->first.begin(), record->first.end(), known.begin(), known.end()))
        fitting += record->second;
    }
    if (fitting < question.k) exposed += patients;
  }
  return exposed;
}

std::uint64_t exposed_in(const CountedRecords& rest, const CountedRecords& others,
                         const CompositionQuestion& question) {
  const std::uint64_t patients = patients_in(rest);
  if (patients < question.k) return patients;
  return others.empty() ? found_among(rest, question) : 0;
}

}  // namespace

std::string column_item(std::string_view column, std::string_view cell) {
  std::string item(1, kOfColumn);
  return item.append(column).append(1, kOfColumn).append(cell);
}

CodeDifferencing subtract(const ComposedRelease& earlier, const ComposedRelease& later,
                          const CompositionQuestion& question) {
  JointCodes joint(earlier, later);
  const CountedRecords before = joint.records(earlier);
  const CountedRecords after = joint.records(later);
  const CountedRecords lost = without(before, after);
  const CountedRecords gained = without(after, before);
  return {.joined = exposed_in(gained, lost, question), .left = exposed_in(lost, gained, question)};
}

}  // namespace pratique::codes
