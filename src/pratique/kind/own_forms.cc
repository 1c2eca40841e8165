#include "pratique/kind/own_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "pratique/core/error.h"
#include "pratique/data/missing_word.h"
#include "pratique/data/settings.h"
#include "pratique/kind/among.h"
#include "pratique/kind/shell_quoted.h"

namespace pratique::release {
namespace {

constexpr std::size_t kEnoughNumbers = 10;  // fewer are numbers only if all are
constexpr double kMostOf = 0.5;
constexpr double kNearlyAll = 0.9;

bool is_there(std::string_view value) {
  return !value.empty() && value != "*" && !is_missing_word(value);
}

bool is_day(std::string_view value, DateForm form) { return iso_day(value, form).has_value(); }

// What most of a column's values are: two where nobody can tell the month from the day. Eight
// digits may be anything, so nearly all must be days.
std::vector<DateForm> mostly_dates(const Dictionary& values) {
  std::size_t present = 0;
  std::map<DateForm, std::size_t> fit;
  std::size_t month_alone = 0;
  std::size_t day_alone = 0;
  for (const auto value : values.values()) {
    if (!is_there(value)) continue;
    ++present;
    for (const auto form : {DateForm::iso, DateForm::timestamp, DateForm::year_first,
                            DateForm::month_first, DateForm::day_first, DateForm::named_month}) {
      if (is_day(value, form)) ++fit[form];
    }
    const bool month_first = is_day(value, DateForm::month_first);
    const bool day_first = is_day(value, DateForm::day_first);
    month_alone += month_first && !day_first ? 1 : 0;
    day_alone += day_first && !month_first ? 1 : 0;
  }
  std::vector<DateForm> fitting;
  for (const auto& [form, count] : fit) {
    const double needed = form == DateForm::year_first ? kNearlyAll : kMostOf;
    if (static_cast<double>(count) < needed * static_cast<double>(present)) continue;
    // Where one order explains all that the other does and more, it is that one.
    if (form == DateForm::month_first && month_alone == 0 && day_alone > 0) continue;
    if (form == DateForm::day_first && day_alone == 0 && month_alone > 0) continue;
    fitting.push_back(form);
    if (form != DateForm::month_first) break;
  }
  return fitting;
}

bool is_number_of(std::string_view value, NumberForm form) {
  return plain_number(value, form).has_value();
}

std::vector<NumberForm> mostly_numbers(const Dictionary& values) {
  auto fitting = number_forms(values);
  if (!fitting.empty()) return fitting;
  std::size_t present = 0;
  std::map<NumberForm, std::size_t> fit;
  std::size_t plain = 0;
  for (const auto value : values.values()) {
    if (!is_there(value)) continue;
    ++present;
    plain += is_number_of(value, NumberForm::plain) ? 1 : 0;
    for (const auto form : {NumberForm::decimal_comma, NumberForm::thousands_comma})
      fit[form] += is_number_of(value, form) ? 1 : 0;
  }
  std::size_t most = plain;  // then they are as they should be
  for (const auto& [form, count] : fit) {
    if (count < kEnoughNumbers || count < most ||
        static_cast<double>(count) < kNearlyAll * static_cast<double>(present))
      continue;
    if (count > most) fitting.clear();
    if (count > plain) fitting.push_back(form);
    most = count;
  }
  return fitting;
}

std::uint64_t rows_where(const Column& column, const std::vector<std::uint64_t>& counts,
                         const std::vector<bool>& counted) {
  std::uint64_t rows = 0;
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    if (counted[column.codes[row]]) rows += counts.empty() ? 1 : counts[row];
  }
  return rows;
}

template <class Form>
std::map<std::string, Form> read_said(const std::vector<std::string>& said,
                                      const std::string& option,
                                      const std::vector<std::string>& columns,
                                      std::optional<Form> (*form_of)(std::string_view),
                                      const char* forms) {
  std::map<std::string, Form> read;
  for (const auto& [column, word] : pratique::column_values(said, option, columns)) {
    if (!columns.empty() && !among(columns, column)) {
      throw Error::input(fmt::format("{}: no column '{}' is compared", option, column))
          .hint(fmt::format("Leave it out, or name one of {}.", fmt::join(columns, ", ")));
    }
    const auto form = form_of(word);
    if (!form) {
      throw Error::input(fmt::format("{} {}: '{}' is not a form", option, column, word))
          .hint(fmt::format("The forms are {}.", forms));
    }
    read[column] = *form;
  }
  return read;
}

constexpr const char* kDateFormsThereAre = "month-first (03/25/1970) and day-first (25.03.1970)";
constexpr const char* kFormsOfNumbers = "decimal-comma (12,5) and thousands-comma (1,234)";

}  // namespace

OwnForms::OwnForms(const SaidForms& said, const std::vector<std::string>& columns)
    : said_dates_(
          read_said(said.dates, "--date-form", columns, &date_form_of_name, kDateFormsThereAre)),
      said_numbers_(read_said(said.numbers, "--number-form", columns, &number_form_of_name,
                              kFormsOfNumbers)) {}

