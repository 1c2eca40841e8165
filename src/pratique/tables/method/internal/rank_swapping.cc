#include "pratique/tables/method/internal/rank_swapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/data/date.h"
#include "pratique/data/number.h"

namespace pratique::tables {
namespace {

// By code: where its value stands among the distinct values.
std::vector<std::uint32_t> order_of_values(const Column& column) {
  const auto& values = column.dictionary.values();
  std::vector<Code> codes;
  for (Code code = 0; code < values.size(); ++code) {
    if (!values[code].empty()) codes.push_back(code);
  }
  const auto all = [&](auto&& is) {
    return std::all_of(codes.begin(), codes.end(), [&](Code code) { return is(values[code]); });
  };
  std::vector<std::int32_t> days(values.size(), 0);
  if (all(is_number)) {
    std::sort(codes.begin(), codes.end(),
              [&](Code a, Code b) { return compare_numbers(values[a], values[b]) < 0; });
  } else if (all([](std::string_view value) { return parse_iso_date(value).has_value(); })) {
    for (const Code code : codes) days[code] = parse_iso_date(values[code])->first_day();
    std::sort(codes.begin(), codes.end(), [&](Code a, Code b) { return days[a] < days[b]; });
  } else {
    throw Error::input(
        fmt::format("{} cannot be rank swapped: its values have no order", column.name))
        .hint("swap:P takes numbers or ISO dates; use pram:K for categories");
  }
  std::vector<std::uint32_t> rank(values.size(), 0);
  for (std::uint32_t i = 0; i < codes.size(); ++i) {
    // 7 and 7.0 are two texts of one rank.
    const bool tie = i > 0 && (is_number(values[codes[i]])
                                   ? compare_numbers(values[codes[i - 1]], values[codes[i]]) == 0
                                   : days[codes[i - 1]] == days[codes[i]]);
    rank[codes[i]] = tie ? rank[codes[i - 1]] : i;
  }
  return rank;
}

// One of the records after `at` that are still free, up to `last`, each with the same chance; `at`
// itself where none is.
std::size_t partner(const std::vector<bool>& swapped, std::size_t at, std::size_t last,
                    NoiseSource& noise) {
  constexpr int kTries = 64;
  if (last == at) return at;
  for (int i = 0; i < kTries; ++i) {
    const std::size_t other = at + 1 + noise.below(last - at);
    if (!swapped[other]) return other;
  }
  std::vector<std::size_t> free;
  for (std::size_t other = at + 1; other <= last; ++other) {
    if (!swapped[other]) free.push_back(other);
  }
  return free.empty() ? at : free[noise.below(free.size())];
}

}  // namespace

Column swap_ranks(const Column& column, const RankSwapping& how, NoiseSource& noise) {
  const auto rank = order_of_values(column);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < column.codes.size(); ++row) {
    if (!column.text(row).empty()) rows.push_back(row);
  }
  const auto reach = static_cast<std::size_t>(how.percent * static_cast<double>(rows.size()) / 100);
  if (reach == 0 && rows.size() > 1) {
    throw Error::input(
        fmt::format("swap:{} moves nothing: {} percent of {} records is less than one", how.percent,
                    how.percent, rows.size()))
        .hint(fmt::format("give at least swap:{}",
                          std::ceil(100.0 / static_cast<double>(rows.size()))));
  }
  noise.shuffle(rows);
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rank[column.codes[a]] < rank[column.codes[b]];
  });

  Column out = by_record(column, std::vector<std::uint64_t>(column.codes.size(), 1));
  std::vector<bool> swapped(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (swapped[i]) continue;
    const std::size_t j = partner(swapped, i, std::min(rows.size() - 1, i + reach), noise);
    std::swap(out.codes[rows[i]], out.codes[rows[j]]);
    swapped[i] = swapped[j] = true;
  }
  return out;
}

}  // namespace pratique::tables
