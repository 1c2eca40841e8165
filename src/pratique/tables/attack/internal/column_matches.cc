#include "pratique/tables/attack/internal/column_matches.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "pratique/core/parallel.h"
#include "pratique/data/date.h"
#include "pratique/data/generalised.h"
#include "pratique/data/hierarchy.h"
#include "pratique/data/number.h"
#include "pratique/data/written_range.h"

namespace pratique::tables::internal {
namespace {

using Kind = GeneralisedValue::Kind;

// Rounding to the nearest double keeps the order of numbers, so intervals of doubles hold every
// match of intervals of exact numbers.
std::optional<double> number(std::string_view text) {
  if (!is_number(text)) return std::nullopt;
  return to_double(text);
}

constexpr std::size_t kYear = 4;  // characters

// The values of a column in the orders in which cells are intervals.
class SortedValues {
 public:
  // Places in one of the orders.
  struct Interval {
    std::size_t begin;
    std::size_t end;
  };

  SortedValues(const Dictionary& values, bool with_texts) : values_(values) {
    for (Code code = 0; code < values.size(); ++code) {
      const std::string_view text = values.value(code);
      if (const auto value = number(text)) {
        by_number_.emplace_back(*value, code);
      } else if (const auto range = read_written_range(text)) {
        by_range_.emplace_back(to_double(range->low), code);
      }
      // 1987-05, 1987-05-12 and what follows them; the years alone are numbers, too.
      const bool may_be_date = text.size() == kYear || (text.size() > kYear && text[kYear] == '-');
      if (may_be_date) by_date_.push_back(code);
    }
    std::sort(by_number_.begin(), by_number_.end());
    std::sort(by_range_.begin(), by_range_.end());
    sort_texts(by_date_);
    if (!with_texts) return;
    by_text_.resize(values.size());
    std::iota(by_text_.begin(), by_text_.end(), 0);
    sort_texts(by_text_);
  }

  [[nodiscard]] const std::vector<std::pair<double, Code>>& by_number() const { return by_number_; }
  // Values that are ranges themselves ([70-80)), by where they begin.
  [[nodiscard]] const std::vector<std::pair<double, Code>>& by_range() const { return by_range_; }
  [[nodiscard]] const std::vector<Code>& by_date() const { return by_date_; }
  [[nodiscard]] const std::vector<Code>& by_text() const { return by_text_; }

  // Of by_number or by_range: those that begin there.
  using ByNumber = std::vector<std::pair<double, Code>>;
  [[nodiscard]] static Interval numbers_between(const ByNumber& order, double low, double high) {
    const auto begin = std::lower_bound(order.begin(), order.end(), low,
                                        [](const auto& a, double b) { return a.first < b; });
    const auto end = std::upper_bound(begin, order.end(), high,
                                      [](double a, const auto& b) { return a < b.first; });
    return {static_cast<std::size_t>(begin - order.begin()),
            static_cast<std::size_t>(end - order.begin())};
  }

  // Of by_date or by_text: from `low` on, those not after every text that starts with `high`.
  [[nodiscard]] Interval between(const std::vector<Code>& order, std::string_view low,
                                 std::string_view high) const {
    const auto begin =
        std::lower_bound(order.begin(), order.end(), low,
                         [&](Code a, std::string_view b) { return values_.value(a) < b; });
    const auto end = std::upper_bound(begin, order.end(), high, [&](std::string_view a, Code b) {
      return a < values_.value(b).substr(0, a.size());
    });
    return {static_cast<std::size_t>(begin - order.begin()),
            static_cast<std::size_t>(end - order.begin())};
  }

 private:
  void sort_texts(std::vector<Code>& codes) const {
    std::sort(codes.begin(), codes.end(),
              [&](Code a, Code b) { return values_.value(a) < values_.value(b); });
  }

