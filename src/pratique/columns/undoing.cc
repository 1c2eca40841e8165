#include "pratique/columns/undoing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "pratique/data/date.h"
#include "pratique/data/date_form.h"
#include "pratique/data/missing_word.h"
#include "pratique/data/number.h"
#include "pratique/data/number_form.h"

namespace pratique::columns {
namespace {

constexpr std::size_t kFewestRows = 20;   // of ranks
constexpr std::size_t kFewestValues = 5;  // of numbers; fewer have too many ties
constexpr double kRanksAgree = 0.98;
constexpr double kNearly = 0.05;        // of the differences that chance would make
constexpr double kFewestByChance = 12;  // of these
constexpr double kSteps = 0.2;          // as many values may a column with steps have

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t kNone = Reading::kNone;

bool is_no_value(std::string_view value) {
  return value.empty() || value == "*" || is_missing_word(value);
}

// By code, days of this form, else numbers; none where the values are neither.
std::optional<std::vector<double>> quantities_of(const Dictionary& values,
                                                 std::optional<DateForm> dates) {
  const auto numbers = dates ? std::vector<NumberForm>() : number_forms(values);
  std::vector<double> quantities;
  for (const auto value : values.values()) {
    if (is_no_value(value)) {
      quantities.push_back(kNoNumber);
      continue;
    }
    if (dates) {
      const auto day = iso_day(value, *dates);
      const auto date = day ? parse_iso_date(*day) : std::nullopt;
      if (!date) return std::nullopt;
      quantities.push_back(date->first_day());
      continue;
    }
    const auto plain =
        numbers.empty() ? std::optional(std::string(value)) : plain_number(value, numbers.front());
    if (!plain || !is_number(*plain)) return std::nullopt;
    quantities.push_back(to_double(*plain));
  }
  return quantities;
}

Reading reading_of(const Column& column, const std::function<std::optional<int>(Code)>& part) {
  Reading reading;
  std::unordered_map<int, std::uint32_t> numbers;
  reading.cells.reserve(column.codes.size());
  for (const Code code : column.codes) {
    const auto value = part(code);
    reading.cells.push_back(
        value ? numbers.emplace(*value, static_cast<std::uint32_t>(numbers.size())).first->second
              : kNone);
  }
  reading.values = static_cast<std::uint32_t>(numbers.size());
  return reading;
}

// Rows of equal values must not stand in the order of the file, which may be that of a third.
std::uint64_t scattered(std::uint64_t row) {
  row = (row ^ (row >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  row = (row ^ (row >> 27U)) * 0x94d049bb133111ebULL;
  return row ^ (row >> 31U);
}

// The share of pairs of rows that chance would make equal.
double equal_by_chance(const Reading& reading, const Reading& beside) {
  std::vector<double> counts(reading.values, 0);
  double rows = 0;
  for (std::size_t row = 0; row < reading.cells.size(); ++row) {
    if (reading.cells[row] == kNone || beside.cells[row] == kNone) continue;
    ++counts[reading.cells[row]];
    ++rows;
  }
  double sum = 0;
  for (const double count : counts) sum += count * count;
  return rows == 0 ? 1 : sum / (rows * rows);
}

// Rows of one value of `from`, each with the one before it in an order that has nothing to say.
bool follows_by_value(const Reading& what, const Reading& from,
                      const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> before(from.values, kNone);
  double pairs = 0;
  double different = 0;
  for (const auto row : order) {
    if (what.cells[row] == kNone || from.cells[row] == kNone) continue;
    auto& last = before[from.cells[row]];
    if (last != kNone) {
      ++pairs;
      different += what.cells[last] == what.cells[row] ? 0 : 1;
    }
    last = row;
  }
  const double by_chance = pairs * (1 - equal_by_chance(what, from));
  return by_chance >= kFewestByChance && different <= kNearly * by_chance;
}

// Rows in the order of the other column, each with the one before it.
bool follows_in_steps(const Reading& what, const Reading& from,
                      const std::vector<std::uint32_t>& order) {
  std::uint32_t last = kNone;
  double pairs = 0;
  double different = 0;
  for (const auto row : order) {
    if (what.cells[row] == kNone || from.cells[row] == kNone) continue;
    if (last != kNone) {
      ++pairs;
      different += what.cells[last] == what.cells[row] ? 0 : 1;
    }
    last = row;
  }
  const double by_chance = pairs * (1 - equal_by_chance(what, from));
  const double steps = static_cast<double>(what.values) - 1;
  return by_chance >= kFewestByChance && steps <= kSteps * by_chance &&
         different <= steps + kNearly * by_chance;
}

// This reading of a column.
bool follows(const Reading& what, const Readings& from, const std::vector<std::uint32_t>& rows) {
  return std::any_of(from.all.begin(), from.all.end(),
                     [&](const Reading& part) { return follows_by_value(what, part, rows); }) ||
         follows_in_steps(what, from.all.front(), from.order);
}

// Equal ones have the mean of their places.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> rank(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i)
      rank[order[i]] = static_cast<double>(begin + end - 1) / 2;
    begin = end;
  }
  return rank;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto mean = static_cast<double>(a.size() - 1) / 2;  // of ranks
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean) * (b[i] - mean);
    aa += (a[i] - mean) * (a[i] - mean);
    bb += (b[i] - mean) * (b[i] - mean);
  }
  return aa == 0 || bb == 0 ? 0 : ab / std::sqrt(aa * bb);
}

