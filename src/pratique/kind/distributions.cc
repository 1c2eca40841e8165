#include "pratique/kind/distributions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "pratique/data/generalised.h"
#include "pratique/kind/internal/number_ranges.h"

namespace pratique::release {
namespace {

constexpr std::size_t kMostCells = 12;
// Beyond so many comparisons of cells with values, a cell is shown under its own name.
constexpr std::size_t kMostComparisons = 4'000'000;
constexpr const char* kMissing = "(missing)";
constexpr const char* kAnything = "any value (*)";
constexpr const char* kRanges = "ranges";
constexpr const char* kOthers = "all other values";

std::string shown(std::string_view value) {
  return value.empty() ? kMissing : value == "*" ? kAnything : std::string(value);
}

struct Tally {
  double original = 0;
  double released = 0;
};

// Places (values or ranges) that one released cell stands for are tied: who subtracts release from
// original gets whole numbers only for all of them together.
class Ties {
 public:
  explicit Ties(std::size_t places) : above_(places) {
    for (std::size_t place = 0; place < places; ++place) above_[place] = place;
  }
  void tie(std::size_t a, std::size_t b) { above_[of(a)] = of(b); }
  [[nodiscard]] std::size_t of(std::size_t place) const {
    while (above_[place] != place) place = above_[place];
    return place;
  }

 private:
  std::vector<std::size_t> above_;
};

class Disclosure {
 public:
  explicit Disclosure(std::uint64_t k) : k_(static_cast<double>(k)) {}

  // Neither count is of one to k - 1 records.
  [[nodiscard]] bool may_show(const Tally& tally) const {
    return !small(std::round(tally.original)) && !small(std::round(tally.released));
  }
  [[nodiscard]] bool any_small(const std::vector<double>& counts) const {
    return std::any_of(counts.begin(), counts.end(), [&](double count) { return small(count); });
  }
  // The records that the release lacks.
  [[nodiscard]] bool small_difference(const Tally& tally) const {
    return small(std::abs(std::round(tally.original - tally.released)));
  }

