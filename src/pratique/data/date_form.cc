#include "pratique/data/date_form.h"

#include <algorithm>
#include <array>

#include "pratique/core/ascii.h"
#include "pratique/data/date.h"
#include "pratique/data/missing_word.h"

namespace pratique {
namespace {

constexpr std::array<std::pair<DateForm, std::string_view>, 5> kNames = {{
    {DateForm::iso, "iso"},
    {DateForm::timestamp, "timestamp"},
    {DateForm::year_first, "year-first"},
    {DateForm::month_first, "month-first"},
    {DateForm::day_first, "day-first"},
}};

// What stands before a time of day (12:30, 12:30:00 PM), if there is one.
std::string_view without_time(std::string_view text) {
  const auto blank = text.find(' ');
  if (blank == std::string_view::npos) return text;
  const auto time = text.substr(blank + 1);
  const bool fits =
      time.size() >= 4 && is_digit(time.front()) && time.find(':') != std::string_view::npos &&
      std::all_of(time.begin(), time.end(), [](char c) {
        return is_digit(c) || std::string_view(":.+-Z APMapm").find(c) != std::string_view::npos;
      });
  return fits ? text.substr(0, blank) : text;
}

std::optional<PartialDate> day_of(std::string_view text, DateForm form) {
  if (form == DateForm::iso || form == DateForm::timestamp) {
    const auto date = parse_iso_date(text);
    if (!date || date->day == 0 || (form == DateForm::iso && date->has_time)) return std::nullopt;
    return PartialDate{date->year, date->month, date->day};
  }
  const auto date = parse_foreign_date(without_time(text));
  // Eight digits are a date only in years that people live in.
  constexpr int kFirstYear = 1800;
  constexpr int kLastYear = 2199;
  const bool compact = std::all_of(text.begin(), text.end(), is_digit);
  if (date && compact && (date->year < kFirstYear || date->year > kLastYear)) return std::nullopt;
  if (!date || date->year_first != (form == DateForm::year_first)) return std::nullopt;
  return form == DateForm::day_first ? date->day_first() : date->month_first();
}

}  // namespace

std::string_view to_string(DateForm form) { return kNames[static_cast<std::size_t>(form)].second; }

std::optional<DateForm> date_form_of_name(std::string_view name) {
  for (const auto& [form, text] : kNames) {
    if (text == name) return form;
  }
  return std::nullopt;
}

std::vector<DateForm> date_forms(const Dictionary& values) {
  std::vector<DateForm> fitting;
  std::size_t present = 0;
  const auto is_missing = [](std::string_view value) {
    return value.empty() || is_missing_word(value);
  };
  for (const auto value : values.values()) present += is_missing(value) ? 0 : 1;
  if (present == 0) return {};
  for (const auto& [form, name] : kNames) {
    const bool fits = std::all_of(values.values().begin(), values.values().end(),
                                  [&, &form = form](std::string_view value) {
                                    return is_missing(value) || day_of(value, form);
                                  });
    if (!fits) continue;
    fitting.push_back(form);
    if (form != DateForm::month_first) break;  // of a day that comes first only another can say
  }
  return fitting;
}

std::optional<std::string> iso_day(std::string_view text, DateForm form) {
  const auto date = day_of(text, form);
  if (!date) return std::nullopt;
  return to_string(*date);
}

void write_as_iso(Column& column, DateForm form) {
  Dictionary days;
  std::vector<Code> day_of_code;
  for (const auto value : column.dictionary.values()) {
    const std::string otherwise(is_missing_word(value) ? std::string_view() : value);
    day_of_code.push_back(days.intern(iso_day(value, form).value_or(otherwise)));
  }
  for (Code& code : column.codes) code = day_of_code[code];
  column.dictionary = std::move(days);
}

}  // namespace pratique