bool ranks_agree(const Readings& one, const Readings& other) {
  if (!one.quantities || !other.quantities || one.all.front().values < kFewestValues ||
      other.all.front().values < kFewestValues)
    return false;
  if (!one.ranks.empty() && !other.ranks.empty()) {
    return one.ranks.size() >= kFewestRows &&
           std::abs(correlation(one.ranks, other.ranks)) >= kRanksAgree;
  }
  std::vector<double> a;
  std::vector<double> b;
  for (std::size_t row = 0; row < one.quantities->size(); ++row) {
    const double x = (*one.quantities)[row];
    const double y = (*other.quantities)[row];
    if (std::isnan(x) || std::isnan(y)) continue;
    a.push_back(x);
    b.push_back(y);
  }
  return a.size() >= kFewestRows && std::abs(correlation(ranks_of(a), ranks_of(b))) >= kRanksAgree;
}

// The birthdays between a birth and a day.
int whole_years(double from, double to) {
  const auto begin = civil_from_days(static_cast<std::int32_t>(from));
  const auto end = civil_from_days(static_cast<std::int32_t>(to));
  const bool still_to_come =
      end.month < begin.month || (end.month == begin.month && end.day < begin.day);
  return end.year - begin.year - (still_to_come ? 1 : 0);
}

// By how many rows chance would make the two differ.
double different_by_chance(const std::vector<double>& one, const std::vector<double>& other) {
  std::unordered_map<double, std::pair<double, double>> counts;
  double rows = 0;
  for (std::size_t row = 0; row < one.size(); ++row) {
    if (std::isnan(one[row]) || std::isnan(other[row])) continue;
    ++counts[one[row]].first;
    ++counts[other[row]].second;
    ++rows;
  }
  double equal = 0;
  for (const auto& [value, count] : counts) equal += count.first * count.second;
  return rows == 0 ? 0 : rows - equal / rows;
}

bool nearly_equal(const std::vector<double>& one, const std::vector<double>& other) {
  const double most = kNearly * static_cast<double>(one.size());
  double different = 0;
  for (std::size_t row = 0; row < one.size() && different <= most; ++row) {
    if (std::isnan(one[row]) || std::isnan(other[row])) continue;
    different += one[row] == other[row] ? 0 : 1;
  }
  if (different > most) return false;
  const double by_chance = different_by_chance(one, other);
  return by_chance >= kFewestByChance && different <= kNearly * by_chance;
}

bool is_time_between(const std::vector<double>& numbers, const std::vector<double>& from,
                     const std::vector<double>& to) {
  const auto agrees = [&](const std::function<double(double, double)>& between) {
    std::vector<double> times(numbers.size(), kNoNumber);
    for (std::size_t row = 0; row < times.size(); ++row) {
      if (!std::isnan(from[row]) && !std::isnan(to[row])) times[row] = between(from[row], to[row]);
    }
    return nearly_equal(numbers, times);
  };
  for (const int more : {0, 1, -1}) {
    if (agrees([&](double begin, double end) { return end - begin + more; })) return true;
  }
  return agrees([](double begin, double end) { return whole_years(begin, end); });
}

