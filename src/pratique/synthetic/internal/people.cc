#include "pratique/synthetic/internal/people.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <unordered_set>

#include "pratique/core/parallel.h"
#include "pratique/synthetic/internal/livelihood.h"

namespace pratique::synthetic {
namespace {

// Shares of five-year bands from 0 to 99.
constexpr std::array<double, 20> kPyramid = {6.5, 6.6, 6.7, 7.1, 7.0, 6.8, 6.5, 6.5, 6.8, 7.4,
                                             7.2, 6.4, 5.4, 4.0, 3.0, 2.4, 1.9, 1.2, 0.5, 0.1};
// Women live longer.
constexpr std::array<double, 20> kShareOfWomen = {0.49, 0.49, 0.49, 0.49, 0.49, 0.50, 0.50,
                                                  0.50, 0.50, 0.51, 0.51, 0.51, 0.52, 0.53,
                                                  0.54, 0.56, 0.60, 0.65, 0.71, 0.78};
constexpr std::array<double, 6> kRaces = {66, 13, 13, 5, 1, 2};

// never married, married, divorced, widowed; by age from 18, 25, 35, 50, 65, 80
struct MaritalRow {
  int from_age;
  std::array<double, 4> women;
  std::array<double, 4> men;
};
constexpr std::array<MaritalRow, 6> kMaritalByAge = {{{18, {86, 13, 1, 0}, {92, 8, 0, 0}},
                                                      {25, {44, 49, 7, 0}, {54, 42, 4, 0}},
                                                      {35, {18, 64, 17, 1}, {22, 65, 13, 0}},
                                                      {50, {9, 64, 20, 7}, {10, 71, 17, 2}},
                                                      {65, {5, 53, 14, 28}, {5, 76, 11, 8}},
                                                      {80, {4, 25, 7, 64}, {4, 66, 6, 24}}}};

struct PeopleTables {
  NameModel names;
  AliasTable bands{kPyramid};
  AliasTable races{kRaces};
  std::vector<AliasTable> marital;  // by row, then women before men

  PeopleTables() {
    for (const MaritalRow& row : kMaritalByAge) {
      marital.emplace_back(row.women);
      marital.emplace_back(row.men);
    }
  }
};

MaritalStatus draw_marital(const PeopleTables& tables, Sex sex, int age, SeededRandom& random) {
  std::size_t row = kMaritalByAge.size();
  while (row > 0 && age < kMaritalByAge[row - 1].from_age) --row;
  if (row == 0) return MaritalStatus::never_married;
  const std::size_t table = 2 * (row - 1) + (sex == Sex::female ? 0 : 1);
  return static_cast<MaritalStatus>(tables.marital[table].draw(random));
}

Person draw_person(const PeopleTables& tables, const Region& region, SeededRandom& random) {
  Person person;
  const std::size_t band = tables.bands.draw(random);
  const Sex sex = random.chance(kShareOfWomen[band]) ? Sex::female : Sex::male;
  person.name = tables.names.draw(sex, random);
  const auto years = static_cast<int>(5 * band + random.below(5));
  person.birth =
      last_day() - static_cast<Day>(365.2425 * years) - static_cast<Day>(random.below(365));
  person.zip = static_cast<std::uint32_t>(region.draw_zip(random));
  person.address = draw_address(random);
  person.race = static_cast<Race>(tables.races.draw(random));
  const int age = age_on(person.birth, last_day());
  person.marital = draw_marital(tables, sex, age, random);
  draw_livelihood(person, age, region.zips()[person.zip].wealth, random);
  return person;
}

// A name and a date of birth shall belong to one person: whoever comes later is a day older.
void separate_namesakes(std::vector<Person>& people) {
  std::unordered_set<std::uint64_t> taken;
  taken.reserve(people.size());
  for (Person& person : people) {
    const auto key = [&person] {
      return static_cast<std::uint64_t>(static_cast<std::uint32_t>(person.birth)) << 32U |
             static_cast<std::uint64_t>(person.name.sex == Sex::female ? 1U : 0U) << 31U |
             static_cast<std::uint64_t>(person.name.initial) << 24U |
             static_cast<std::uint64_t>(person.name.first) << 16U | person.name.last;
    };
    while (!taken.insert(key()).second) --person.birth;
  }
}

}  // namespace

std::string date_text(Day day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

Day day_of(int year, unsigned month, unsigned day) {
  const std::chrono::sys_days days = std::chrono::year_month_day{
      std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day}};
  return static_cast<Day>(days.time_since_epoch().count());
}

int age_on(Day birth, Day day) {
  const std::chrono::year_month_day born{std::chrono::sys_days{std::chrono::days{birth}}};
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  const int years = static_cast<int>(date.year()) - static_cast<int>(born.year());
  const bool before_birthday =
      date.month() < born.month() || (date.month() == born.month() && date.day() < born.day());
  return years - (before_birthday ? 1 : 0);
}

Day first_day() { return day_of(2010, 1, 1); }
Day last_day() { return day_of(2012, 12, 31); }

std::string_view text_of(Sex sex) { return sex == Sex::female ? "F" : "M"; }

std::string_view text_of(Race race) {
  constexpr std::array<std::string_view, 6> texts = {"White", "Black",  "Hispanic",
                                                     "Asian", "Native", "Other"};
  return texts[static_cast<std::size_t>(race)];
}

std::string_view text_of(MaritalStatus status) {
  constexpr std::array<std::string_view, 4> texts = {"Never married", "Married", "Divorced",
                                                     "Widowed"};
  return texts[static_cast<std::size_t>(status)];
}

std::string_view text_of(Education education) {
  constexpr std::array<std::string_view, 5> texts = {"No diploma", "Diploma", "Some college",
                                                     "Bachelor", "Graduate"};
  return texts[static_cast<std::size_t>(education)];
}

std::vector<Person> make_people(std::size_t count, const Region& region, std::uint64_t seed,
                                Progress& progress) {
  const PeopleTables tables;
  std::vector<Person> people(count);
  parallel_blocks(count, kPeoplePerBlock, [&](std::size_t begin, std::size_t end) {
    SeededRandom random = stream_of(seed, Stage::people, begin / kPeoplePerBlock);
    for (std::size_t i = begin; i < end; ++i) people[i] = draw_person(tables, region, random);
    progress.advance(end - begin);
  });
  separate_namesakes(people);
  return people;
}

}  // namespace pratique::synthetic