  const Dictionary& values_;
  std::vector<std::pair<double, Code>> by_number_;
  std::vector<std::pair<double, Code>> by_range_;
  std::vector<Code> by_date_;
  std::vector<Code> by_text_;
};

GeneralisedValue read_cell(std::string_view cell, CellsAre cells_are) {
  switch (cells_are) {
    case CellsAre::values:
      return GeneralisedValue::text(cell);
    case CellsAre::ours:
      return GeneralisedValue::parse(cell);
    case CellsAre::anything:
      break;
  }
  return GeneralisedValue::parse_foreign(cell);
}

// The cells of a column, read, and sorted by how their values are found.
struct SortedCells {
  std::vector<GeneralisedValue> cells;
  std::vector<Code> any;
  std::vector<Code> intervals;  // ranges and patterns: found from the side of the cell
  // By what a value may be called: the cell's text (any kind may be a label of a hierarchy), and
  // the members of sets.
  std::unordered_map<std::string, std::vector<Code>> by_name;

  bool has_patterns = false;

  // Of the dictionary, those in `order`, and in this order.
  SortedCells(const Dictionary& dictionary, std::span<const Code> order, CellsAre cells_are)
      : cells(dictionary.size()) {
    parallel_blocks(order.size(), 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        cells[order[i]] = read_cell(dictionary.value(order[i]), cells_are);
      }
    });
    for (const Code code : order) {
      const GeneralisedValue& cell = cells[code];
      has_patterns = has_patterns || cell.kind() == Kind::pattern;
      if (cell.kind() == Kind::any) {
        any.push_back(code);
        continue;
      }
      if (cell.kind() == Kind::range || cell.kind() == Kind::pattern) intervals.push_back(code);
      if (cell.kind() != Kind::text) by_name[cell.print()].push_back(code);
      if (cell.kind() != Kind::text && cell.kind() != Kind::set) continue;
      for (const auto& text : cell.parts()) by_name[text].push_back(code);
    }
  }
};

struct Match {
  Code value;
  Code cell;
};

// How the values in an interval are gone through: all of them.
struct EveryValue {
  template <class Order, class Ask>
  void in(const Order& order, const SortedValues::Interval& interval, const Ask& ask) const {
    for (std::size_t i = interval.begin; i < interval.end; ++i) ask(order[i]);
  }
};

// ... those that no interval before contained, each of which is passed over from then on.
class ValuesLeft {
 public:
  template <class Order, class Ask>
  void in(const Order& order, const SortedValues::Interval& interval, const Ask& ask) {
    auto& next = next_[&order];
    if (next.empty()) {
      next.resize(order.size() + 1);
      std::iota(next.begin(), next.end(), 0);
    }
    for (std::size_t i = first_left(next, interval.begin); i < interval.end;) {
      if (ask(order[i])) next[i] = static_cast<std::uint32_t>(i + 1);
      i = first_left(next, i + 1);
    }
  }

 private:
  static std::size_t first_left(std::vector<std::uint32_t>& next, std::size_t i) {
    std::size_t left = i;
    while (next[left] != left) left = next[left];
    while (next[i] != left) {  // the next walk is shorter
      const std::size_t after = next[i];
      next[i] = static_cast<std::uint32_t>(left);
      i = after;
    }
    return left;
  }

  std::unordered_map<const void*, std::vector<std::uint32_t>> next_;  // by order
};

