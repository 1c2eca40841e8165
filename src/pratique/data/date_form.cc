#include "pratique/data/date_form.h"

#include <algorithm>
#include <array>

#include "pratique/core/ascii.h"
#include "pratique/data/date.h"
#include "pratique/data/missing_word.h"

namespace pratique {
namespace {

constexpr std::array<std::pair<DateForm, std::string_view>, 6> kNames = {{
    {DateForm::iso, "iso"},
    {DateForm::timestamp, "timestamp"},
    {DateForm::year_first, "year-first"},
    {DateForm::month_first, "month-first"},
    {DateForm::day_first, "day-first"},
    {DateForm::named_month, "named-month"},
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

// By month, each with a blank around it.
constexpr std::array<std::string_view, 12> kMonths = {
    " jan january januar jänner janvier enero ene gennaio gen ",
    " feb february februar février fév febrero febbraio ",
    " mar march märz mär mrz mars marzo ",
    " apr april avril avr abril abr aprile ",
    " may mai mayo maggio mag ",
    " jun june juni juin junio giugno giu ",
    " jul july juli juillet julio luglio lug ",
    " aug august août aoû agosto ago ",
    " sep sept september septembre septiembre settembre set ",
    " oct october oktober okt octobre octubre ottobre ott ",
    " nov november novembre noviembre ",
    " dec december dezember dez décembre déc diciembre dic dicembre "};

int month_named(std::string_view word) {
  const std::string name = " " + lower(std::string(word)) + " ";
  for (std::size_t month = 0; month < kMonths.size(); ++month) {
    if (kMonths[month].find(name) != std::string_view::npos) return static_cast<int>(month) + 1;
  }
  return 0;
}

// A day, the name of a month and a year of four digits; the day may come second.
std::optional<PartialDate> named_day(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    if (std::string_view(" -./,").find(text.front()) != std::string_view::npos) {
      text.remove_prefix(1);
      continue;
    }
    std::size_t length = 0;
    while (length < text.size() && is_digit(text[length])) ++length;
    if (length == 0) {
      while (length < text.size() && is_letter(text[length])) ++length;
    }
    if (length == 0 || parts.size() == 3) return std::nullopt;
    parts.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  constexpr std::size_t kYearDigits = 4;
  if (parts.size() != 3 || parts[2].size() != kYearDigits || !is_digit(parts[2][0]))
    return std::nullopt;
  const bool day_comes_first = is_digit(parts[0][0]);
  const std::string_view day = parts[day_comes_first ? 0 : 1];
  const int month = month_named(parts[day_comes_first ? 1 : 0]);
  if (month == 0 || day.size() > 2 || !is_digit(day[0])) return std::nullopt;
  const std::string zero = day.size() == 1 ? "0" : "";
  const auto date = parse_iso_date(std::string(parts[2]) + (month < 10 ? "-0" : "-") +
                                   std::to_string(month) + "-" + zero + std::string(day));
  if (!date || date->day == 0) return std::nullopt;
  return PartialDate{date->year, date->month, date->day};
}

// Of 12 or 14 digits the first eight, where the others are a time of day.
std::string_view without_compact_time(std::string_view text) {
  constexpr std::size_t kDay = 8;
  if ((text.size() != 12 && text.size() != 14) || !std::all_of(text.begin(), text.end(), is_digit))
    return text;
  constexpr std::array<std::string_view, 3> kAfterLast = {"24", "60", "60"};
  for (std::size_t i = 0; kDay + 2 * i < text.size(); ++i) {
    if (text.substr(kDay + 2 * i, 2) >= kAfterLast.at(i)) return text;
  }
  return text.substr(0, kDay);
}

std::optional<PartialDate> day_of(std::string_view text, DateForm form) {
  if (form == DateForm::named_month) {
    const auto colon = text.find(':');
    const auto blank = colon == std::string_view::npos ? colon : text.rfind(' ', colon);
    if (blank == std::string_view::npos || blank == 0) return named_day(text);
    return without_time(text.substr(blank - 1)).size() == 1 ? named_day(text.substr(0, blank))
                                                            : std::nullopt;
  }
  if (form == DateForm::iso || form == DateForm::timestamp) {
    const auto date = parse_iso_date(text);
    if (!date || date->day == 0 || (form == DateForm::iso && date->has_time)) return std::nullopt;
    return PartialDate{date->year, date->month, date->day};
  }
  text = without_compact_time(text);
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
