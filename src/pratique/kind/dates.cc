#include "pratique/kind/dates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "pratique/columns/column_content.h"
#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/date.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/data/missing_word.h"
#include "pratique/kind/among.h"

namespace pratique::release {
namespace {

bool is_month(std::string_view text) {
  const auto date = parse_iso_date(text);
  return date && date->month != 0 && date->day == 0;
}

// A file of labels over days or months, as hierarchy draft writes it: then the values are days,
// too, in whatever form. What else is wrong with the file is said where it is read.
bool is_tree_of_days(const std::string& spec) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(spec, none)) return false;
  try {
    const Hierarchy tree = read_hierarchy_csv(spec);
    std::size_t days = 0;
    for (Hierarchy::Node leaf = 0; leaf < tree.leaf_count(); ++leaf) {
      if (tree.label(leaf).empty()) continue;
      if (!is_iso_day(tree.label(leaf)) && !is_month(tree.label(leaf))) return false;
      ++days;
    }
    return days > 0;
  } catch (const Error&) {
    return false;
  }
}

bool is_to_be_written(const Column& column, DateForm form) {
  return form != DateForm::iso || has_missing_word(column.dictionary);
}

// Whether so many values do not fit that the others are fewer than this share of those present.
template <class Fits>
bool fit_few(const Dictionary& values, double share, const Fits& fits) {
  const double most = (1 - share) * static_cast<double>(values.size()) + 1;
  double unfit = 0;
  for (const auto value : values.values()) {
    if (value.empty() || is_missing_word(value) || fits(value)) continue;
    if (++unfit > most) return true;
  }
  return false;
}

bool is_day_of_some_form(std::string_view value) {
  constexpr std::array kForms = {DateForm::iso,         DateForm::timestamp, DateForm::year_first,
                                 DateForm::month_first, DateForm::day_first, DateForm::named_month};
  return std::any_of(kForms.begin(), kForms.end(),
                     [&](DateForm form) { return iso_day(value, form).has_value(); });
}

// Nearly all values are dates: then the few others are mistakes, and would make words of all of
// them, which no method makes coarser as dates.
void refuse_nearly_dates(const Column& column, const std::string& place) {
  constexpr std::size_t kFew = 10;
  constexpr double kNearlyAll = 0.9;
  if (fit_few(column.dictionary, kNearlyAll, is_day_of_some_form)) return;
  std::size_t dates = 0;
  std::size_t present = 0;
  for (const auto value : column.dictionary.values()) {
    if (value.empty()) continue;
    ++present;
    if (is_day_of_some_form(value)) ++dates;
  }
  if (dates == present || dates < kFew ||
      static_cast<double>(dates) < kNearlyAll * static_cast<double>(present))
    return;
  throw Error::input(
      fmt::format("{} of the {} values of '{}' are dates, but {} {} not of their form", dates,
                  present, column.name, present - dates, present - dates == 1 ? "is" : "are"))
      .at(place)
      .hint(
          fmt::format("Mend or empty these cells. To take all values as words, which may leave as "
                      "exact days in sets, say --hierarchy {}=flat",
                      column.name));
}

// 21.05.72, 5/3/71: of which century nobody can tell.
bool has_short_year(std::string_view text) {
  std::vector<std::size_t> digits = {0};
  for (const char c : text) {
    if (is_digit(c)) {
      ++digits.back();
    } else if (std::string_view("./-").find(c) != std::string_view::npos && digits.back() > 0) {
      digits.push_back(0);
    } else {
      return false;
    }
  }
  return digits.size() == 3 && digits[0] <= 2 && digits[1] <= 2 && digits[2] == 2;
}

// 10/1949, 10.1949, 1949/10: a month that is not written as 1949-10.
bool is_foreign_month(std::string_view text) {
  const auto mark = text.find_first_of("./-");
  if (mark == std::string_view::npos || is_month(text)) return false;
  auto month = text.substr(0, mark);
  auto year = text.substr(mark + 1);
  if (month.size() > year.size()) std::swap(month, year);
  const auto digits = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), is_digit);
  };
  if (month.size() > 2 || year.size() != 4 || !digits(month) || !digits(year)) return false;
  const int number = std::stoi(std::string(month));
  return number >= 1 && number <= 12 && year >= "1800" && year < "2200";
}

// 13 lipca 1940, Thursday, 15 September 1977: a year, the number of a day and words, and no other
// number.
bool is_date_in_words(std::string_view text) {
  std::vector<std::string_view> numbers;
  bool words = false;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end > i) {
      numbers.push_back(text.substr(i, end - i));
      i = end;
      continue;
    }
    const auto c = static_cast<unsigned char>(text[i++]);
    words = words || c >= 0x80 || std::isalpha(c) != 0;
  }
  if (!words || numbers.size() != 2) return false;
  auto [day, year] = std::pair(numbers[0], numbers[1]);
  if (day.size() > year.size()) std::swap(day, year);
  if (day.size() > 2 || year.size() != 4 || year < "1800" || year >= "2200") return false;
  const int number = std::stoi(std::string(day));
  return number >= 1 && number <= 31;
}

bool is_unread_date(std::string_view value) {
  return has_short_year(value) || is_foreign_month(value) || is_date_in_words(value);
}