// Calls take(code) for the values inside a range or pattern.
template <class Values, class Take>
void values_in(const GeneralisedValue& cell, const Dictionary& dictionary,
               const SortedValues& sorted, const Hierarchy* hierarchy, Values& values,
               const Take& take) {
  const auto label = cell.label_in(hierarchy);
  const auto ask = [&](Code value) {
    const bool inside = cell.contains(dictionary.value(value), hierarchy, label);
    if (inside) take(value);
    return inside;
  };
  const std::string_view low = cell.parts().front();
  if (cell.kind() == Kind::pattern) {
    const std::string_view prefix = low.substr(0, low.find('*'));
    values.in(sorted.by_text(), sorted.between(sorted.by_text(), prefix, prefix), ask);
    return;
  }
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const std::string_view high = cell.parts().back();
  const auto low_number = low.empty() ? -kInfinite : number(low);
  const auto high_number = high.empty() ? kInfinite : number(high);
  const bool numbers = low_number && high_number;
  if (numbers) {
    // 29.5 is in 20-29.
    const double reach = high.find('.') == std::string_view::npos ? 1 : 0;
    // (59-79] begins after 59.
    values.in(sorted.by_range(),
              SortedValues::numbers_between(sorted.by_range(), *low_number - 1, *high_number),
              [&](const std::pair<double, Code>& value) { return ask(value.second); });
    values.in(sorted.by_number(),
              SortedValues::numbers_between(sorted.by_number(), *low_number, *high_number + reach),
              [&](const std::pair<double, Code>& value) {
                const bool surely =
                    !label && *low_number < value.first && value.first < *high_number;
                if (!surely) return ask(value.second);
                take(value.second);
                return true;
              });
  }
  const auto may_be_date = [](std::string_view bound) {
    return bound.empty() || bound.size() == kYear || parse_iso_date(bound);
  };
  if (may_be_date(low) && may_be_date(high)) {
    // The order of ISO dates is that of their texts.
    values.in(sorted.by_date(), sorted.between(sorted.by_date(), low.substr(0, kYear), high),
              [&](Code value) {
                const bool done = numbers && dictionary.value(value).size() == kYear;
                return !done && ask(value);
              });
  }
}

// Appends the cells that contain a value by name: a text, a member, a label, a year.
void named_cells_containing(std::string_view value, const SortedCells& cells,
                            const Hierarchy* hierarchy, std::vector<Code>& result) {
  std::string key;
  std::vector<Code> candidates;
  const auto look_up = [&](std::string_view name) {
    key.assign(name);
    const auto named = cells.by_name.find(key);
    if (named == cells.by_name.end()) return;
    candidates.insert(candidates.end(), named->second.begin(), named->second.end());
  };
  look_up(value);
  for (const std::size_t iso_part : {4U, 7U, 10U}) {
    if (value.size() > iso_part && value[4] == '-') look_up(value.substr(0, iso_part));
  }
  if (!value.empty() && (value.front() == '\\' || value.front() == '{')) {
    const auto written_otherwise = GeneralisedValue::parse(value);
    look_up(written_otherwise.print());
    if (written_otherwise.kind() == Kind::text) look_up(written_otherwise.parts().front());
  }
  const auto leaf = hierarchy == nullptr ? std::nullopt : hierarchy->leaf(value);
  if (leaf) {
    look_up(hierarchy->label(*leaf));
    for (auto node = *leaf; node != hierarchy->root();) {
      node = hierarchy->parent(node);
      look_up(hierarchy->label(node));
    }
  }
  for (const Code cell : candidates) {
    if (cells.cells[cell].contains(value, hierarchy)) result.push_back(cell);
  }
}

