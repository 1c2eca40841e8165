#include "pratique/notes/replace/note_date.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "pratique/core/ascii.h"
#include "pratique/data/date.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

constexpr std::array<std::string_view, 12> kMonthsInFull = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};
// Other languages' first letters, folded, where they are not those of English.
constexpr std::array<std::pair<std::string_view, int>, 17> kOtherMonths = {{{"mai", 5},
                                                                            {"avr", 4},
                                                                            {"fev", 2},
                                                                            {"okt", 10},
                                                                            {"dez", 12},
                                                                            {"ene", 1},
                                                                            {"abr", 4},
                                                                            {"ago", 8},
                                                                            {"aou", 8},
                                                                            {"dic", 12},
                                                                            {"gen", 1},
                                                                            {"mag", 5},
                                                                            {"giu", 6},
                                                                            {"lug", 7},
                                                                            {"set", 9},
                                                                            {"ott", 10},
                                                                            {"jui", 6}}};

struct DatePart {
  std::size_t start = 0, end = 0;
  bool number = false;
};

// 0: none. Of June and July in French, the fourth letter tells.
int month_named(std::string_view word) {
  const std::string small = words::folded(word);
  if (small.size() < 3) return 0;
  if (small.starts_with("juil")) return 7;
  for (std::size_t m = 0; m < kMonthsInFull.size(); ++m) {
    if (small.substr(0, 3) == lower(std::string(kMonthsInFull[m].substr(0, 3))))
      return static_cast<int>(m) + 1;
  }
  for (const auto& [letters, month] : kOtherMonths) {
    if (small.starts_with(letters)) return month;
  }
  return 0;
}

std::vector<DatePart> date_parts(std::string_view text) {
  std::vector<DatePart> parts;
  for (std::size_t at = 0; at < text.size();) {
    const auto is_letter = [&](std::size_t i) {
      const auto c = static_cast<unsigned char>(text[i]);
      return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    const std::size_t start = at;
    if (is_digit(text[at])) {
      while (at < text.size() && is_digit(text[at])) ++at;
      parts.push_back({start, at, true});
    } else if (is_letter(at)) {
      while (at < text.size() && is_letter(at)) ++at;
      parts.push_back({start, at, false});
    } else {
      ++at;
    }
  }
  return parts;
}

struct ReadDate {
  std::optional<std::size_t> year, month, day;  // places in parts
  int years = 0, months = 0, days = 0;
  bool named = false;
};

int digits_of(std::string_view text, const DatePart& part) {
  int value = 0;
  for (std::size_t i = part.start; i < part.end && i < part.start + 6; ++i)
    value = value * 10 + (text[i] - '0');
  return value;
}

int full_year(int year) { return year >= 100 ? year : year > 30 ? 1900 + year : 2000 + year; }

std::optional<ReadDate> read_date(std::string_view text, const std::vector<DatePart>& parts) {
  ReadDate date;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].number) {
      if (numbers.size() < 3) numbers.push_back(i);
    } else if (const int month =
                   month_named(text.substr(parts[i].start, parts[i].end - parts[i].start));
               month > 0 && !date.month) {
      date.month = i;
      date.months = month;
      date.named = true;
    }
  }
  const auto value = [&](std::size_t n) { return digits_of(text, parts[numbers[n]]); };
  const auto is_year_number = [&](std::size_t n) {
    return parts[numbers[n]].end - parts[numbers[n]].start == 4;
  };
  if (date.named) {
    for (std::size_t n = 0; n < numbers.size() && n < 2; ++n) {
      if (is_year_number(n) || (n == 1 && date.day)) {
        date.year = numbers[n];
        date.years = full_year(value(n));
      } else {
        date.day = numbers[n];
        date.days = value(n);
      }
    }
    if (numbers.empty()) return std::nullopt;
  } else if (numbers.size() == 3 && is_year_number(0)) {
    date = {numbers[0], numbers[1], numbers[2], value(0), value(1), value(2), false};
  } else if (numbers.size() == 3) {
    const bool points = text.find('.') < parts[numbers[1]].start;
    const bool day_first = value(0) > 12 || (points && value(1) <= 12);
    date = {numbers[2],
            numbers[day_first ? 1 : 0],
            numbers[day_first ? 0 : 1],
            full_year(value(2)),
            value(day_first ? 1 : 0),
            value(day_first ? 0 : 1),
            false};
  } else if (numbers.size() == 2 && parts.size() == 2) {
    const bool day_first = value(0) > 12;
    date.month = numbers[day_first ? 1 : 0];
    date.day = numbers[day_first ? 0 : 1];
    date.months = value(day_first ? 1 : 0);
    date.days = value(day_first ? 0 : 1);
  } else {
    return std::nullopt;
  }
  const int year = date.year ? date.years : 2001;
  if (date.months < 1 || date.months > 12 || year < 1800 || year > 2200) return std::nullopt;
  if (date.day && (date.days < 1 || date.days > days_in_month(year, date.months)))
    return std::nullopt;
  return date;
}

