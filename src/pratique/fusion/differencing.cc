#include "pratique/fusion/differencing.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "pratique/data/number.h"
#include "pratique/fusion/composed_values.h"
#include "pratique/fusion/internal/candidate_sets.h"
#include "pratique/fusion/internal/leftover_values.h"

namespace pratique::fusion {
namespace {

using ClassSet = std::vector<std::uint32_t>;  // ascending
using Counts = ClassValues::Counts;

void sort_once(ClassSet& classes) {
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
}

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t root(std::uint32_t member) {
    while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
    return member;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[root(a)] = root(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

// What one side has that the other has not.
struct Rest {
  std::uint64_t people = 0;  // who are in this side alone, at least
  std::uint64_t values = 0;  // known to be theirs
  std::set<std::uint32_t> said = {};

  [[nodiscard]] bool is_breach(const DifferencingLimits& limits) const {
    return values > 0 && (people < limits.k || (people == values && said.size() < limits.l));
  }
};

class Subtraction {
 public:
  Subtraction(const ClassValues& earlier, const ClassValues& later,
              const DifferencingLimits& limits)
      : releases_{&earlier, &later}, limits_(limits) {
    for (auto side : {0, 1}) {
      neighbours_[side].resize(releases_[side]->classes.size());
      found_[side].resize(releases_[side]->classes.size());
    }
    for (std::size_t p = 0; p < earlier.class_of.size(); ++p) {
      const auto before = earlier.class_of[p];
      const auto after = later.class_of[p];
      if (before != ClassValues::kNowhere) ++found_[0][before];
      if (after != ClassValues::kNowhere) ++found_[1][after];
      if (before == ClassValues::kNowhere || after == ClassValues::kNowhere) continue;
      ++shared_[{before, after}];
    }
    for (const auto& [pair, people] : shared_) {
      neighbours_[0][pair.first].push_back(pair.second);
      neighbours_[1][pair.second].push_back(pair.first);
    }
    for (auto& classes : neighbours_[1]) std::sort(classes.begin(), classes.end());
  }

  Differencing compare_all() {
    std::vector<bool> reached(releases_[0]->classes.size(), false);
    for (std::uint32_t start = 0; start < reached.size(); ++start) {
      if (reached[start] || neighbours_[0][start].empty()) continue;
      compare_connected(start, reached);
    }
    return result_;
  }

 private:
  struct Exposed {
    std::uint64_t joined = 0;
    std::uint64_t left = 0;
  };

  [[nodiscard]] ClassSet meeting(int side, const ClassSet& classes) const {
    ClassSet others;
    for (const auto id : classes) {
      const auto& near = neighbours_[side][id];
      others.insert(others.end(), near.begin(), near.end());
    }
    sort_once(others);
    return others;
  }

  // The other side's classes that share people with these and with no others.
  [[nodiscard]] ClassSet within(int side, const ClassSet& classes) const {
    ClassSet others = meeting(side, classes);
    std::erase_if(others, [&](std::uint32_t id) {
      const auto& near = neighbours_[1 - side][id];
      return !std::includes(classes.begin(), classes.end(), near.begin(), near.end());
    });
    return others;
  }

  void compare_connected(std::uint32_t start, std::vector<bool>& reached) {
    std::array<ClassSet, 2> all;
    std::vector<std::pair<int, std::uint32_t>> open = {{0, start}};
    std::set<std::pair<int, std::uint32_t>> known = {{0, start}};
    while (!open.empty()) {
      const auto [side, id] = open.back();
      open.pop_back();
      all[side].push_back(id);
      for (const auto other : neighbours_[side][id]) {
        if (known.insert({1 - side, other}).second) open.emplace_back(1 - side, other);
      }
    }
    for (auto& classes : all) std::sort(classes.begin(), classes.end());
    for (const auto id : all[0]) reached[id] = true;
    largest_ = {};
    most_narrowed_ = 0;
    seen_.clear();
    compare(all[0], all[1]);
    for (const int side : {0, 1}) {
      for (const auto id : all[side]) {
        const ClassSet inside = within(side, {id});
        compare_sides(side, {id}, inside);
        const ClassSet outside = meeting(side, {id});
        if (outside.size() == all[1 - side].size()) continue;  // the whole
        if (!seen_.insert({side, outside}).second) continue;
        compare_sides(1 - side, outside, within(1 - side, outside));
      }
    }
    result_.joined += largest_.joined;
    result_.left += largest_.left;
    result_.narrowed += most_narrowed_;
  }

  void compare_sides(int side, const ClassSet& classes, const ClassSet& others) {
    if (others.empty()) return;
    if (side == 0) {
      compare(classes, others);
    } else {
      compare(others, classes);
    }
  }

  [[nodiscard]] Counts total(int side, const ClassSet& classes) const {
    if (classes.size() == 1) return releases_[side]->classes[classes.front()];
    std::map<std::uint32_t, std::uint64_t> sum;
    for (const auto id : classes) {
      for (const auto& [value, people] : releases_[side]->classes[id]) sum[value] += people;
    }
    return {sum.begin(), sum.end()};
  }

  [[nodiscard]] std::uint64_t shared_by(const ClassSet& before, const ClassSet& after) const {
    std::uint64_t people = 0;
    for (const auto id : before) {
      for (const auto other : neighbours_[0][id]) {
        if (std::binary_search(after.begin(), after.end(), other))
          people += shared_.at({id, other});
      }
    }
    return people;
  }

  void compare(const ClassSet& before, const ClassSet& after) {
    ++result_.compared;
    const Counts a = total(0, before);
    const Counts b = total(1, after);
    Rest lost;
    Rest gained;
    std::uint64_t common = 0;
    const auto count = [&](Rest& rest, std::uint32_t value, std::uint64_t all,
                           std::uint64_t cancelled) {
      rest.people += all;
      rest.values += all - cancelled;
      const auto& said_by = releases_[0]->said_by;
      if (all > cancelled) rest.said.insert(said_by.empty() ? value : said_by[value]);
    };
    auto at = b.begin();
    for (const auto& [value, people] : a) {
      for (; at != b.end() && at->first < value; ++at) count(gained, at->first, at->second, 0);
      const bool in_both = at != b.end() && at->first == value;
      const std::uint64_t cancelled = in_both ? std::min(people, at->second) : 0;
      common += cancelled;
      count(lost, value, people, cancelled);
      if (!in_both) continue;
      count(gained, value, at->second, cancelled);
      ++at;
    }
    for (; at != b.end(); ++at) count(gained, at->first, at->second, 0);
    result_.changed += lost.values + gained.values > 0 ? 1 : 0;
    const std::uint64_t stayed = std::min(common, shared_by(before, after));
    lost.people -= stayed;
    gained.people -= stayed;
    Exposed exposed;
    for (const auto& [rest, people] :
         {std::pair(&lost, &exposed.left), std::pair(&gained, &exposed.joined)}) {
      if (!rest->is_breach(limits_)) continue;
      *people = rest->people;
      result_.fewest = result_.fewest == 0 ? rest->people : std::min(result_.fewest, rest->people);
    }
    if (exposed.joined + exposed.left > largest_.joined + largest_.left) largest_ = exposed;
    if (lost.values + gained.values == 0) return;
    const std::array<Named, 2> named = {named_in(0, before), named_in(1, after)};
    if (named[0] == Named::all && named[1] == Named::all) {
      const auto joined = narrowed(1, after, before, b, a, std::nullopt);
      const auto left = narrowed(0, before, after, a, b, std::nullopt);
      most_narrowed_ = std::max(most_narrowed_,
                                joined.alone + left.alone + std::max(joined.in_both, left.in_both));
    } else if (named[0] == Named::more && named[1] == Named::all) {
      most_narrowed_ =
          std::max(most_narrowed_, narrowed(1, after, before, b, a, gained.people).alone);
    } else if (named[0] == Named::all && named[1] == Named::more) {
      most_narrowed_ =
          std::max(most_narrowed_, narrowed(0, before, after, a, b, lost.people).alone);
    }
  }

  // Of everybody in these classes it is known who they are; or more fit, as whoever joined later
  // does.
  enum class Named { fewer, all, more };
  [[nodiscard]] Named named_in(int side, const ClassSet& classes) const {
    Named named = Named::all;
    for (const auto id : classes) {
      std::uint64_t people = 0;
      for (const auto& [value, count] : releases_[side]->classes[id]) people += count;
      if (found_[side][id] < people) return Named::fewer;
      if (found_[side][id] > people) named = Named::more;
    }
    return named;
  }

  // Of the people in these classes, by what these have more than the others.
  [[nodiscard]] internal::Narrowed narrowed(int side, const ClassSet& classes,
                                            const ClassSet& others, const Counts& here,
                                            const Counts& there,
                                            std::optional<std::uint64_t> alone_in_all) const {
    internal::LeftOver rest;
    rest.alone_in_all = alone_in_all;
    for (const auto id : classes) {
      std::uint64_t in_both = 0;
      for (const auto other : neighbours_[side][id]) {
        if (std::binary_search(others.begin(), others.end(), other))
          in_both += side == 0 ? shared_.at({id, other}) : shared_.at({other, id});
      }
      rest.classes.push_back({&releases_[side]->classes[id], found_[side][id] - in_both, in_both});
    }
    const std::map<std::uint32_t, std::uint64_t> cancelling(there.begin(), there.end());
    for (const auto& [value, count] : here) {
      const auto same = cancelling.find(value);
      const std::uint64_t common = same == cancelling.end() ? 0 : std::min(count, same->second);
      if (common > 0) rest.common[value] = common;
      if (count > common) rest.surplus[value] = count - common;
    }
    return internal::narrowed_by(rest, releases_[0]->said_by, limits_.l);
  }

  std::array<const ClassValues*, 2> releases_;
  DifferencingLimits limits_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> shared_;  // people by classes
  std::array<std::vector<ClassSet>, 2> neighbours_;  // by side, by class: the other's classes
  std::set<std::pair<int, ClassSet>> seen_;          // outer pairs of the connected classes
  Exposed largest_;                                  // of the connected classes
  std::uint64_t most_narrowed_ = 0;                  // the same
  std::array<std::vector<std::uint64_t>, 2> found_;  // people by side, by class
  Differencing result_;
};

std::string plain_value(std::string_view text) {
  return is_number(text) ? plain_number(text) : std::string(text);
}

// Values are numbered by their texts.
ClassValues values_by_class(const internal::CandidateSets& view, Dictionary& texts) {
  const auto& table = view.release().table;
  std::vector<ValueOfClass> values;
  for (std::size_t row = 0; row < view.classes().rows(); ++row) {
    values.push_back({view.classes().class_of(row),
                      texts.intern(plain_value(view.sensitive().text(row))), table.count(row)});
  }
  return place_values(view.located(), values);
}

}  // namespace

ClassValues place_values(const LocatedTargets& located, std::span<const ValueOfClass> values) {
  DisjointSets together(located.class_count);
  for (const auto& classes : located.joined) {
    for (const auto id : classes) together.join(classes.front(), id);
  }
  std::vector<std::map<std::uint32_t, std::uint64_t>> counts(located.class_count);
  for (const auto& [id, value, people] : values) counts[together.root(id)][value] += people;
  ClassValues placed;
  for (const auto& of_class : counts) placed.classes.emplace_back(of_class.begin(), of_class.end());
  for (const auto set : located.set_of) {
    placed.class_of.push_back(set == LocatedTargets::kNowhere ? ClassValues::kNowhere
                              : set < located.class_count
                                  ? together.root(set)
                                  : together.root(located.joined[set - located.class_count][0]));
  }
  return placed;
}

Differencing subtract(const ClassValues& earlier, const ClassValues& later,
                      const DifferencingLimits& limits) {
  return Subtraction(earlier, later, limits).compare_all();
}

Differencing subtract(const ComposedRelease& earlier, const ComposedRelease& later,
                      const Table& people, const CompositionOptions& options,
                      const DifferencingLimits& limits, Progress& progress) {
  if (earlier.randomised || later.randomised) return {};
  const internal::CandidateSets before(earlier, people, options, progress);
  const internal::CandidateSets after(later, people, options, progress);
  Dictionary texts;
  const ClassValues first = values_by_class(before, texts);
  return subtract(first, values_by_class(after, texts), limits);
}

}  // namespace pratique::fusion
