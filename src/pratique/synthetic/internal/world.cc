#include "pratique/synthetic/internal/world.h"

#include <algorithm>
#include <cmath>

namespace pratique::synthetic {
namespace {

constexpr std::size_t kPeoplePerPatient = 3;
constexpr double kRegistered = 0.93;
constexpr double kInsured = 0.6;   // of the adult patients
constexpr double kOnTheWeb = 0.6;  // of the adults
constexpr double kMistyped = 0.08;
constexpr double kWithoutInitial = 0.1;

std::size_t population(const ConsortiumOptions& options) {
  return kPeoplePerPatient * options.patients;
}

int index_of(double value) { return static_cast<int>(std::clamp(std::lround(value), 1L, 10L)); }

Member draw_member(std::uint32_t number, const Patient& patient, const Person& person,
                   SeededRandom& random) {
  double charges = 0;
  for (const Stay& stay : patient.stays) charges += stay.charges;
  const double spending = (std::log(charges) - 9.4) / 1.2;
  const double wealth = (std::log(person.income) - 10.6) / 0.6;
  Member member;
  member.patient = number;
  member.visit_index =
      index_of(1 + 3 * std::log(static_cast<double>(patient.stays.size())) + random.normal(0, 0.7));
  member.expenditure_index = index_of(5.5 + 2 * spending + random.normal(0, 0.4));
  member.valuation = index_of(5.5 + 1.5 * wealth + 0.5 * spending + random.normal(0, 1));
  return member;
}

std::string name_on_the_web(const Person& person, SeededRandom& random) {
  std::string name = text_of(person.name);
  if (random.chance(kWithoutInitial)) name.erase(name.find(' '), 2);
  return random.chance(kMistyped) ? mistype(std::move(name), random) : name;
}

}  // namespace

World::World(const ConsortiumOptions& options, Progress& progress)
    : region(population(options), stream_of(options.seed, Stage::region)),
      hospitals(options.hospitals, region) {
  progress.begin("making people", population(options));
  people = make_people(population(options), region, options.seed, progress);
  progress.begin("making patients", options.patients);
  patients = make_patients(options.patients, people, hospitals, options.seed, progress);

  SeededRandom outside = stream_of(options.seed, Stage::outside);
  for (std::uint32_t i = 0; i < people.size(); ++i) {
    if (outside.chance(kRegistered)) registered.push_back(i);
    if (people[i].income > 0 && outside.chance(kOnTheWeb)) {
      pages.push_back({i, name_on_the_web(people[i], outside)});
    }
  }
  for (std::uint32_t i = 0; i < patients.size(); ++i) {
    pseudonyms.push_back(i);
    const Person& person = people[patients[i].person];
    if (person.income > 0 && outside.chance(kInsured)) {
      members.push_back(draw_member(i, patients[i], person, outside));
    }
  }
  SeededRandom order = stream_of(options.seed, Stage::order);
  order.shuffle(registered);
  order.shuffle(pseudonyms);
  order.shuffle(members);
  order.shuffle(pages);
}

}  // namespace pratique::synthetic
