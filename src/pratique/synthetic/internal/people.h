// The people of the region: who they are, where they live, what they do and earn.
//
// Ages and sexes follow a pyramid of a western country, ZIPs follow the region's towns. Schooling
// depends on the wealth of the ZIP, the job on schooling, income on job and age, property on
// income: so that each of these tells something about the others. (name, date of birth) belongs to
// one person only; a name alone may not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/synthetic/internal/names.h"
#include "pratique/synthetic/internal/places.h"

namespace pratique::synthetic {

// Days since 1970-01-01.
using Day = std::int32_t;
[[nodiscard]] std::string date_text(Day day);  // 2012-12-31
[[nodiscard]] Day day_of(int year, unsigned month, unsigned day);
// In whole years.
[[nodiscard]] int age_on(Day birth, Day day);

// The years that the world's hospital records cover. The world's present is the last day.
[[nodiscard]] Day first_day();
[[nodiscard]] Day last_day();

enum class Race : std::uint8_t { white, black, hispanic, asian, native, other };
enum class MaritalStatus : std::uint8_t { never_married, married, divorced, widowed };
enum class Education : std::uint8_t { no_diploma, diploma, some_college, bachelor, graduate };
[[nodiscard]] std::string_view text_of(Sex sex);  // F, M
[[nodiscard]] std::string_view text_of(Race race);
[[nodiscard]] std::string_view text_of(MaritalStatus status);
[[nodiscard]] std::string_view text_of(Education education);

struct Person {
  Name name;
  Day birth = 0;
  std::uint32_t zip = 0;  // in Region::zips()
  Address address;
  Race race = Race::white;
  MaritalStatus marital = MaritalStatus::never_married;
  Education education = Education::no_diploma;
  std::uint8_t job = 0;
  std::uint8_t employer = 0;
  std::uint32_t income = 0;          // a year, in dollars; 0 for children
  std::uint32_t property_size = 0;   // square feet; 0: owns none
  std::uint32_t property_value = 0;  // dollars
};
[[nodiscard]] std::string_view job_title(const Person& person);
[[nodiscard]] std::string_view employer_name(const Person& person);

// Numbers the independent streams of one seed: one per stage and block of work.
enum class Stage : std::uint64_t { region = 1, people, choice, care, dna, outside, order };
[[nodiscard]] inline SeededRandom stream_of(std::uint64_t seed, Stage stage,
                                            std::uint64_t block = 0) {
  return SeededRandom(seed, static_cast<std::uint64_t>(stage) << 40U | block);
}
inline constexpr std::size_t kPeoplePerBlock = 2048;

[[nodiscard]] std::vector<Person> make_people(std::size_t count, const Region& region,
                                              std::uint64_t seed, Progress& progress);

}  // namespace pratique::synthetic
