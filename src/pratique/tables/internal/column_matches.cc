#include "pratique/tables/internal/column_matches.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "pratique/core/parallel.h"
#include "pratique/data/generalised.h"
#include "pratique/data/hierarchy.h"

namespace pratique::internal {
namespace {

using Kind = GeneralisedValue::Kind;

// Rounding to the nearest double keeps the order of numbers, so intervals of doubles hold every
// match of intervals of exact numbers.
std::optional<double> number(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Too large or too small for a double; both ends of the line keep the order.
    const bool tiny =
        text.find("e-") != text.npos || text.find("E-") != text.npos || text.find("0.0") < 2;
    const double magnitude = tiny ? 0 : std::numeric_limits<double>::infinity();
    return text.front() == '-' ? -magnitude : magnitude;
  }
  if (error != std::errc() || std::isnan(value)) return std::nullopt;
  return value;
}

// The values of a column in the two orders in which cells are intervals.
class SortedValues {
 public:
  explicit SortedValues(const Dictionary& values) : values_(values) {
    by_text_.resize(values.size());
    std::iota(by_text_.begin(), by_text_.end(), 0);
    std::sort(by_text_.begin(), by_text_.end(),
              [&](Code a, Code b) { return values.value(a) < values.value(b); });
    for (Code code = 0; code < values.size(); ++code) {
      if (const auto value = number(values.value(code))) by_number_.emplace_back(*value, code);
    }
    std::sort(by_number_.begin(), by_number_.end());
  }

  [[nodiscard]] std::span<const std::pair<double, Code>> between(double low, double high) const {
    const auto begin = std::lower_bound(by_number_.begin(), by_number_.end(), low,
                                        [](const auto& a, double b) { return a.first < b; });
    const auto end = std::upper_bound(begin, by_number_.end(), high,
                                      [](double a, const auto& b) { return a < b.first; });
    return {begin, end};
  }

  // The values from `low` on that are not after every text that starts with `high`.
  [[nodiscard]] std::span<const Code> between(std::string_view low, std::string_view high) const {
    const auto begin =
        std::lower_bound(by_text_.begin(), by_text_.end(), low,
                         [&](Code a, std::string_view b) { return values_.value(a) < b; });
    const auto end = std::upper_bound(begin, by_text_.end(), high, [&](std::string_view a, Code b) {
      return a < values_.value(b).substr(0, a.size());
    });
    return {begin, end};
  }

 private:
  const Dictionary& values_;
  std::vector<Code> by_text_;
  std::vector<std::pair<double, Code>> by_number_;
};

// The cells of a column, read, and sorted by how their values are found.
struct SortedCells {
  std::vector<GeneralisedValue> cells;
  std::vector<Code> any;
  std::vector<Code> intervals;  // ranges and masked texts: found from the side of the cell
  std::unordered_map<std::string, std::vector<Code>> by_text;  // texts and members of sets
  std::vector<std::pair<double, Code>> by_number;              // those of them that are numbers

  explicit SortedCells(const Dictionary& dictionary) : cells(dictionary.size()) {
    parallel_blocks(cells.size(), 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        cells[i] = GeneralisedValue::parse_foreign(dictionary.value(static_cast<Code>(i)));
      }
    });
    for (Code code = 0; code < cells.size(); ++code) {
      const GeneralisedValue& cell = cells[code];
      if (cell.kind() == Kind::any) any.push_back(code);
      if (cell.kind() == Kind::range || masked(cell)) intervals.push_back(code);
      if (cell.kind() != Kind::text && cell.kind() != Kind::set) continue;
      for (const auto& text : cell.parts()) {
        by_text[text].push_back(code);
        if (const auto value = number(text)) by_number.emplace_back(*value, code);
      }
    }
    std::sort(by_number.begin(), by_number.end());
  }

  static bool masked(const GeneralisedValue& cell) {
    return cell.kind() == Kind::text && cell.parts().front().find('*') != std::string::npos;
  }
};

struct Match {
  Code value;
  Code cell;
};