// Whether, by an eighth of the values alone, so many rows hold no date that those that do are fewer
// than this share.
bool has_other_rows(const Column& column, double share) {
  constexpr std::size_t kEach = 8;
  auto counts = column.counts();
  const auto rows = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  for (std::size_t code = 0; code < counts.size(); ++code) {
    if (code % kEach != 0) counts[code] = 0;
  }
  const auto some = columns::read_content(column.dictionary, counts);
  const auto others = some.present() - some.with(columns::Shape::precise_date);
  return static_cast<double>(others) > (1 - share) * static_cast<double>(rows);
}

// Dates that nobody here can read would be words, and leave as exact days in sets.
void refuse_unread_dates(const Column& column, const std::string& place) {
  constexpr double kMost = 0.9;
  const auto& values = column.dictionary.values();
  if (fit_few(column.dictionary, kMost, is_unread_date) && has_other_rows(column, kMost)) return;
  std::uint64_t present = 0;
  std::uint64_t partial = 0;
  std::uint64_t unread = 0;
  for (const auto value : values) {
    if (value.empty() || is_missing_word(value)) continue;
    ++present;
    partial += parse_iso_date(value) ? 1 : 0;
    unread += is_unread_date(value) ? 1 : 0;
  }
  constexpr std::uint64_t kSeveral = 3;
  if (present < kSeveral || partial == present) return;
  const auto content = columns::read_content(column);
  if (content.share(columns::Shape::precise_date) < kMost &&
      static_cast<double>(unread) < kMost * static_cast<double>(present))
    return;
  throw Error::input(fmt::format("'{}' holds dates in a form that is not read here", column.name))
      .at(place)
      .hint(fmt::format(
          "Write them as 1970-03-05 or 1970-03, with four digits for the year. To take them as "
          "words, which may leave as exact days in sets, say --hierarchy {}=flat",
          column.name));
}

}  // namespace

bool are_months(const Dictionary& values) {
  std::size_t months = 0;
  for (const auto value : values.values()) {
    if (value.empty() || is_missing_word(value)) continue;
    if (!is_month(value)) return false;
    ++months;
  }
  return months > 0;
}

bool are_read_as_days(const Schema& schema, const std::string& column) {
  const auto spec = schema.hierarchies.find(column);
  return spec == schema.hierarchies.end() || spec->second == "date" || spec->second == "flat" ||
         is_tree_of_days(spec->second);
}

DateForms find_date_forms(const Table& table, const Schema& schema,
                          const std::map<std::string, std::string>& said,
                          const std::string& place) {
  for (const auto& [name, form] : said) {
    if (schema.role_of(name) != Role::quasi_identifier) {
      throw Error::input(fmt::format("--date-form: '{}' is not a quasi-identifier", name))
          .hint("Only quasi-identifiers are made coarser, so only their form matters.");
    }
  }
  DateForms forms;
  for (const auto& name : schema.quasi_identifiers) {
    const auto spec = schema.hierarchies.find(name);
    const auto fitting = date_forms(table.column(name).dictionary);
    // A tree is read only where it matters.
    if (fitting.empty() && spec != schema.hierarchies.end() && said.count(name) == 0 &&
        !are_months(table.column(name).dictionary))
      continue;
    if (!are_read_as_days(schema, name)) continue;
    if (fitting.empty() && spec == schema.hierarchies.end()) {
      refuse_nearly_dates(table.column(name), place);
      refuse_unread_dates(table.column(name), place);
    }
    if (fitting.empty() && are_months(table.column(name).dictionary) &&
        has_missing_word(table.column(name).dictionary))
      forms[name] = DateForm::iso;  // months stay as they are, and what is missing is
    const auto word = said.find(name);
    if (word != said.end()) {
      const auto form = date_form_of_name(word->second);
      if (!form || std::find(fitting.begin(), fitting.end(), *form) == fitting.end()) {
        throw Error::input(fmt::format("the values of '{}' are not all dates of the form '{}'",
                                       name, word->second))
            .at(place)
            .hint("The forms are month-first (03/25/1970) and day-first (25.03.1970).");
      }
      forms[name] = *form;
    } else if (fitting.size() > 1) {
      throw Error::input(
          fmt::format("the dates of '{}' do not show which number is the month", name))
          .at(place)
          .hint(fmt::format("Say --date-form {0}=month-first (March 5 is 03/05) or {0}=day-first.",
                            name));
    } else if (fitting.size() == 1 && is_to_be_written(table.column(name), fitting.front())) {
      forms[name] = fitting.front();
    }
  }
  return forms;
}

DateForms recorded_date_forms(const Json& parameters) {
  DateForms forms;
  const auto recorded = parameters.find("dates");
  if (recorded == parameters.end() || !recorded->is_object()) return forms;
  for (const auto& [name, form] : recorded->items()) {
    if (const auto known =
            form.is_string() ? date_form_of_name(form.get<std::string>()) : std::nullopt)
      forms[name] = *known;
  }
  return forms;
}

void write_as_days(Table& table, const DateForms& forms) {
  for (auto& column : table.columns) {
    if (const auto form = forms.find(column.name); form != forms.end())
      write_as_iso(column, form->second);
  }
}

void write_plain_dates_as_days(Table& table, const std::vector<std::string>& columns) {
  for (auto& column : table.columns) {
    if (!among(columns, column.name)) continue;
    const auto fitting = date_forms(column.dictionary);
    if (fitting.size() == 1 && is_to_be_written(column, fitting.front()))
      write_as_iso(column, fitting.front());
  }
}

}  // namespace pratique::release