void OwnForms::fall_back_on(const Json& parameters) {
  for (const auto& [column, form] : recorded_date_forms(parameters)) recorded_dates_[column] = form;
  for (const auto& [column, form] : recorded_number_forms(parameters))
    recorded_numbers_[column] = form;
}

void OwnForms::leave_texts_of(const Schema& schema, const std::vector<std::string>& columns) {
  for (const auto& column : columns) {
    if (!are_read_as_days(schema, column)) no_dates_.insert(column);
    if (!are_read_as_numbers(schema, column)) no_numbers_.insert(column);
  }
}

bool OwnForms::write_dates(Column& column, const std::string& place,
                           const std::vector<std::uint64_t>& counts, FileForms& forms) {
  if (no_dates_.count(column.name) > 0) return false;
  const auto fitting = mostly_dates(column.dictionary);
  if (fitting.empty() && are_months(column.dictionary)) {
    write_as_iso(column, DateForm::iso);  // months stay, and what is missing is
    return true;
  }
  if (fitting.empty()) return false;
  DateForm form = fitting.front();
  const auto fits = [&](const auto& by_column) {
    const auto named = by_column.find(column.name);
    return named != by_column.end() &&
           std::find(fitting.begin(), fitting.end(), named->second) != fitting.end();
  };
  if (fits(said_dates_)) {
    form = said_dates_.at(column.name);
    heard_dates_.insert(column.name);
  } else if (fitting.size() > 1) {
    if (!fits(recorded_dates_)) {
      throw Error::input(
          fmt::format("the dates of '{}' do not show which number is the month", column.name))
          .at(place)
          .hint(fmt::format("If March 5 is 03/05, add --date-form {0} and if it is 05/03, "
                            "--date-form {1}",
                            shell_quoted(column.name + "=month-first"),
                            shell_quoted(column.name + "=day-first")));
    }
    form = recorded_dates_.at(column.name);
    forms.as_recorded.push_back(column.name);
  }
  std::vector<bool> unread;
  for (const auto value : column.dictionary.values())
    unread.push_back(is_there(value) && !is_day(value, form));
  if (const auto rows = rows_where(column, counts, unread); rows > 0)
    forms.unread[column.name] = rows;
  if (form == DateForm::iso && !has_missing_word(column.dictionary)) return true;
  forms.dates[column.name] = form;
  write_as_iso(column, form);
  return true;
}

void OwnForms::write_numbers(Column& column, const std::string& place, FileForms& forms) {
  if (no_numbers_.count(column.name) > 0) return;
  const auto fitting = mostly_numbers(column.dictionary);
  if (fitting.empty()) return;
  NumberForm form = fitting.front();
  const auto fits = [&](const auto& by_column) {
    const auto named = by_column.find(column.name);
    return named != by_column.end() &&
           std::find(fitting.begin(), fitting.end(), named->second) != fitting.end();
  };
  if (fits(said_numbers_)) {
    form = said_numbers_.at(column.name);
    heard_numbers_.insert(column.name);
  } else if (fitting.size() > 1) {
    if (!fits(recorded_numbers_)) {
      throw Error::input(
          fmt::format("the numbers of '{}' do not show whether their comma is a decimal one",
                      column.name))
          .at(place)
          .hint(fmt::format("If 1,234 is a little over one, add --number-form {0} and if it is "
                            "more than a thousand, --number-form {1}",
                            shell_quoted(column.name + "=decimal-comma"),
                            shell_quoted(column.name + "=thousands-comma")));
    }
    form = recorded_numbers_.at(column.name);
    forms.as_recorded.push_back(column.name);
  }
  std::vector<bool> unread;
  for (const auto value : column.dictionary.values())
    unread.push_back(is_there(value) && !is_number_of(value, form));
  if (const auto rows = rows_where(column, {}, unread); rows > 0) forms.unread[column.name] = rows;
  forms.numbers[column.name] = form;
  write_as_plain_numbers(column, form);
}

FileForms OwnForms::write(Table& table, const std::vector<std::string>& columns,
                          const std::string& place, const std::vector<std::uint64_t>& counts) {
  FileForms forms;
  for (auto& column : table.columns) {
    if (!among(columns, column.name)) continue;
    if (!write_dates(column, place, counts, forms)) write_numbers(column, place, forms);
  }
  return forms;
}

FileForms OwnForms::write_numbers(Table& table, const std::vector<std::string>& columns,
                                  const std::string& place) {
  FileForms forms;
  for (auto& column : table.columns) {
    if (among(columns, column.name)) write_numbers(column, place, forms);
  }
  return forms;
}

void OwnForms::refuse_unheard() const {
  for (const auto& [column, form] : said_dates_) {
    if (heard_dates_.count(column) > 0) continue;
    throw Error::input(fmt::format("the values of '{}' are in no file dates of the form '{}'",
                                   column, to_string(form)))
        .hint(fmt::format("The forms are {}.", kDateFormsThereAre));
  }
  for (const auto& [column, form] : said_numbers_) {
    if (heard_numbers_.count(column) > 0) continue;
    throw Error::input(fmt::format("the values of '{}' are in no file numbers of the form '{}'",
                                   column, to_string(form)))
        .hint(fmt::format("The forms are {}.", kFormsOfNumbers));
  }
}

}  // namespace pratique::release