 private:
  [[nodiscard]] bool small(double count) const { return count > 0 && count < k_; }
  double k_;
};

bool differs(const Tally& tally) { return std::round(tally.original - tally.released) != 0; }

DistributionCell to_cell(std::string label, const Tally& tally) {
  return {std::move(label), static_cast<std::uint64_t>(std::llround(tally.original)),
          static_cast<std::uint64_t>(std::llround(tally.released))};
}

Tally operator+(const Tally& a, const Tally& b) {
  return {a.original + b.original, a.released + b.released};
}

// Ranges

struct TiedRanges {
  std::vector<Tally> tallies;
  Ties ties;
};

TiedRanges tally_ranges(const NumberRanges& ranges, const ValueCounts* original,
                        const ValueCounts& released) {
  TiedRanges tallied{std::vector<Tally>(ranges.size()), Ties(ranges.size())};
  for (const auto& [value, count] : original == nullptr ? ValueCounts{} : *original) {
    ranges.share_out(value, [&, count = count](std::size_t range, double share) {
      tallied.tallies[range].original += share * static_cast<double>(count);
    });
  }
  for (const auto& [value, count] : released) {
    std::optional<std::size_t> first;
    ranges.share_out(value, [&, count = count](std::size_t range, double share) {
      tallied.tallies[range].released += share * static_cast<double>(count);
      if (first) tallied.ties.tie(*first, range);
      first = range;
    });
  }
  const Tally& unread = tallied.tallies.back();
  if (unread.original == 0 && unread.released == 0) tallied.tallies.pop_back();
  return tallied;
}

struct JoinedRange {
  std::size_t first;
  std::size_t last;
  Tally tally;
};

std::vector<JoinedRange> join_small(const std::vector<Tally>& tallies,
                                    const Disclosure& disclosure) {
  std::vector<JoinedRange> joined;
  for (std::size_t r = 0; r < tallies.size(); ++r) {
    if (!joined.empty() && !disclosure.may_show(joined.back().tally)) {
      joined.back().last = r;
      joined.back().tally = joined.back().tally + tallies[r];
    } else {
      joined.push_back({r, r, tallies[r]});
    }
  }
  while (joined.size() > 1 && !disclosure.may_show(joined.back().tally)) {
    const JoinedRange last = joined.back();
    joined.pop_back();
    joined.back().last = last.last;
    joined.back().tally = joined.back().tally + last.tally;
  }
  return joined;
}

// A range of a group whose difference is small, and that has a neighbour outside of the group.
std::optional<std::size_t> before_a_border(const std::vector<JoinedRange>& joined, Ties ties,
                                           const Disclosure& disclosure) {
  for (const auto& range : joined) {
    for (std::size_t r = range.first; r < range.last; ++r) ties.tie(r, r + 1);
  }
  std::map<std::size_t, Tally> groups;
  for (const auto& range : joined) {
    Tally& group = groups[ties.of(range.first)];
    group = group + range.tally;
  }
  for (std::size_t j = 0; j + 1 < joined.size(); ++j) {
    const std::size_t here = ties.of(joined[j].first);
    const std::size_t next = ties.of(joined[j + 1].first);
    if (here == next) continue;
    if (disclosure.small_difference(groups[here]) || disclosure.small_difference(groups[next]))
      return j;
  }
  return std::nullopt;
}

std::vector<DistributionCell> cells_of_ranges(const NumberRanges& ranges, const TiedRanges& tied,
                                              const Disclosure& disclosure, bool compared) {
  auto joined = join_small(tied.tallies, disclosure);
  while (compared) {
    const auto border = before_a_border(joined, tied.ties, disclosure);
    if (!border) break;
    JoinedRange& range = joined[*border];
    range.last = joined[*border + 1].last;
    range.tally = range.tally + joined[*border + 1].tally;
    joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(*border) + 1);
  }
  if (joined.size() < 2) return {};  // one range without ends says nothing
  std::vector<DistributionCell> cells;
  for (const auto& range : joined) {
    cells.push_back(to_cell(ranges.label(range.first, range.last), range.tally));
  }
  return cells;
}

// Other values

struct TiedValues {
  std::vector<std::string> values;  // the most frequent first
  std::vector<Tally> tallies;
  Ties ties;
};

TiedValues tally_values(const ValueCounts* original, const ValueCounts& released,
                        const Hierarchy* hierarchy) {
  std::map<std::string, Tally> tallies;
  for (const auto& [value, count] : original == nullptr ? ValueCounts{} : *original) {
    tallies[value].original += static_cast<double>(count);
  }
  std::vector<std::string> values;
  for (const auto& [value, tally] : tallies) values.push_back(value);
  const bool affordable = values.size() * released.size() <= kMostComparisons;
  std::vector<std::vector<std::string>> tied;
  for (const auto& [cell, count] : released) {
    const auto parts = static_cast<double>(count);
    const auto meant = GeneralisedValue::parse_foreign(cell);
    std::vector<std::string> inside;
    if (tallies.count(cell) == 0 && cell != "*" && affordable) {
      for (const auto& value : values) {
        if (meant.contains(value, hierarchy)) inside.push_back(value);
      }
    }
    // The ends of a range and the members of a set are values of persons: they are not shown for
    // what they bound or belong to.
    if (inside.empty() && meant.kind() == GeneralisedValue::Kind::set) inside = meant.parts();
    if (inside.empty() && meant.kind() == GeneralisedValue::Kind::range) inside = {kRanges};
    if (inside.empty()) inside = {cell};
    for (const auto& value : inside) {
      tallies[value].released += parts / static_cast<double>(inside.size());
    }
    if (inside.size() > 1) tied.push_back(std::move(inside));
  }
  std::vector<std::pair<std::string, Tally>> order(tallies.begin(), tallies.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second.original + a.second.released > b.second.original + b.second.released;
  });
  TiedValues tallied{{}, {}, Ties(order.size())};
  std::map<std::string, std::size_t> place_of;
  for (auto& [value, tally] : order) {
    place_of[value] = tallied.values.size();
    tallied.values.push_back(value);
    tallied.tallies.push_back(tally);
  }
  for (const auto& inside : tied) {
    for (const auto& value : inside) tallied.ties.tie(place_of[inside.front()], place_of[value]);
  }
  return tallied;
}