// From blocks of matches in order of their cells to the cells of each value.
void collect(const std::vector<std::vector<Match>>& blocks, std::size_t values,
             std::vector<std::size_t>& begin, std::vector<Code>& cells) {
  begin.assign(values + 1, 0);
  for (const auto& block : blocks) {
    for (const Match& match : block) ++begin[match.value + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  cells.resize(begin.back());
  std::vector<std::size_t> cursor(begin.begin(), begin.end() - 1);
  for (const auto& block : blocks) {
    for (const Match& match : block) cells[cursor[match.value]++] = match.cell;
  }
}

}  // namespace

ColumnMatches::ColumnMatches(const Dictionary& cells, const Dictionary& values,
                             const Hierarchy* hierarchy, CellsAre cells_are)
    : cell_count_(cells.size()) {
  constexpr std::size_t kGrain = 256;
  std::vector<Code> all(cells.size());
  std::iota(all.begin(), all.end(), 0);
  const SortedCells sorted_cells(cells, all, cells_are);
  const SortedValues sorted_values(values, sorted_cells.has_patterns);

  std::vector<std::vector<Match>> interval_blocks((sorted_cells.intervals.size() + kGrain - 1) /
                                                  kGrain);
  parallel_blocks(sorted_cells.intervals.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    auto& matches = interval_blocks[begin / kGrain];
    for (std::size_t i = begin; i < end; ++i) {
      const Code cell = sorted_cells.intervals[i];
      const EveryValue every;
      values_in(sorted_cells.cells[cell], values, sorted_values, hierarchy, every, [&](Code value) {
        matches.push_back({value, cell});
      });
    }
  });
  std::vector<std::size_t> interval_begin;
  std::vector<Code> interval_cells;
  collect(interval_blocks, values.size(), interval_begin, interval_cells);
  interval_blocks.clear();

  std::vector<std::vector<Code>> blocks((values.size() + kGrain - 1) / kGrain);
  begin_.assign(values.size() + 1, 0);
  parallel_blocks(values.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    auto& matches = blocks[begin / kGrain];
    for (std::size_t value = begin; value < end; ++value) {
      const std::size_t first = matches.size();
      named_cells_containing(values.value(static_cast<Code>(value)), sorted_cells, hierarchy,
                             matches);
      matches.insert(matches.end(), sorted_cells.any.begin(), sorted_cells.any.end());
      matches.insert(
          matches.end(),
          interval_cells.begin() + static_cast<std::ptrdiff_t>(interval_begin[value]),
          interval_cells.begin() + static_cast<std::ptrdiff_t>(interval_begin[value + 1]));
      const auto own = matches.begin() + static_cast<std::ptrdiff_t>(first);
      std::sort(own, matches.end());
      matches.erase(std::unique(own, matches.end()), matches.end());
      begin_[value + 1] = matches.size() - first;
    }
  });
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  cells_.reserve(begin_.back());
  for (const auto& block : blocks) cells_.insert(cells_.end(), block.begin(), block.end());
}

std::vector<Code> ColumnMatches::cells_of_nobody() const {
  std::vector<bool> somebody(cell_count_, false);
  for (const Code cell : cells_) somebody[cell] = true;
  std::vector<Code> nobody;
  for (Code cell = 0; cell < cell_count_; ++cell) {
    if (!somebody[cell]) nobody.push_back(cell);
  }
  return nobody;
}

std::vector<Code> first_containing(const Dictionary& cells, std::span<const Code> order,
                                   const Dictionary& values, const Hierarchy* hierarchy,
                                   CellsAre cells_are) {
  constexpr std::size_t kGrain = 256;
  const SortedCells sorted_cells(cells, order, cells_are);
  const SortedValues sorted_values(values, sorted_cells.has_patterns);
  const auto last = static_cast<std::uint32_t>(order.size());
  std::vector<std::uint32_t> place_of(cells.size(), last);
  for (std::uint32_t i = 0; i < last; ++i) place_of[order[i]] = i;
  std::vector<std::uint32_t> first(values.size(), last);
  parallel_blocks(values.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Code> matches;
    for (std::size_t value = begin; value < end; ++value) {
      matches.clear();
      named_cells_containing(values.value(static_cast<Code>(value)), sorted_cells, hierarchy,
                             matches);
      if (!sorted_cells.any.empty()) matches.push_back(sorted_cells.any.front());
      for (const Code cell : matches) first[value] = std::min(first[value], place_of[cell]);
    }
  });
  ValuesLeft left;
  for (const Code cell : sorted_cells.intervals) {
    values_in(sorted_cells.cells[cell], values, sorted_values, hierarchy, left,
              [&](Code value) { first[value] = std::min(first[value], place_of[cell]); });
  }
  std::vector<Code> result;
  result.reserve(values.size());
  for (const auto place : first) result.push_back(place == last ? kNoCode : order[place]);
  return result;
}

}  // namespace pratique::tables::internal
