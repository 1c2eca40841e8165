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

// By month, each with a blank around it: English, German, French, Spanish, Italian, Portuguese,
// Dutch, Swedish and Danish, Polish.
constexpr std::array<std::string_view, 12> kMonths = {
    " jan january januar jänner janvier janv enero ene gennaio gen janeiro januari stycznia ",
    " feb february februar février fevrier févr fevr fév febrero febbraio fevereiro fev februari"
    " lutego ",
    " mar march märz mär mrz mars marzo março marco maart mrt marts marca ",
    " apr april avril avr abril abr aprile kwietnia ",
    " may mai mayo maggio mag maio mei maj maja ",
    " jun june juni juin junio giugno giu junho czerwca ",
    " jul july juli juillet juil julio luglio lug julho lipca ",
    " aug august août aout aoû agosto ago augustus augusti sierpnia ",
    " sep sept september septembre septiembre settembre set setembro września ",
    " oct october oktober okt octobre octubre ottobre ott outubro out października ",
    " nov november novembre noviembre novembro listopada ",
    " dec december dezember dez décembre decembre déc diciembre dic dicembre dezembro grudnia "};
// What may stand beside a day or a month: 1st, 1er, 5 de marzo de 1970.
constexpr std::string_view kBetween = " st nd rd th er de of den ";

// A capital of Latin-1 is the byte 0xc3 and one whose small letter is 0x20 further.
std::string small_letters(std::string_view word) {
  std::string text = lower(std::string(word));
  for (std::size_t i = 1; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (static_cast<unsigned char>(text[i - 1]) == 0xc3 && byte >= 0x80 && byte <= 0x9e)
      text[i] = static_cast<char>(byte + 0x20);
  }
  return text;
}

bool is_between(std::string_view word) {
  return kBetween.find(" " + lower(std::string(word)) + " ") != std::string_view::npos;
}

int month_named(std::string_view word) {
  const std::string name = " " + small_letters(word) + " ";
  for (std::size_t month = 0; month < kMonths.size(); ++month) {
    if (kMonths[month].find(name) != std::string_view::npos) return static_cast<int>(month) + 1;
  }
  return 0;
}

// A day, the name of a month and a year of four digits; the day may come second, and a day of the
// week before all.
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
    if (length == 0) return std::nullopt;
    const auto part = text.substr(0, length);
    if (parts.empty() || !is_between(part)) parts.push_back(part);
    text.remove_prefix(length);
  }
  if (parts.size() == 4 && !is_digit(parts[0][0]) && month_named(parts[0]) == 0)
    parts.erase(parts.begin());
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
