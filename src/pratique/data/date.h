// Calendar dates (Gregorian, years 0000 to 9999) and what is left of one when it is coarsened.
//
// A partial date stands for all its days: 1970 for 365 of them, 1970-03 for 31. Days are counted
// from 1970-01-01, which is day 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pratique {

struct PartialDate {
  int year = 0;
  int month = 0;          // 0: the whole year
  int day = 0;            // 0: the whole month
  bool has_time = false;  // a time of day was written after the date

  [[nodiscard]] std::int32_t first_day() const;
  [[nodiscard]] std::int32_t last_day() const;
  friend bool operator==(const PartialDate&, const PartialDate&) = default;
};

[[nodiscard]] bool is_leap_year(int year);
// 28 to 31.
[[nodiscard]] int days_in_month(int year, int month);
[[nodiscard]] std::int32_t days_from_civil(int year, int month, int day);
[[nodiscard]] PartialDate civil_from_days(std::int32_t days);

// YYYY, YYYY-MM or YYYY-MM-DD, as precise as the date is.
[[nodiscard]] std::string to_string(const PartialDate& date);

// YYYY, YYYY-MM, YYYY-MM-DD; the last also with a time (1970-03-05 12:30, 1970-03-05T12:30:00Z).
[[nodiscard]] std::optional<PartialDate> parse_iso_date(std::string_view text);
// Such a date down to its day.
[[nodiscard]] bool is_iso_day(std::string_view text);

// What other tools write. 1970/03/05, 1970.03.05 and 19700305 can be read in one way only. In
// 03/05/1970, 3.5.1970 and 03-05-1970 only other dates of the same column may tell the month from
// the day; the reader is told both numbers and decides.
struct ForeignDate {
  int year = 0;
  int first = 0;
  int second = 0;
  bool year_first = false;  // then `first` is the month

  [[nodiscard]] std::optional<PartialDate> month_first() const;
  [[nodiscard]] std::optional<PartialDate> day_first() const;
};
[[nodiscard]] std::optional<ForeignDate> parse_foreign_date(std::string_view text);

}  // namespace pratique
