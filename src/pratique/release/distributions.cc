#include "pratique/release/distributions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "pratique/data/generalised.h"
#include "pratique/release/internal/number_ranges.h"

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

// What is known of a column before anything is hidden.
struct Tally {
  double original = 0;
  double released = 0;
};

class Disclosure {
 public:
  Disclosure(std::uint64_t k, bool subtractable) : k_(k), subtractable_(subtractable) {}

  // Neither count, nor their difference where it means something, is of one to k - 1 records.
  [[nodiscard]] bool may_show(const Tally& tally) const {
    return may_pool(tally) && (!subtractable_ || !small(std::abs(tally.original - tally.released)));
  }
  [[nodiscard]] bool may_pool(const Tally& tally) const {
    return !small(std::round(tally.original)) && !small(std::round(tally.released));
  }

 private:
  [[nodiscard]] bool small(double count) const {
    return count > 0 && count < static_cast<double>(k_);
  }
  std::uint64_t k_;
  bool subtractable_;
};

DistributionCell to_cell(std::string label, const Tally& tally) {
  return {std::move(label), static_cast<std::uint64_t>(std::llround(tally.original)),
          static_cast<std::uint64_t>(std::llround(tally.released))};
}

Tally operator+(const Tally& a, const Tally& b) {
  return {a.original + b.original, a.released + b.released};
}

// Ranges

std::vector<DistributionCell> cells_of_ranges(const NumberRanges& ranges,
                                              const std::vector<Tally>& tallies,
                                              const Disclosure& disclosure) {
  struct Joined {
    std::size_t first;
    std::size_t last;
    Tally tally;
  };
  std::vector<Joined> joined;
  for (std::size_t r = 0; r < tallies.size(); ++r) {
    if (!joined.empty() && !disclosure.may_show(joined.back().tally)) {
      joined.back().last = r;
      joined.back().tally = joined.back().tally + tallies[r];
    } else {
      joined.push_back({r, r, tallies[r]});
    }
  }
  while (joined.size() > 1 && !disclosure.may_show(joined.back().tally)) {
    const Joined last = joined.back();
    joined.pop_back();
    joined.back().last = last.last;
    joined.back().tally = joined.back().tally + last.tally;
  }
  if (joined.size() < 2) return {};  // one range without ends says nothing
  std::vector<DistributionCell> cells;
  for (const auto& range : joined) {
    cells.push_back(to_cell(ranges.label(range.first, range.last), range.tally));
  }
  return cells;
}

std::vector<Tally> tally_ranges(const NumberRanges& ranges, const ValueCounts* original,
                                const ValueCounts& released) {
  std::vector<Tally> tallies(ranges.size());
  for (const auto& [value, count] : original == nullptr ? ValueCounts{} : *original) {
    ranges.share_out(value, [&, count = count](std::size_t range, double share) {
      tallies[range].original += share * static_cast<double>(count);
    });
  }
  for (const auto& [value, count] : released) {
    ranges.share_out(value, [&, count = count](std::size_t range, double share) {
      tallies[range].released += share * static_cast<double>(count);
    });
  }
  const Tally& unread = tallies.back();
  if (unread.original == 0 && unread.released == 0) tallies.pop_back();
  return tallies;
}

// Other values

std::map<std::string, Tally> tally_values(const ValueCounts* original, const ValueCounts& released,
                                          const Hierarchy* hierarchy) {
  std::map<std::string, Tally> tallies;
  for (const auto& [value, count] : original == nullptr ? ValueCounts{} : *original) {
    tallies[value].original += static_cast<double>(count);
  }
  std::vector<std::string> values;
  for (const auto& [value, tally] : tallies) values.push_back(value);
  const bool affordable = values.size() * released.size() <= kMostComparisons;
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
  }
  return tallies;
}

std::vector<DistributionCell> cells_of_values(const std::map<std::string, Tally>& tallies,
                                              const Disclosure& disclosure) {
  std::vector<std::pair<std::string, Tally>> order(tallies.begin(), tallies.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second.original + a.second.released > b.second.original + b.second.released;
  });
  std::vector<std::pair<std::string, Tally>> open;
  std::vector<std::pair<std::string, Tally>> pool;
  for (const auto& one : order) {
    const bool fits = open.size() < kMostCells && disclosure.may_show(one.second);
    (fits ? open : pool).push_back(one);
  }
  if (pool.size() == 1 && disclosure.may_show(pool.front().second)) {
    open.push_back(pool.front());
    pool.clear();
  }
  const auto together = [&] {
    Tally sum;
    for (const auto& one : pool) sum = sum + one.second;
    return sum;
  };
  while (!pool.empty() && !open.empty() && (pool.size() == 1 || !disclosure.may_pool(together()))) {
    pool.push_back(open.back());
    open.pop_back();
  }
  if (open.empty()) return {};
  std::vector<DistributionCell> cells;
  for (const auto& [value, tally] : open) cells.push_back(to_cell(shown(value), tally));
  if (!pool.empty()) cells.push_back(to_cell(kOthers, together()));
  return cells;
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
                                   const Hierarchy* hierarchy) {
  Distribution made{.column = column, .has_original = original != nullptr};
  if (original != nullptr) {
    std::map<std::string, int> known;
    for (const auto& one : *original) known.emplace(one.value, 0);
    made.spread = std::any_of(released.begin(), released.end(), [&](const ValueCount& one) {
      return known.count(one.value) == 0 && one.value != "*";
    });
  }
  const Disclosure disclosure(std::max<std::uint64_t>(k, 2), original != nullptr && !made.spread);
  const auto ranges = NumberRanges::over(original != nullptr ? *original : released);
  made.cells = ranges
                   ? cells_of_ranges(*ranges, tally_ranges(*ranges, original, released), disclosure)
                   : cells_of_values(tally_values(original, released, hierarchy), disclosure);
  return made;
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

BarChart group_size_chart(const std::string& title, const std::string& group_name,
                          const std::vector<std::uint64_t>* original,
                          const std::vector<std::uint64_t>* released, std::uint64_t k) {
  constexpr std::size_t kMostDoublings = 7;
  k = std::max<std::uint64_t>(k, 2);
  const auto place = [&](std::uint64_t size) {
    std::size_t at = 0;
    for (std::uint64_t limit = k; size >= limit && at <= kMostDoublings; limit *= 2) ++at;
    return at;
  };
  BarChart chart{title, group_name, "records", {}, {}};
  std::vector<std::vector<double>> records;
  std::size_t used = 0;
  for (const auto& [name, sizes] :
       {std::pair{"original", original}, std::pair{"released", released}}) {
    if (sizes == nullptr) continue;
    chart.series.emplace_back(name);
    records.emplace_back(kMostDoublings + 2, 0.0);
    for (const auto size : *sizes) {
      used = std::max(used, place(size));
      records.back()[place(size)] += static_cast<double>(size);
    }
  }
  std::uint64_t low = k;
  for (std::size_t at = 0; at <= used; ++at) {
    std::string label = fmt::format("fewer than {}", k);
    if (at > 0) {
      label = at > kMostDoublings ? fmt::format("{} or more", low)
                                  : fmt::format("{} to {}", low, 2 * low - 1);
      low *= 2;
    }
    BarRow row{label, {}};
    for (const auto& series : records) row.values.push_back(series[at]);
    chart.rows.push_back(std::move(row));
  }
  return chart;
}

}  // namespace pratique::release