void add_parts_of_dates(const Column& column, const std::vector<double>& days,
                        std::vector<Reading>& readings) {
  constexpr int kWeek = 7;
  const auto with = [&](const std::function<int(std::int32_t)>& part) {
    readings.push_back(reading_of(column, [&](Code code) {
      const double day = days[code];
      return std::isnan(day) ? std::nullopt : std::optional(part(static_cast<std::int32_t>(day)));
    }));
  };
  const auto weekday = [](std::int32_t day) { return ((day + 3) % kWeek + kWeek) % kWeek; };
  with([](std::int32_t day) { return civil_from_days(day).year; });
  with([](std::int32_t day) { return civil_from_days(day).month; });
  with([](std::int32_t day) { return civil_from_days(day).day; });
  with(weekday);
  with([&](std::int32_t day) { return (day + 3 - weekday(day)) / kWeek; });
}

}  // namespace

Readings readings_of(const Column& column) {
  Readings readings;
  const auto values = column.dictionary.values();
  readings.all.push_back(reading_of(column, [&](Code code) {
    return is_no_value(values[code]) ? std::nullopt : std::optional(static_cast<int>(code));
  }));
  const auto forms = date_forms(column.dictionary);
  const auto quantities =
      quantities_of(column.dictionary, forms.empty() ? std::nullopt : std::optional(forms.front()));
  if (quantities) {
    readings.quantities.emplace();
    for (const Code code : column.codes) readings.quantities->push_back((*quantities)[code]);
    if (std::none_of(readings.quantities->begin(), readings.quantities->end(),
                     [](double value) { return std::isnan(value); }))
      readings.ranks = ranks_of(*readings.quantities);
  }
  // Where days and months may be either, both.
  for (const auto form : forms) {
    const auto days = quantities_of(column.dictionary, form);
    if (!days) continue;
    add_parts_of_dates(column, *days, readings.all);
    auto& by_row = readings.days.emplace_back();
    for (const Code code : column.codes) by_row.push_back((*days)[code]);
  }
  readings.no_order.resize(column.codes.size());
  std::iota(readings.no_order.begin(), readings.no_order.end(), 0U);
  std::sort(readings.no_order.begin(), readings.no_order.end(),
            [](std::uint32_t a, std::uint32_t b) { return scattered(a) < scattered(b); });
  readings.order = readings.no_order;
  std::stable_sort(readings.order.begin(), readings.order.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     if (!quantities) return column.text(a) < column.text(b);
                     const double x = (*readings.quantities)[a];
                     const double y = (*readings.quantities)[b];
                     if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
                     return x < y;
                   });
  return readings;
}

std::optional<Undoing> undoes(const Readings& column, const Readings& quasi_identifier) {
  const auto& rows = column.no_order;
  if (ranks_agree(column, quasi_identifier) || follows(column.all.front(), quasi_identifier, rows))
    return Undoing::follows;
  const auto& parts = quasi_identifier.all;
  const bool tells = std::any_of(parts.begin(), parts.end(),
                                 [&](const Reading& part) { return follows(part, column, rows); });
  return tells ? std::optional(Undoing::tells) : std::nullopt;
}

std::optional<Undoing> undoes_in_order(const Readings& column, const Readings& quasi_identifier) {
  if (ranks_agree(column, quasi_identifier)) return Undoing::follows;
  const auto follows_from_part = [&](const Reading& what, const Readings& from) {
    return std::any_of(from.all.begin() + 1, from.all.end(), [&](const Reading& part) {
      return follows_by_value(what, part, column.no_order);
    });
  };
  if (column.quantities && follows_from_part(column.all.front(), quasi_identifier))
    return Undoing::follows;
  if (follows_from_part(quasi_identifier.all.front(), column)) return Undoing::tells;
  return std::nullopt;
}

bool follows_from_days_between(const Readings& column, const Readings& from, const Readings& to) {
  if (!column.quantities || !column.days.empty()) return false;
  return std::any_of(from.days.begin(), from.days.end(), [&](const auto& begin) {
    return std::any_of(to.days.begin(), to.days.end(), [&](const auto& end) {
      return is_time_between(*column.quantities, begin, end);
    });
  });
}

bool shared_by_value(const Readings& column, const Readings& quasi_identifier) {
  const auto& own = column.all.front();
  return std::any_of(quasi_identifier.all.begin(), quasi_identifier.all.end(),
                     [&](const Reading& part) {
                       return follows_by_value(own, part, column.no_order) ||
                              follows_by_value(part, own, column.no_order);
                     });
}

}  // namespace pratique::columns