class ValueCells {
 public:
  ValueCells(const TiedValues& all, const Disclosure& disclosure, bool compared)
      : all_(all), disclosure_(disclosure), compared_(compared) {
    for (std::size_t v = 0; v < all.values.size(); ++v) {
      const bool fits = open_.size() < kMostCells && disclosure.may_show(all.tallies[v]);
      (fits ? open_ : pool_).push_back(v);
    }
    if (pool_.size() == 1 && disclosure.may_show(all.tallies[pool_.front()])) {
      open_.push_back(pool_.front());
      pool_.clear();
    }
    while (!open_.empty()) {
      const auto next = to_hide();
      if (!next) break;
      pool_.push_back(*next);
      open_.erase(std::find(open_.begin(), open_.end(), *next));
    }
  }

  [[nodiscard]] std::vector<DistributionCell> cells() const {
    if (open_.empty()) return {};
    std::vector<DistributionCell> cells;
    for (const auto v : open_) cells.push_back(to_cell(shown(all_.values[v]), all_.tallies[v]));
    if (!pool_.empty()) cells.push_back(to_cell(kOthers, together()));
    return cells;
  }

 private:
  [[nodiscard]] Tally together() const {
    Tally sum;
    for (const auto v : pool_) sum = sum + all_.tallies[v];
    return sum;
  }

  // The next value that must go to the others, if any.
  [[nodiscard]] std::optional<std::size_t> to_hide() const {
    if (!pool_.empty() && (pool_.size() == 1 || !disclosure_.may_show(together())))
      return open_.back();
    if (!compared_) return std::nullopt;
    Ties ties = all_.ties;
    for (const auto v : pool_) ties.tie(pool_.front(), v);
    std::map<std::size_t, Tally> groups;
    for (std::size_t v = 0; v < all_.values.size(); ++v) {
      groups[ties.of(v)] = groups[ties.of(v)] + all_.tallies[v];
    }
    const auto pooled = pool_.empty() ? all_.values.size() : ties.of(pool_.front());
    for (auto v = open_.rbegin(); v != open_.rend(); ++v) {
      if (ties.of(*v) != pooled && disclosure_.small_difference(groups[ties.of(*v)])) return *v;
    }
    if (pool_.empty() || !disclosure_.small_difference(groups[pooled])) return std::nullopt;
    // Others lack few records: let values go with them that lack some too.
    for (auto v = open_.rbegin(); v != open_.rend(); ++v) {
      if (ties.of(*v) != pooled && differs(groups[ties.of(*v)])) return *v;
    }
    return std::nullopt;  // all that the release lacks are among the others
  }

  const TiedValues& all_;
  const Disclosure& disclosure_;
  bool compared_;
  std::vector<std::size_t> open_;
  std::vector<std::size_t> pool_;
};

std::vector<DistributionCell> cells_of(const ValueCounts* original, const ValueCounts& released,
                                       std::uint64_t k, const Hierarchy* hierarchy, bool moved) {
  const Disclosure disclosure(std::max<std::uint64_t>(k, 2));
  const bool compared = original != nullptr && !moved;
  auto ranges = NumberRanges::over(original != nullptr ? *original : released);
  if (!ranges && original != nullptr && moved) {
    // Of few numbers class means make many others, which nobody has.
    ValueCounts both = *original;
    both.insert(both.end(), released.begin(), released.end());
    ranges = NumberRanges::over(both);
  }
  if (ranges) {
    return cells_of_ranges(*ranges, tally_ranges(*ranges, original, released), disclosure,
                           compared);
  }
  return ValueCells(tally_values(original, released, hierarchy), disclosure, compared).cells();
}

}  // namespace

