#include "pratique/tables/flow/internal/following_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "pratique/data/date.h"
#include "pratique/data/date_form.h"
#include "pratique/data/missing_word.h"
#include "pratique/data/number.h"
#include "pratique/data/number_form.h"
#include "pratique/kind/among.h"
#include "pratique/kind/shell_quoted.h"

namespace pratique::tables::flow {
namespace {

constexpr std::uint64_t kRowsSeen = 2'000;
constexpr std::size_t kFewestRows = 50;   // that have both values
constexpr std::size_t kFewestValues = 5;  // of numbers; fewer have too many ties
constexpr double kNearlyAlways = 0.98;
constexpr double kMostly = 0.5;

bool is_no_value(std::string_view value) {
  return value.empty() || value == "*" || is_missing_word(value);
}

// By code, days or numbers; none where the values are neither. NaN where one is missing.
std::optional<std::vector<double>> quantities(const Dictionary& values) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto dates = date_forms(values);
  const auto numbers = dates.empty() ? number_forms(values) : std::vector<NumberForm>();
  std::vector<double> found;
  for (const auto value : values.values()) {
    if (is_no_value(value)) {
      found.push_back(kNone);
      continue;
    }
    if (!dates.empty()) {
      const auto day = iso_day(value, dates.front());
      const auto date = day ? parse_iso_date(*day) : std::nullopt;
      if (!date) return std::nullopt;
      found.push_back(date->first_day());
      continue;
    }
    const auto plain =
        numbers.empty() ? std::optional(std::string(value)) : plain_number(value, numbers.front());
    if (!plain || !is_number(*plain)) return std::nullopt;
    found.push_back(to_double(*plain));
  }
  return found;
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

bool ranks_agree(const Column& one, const std::vector<double>& of_one, const Column& other,
                 const std::vector<double>& of_other) {
  std::vector<double> a;
  std::vector<double> b;
  for (std::size_t row = 0; row < one.codes.size(); ++row) {
    const double x = of_one[one.codes[row]];
    const double y = of_other[other.codes[row]];
    if (std::isnan(x) || std::isnan(y)) continue;
    a.push_back(x);
    b.push_back(y);
  }
  return a.size() >= kFewestRows &&
         std::abs(correlation(ranks_of(a), ranks_of(b))) >= kNearlyAlways;
}

// Rows with the same value of the quasi-identifier, each with the one before it.
bool values_agree(const Column& column, const Column& quasi_identifier) {
  constexpr auto kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> before(quasi_identifier.dictionary.size(), kNone);
  std::vector<double> counts(column.dictionary.size(), 0);
  std::size_t rows = 0;
  std::size_t pairs = 0;
  std::size_t same = 0;
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    if (is_no_value(column.text(row)) || is_no_value(quasi_identifier.text(row))) continue;
    ++rows;
    ++counts[column.codes[row]];
    auto& last = before[quasi_identifier.codes[row]];
    if (last != kNone) {
      ++pairs;
      same += column.codes[last] == column.codes[row] ? 1 : 0;
    }
    last = row;
  }
  if (pairs < kFewestRows) return false;
  double by_chance = 0;
  for (const double count : counts)
    by_chance += count * count / (static_cast<double>(rows) * static_cast<double>(rows));
  return by_chance <= kMostly &&
         static_cast<double>(same) >= kNearlyAlways * static_cast<double>(pairs);
}

}  // namespace

bool follows_from(const Column& column, const Column& quasi_identifier) {
  if (values_agree(column, quasi_identifier)) return true;
  if (column.dictionary.size() < kFewestValues ||
      quasi_identifier.dictionary.size() < kFewestValues)
    return false;
  const auto of_column = quantities(column.dictionary);
  const auto of_other = of_column ? quantities(quasi_identifier.dictionary) : std::nullopt;
  return of_other && ranks_agree(column, *of_column, quasi_identifier, *of_other);
}

std::vector<FollowingColumn> following_columns(const PreparedTable& prepared, const Run& run) {
  std::vector<FollowingColumn> following;
  const auto& known = prepared.schema.quasi_identifiers;
  const bool any = std::any_of(prepared.as_is.begin(), prepared.as_is.end(), [&](const auto& name) {
    return release::among(prepared.schema.insensitive, name);
  });
  if (known.empty() || !any) return following;
  const Table rows = run.engine.page(prepared.source, 0, kRowsSeen, run.progress);
  for (const auto& name : prepared.as_is) {
    if (!release::among(prepared.schema.insensitive, name)) continue;
    const auto from = std::find_if(known.begin(), known.end(), [&](const auto& column) {
      return follows_from(rows.column(name), rows.column(column));
    });
    if (from != known.end()) following.push_back({name, *from});
  }
  return following;
}

std::vector<std::string> warnings_of(const std::vector<FollowingColumn>& columns) {
  std::vector<std::string> warnings;
  for (const auto& [column, from] : columns) {
    warnings.push_back(fmt::format(
        "'{}' leaves as it is and follows from '{}', which is a quasi-identifier: whoever knows "
        "the "
        "one knows the other, and a class does not hide it. Make it a quasi-identifier (--qi {}), "
        "or leave it out (--id {})",
        column, from, release::shell_quoted(column), release::shell_quoted(column)));
  }
  return warnings;
}

}  // namespace pratique::tables::flow