// 19470817 as 1947-08-17; what is not written so, as it is.
std::string with_hyphens(std::string_view date) {
  if (date.size() != 8 || !std::all_of(date.begin(), date.end(), is_digit))
    return std::string(date);
  return fmt::format("{}-{}-{}", date.substr(0, 4), date.substr(4, 2), date.substr(6, 2));
}

}  // namespace

std::optional<int> year_in(std::string_view text) {
  const std::string date = with_hyphens(text);
  const auto parts = date_parts(date);
  for (const auto& part : parts) {
    if (part.number && part.end - part.start == 4) {
      const int year = digits_of(date, part);
      if (year > 1800 && year < 2200) return year;
    }
  }
  if (const auto read = read_date(date, parts); read && read->year) return read->years;
  return std::nullopt;
}

std::optional<std::string> day_of(std::string_view text) {
  const std::string date = with_hyphens(text);
  const auto read = read_date(date, date_parts(date));
  if (!read || !read->year || !read->day) return std::nullopt;
  return fmt::format("{:04}-{:02}-{:02}", read->years, read->months, read->days);
}

std::optional<std::string> moved_by(std::string_view date, std::int32_t days) {
  if (const std::string apart = with_hyphens(date); apart.size() != date.size()) {
    auto moved = moved_by(apart, days);
    if (moved) std::erase(*moved, '-');
    return moved;
  }
  const auto parts = date_parts(date);
  const auto read = read_date(date, parts);
  if (!read) return std::nullopt;
  const PartialDate moved = civil_from_days(
      days_from_civil(read->year ? read->years : 2001, read->months, read->day ? read->days : 15) +
      days);
  const auto begins_with_zero = [&](const std::optional<std::size_t>& part) {
    return part && date[parts[*part].start] == '0';
  };
  const bool padded = begins_with_zero(read->day) || begins_with_zero(read->month) ||
                      (!read->named && read->year == 0U);
  std::string result;
  std::size_t from = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t width = parts[i].end - parts[i].start;
    std::string written;
    if (read->year == i) {
      written = width == 2 ? fmt::format("{:02}", moved.year % 100) : fmt::format("{}", moved.year);
    } else if (read->month == i && read->named) {
      const auto name = kMonthsInFull[static_cast<std::size_t>(moved.month - 1)];
      written = std::string(width <= 4 && width < name.size() ? name.substr(0, 3) : name);
      const bool capitals =
          width > 1 && date[parts[i].start + 1] >= 'A' && date[parts[i].start + 1] <= 'Z';
      for (char& c : written) {
        if (capitals && c >= 'a') c = static_cast<char>(c - 'a' + 'A');
      }
    } else if (read->month == i || read->day == i) {
      const int number = read->month == i ? moved.month : moved.day;
      written = padded ? fmt::format("{:02}", number) : fmt::format("{}", number);
    } else if (!parts[i].number && i > 0 && read->day == i - 1 &&
               parts[i].start == parts[i - 1].end && width == 2) {
      const int last = moved.day % 10;
      written = moved.day / 10 == 1 ? "th"
                : last == 1         ? "st"
                : last == 2         ? "nd"
                : last == 3         ? "rd"
                                    : "th";
    } else {
      continue;
    }
    result += date.substr(from, parts[i].start - from);
    result += written;
    from = parts[i].end;
  }
  result += date.substr(from);
  return result;
}

}  // namespace pratique::notes
