#include "pratique/tables/profile/person_number.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "pratique/columns/role_advice.h"
#include "pratique/data/date_form.h"
#include "pratique/data/missing_word.h"

namespace pratique::tables {
namespace {

constexpr std::size_t kFewestPairs = 10;    // fewer rows with a value again show nothing
constexpr std::size_t kMostPairs = 20'000;  // more show nothing new
constexpr double kSameOfPairs = 0.9;        // of the pairs: slips and moves happen
constexpr double kByChance = 0.3;           // two rows that are nobody's share as much

// Something that lasts a person's life, and how likely any two rows share it.
struct Trait {
  const Column* column;
  std::vector<bool> present;  // by code
  double chance = 0;
};

bool has_no_value(std::string_view value) {
  return value.empty() || value == "*" || is_missing_word(value);
}

// Births span decades, which visits do not.
bool are_births(const Dictionary& values) {
  constexpr int kDecades = 40;
  const auto forms = date_forms(values);
  if (forms.empty()) return false;
  int first = std::numeric_limits<int>::max();
  int last = std::numeric_limits<int>::min();
  for (const auto& value : values.values()) {
    const auto day = iso_day(value, forms.front());
    if (!day || day->size() < 4) continue;
    const int year = std::stoi(day->substr(0, 4));
    first = std::min(first, year);
    last = std::max(last, year);
  }
  return last - first >= kDecades;
}

std::optional<Trait> trait(const Column& column, const columns::ColumnContent& content) {
  const bool births = content.type == columns::ColumnType::date && are_births(column.dictionary);
  if (!births && !columns::lasts(column.name, content)) return std::nullopt;
  Trait trait{&column, {}, 0};
  const auto counts = column.counts();
  double all = 0;
  for (Code code = 0; code < counts.size(); ++code) {
    trait.present.push_back(!has_no_value(column.dictionary.value(code)));
    if (trait.present.back()) all += static_cast<double>(counts[code]);
  }
  if (all == 0) return std::nullopt;
  for (Code code = 0; code < counts.size(); ++code) {
    const double share = static_cast<double>(counts[code]) / all;
    if (trait.present[code]) trait.chance += share * share;
  }
  return trait;
}

// Rows with the same value, each with the one before it.
std::vector<std::pair<std::size_t, std::size_t>> pairs_of(const Column& column) {
  constexpr auto kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> before(column.dictionary.size(), kNone);
  for (Code code = 0; code < before.size(); ++code)
    if (has_no_value(column.dictionary.value(code))) before[code] = kNone - 1;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t row = 0; row < column.codes.size() && pairs.size() < kMostPairs; ++row) {
    auto& last = before[column.codes[row]];
    if (last == kNone - 1) continue;
    if (last != kNone) pairs.emplace_back(last, row);
    last = row;
  }
  return pairs;
}

bool is_shared(const Trait& trait, const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
  std::size_t compared = 0;
  std::size_t same = 0;
  for (const auto& [one, other] : pairs) {
    const Code a = trait.column->codes[one];
    const Code b = trait.column->codes[other];
    if (!trait.present[a] || !trait.present[b]) continue;
    ++compared;
    same += a == b ? 1 : 0;
  }
  return compared >= kFewestPairs &&
         static_cast<double>(same) >= kSameOfPairs * static_cast<double>(compared);
}

}  // namespace

std::vector<std::vector<std::string>> shared_by_person(
    const Table& table, std::span<const columns::ColumnContent> contents) {
  std::vector<Trait> traits;
  for (std::size_t c = 0; c < contents.size(); ++c)
    if (auto of_column = trait(table.columns[c], contents[c]))
      traits.push_back(std::move(*of_column));
  std::vector<std::vector<std::string>> shared(contents.size());
  if (traits.empty()) return shared;
  for (std::size_t c = 0; c < contents.size(); ++c) {
    const Column& column = table.columns[c];
    if (!columns::identifier_may_say_whose_rows(column.name, contents[c])) continue;
    const auto pairs = pairs_of(column);
    if (pairs.size() < kFewestPairs) continue;
    double chance = 1;
    for (const Trait& lasting : traits) {
      if (lasting.column == &column || !is_shared(lasting, pairs)) continue;
      chance *= lasting.chance;
      shared[c].push_back(lasting.column->name);
    }
    if (chance > kByChance) shared[c].clear();
  }
  return shared;
}

}  // namespace pratique::tables