ValueCounts value_counts(const CountedTable& table, const Column& column) {
  ValueCounts counts;
  const auto by_code = table.counts_of(column);
  for (Code code = 0; code < by_code.size(); ++code) {
    if (by_code[code] > 0)
      counts.push_back({std::string(column.dictionary.value(code)), by_code[code]});
  }
  return counts;
}

Distribution compare_distributions(const std::string& column, const ValueCounts* original,
                                   const ValueCounts& released, std::uint64_t k,
                                   const Hierarchy* hierarchy, bool moved) {
  Distribution distribution{.column = column, .has_original = original != nullptr};
  distribution.cells = cells_of(original, released, k, hierarchy, moved);
  if (original != nullptr && distribution.cells.empty()) {
    distribution.has_original = false;
    distribution.cells = cells_of(nullptr, released, k, hierarchy, moved);
  }
  return distribution;
}

BarChart to_chart(const Distribution& distribution) {
  BarChart chart{distribution.column, distribution.column, "records", {}, {}};
  if (distribution.has_original) chart.series.emplace_back("original");
  chart.series.emplace_back("released");
  for (const auto& cell : distribution.cells) {
    BarRow row{cell.label, {}};
    if (distribution.has_original) row.values.push_back(static_cast<double>(cell.original));
    row.values.push_back(static_cast<double>(cell.released));
    chart.rows.push_back(std::move(row));
  }
  return chart;
}

std::vector<std::uint64_t> records_by_group_size(const std::vector<std::uint64_t>& sizes,
                                                 std::uint64_t k) {
  const auto steps = group_size_steps(k);
  std::vector<std::uint64_t> records(steps.size());
  for (const auto size : sizes) {
    const auto above = std::upper_bound(steps.begin(), steps.end(), size);
    if (above != steps.begin()) records[above - steps.begin() - 1] += size;
  }
  return records;
}

BarChart group_size_chart(const std::string& title, const std::string& group_name,
                          const std::vector<std::uint64_t>* original,
                          const std::vector<std::uint64_t>* released, std::uint64_t k) {
  BarChart chart{title, group_name, "records", {}, {}};
  const auto steps = group_size_steps(k);
  std::vector<const std::vector<std::uint64_t>*> series;
  std::size_t used = 0;
  for (const auto& [name, records] :
       {std::pair{"original", original}, std::pair{"released", released}}) {
    if (records == nullptr) continue;
    chart.series.emplace_back(name);
    series.push_back(records);
    for (std::size_t at = 0; at < steps.size(); ++at) {
      if (records->at(at) > 0) used = std::max(used, at);
    }
  }
  const auto label = [&](std::size_t first, std::size_t last) {
    if (last + 1 == steps.size()) return fmt::format("{} or more", steps[first]);
    return first == 0 ? fmt::format("fewer than {}", steps[last + 1])
                      : fmt::format("{} to {}", steps[first], steps[last + 1] - 1);
  };
  // A step that holds 1 to k - 1 records goes with the next one, the last with the one before.
  const Disclosure disclosure(steps[1]);
  std::vector<std::pair<std::size_t, std::size_t>> shown_steps;
  std::vector<std::vector<double>> shown_records;
  for (std::size_t at = 0; at <= used; ++at) {
    std::vector<double> values;
    for (const auto* records : series) values.push_back(static_cast<double>((*records)[at]));
    const bool join = !shown_records.empty() && (disclosure.any_small(shown_records.back()) ||
                                                 (at == used && disclosure.any_small(values)));
    if (!join) {
      shown_steps.emplace_back(at, at);
      shown_records.push_back(std::move(values));
      continue;
    }
    shown_steps.back().second = at;
    for (std::size_t v = 0; v < values.size(); ++v) shown_records.back()[v] += values[v];
  }
  for (std::size_t row = 0; row < shown_steps.size(); ++row) {
    if (disclosure.any_small(shown_records[row])) continue;
    chart.rows.push_back(
        {label(shown_steps[row].first, shown_steps[row].second), shown_records[row]});
  }
  return chart;
}

}  // namespace pratique::release
