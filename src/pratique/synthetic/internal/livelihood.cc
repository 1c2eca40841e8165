#include "pratique/synthetic/internal/livelihood.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pratique::synthetic {
namespace {

// Titles by rung of the ladder, four to a rung; then those who earn no wage.
constexpr std::size_t kRungs = 8;
constexpr std::size_t kTitlesPerRung = 4;
constexpr std::array<std::string_view, kRungs* kTitlesPerRung + 4> kTitles = {
    "Cleaner",         "Farm Worker", "Kitchen Helper",  "Packer",
    "Cashier",         "Driver",      "Waiter",          "Machine Operator",
    "Clerk",           "Carpenter",   "Receptionist",    "Mechanic",
    "Electrician",     "Bookkeeper",  "Technician",      "Sales Agent",
    "Teacher",         "Nurse",       "Police Officer",  "Supervisor",
    "Accountant",      "Engineer",    "Manager",         "Analyst",
    "Senior Engineer", "Lawyer",      "Department Head", "Pharmacist",
    "Physician",       "Director",    "Partner",         "Chief Executive",
    "Student",         "Homemaker",   "Unemployed",      "Retired"};
constexpr std::uint8_t kStudent = kRungs * kTitlesPerRung;
constexpr std::uint8_t kHomemaker = kStudent + 1;
constexpr std::uint8_t kUnemployed = kStudent + 2;
constexpr std::uint8_t kRetired = kStudent + 3;

constexpr std::array<std::string_view, 36> kEmployers = {
    "Arden Freight",        "Bellmoor Dairy",      "Corran County Schools", "Duskshire Power",
    "Estwick Savings Bank", "Fallow Farms",        "Harrowgate Foundry",    "Kestrel Airways",
    "Larkmoor Textiles",    "Merrivale Insurance", "Northwick Brewery",     "Otterburn Paper",
    "Pellingham Motors",    "Quillstead Press",    "Ravenscar Shipping",    "Saltmarsh Foods",
    "Thistledown Toys",     "Upperford College",   "Vantage Telephone",     "Willowbend Clinics",
    "Yarrowton Glass",      "Amberlea Hotels",     "Brackenridge Timber",   "Coldspring Water",
    "Dunmarrow Mining",     "Elderwick Homes",     "Foxhollow Software",    "Greyling Optics",
    "Hartsmere Hospital",   "Ironbridge Steel",    "Jessamine Perfumes",    "Kingsferry Lines",
    "Lowmeadow Markets",    "Mossgrove Nurseries", "Netherby Law",          "Oakhampton Builders"};

// Thresholds on a normal score around the wealth of the ZIP.
constexpr std::array<double, 4> kEducationLimits = {-1.2, -0.1, 0.6, 1.4};
constexpr std::array<double, 5> kMeanRung = {0.8, 2.0, 2.9, 4.6, 5.6};
constexpr double kRungDeviation = 1.1;

constexpr double kLowestLogIncome = 9.95;  // 21,000 dollars
constexpr double kLogIncomePerRung = 0.27;
constexpr double kIncomeDeviation = 0.22;
constexpr double kUsualLogIncome = 10.8;  // 49,000 dollars

std::uint32_t rounded(double value, double unit) {
  return static_cast<std::uint32_t>(std::lround(value / unit) * std::lround(unit));
}

Education draw_education(int age, double wealth, SeededRandom& random) {
  const double score = 0.5 * wealth + 0.87 * random.normal(0, 1);
  std::size_t level = 0;
  while (level < kEducationLimits.size() && score > kEducationLimits[level]) ++level;
  const std::size_t reached = age < 18 ? 0 : age < 22 ? 2 : age < 26 ? 3 : 4;
  return static_cast<Education>(std::min(level, reached));
}

std::uint8_t draw_job(const Person& person, int age, SeededRandom& random) {
  if (age < 18) return kStudent;
  const double idle = random.uniform();
  if (age >= 62 && idle < (age >= 70 ? 0.92 : 0.55)) return kRetired;
  if (age < 25 && idle < 0.35) return kStudent;
  if (idle < 0.06) return kUnemployed;
  if (idle < (person.name.sex == Sex::female ? 0.16 : 0.07)) return kHomemaker;
  const double mean = kMeanRung[static_cast<std::size_t>(person.education)];
  const double rung = std::clamp(random.normal(mean, kRungDeviation), 0.0, kRungs - 1.0);
  return static_cast<std::uint8_t>(static_cast<std::size_t>(std::lround(rung)) * kTitlesPerRung +
                                   random.below(kTitlesPerRung));
}

double log_income(const Person& person, int age, double wealth, SeededRandom& random) {
  const double noise = random.normal(0, kIncomeDeviation);
  if (person.job == kStudent) return 9.2 + noise;
  if (person.job == kUnemployed) return 9.6 + noise;
  if (person.job == kHomemaker) return 9.7 + 0.15 * wealth + noise;
  const std::size_t rung_of_job = person.job / kTitlesPerRung;
  const double rung =
      person.job == kRetired
          ? 0.5 + 0.8 * static_cast<double>(person.education)  // a pension goes by the former job
          : static_cast<double>(rung_of_job);
  const double experience = 0.25 * std::min(1.0, (age - 18) / 25.0);
  return kLowestLogIncome + kLogIncomePerRung * rung + experience + 0.08 * wealth + noise;
}

}  // namespace

std::string_view job_title(const Person& person) { return kTitles[person.job]; }

std::string_view employer_name(const Person& person) {
  return person.job < kStudent ? kEmployers[person.employer] : std::string_view();
}

void draw_livelihood(Person& person, int age, double wealth_of_zip, SeededRandom& random) {
  person.education = draw_education(age, wealth_of_zip, random);
  person.job = draw_job(person, age, random);
  person.employer = static_cast<std::uint8_t>(random.below(kEmployers.size()));
  if (age < 18) return;
  const double earned = log_income(person, age, wealth_of_zip, random);
  person.income = rounded(std::exp(earned), 10);
  const double above_usual = earned - kUsualLogIncome;
  if (!random.chance(std::clamp(0.6 + 0.35 * above_usual + 0.004 * (age - 40), 0.03, 0.97))) return;
  person.property_size = rounded(std::exp(7.35 + 0.5 * above_usual + random.normal(0, 0.22)), 10);
  person.property_value = rounded(
      person.property_size * 105 * std::exp(0.25 * wealth_of_zip + random.normal(0, 0.15)), 500);
}

}  // namespace pratique::synthetic
