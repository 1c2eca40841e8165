#include "pratique/data/date.h"

#include <gtest/gtest.h>

namespace pratique::date_test {
namespace {

// The calendar once more, by counting day after day.
TEST(Date, CountsEveryDayFromTheYear0ToTheYear9999) {
  const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::int32_t day_number = days_from_civil(0, 1, 1);
  EXPECT_EQ(day_number, -719528);  // 1970 years: 1970 * 365 + 478 leap days before 1970
  for (int year = 0; year <= 9999; ++year) {
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    ASSERT_EQ(is_leap_year(year), leap);
    for (int month = 1; month <= 12; ++month) {
      const int length = lengths[month - 1] + (month == 2 && leap ? 1 : 0);
      ASSERT_EQ(days_in_month(year, month), length);
      ASSERT_EQ(days_from_civil(year, month, 1), day_number);
      ASSERT_EQ(civil_from_days(day_number + length - 1), (PartialDate{year, month, length}));
      day_number += length;
    }
  }
  EXPECT_EQ(days_from_civil(1970, 1, 1), 0);
  EXPECT_EQ(days_from_civil(2000, 3, 1), 11017);
}

TEST(Date, ReadsIso) {
  EXPECT_EQ(parse_iso_date("1970-03-05"), (PartialDate{1970, 3, 5}));
  EXPECT_EQ(parse_iso_date("1970-03"), (PartialDate{1970, 3}));
  EXPECT_EQ(parse_iso_date("1970"), (PartialDate{1970}));
  EXPECT_EQ(parse_iso_date("2000-02-29"), (PartialDate{2000, 2, 29}));
  for (const char* time : {"1970-03-05 12:30", "1970-03-05T12:30:59", "1970-03-05T12:30:59.250Z",
                           "1970-03-05 12:30:59+02:00"}) {
    EXPECT_EQ(parse_iso_date(time), (PartialDate{1970, 3, 5, true})) << time;
  }
}

TEST(Date, RefusesWhatIsNoDate) {
  for (const char* no : {"",
                         "197",
                         "19700",
                         "1970-",
                         "1970-3",
                         "1970-13",
                         "1970-00",
                         "1970-03-",
                         "1970-03-5",
                         "1970-03-32",
                         "1900-02-29",
                         "2001-02-29",
                         "1970-04-31",
                         "1970-03-05x",
                         "1970-03-05 ",
                         "1970-03-05T25:00",
                         "1970-03-05T12:61",
                         "-970",
                         "1970/03",
                         "1970-03-05T12:30 x"}) {
    EXPECT_FALSE(parse_iso_date(no)) << no;
  }
}

TEST(Date, PartialDatesStandForTheirDays) {
  const PartialDate year{1972};
  EXPECT_EQ(year.last_day() - year.first_day() + 1, 366);
  const PartialDate month{1972, 2};
  EXPECT_EQ(month.last_day() - month.first_day() + 1, 29);
  const PartialDate day{1972, 2, 3};
  EXPECT_EQ(day.first_day(), day.last_day());
}

TEST(Date, PrintsAsPreciseAsItIs) {
  for (const char* text : {"0007", "1970-03", "1970-03-05"}) {
    EXPECT_EQ(to_string(*parse_iso_date(text)), text);
  }
}

TEST(Date, ReadsForeignFormsWithoutGuessing) {
  const auto us = parse_foreign_date("03/25/1970");
  ASSERT_TRUE(us);
  EXPECT_EQ(us->month_first(), (PartialDate{1970, 3, 25}));
  EXPECT_FALSE(us->day_first());
  const auto german = parse_foreign_date("25.3.1970");
  ASSERT_TRUE(german);
  EXPECT_FALSE(german->month_first());
  EXPECT_EQ(german->day_first(), (PartialDate{1970, 3, 25}));
  const auto either = parse_foreign_date("03-05-1970");
  ASSERT_TRUE(either);
  EXPECT_EQ(either->month_first(), (PartialDate{1970, 3, 5}));
  EXPECT_EQ(either->day_first(), (PartialDate{1970, 5, 3}));
  for (const char* clear : {"1970/03/05", "1970.3.5", "19700305"}) {
    const auto date = parse_foreign_date(clear);
    ASSERT_TRUE(date) << clear;
    EXPECT_EQ(date->month_first(), (PartialDate{1970, 3, 5})) << clear;
    EXPECT_FALSE(date->day_first()) << clear;
  }
  for (const char* no : {"", "3/5", "3/5/70", "13/13/1970", "31/04/1970", "3/5.1970", "19701301",
                         "1970/13/01", "02/30/1970", "a/b/1970", "3/5/19700", "1234567890"}) {
    EXPECT_FALSE(parse_foreign_date(no)) << no;
  }
}

}  // namespace
}  // namespace pratique::date_test
