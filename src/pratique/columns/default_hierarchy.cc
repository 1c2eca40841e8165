#include "pratique/columns/default_hierarchy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "pratique/columns/internal/column_name.h"
#include "pratique/core/ascii.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/code_systems.h"
#include "pratique/data/date.h"
#include "pratique/data/date_form.h"
#include "pratique/data/missing_word.h"
#include "pratique/data/number.h"
#include "pratique/data/written_range.h"

namespace pratique::columns {
namespace {

using internal::ColumnName;
using Values = std::vector<std::string_view>;

bool named(const ColumnName& name, std::initializer_list<std::string_view> phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return name.has(phrase); });
}

bool every(const Values& values, const std::function<bool(std::string_view)>& fits) {
  return std::all_of(values.begin(), values.end(), fits);
}
bool some(const Values& values, const std::function<bool(std::string_view)>& fits) {
  return std::any_of(values.begin(), values.end(), fits);
}

bool is_date(std::string_view value) { return parse_iso_date(value).has_value(); }

// A year alone is as good a number.
bool are_dates(const Values& values) {
  return every(values, is_date) &&
         some(values, [](std::string_view value) { return parse_iso_date(value)->month != 0; });
}

bool are_postcodes(const ColumnName& name, const Values& values) {
  constexpr std::size_t kLongest = 12;
  const bool shaped = every(values, [](std::string_view value) {
    return value.size() <= kLongest && std::any_of(value.begin(), value.end(), is_digit);
  });
  if (named(name, {"zip",
                   "zip code",
                   "postcode",
                   "post code",
                   "postal code",
                   "zip 3",
                   "zip 5",
                   "plz",
                   "postleitzahl",
                   "code postal",
                   "codigo postal",
                   "cod postal",
                   "codice postale",
                   "postnummer",
                   "postnr",
                   "pincode",
                   "pin code",
                   "kod pocztowy",
                   "zipcode",
                   "postalcode"}))
    return shaped;
  // Short names have other meanings, too: cp is also a kind of chest pain.
  const bool five_digits = every(values, [](std::string_view value) {
    return value.size() == 5 && std::all_of(value.begin(), value.end(), is_digit);
  });
  if (named(name, {"cap", "cep", "cp", "psc"}) && five_digits) return true;
  return some(values,
              [](std::string_view value) { return value.front() == '0' && value.size() > 2; }) &&
         every(values, [&](std::string_view value) {
           return value.size() == values.front().size() &&
                  std::all_of(value.begin(), value.end(), is_digit);
         });
}

// The system that all of the codes are of, where the name says that they are some, or letters and
// points do; nothing where there is none.
std::string code_system(const ColumnName& name, const Values& values, bool points) {
  const auto has_letter = [](std::string_view value) {
    return value.front() >= 'A' && value.front() <= 'Z';
  };
  if (!named(name, {"icd", "icd 9", "icd 10", "diag", "diagnosis", "diagnoses", "dx", "atc"}) &&
      !(points && some(values, has_letter)))
    return "";
  for (const CodeSystem& system : code_systems()) {
    std::vector<std::string> labels(system.levels);
    if (every(values, [&](std::string_view value) { return system.place(value, points, labels); }))
      return std::string(system.name);
  }
  return "";
}

// A number, and no code: 02139 is one.
bool is_quantity(std::string_view value) {
  constexpr std::size_t kMostSigns = 15;  // that a double holds exactly
  return value.size() <= kMostSigns && is_number(value) &&
         !(value.size() > 1 && value[0] == '0' && value[1] != '.');
}

std::string intervals(const Values& values) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  bool whole = true;
  for (const auto value : values) {
    const double number = to_double(value);
    low = std::min(low, number);
    high = std::max(high, number);
    whole = whole && value.find('.') == std::string_view::npos;
  }
  const double range = high - low;
  // Of two values nothing lies between showing and hiding.
  if (range <= 0 || (whole && range < 3 && values.size() < 3)) return "flat";
  const double rough = range / 16;
  int power = static_cast<int>(std::floor(std::log10(rough)));
  int step = 1;
  while (step * std::pow(10, power) < rough) {
    step = step == 1 ? 2 : step == 2 ? 5 : 1;
    if (step == 1) ++power;
  }
  if (whole && (power < 0 || (power == 0 && step == 1))) {
    power = 0;
    step = 2;
  }
  std::string spec = "interval:";
  for (int factor = 1; factor <= 8; factor *= 2) {
    const double width = factor * step * std::pow(10, power);
    if (factor > 1 && width >= range) break;
    spec += fmt::format("{}{:.{}f}", factor == 1 ? "" : ",", width, std::max(0, -power));
  }
  return spec;
}

// Ages as [70-80): intervals that hold whole ranges, if the ranges are parts of even ones. Words
// for missing values and ranges without an end stay what they are.
std::string intervals_of_ranges(const Dictionary& values) {
  constexpr double kMost = 1e15;  // that a double holds exactly
  struct Ends {
    double first, last;
  };
  std::vector<Ends> ranges;
  double width = 0;
  for (const auto value : values.values()) {
    if (value.empty() || is_missing_word(value) || is_range_without_end(value)) continue;
    const auto range = read_written_range(value);
    if (!range && !is_quantity(value)) return "flat";
    Ends ends{to_double(range ? range->low : value), to_double(range ? range->high : value)};
    for (const double end : {ends.first, ends.last})
      if (std::abs(end) > kMost || end != std::floor(end)) return "flat";
    if (range && range->low_open) ++ends.first;
    if (range && range->high_open) --ends.last;
    if (ends.first > ends.last) return "flat";
    width = std::max(width, ends.last - ends.first + 1);
    ranges.push_back(ends);
  }
  if (width < 2) return "flat";
  bool narrower = false;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const auto& ends : ranges) {
    if (std::floor(ends.first / width) != std::floor(ends.last / width)) return "flat";
    narrower = narrower || ends.last - ends.first + 1 < width;
    low = std::min(low, std::floor(ends.first / width) * width);
    high = std::max(high, ends.last + 1);
  }
  std::string spec;
  for (int factor = narrower ? 1 : 2; factor <= 8; factor *= 2) {
    if (factor * width >= high - low) break;
    spec += fmt::format("{}{:.0f}", spec.empty() ? "interval:" : ",", factor * width);
  }
  return spec.empty() ? "flat" : spec;
}

}  // namespace

std::string default_hierarchy(const std::string& column, const Dictionary& values) {
  const ColumnName name(column);
  Values closed;
  for (const auto value : values.values()) {
    if (!value.empty() && !is_open_class(value)) closed.push_back(value);
  }
  if (closed.empty()) return "flat";
  const bool days = !date_forms(values).empty() && !has_missing_word(values);
  if (days || are_dates(closed)) return "date";
  if (are_postcodes(name, closed)) return "prefix";
  const bool open = std::any_of(values.values().begin(), values.values().end(), is_open_class);
  if (!open) {
    auto system = code_system(name, closed, written_with_points(values));
    if (!system.empty()) return system;
  }
  return every(closed, is_quantity) ? intervals(closed) : intervals_of_ranges(values);
}

}  // namespace pratique::columns
