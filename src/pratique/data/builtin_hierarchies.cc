#include "pratique/data/builtin_hierarchies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/code_systems.h"
#include "pratique/data/date.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/data/internal/interval_labels.h"
#include "pratique/data/missing_word.h"
#include "pratique/data/number.h"
#include "pratique/data/table.h"
#include "pratique/data/uncovered.h"
#include "pratique/data/utf8.h"
#include "pratique/data/written_range.h"

namespace pratique {
namespace {

constexpr std::string_view kAny = "*";
constexpr std::size_t kLongestPrefix = 64;

struct Source {
  const std::string& spec;
  const Dictionary& values;
  const std::vector<std::uint64_t>& counts;
  const std::string& column;
};

// The labels of a value between itself and the root, one per level. False when the value does not
// fit.
using Labels = std::function<bool(std::string_view value, std::vector<std::string>& labels)>;

Hierarchy build(const Source& source, std::size_t levels_between, const Labels& labels_of,
                const std::string& wanted) {
  Hierarchy::Builder builder(source.spec);
  Uncovered uncovered(source.counts);
  std::vector<std::string> labels;
  std::vector<std::string_view> path;
  for (Code code = 0; code < source.values.size(); ++code) {
    const std::string_view value = source.values.value(code);
    labels.assign(levels_between, {});
    if (!value.empty() && !labels_of(value, labels)) {
      uncovered.add(code, value);
      continue;
    }
    path.assign(1, value);
    path.insert(path.end(), labels.begin(), labels.end());
    path.push_back(kAny);
    builder.add(path);
  }
  if (!uncovered.empty()) {
    throw UncoveredValues(
        Error::input(fmt::format("the hierarchy '{}' cannot place {} of column '{}'", source.spec,
                                 uncovered.describe(), source.column))
            .hint(wanted),
        uncovered.named());
  }
  if (source.values.size() == 0) {
    throw Error::input(
        fmt::format("column '{}' has no values to make a hierarchy over", source.column));
  }
  return builder.build();
}

Hierarchy make_flat(const Source& source) {
  return build(
      source, 0, [](std::string_view, std::vector<std::string>&) { return true; }, "");
}

Hierarchy make_prefix(const Source& source) {
  std::size_t longest = 1;
  for (const auto value : source.values.values()) {
    longest = std::max(longest, count_characters(value));
  }
  if (longest > kLongestPrefix) {
    throw Error::input(fmt::format("a value of column '{}' has {} characters; the hierarchy "
                                   "'prefix' takes at most {}",
                                   source.column, longest, kLongestPrefix))
        .hint("Use flat, or a CSV hierarchy.");
  }
  const auto labels_of = [longest](std::string_view value, std::vector<std::string>& labels) {
    std::size_t kept_bytes = 0;
    for (std::size_t kept = 1; kept < longest; ++kept) {
      if (kept_bytes < value.size()) kept_bytes += first_character(value.substr(kept_bytes));
      std::string& label = labels[longest - 1 - kept];
      label = value.substr(0, kept_bytes);
      label.append(longest - count_characters(label), '*');
    }
    return true;
  };
  return build(source, longest - 1, labels_of, "");
}

// How the dates of a column that are not ISO are written.
enum class DayOrder { unknown, month_first, day_first };

DayOrder find_day_order(const Source& source) {
  bool ambiguous = false;
  bool some_month_first = false;
  bool some_day_first = false;
  for (const auto value : source.values.values()) {
    const auto date = parse_iso_date(value) ? std::nullopt : parse_foreign_date(value);
    if (!date || date->year_first) continue;
    const bool month_first = date->month_first().has_value();
    const bool day_first = date->day_first().has_value();
    if (month_first && day_first) {
      ambiguous = ambiguous || date->first != date->second;
    } else {
      (month_first ? some_month_first : some_day_first) = true;
    }
  }
  if (some_month_first && some_day_first) {
    throw Error::input(fmt::format("column '{}' has dates with the month first and dates with the "
                                   "day first",
                                   source.column))
        .hint("Write all dates as YYYY-MM-DD.");
  }
  if (some_month_first) return DayOrder::month_first;
  if (some_day_first) return DayOrder::day_first;
  if (ambiguous) {
    throw Error::input(fmt::format("the dates of column '{}' do not show which number is the "
                                   "month: none has a number above 12",
                                   source.column))
        .hint("Write the dates as YYYY-MM-DD.");
  }
  return DayOrder::unknown;
}

std::optional<PartialDate> read_date(std::string_view value, DayOrder order) {
  if (const auto date = parse_iso_date(value)) return date;
  const auto foreign = parse_foreign_date(value);
  if (!foreign) return std::nullopt;
  return order == DayOrder::day_first && !foreign->year_first ? foreign->day_first()
                                                              : foreign->month_first();
}

Hierarchy make_date(const Source& source) {
  const DayOrder order = find_day_order(source);
  const bool times = std::any_of(source.values.values().begin(), source.values.values().end(),
                                 [](std::string_view value) {
                                   const auto date = parse_iso_date(value);
                                   return date && date->has_time;
                                 });
  const auto labels_of = [order, times](std::string_view value, std::vector<std::string>& labels) {
    if (is_open_class(value)) {
      std::fill(labels.begin(), labels.end(), value);
      return true;
    }
    auto date = read_date(value, order);
    if (!date) return false;
    std::size_t level = 0;
    if (times) labels[level++] = to_string(*date);
    date->day = 0;
    labels[level++] = to_string(*date);
    date->month = 0;
    labels[level++] = to_string(*date);
    const int decade = date->year - date->year % 10;
    labels[level] = fmt::format("{:04}..{:04}", decade, decade + 9);
    return true;
  };
  return build(
      source, times ? 4 : 3, labels_of,
      "Write dates as YYYY-MM-DD, YYYY-MM or YYYY, and leave cells that are not dates empty.");
}

Hierarchy make_by_system(const Source& source) {
  const CodeSystem& system = *find_code_system(source.spec);
  const bool points = written_with_points(source.values);
  const auto labels_of = [&](std::string_view value, std::vector<std::string>& labels) {
    return system.place(value, points, labels);
  };
  return build(source, system.levels, labels_of,
               fmt::format("{}; or give a CSV hierarchy that has the others.", system.how));
}

Hierarchy make_interval(const Source& source) {
  const auto labels = IntervalLabels::parse(source.spec);
  std::size_t most_decimals = 0;
  bool ranges = false;
  for (const auto value : source.values.values()) {
    if (is_number(value)) {
      most_decimals = std::max(most_decimals, decimals(value));
    } else if (const auto range = read_written_range(value)) {
      ranges = true;
      most_decimals = std::max({most_decimals, decimals(range->low), decimals(range->high)});
    }
  }
  const IntervalLabels precise = labels.with_decimals(most_decimals);
  const auto labels_of = [&](std::string_view value, std::vector<std::string>& out) {
    // Beside numbers, words for missing values were made empty when the column was read.
    const bool itself =
        is_open_class(value) || (ranges && (is_missing_word(value) || is_range_without_end(value)));
    if (!itself) return precise.label(value, out);
    std::fill(out.begin(), out.end(), value);
    return true;
  };
  return build(source, precise.levels(), labels_of,
               fmt::format("Write plain numbers of at most {} digits, with a point (3.5, not 3,5), "
                           "and leave cells that are not numbers empty; or give a CSV hierarchy.",
                           IntervalLabels::kMostDigits));
}

struct Builtin {
  std::string_view name;
  Hierarchy (*make)(const Source&);
};
constexpr Builtin kBuiltins[] = {
    {"flat", make_flat},      {"prefix", make_prefix},   {"date", make_date},
    {"icd9", make_by_system}, {"icd10", make_by_system}, {"atc", make_by_system},
};
constexpr std::string_view kInterval = "interval";

const Builtin* find_builtin(const std::string& spec) {
  const auto* match = std::find_if(std::begin(kBuiltins), std::end(kBuiltins),
                                   [&](const Builtin& b) { return b.name == spec; });
  return match == std::end(kBuiltins) ? nullptr : match;
}

bool is_interval(std::string_view spec) {
  return spec == kInterval || spec.starts_with("interval:");
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> names = {std::string(kInterval)};
  for (const auto& builtin : kBuiltins) names.emplace_back(builtin.name);
  return names;
}

}  // namespace

bool is_open_class(std::string_view value) {
  if (value.ends_with('+')) {
    value.remove_suffix(1);
  } else if (value.starts_with("<=")) {
    value.remove_prefix(2);
  } else {
    return false;
  }
  return !value.empty() && std::all_of(value.begin(), value.end(), is_digit);
}

bool is_builtin_hierarchy(const std::string& spec) {
  return is_interval(spec) || find_builtin(spec) != nullptr;
}

Hierarchy make_builtin_hierarchy(const std::string& spec, const Dictionary& values,
                                 const std::vector<std::uint64_t>& counts,
                                 const std::string& column) {
  const Source source{spec, values, counts, column};
  if (is_interval(spec)) return make_interval(source);
  const Builtin* builtin = find_builtin(spec);
  if (builtin == nullptr) {
    const auto names = builtin_names();
    const auto near = nearest_names(names, spec.substr(0, spec.find(':')));
    throw Error::input(fmt::format("there is no built-in hierarchy '{}'", spec))
        .hint(near.empty() ? fmt::format("Name a CSV file, or one of: {}.", fmt::join(names, ", "))
                           : fmt::format("Did you mean {}?", fmt::join(near, " or ")));
  }
  return builtin->make(source);
}

// A name without a folder or an ending was hardly meant as a file.
Hierarchy make_hierarchy(const std::string& spec, const Dictionary& values,
                         const std::vector<std::uint64_t>& counts, const std::string& column) {
  const bool path_like = spec.find_first_of("./\\") != std::string::npos && !is_interval(spec);
  if (is_builtin_hierarchy(spec) || !path_like) {
    return make_builtin_hierarchy(spec, values, counts, column);
  }
  Hierarchy tree = read_hierarchy_csv(spec);
  (void)tree.bind(values, counts, column);
  return tree;
}

}  // namespace pratique