// Calls found(code) for the values an interval cell contains.
template <class Found>
void values_in(const GeneralisedValue& cell, const Dictionary& dictionary,
               const SortedValues& sorted, const Hierarchy* hierarchy, const Found& found) {
  const auto ask = [&](std::span<const Code> candidates) {
    for (const Code value : candidates) {
      if (cell.contains(dictionary.value(value), hierarchy)) found(value);
    }
  };
  if (SortedCells::masked(cell)) {
    const std::string& mask = cell.parts().front();
    const std::string_view prefix = std::string_view(mask).substr(0, mask.find('*'));
    ask(sorted.between(prefix, prefix));
    return;
  }
  const std::string& low = cell.parts().front();
  const std::string& high = cell.parts().back();
  const auto low_number = number(low);
  const auto high_number = number(high);
  if (!low_number || !high_number) {
    // ISO dates: their order is that of their texts, and what starts with the year of the first
    // day may still reach into the range.
    ask(sorted.between(std::string_view(low).substr(0, 4), high));
    return;
  }
  for (const auto& [value, code] : sorted.between(*low_number, *high_number)) {
    const bool inside = *low_number < value && value < *high_number;
    if (inside || cell.contains(dictionary.value(code), hierarchy)) found(code);
  }
}

// Appends the text and set cells that contain a value, ascending, each once.
void texts_containing(std::string_view value, const SortedCells& cells, const Hierarchy* hierarchy,
                      std::vector<Code>& result) {
  const auto first = static_cast<std::ptrdiff_t>(result.size());
  std::string key;
  const auto look_up = [&](std::string_view text) {
    key.assign(text);
    const auto found = cells.by_text.find(key);
    if (found == cells.by_text.end()) return;
    result.insert(result.end(), found->second.begin(), found->second.end());
  };
  look_up(value);
  if (value.size() > 4 && value[4] == '-') look_up(value.substr(0, 4));
  if (value.size() > 7 && value[7] == '-') look_up(value.substr(0, 7));
  if (hierarchy != nullptr) {
    if (const auto leaf = hierarchy->leaf(value)) {
      look_up(hierarchy->label(*leaf));
      for (auto node = *leaf; node != hierarchy->root();) {
        node = hierarchy->parent(node);
        look_up(hierarchy->label(node));
      }
    }
  }
  if (const auto as_number = number(value); as_number && !cells.by_number.empty()) {
    auto at = std::lower_bound(cells.by_number.begin(), cells.by_number.end(), *as_number,
                               [](const auto& a, double b) { return a.first < b; });
    for (; at != cells.by_number.end() && at->first == *as_number; ++at) {
      result.push_back(at->second);
    }
  }
  std::sort(result.begin() + first, result.end());
  result.erase(std::unique(result.begin() + first, result.end()), result.end());
  result.erase(std::remove_if(result.begin() + first, result.end(),
                              [&](Code cell) {
                                return SortedCells::masked(cells.cells[cell]) ||
                                       !cells.cells[cell].contains(value, hierarchy);
                              }),
               result.end());
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
                             const Hierarchy* hierarchy) {
  constexpr std::size_t kGrain = 256;
  const SortedCells sorted_cells(cells);
  const SortedValues sorted_values(values);

  std::vector<std::vector<Match>> interval_blocks((sorted_cells.intervals.size() + kGrain - 1) /
                                                  kGrain);
  parallel_blocks(sorted_cells.intervals.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    auto& matches = interval_blocks[begin / kGrain];
    for (std::size_t i = begin; i < end; ++i) {
      const Code cell = sorted_cells.intervals[i];
      values_in(sorted_cells.cells[cell], values, sorted_values, hierarchy, [&](Code value) {
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
      texts_containing(values.value(static_cast<Code>(value)), sorted_cells, hierarchy, matches);
      matches.insert(matches.end(), sorted_cells.any.begin(), sorted_cells.any.end());
      matches.insert(
          matches.end(),
          interval_cells.begin() + static_cast<std::ptrdiff_t>(interval_begin[value]),
          interval_cells.begin() + static_cast<std::ptrdiff_t>(interval_begin[value + 1]));
      std::sort(matches.begin() + static_cast<std::ptrdiff_t>(first), matches.end());
      begin_[value + 1] = matches.size() - first;
    }
  });
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  cells_.reserve(begin_.back());
  for (const auto& block : blocks) cells_.insert(cells_.end(), block.begin(), block.end());
}

}  // namespace pratique::internal
