#include "pratique/columns/undoing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

namespace pratique::columns::undoing_test {
namespace {

using Cells = std::vector<std::string>;

Column column_of(const Cells& cells) {
  Column column;
  for (const auto& cell : cells) column.codes.push_back(column.dictionary.intern(cell));
  return column;
}

std::optional<Undoing> of(const Cells& column, const Cells& quasi_identifier) {
  return undoes(readings_of(column_of(column)), readings_of(column_of(quasi_identifier)));
}

// Weekdays count from the day itself, by the rule of Zeller, and not as the program does.
int weekday_of(int year, int month, int day) {
  if (month < 3) {
    month += 12;
    --year;
  }
  return (day + 13 * (month + 1) / 5 + year + year / 4 - year / 100 + year / 400) % 7;
}

// People born from 1930 on and admitted in 2019 and 2020; the age is that of the last day of 2020,
// the district that of the postcode, the hospital that of the ward, and the rest is drawn.
struct Facts {
  Cells born, age, group, admitted, year, month, weekday, postcode, region, district, ward,
      hospital;
  Cells half, weight, stay;
};
Facts facts(int people) {
  std::mt19937 random(7);
  const auto draw = [&](int values) {
    return static_cast<int>(random() % static_cast<unsigned>(values));
  };
  constexpr std::array kMonths = {"Januar",    "Februar", "März",     "April",
                                  "Mai",       "Juni",    "Juli",     "August",
                                  "September", "Oktober", "November", "Dezember"};
  Facts all;
  for (int i = 0; i < people; ++i) {
    const int year = 1930 + draw(80);
    all.born.push_back(fmt::format("{:02}.{:02}.{}", 1 + draw(28), 1 + draw(12), year));
    all.age.push_back(std::to_string(2020 - year));
    all.group.push_back(fmt::format("from {}", (2020 - year) / 10 * 10));
    const int admitted = 2019 + draw(2);
    const int month = 1 + draw(12);
    const int day = 1 + draw(28);
    all.admitted.push_back(fmt::format("{}-{:02}-{:02}", admitted, month, day));
    all.year.push_back(std::to_string(admitted));
    all.month.push_back(kMonths[static_cast<std::size_t>(month - 1)]);
    all.weekday.push_back(fmt::format("day {}", weekday_of(admitted, month, day)));
    const int postcode = draw(900);
    all.postcode.push_back(std::to_string(10000 + 97 * postcode));
    all.region.push_back(fmt::format("R{}", (10000 + 97 * postcode) / 10000));
    all.district.push_back(fmt::format("D{}", postcode % 40));
    const int ward = draw(30);
    all.ward.push_back(fmt::format("W{}", ward * 7 % 30));
    all.hospital.push_back(fmt::format("H{}", ward % 4));
    all.half.push_back(draw(2) == 0 ? "a" : "b");
    all.weight.push_back(fmt::format("{},5", 50 + draw(47)));
    all.stay.push_back(std::to_string(draw(20)));
  }
  return all;
}

TEST(Undoing, WhatFollowsFromABirthAnAdmissionOrAPostcode) {
  const Facts all = facts(600);
  EXPECT_EQ(of(all.age, all.born), Undoing::follows);
  EXPECT_EQ(of(all.born, all.age), Undoing::follows);
  EXPECT_EQ(of(all.group, all.born), Undoing::follows);
  EXPECT_EQ(of(all.year, all.admitted), Undoing::follows);
  EXPECT_EQ(of(all.month, all.admitted), Undoing::follows);
  EXPECT_EQ(of(all.weekday, all.admitted), Undoing::follows);
  EXPECT_EQ(of(all.region, all.postcode), Undoing::follows);
  EXPECT_EQ(of(all.hospital, all.ward), Undoing::follows);
}

TEST(Undoing, WhatTellsOfAQuasiIdentifier) {
  const Facts all = facts(600);
  EXPECT_EQ(of(all.ward, all.hospital), Undoing::tells);
  EXPECT_EQ(of(all.admitted, all.year), Undoing::tells);
  EXPECT_EQ(of(all.admitted, all.weekday), Undoing::tells);
  EXPECT_EQ(of(all.postcode, all.region), Undoing::tells);
}

TEST(Undoing, WhatIsDrawnByItselfDoesNot) {
  for (const int people : {20, 60, 600, 4000}) {
    const Facts all = facts(people);
    const std::vector<const Cells*> apart = {&all.born, &all.admitted, &all.postcode, &all.ward,
                                             &all.half, &all.weight,   &all.stay};
    for (const auto* one : apart) {
      for (const auto* other : apart) {
        if (one != other) {
          EXPECT_EQ(of(*one, *other), std::nullopt) << people;
        }
      }
    }
  }
}

// Two halves differ by chance in about half of all pairs: 400 rows make some 200 differences, of
// which a twentieth is 10. One slip makes two at most.
TEST(Undoing, NearlyAlwaysIsNotMostly) {
  Facts all = facts(600);
  Cells slipped = all.hospital;
  for (std::size_t i = 0; i < 5; ++i) slipped[i * 100] = "H9";
  EXPECT_EQ(of(slipped, all.ward), Undoing::follows);
  for (std::size_t i = 0; i < 60; ++i) slipped[i * 10] = "H9";
  EXPECT_EQ(of(slipped, all.ward), std::nullopt);
}

// The file may stand in the order of a third column, with which both have nothing to do.
TEST(Undoing, TheOrderOfTheFileIsNoRelation) {
  Cells first;
  Cells second;
  for (int i = 0; i < 600; ++i) {
    first.push_back(i < 300 ? "a" : "b");
    second.push_back(std::to_string(i % 2));
  }
  EXPECT_EQ(of(first, second), std::nullopt);
  EXPECT_EQ(of(second, first), std::nullopt);
}

TEST(Undoing, OfSecretsOnlyWhatEverybodyCanWorkOut) {
  const Facts all = facts(600);
  const auto in_order = [](const Cells& column, const Cells& known) {
    return undoes_in_order(readings_of(column_of(column)), readings_of(column_of(known)));
  };
  EXPECT_EQ(in_order(all.age, all.born), Undoing::follows);
  EXPECT_EQ(in_order(all.year, all.admitted), Undoing::follows);
  EXPECT_EQ(in_order(all.admitted, all.weekday), Undoing::tells);
  EXPECT_EQ(in_order(all.hospital, all.ward), std::nullopt);
}

// People born, admitted and discharged, the days of their stay (counted by a calendar that is not
// the program's: all are of 2019), and how old they were when they came.
struct Stays {
  Cells born, admitted, discharged, days, years, drawn, same;
};
Stays stays(int people) {
  std::mt19937 random(9);
  const auto draw = [&](int values) {
    return static_cast<int>(random() % static_cast<unsigned>(values));
  };
  constexpr std::array kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const auto date = [&](int day, const char* form) {
    std::size_t month = 0;
    while (day >= kDays[month]) day -= kDays[month++];
    return fmt::format(fmt::runtime(form), day + 1, month + 1);
  };
  Stays all;
  for (int i = 0; i < people; ++i) {
    const int admitted = draw(330);
    const int stay = draw(20);
    const int birthday = draw(365);
    const int year = 1930 + draw(80);
    all.born.push_back(date(birthday, "{:02}.{:02}.") + std::to_string(year));
    all.admitted.push_back(date(admitted, "{:02}.{:02}.2019"));
    all.discharged.push_back(date(admitted + stay, "2019-{1:02}-{0:02}"));
    all.days.push_back(std::to_string(stay));
    all.years.push_back(std::to_string(2019 - year - (birthday > admitted ? 1 : 0)));
    all.drawn.push_back(std::to_string(draw(20)));
    all.same.push_back("7");
  }
  return all;
}

bool from_two(const Cells& column, const Cells& from, const Cells& to) {
  return follows_from_days_between(readings_of(column_of(column)), readings_of(column_of(from)),
                                   readings_of(column_of(to)));
}

Cells with_more(Cells numbers, int more) {
  for (auto& number : numbers) number = std::to_string(std::stoi(number) + more);
  return numbers;
}

// Every `step`th is another.
Cells slipped(Cells numbers, std::size_t step) {
  for (std::size_t i = 0; i < numbers.size(); i += step) numbers[i] = "120";
  return numbers;
}

TEST(Undoing, TheDaysBetweenTwoDatesFollowFromBoth) {
  for (const int people : {40, 600}) {
    const Stays all = stays(people);
    for (const int more : {-1, 0, 1}) {
      const auto days = with_more(all.days, more);
      EXPECT_TRUE(from_two(days, all.admitted, all.discharged)) << people << ' ' << more;
      EXPECT_TRUE(from_two(slipped(days, 50), all.admitted, all.discharged)) << people;
      EXPECT_FALSE(from_two(slipped(days, 10), all.admitted, all.discharged)) << people;
      // Neither of the two tells it alone.
      EXPECT_EQ(of(days, all.admitted), std::nullopt);
      EXPECT_EQ(of(days, all.discharged), std::nullopt);
    }
    EXPECT_FALSE(from_two(with_more(all.days, 2), all.admitted, all.discharged));
    EXPECT_FALSE(from_two(all.days, all.discharged, all.admitted));
    EXPECT_FALSE(from_two(all.days, all.born, all.admitted));
  }
}

TEST(Undoing, AnAgeAtAdmissionFollowsFromBirthAndAdmission) {
  const Stays all = stays(600);
  EXPECT_TRUE(from_two(all.years, all.born, all.admitted));
  EXPECT_TRUE(from_two(slipped(all.years, 50), all.born, all.admitted));
  EXPECT_FALSE(from_two(slipped(all.years, 10), all.born, all.admitted));
  EXPECT_FALSE(from_two(all.years, all.admitted, all.discharged));
}

TEST(Undoing, NumbersOfAnotherOriginDoNotFollowFromTwoDates) {
  for (const int people : {20, 60, 600, 4000}) {
    const Stays all = stays(people);
    const std::vector<const Cells*> dates = {&all.born, &all.admitted, &all.discharged};
    for (const auto* from : dates) {
      for (const auto* to : dates) {
        if (from == to) continue;
        EXPECT_FALSE(from_two(all.drawn, *from, *to)) << people;
        EXPECT_FALSE(from_two(all.same, *from, *to)) << people;
        EXPECT_FALSE(from_two(all.born, *from, *to)) << people;
      }
    }
    // Everybody stayed a week: chance would say the same.
    EXPECT_FALSE(from_two(all.same, Cells(all.same.size(), "2019-03-01"),
                          Cells(all.same.size(), "2019-03-08")));
    EXPECT_FALSE(from_two(all.days, all.drawn, all.discharged));
  }
}

TEST(Undoing, WhatIsMissingIsNoDifference) {
  Stays all = stays(600);
  for (std::size_t i = 0; i < 600; i += 3) all.days[i] = "";
  for (std::size_t i = 1; i < 600; i += 3) all.discharged[i] = "";
  EXPECT_TRUE(from_two(all.days, all.admitted, all.discharged));
}

TEST(Undoing, PseudonymsShowWhoBelongsTogether) {
  const Facts all = facts(600);
  const auto shared = [](const Cells& column, const Cells& known) {
    return shared_by_value(readings_of(column_of(column)), readings_of(column_of(known)));
  };
  EXPECT_TRUE(shared(all.hospital, all.ward));
  EXPECT_TRUE(shared(all.ward, all.hospital));
  EXPECT_TRUE(shared(all.weekday, all.admitted));
  Cells numbers;  // in the order of admission, which a pseudonym does not show
  for (std::size_t i = 0; i < 600; ++i) numbers.push_back(std::to_string(i));
  EXPECT_FALSE(shared(numbers, all.hospital));
  EXPECT_FALSE(shared(all.half, all.ward));
}

}  // namespace
}  // namespace pratique::columns::undoing_test
