#include "pratique/data/date.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "pratique/core/ascii.h"

namespace pratique {
namespace {

// Takes `least` to `most` digits off the front.
std::optional<int> take_digits(std::string_view& text, std::size_t least, std::size_t most) {
  int value = 0;
  std::size_t taken = 0;
  while (taken < most && taken < text.size() && is_digit(text[taken])) {
    value = 10 * value + (text[taken] - '0');
    ++taken;
  }
  if (taken < least) return std::nullopt;
  text.remove_prefix(taken);
  return value;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<PartialDate> checked(int year, int month, int day) {
  if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return std::nullopt;
  return PartialDate{year, month, day};
}

// HH:MM, then seconds and a zone that nothing here depends on.
bool is_time(std::string_view text) {
  const auto hour = take_digits(text, 2, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return false;
  const auto minute = take_digits(text, 2, 2);
  if (!minute || *minute > 59) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || c == ':' || c == '.' || c == '+' || c == '-' || c == 'Z';
  });
}

}  // namespace

bool is_leap_year(int year) { return std::chrono::year{year}.is_leap(); }

int days_in_month(int year, int month) {
  const std::chrono::year_month_day_last last{
      std::chrono::year{year},
      std::chrono::month_day_last{std::chrono::month{static_cast<unsigned>(month)}}};
  return static_cast<int>(static_cast<unsigned>(last.day()));
}

std::int32_t days_from_civil(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  return static_cast<std::int32_t>(std::chrono::sys_days{date}.time_since_epoch().count());
}

PartialDate civil_from_days(std::int32_t days) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  return {static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day()))};
}

std::int32_t PartialDate::first_day() const {
  return days_from_civil(year, std::max(month, 1), std::max(day, 1));
}

std::int32_t PartialDate::last_day() const {
  const int last_month = month == 0 ? 12 : month;
  return days_from_civil(year, last_month, day == 0 ? days_in_month(year, last_month) : day);
}

std::string to_string(const PartialDate& date) {
  if (date.month == 0) return fmt::format("{:04}", date.year);
  if (date.day == 0) return fmt::format("{:04}-{:02}", date.year, date.month);
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

std::optional<PartialDate> parse_iso_date(std::string_view text) {
  const auto year = take_digits(text, 4, 4);
  if (!year) return std::nullopt;
  if (text.empty()) return PartialDate{*year};
  if (!take(text, '-')) return std::nullopt;
  const auto month = take_digits(text, 2, 2);
  if (!month || *month < 1 || *month > 12) return std::nullopt;
  if (text.empty()) return PartialDate{*year, *month};
  if (!take(text, '-')) return std::nullopt;
  const auto day = take_digits(text, 2, 2);
  if (!day) return std::nullopt;
  auto date = checked(*year, *month, *day);
  if (!date || text.empty()) return date;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  if (!is_time(text)) return std::nullopt;
  date->has_time = true;
  return date;
}

bool is_iso_day(std::string_view text) {
  const auto date = parse_iso_date(text);
  return date && date->day != 0;
}

std::optional<PartialDate> ForeignDate::month_first() const { return checked(year, first, second); }

std::optional<PartialDate> ForeignDate::day_first() const {
  if (year_first) return std::nullopt;
  return checked(year, second, first);
}

std::optional<ForeignDate> parse_foreign_date(std::string_view text) {
  ForeignDate result;
  const bool all_digits = std::all_of(text.begin(), text.end(), is_digit);
  result.year_first = text.size() >= 5 && std::all_of(text.begin(), text.begin() + 4, is_digit);
  std::string_view rest = text;
  if (all_digits) {
    if (text.size() != 8) return std::nullopt;
    result.year = *take_digits(rest, 4, 4);
    result.first = *take_digits(rest, 2, 2);
    result.second = *take_digits(rest, 2, 2);
  } else {
    const auto leading = take_digits(rest, result.year_first ? 4 : 1, result.year_first ? 4 : 2);
    if (!leading || rest.empty()) return std::nullopt;
    const char separator = rest.front();
    if (separator != '/' && separator != '.' && separator != '-') return std::nullopt;
    rest.remove_prefix(1);
    const auto middle = take_digits(rest, 1, 2);
    if (!middle || !take(rest, separator)) return std::nullopt;
    const auto last = take_digits(rest, result.year_first ? 1 : 4, result.year_first ? 2 : 4);
    if (!last || !rest.empty()) return std::nullopt;
    result.year = result.year_first ? *leading : *last;
    result.first = result.year_first ? *middle : *leading;
    result.second = result.year_first ? *last : *middle;
  }
  if (!result.month_first() && !result.day_first()) return std::nullopt;
  return result;
}

}  // namespace pratique
