#include "pratique/synthetic/internal/care.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "pratique/core/parallel.h"
#include "pratique/crypto/hash.h"

namespace pratique::synthetic {
namespace {

constexpr std::size_t kSites = 96;
constexpr std::size_t kFingerprintLetters = 16;

constexpr std::size_t kMostStays = 60;
constexpr double kMoreStays = 0.5;  // mean, beyond the first
constexpr double kStaysPerDiagnosis = 0.35;
constexpr double kStaysPerInheritedDisease = 3;
constexpr double kSameAgain = 0.35;
constexpr double kReferred = 0.2;

constexpr double kGivesDna = 0.85;
constexpr double kDnaTakenAtHospital = 0.8;

double proneness(const Person& person) {
  switch (age_band(age_on(person.birth, last_day()))) {
    case AgeBand::infant:
      return 4;
    case AgeBand::child:
      return 0.6;
    case AgeBand::young:
      return person.name.sex == Sex::female ? 1.3 : 0.7;
    case AgeBand::middle:
      return 1.2;
    default:
      return 2.5;
  }
}

// Weighted sampling without replacement: the smallest exponential clocks with these rates
// (Efraimidis and Spirakis, 2006). In order of the people.
std::vector<std::uint32_t> choose_patients(std::size_t count, const std::vector<Person>& people,
                                           std::uint64_t seed) {
  std::vector<std::pair<double, std::uint32_t>> clocks(people.size());
  parallel_blocks(people.size(), kPeoplePerBlock, [&](std::size_t begin, std::size_t end) {
    SeededRandom random = stream_of(seed, Stage::choice, begin / kPeoplePerBlock);
    for (std::size_t i = begin; i < end; ++i) {
      clocks[i] = {-std::log(1 - random.uniform()) / proneness(people[i]),
                   static_cast<std::uint32_t>(i)};
    }
  });
  const auto last = clocks.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(clocks.begin(), last - 1, clocks.end());
  std::vector<std::uint32_t> chosen(count);
  std::transform(clocks.begin(), last, chosen.begin(),
                 [](const auto& clock) { return clock.second; });
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void draw_stays(Patient& patient, const Person& person, const Hospitals& hospitals,
                SeededRandom& random) {
  const double more = kMoreStays +
                      kStaysPerDiagnosis * static_cast<double>(patient.diagnoses.size()) +
                      (patient.inherited != 0 ? kStaysPerInheritedDisease : 0);
  std::size_t count = 1;
  while (count < kMostStays && random.chance(more / (1 + more))) ++count;
  patient.stays.resize(count);
  const Day from = std::max(first_day(), person.birth);
  HospitalIndex at = hospitals.choose(person.zip, random);
  for (std::size_t i = 0; i < count; ++i) {
    Stay& stay = patient.stays[i];
    if (i > 0) {
      const double turn = random.uniform();
      if (turn >= kSameAgain + kReferred) {
        at = hospitals.choose(person.zip, random);
      } else if (turn >= kSameAgain) {
        at = hospitals.refer(person.zip, random);
      }
    }
    stay.hospital = at;
    stay.admission = static_cast<Day>(random.between(from, last_day()));
    stay.days = static_cast<std::uint16_t>(std::min(90.0, 1 + std::exp(random.normal(0.6, 0.9))));
  }
  std::sort(patient.stays.begin(), patient.stays.end(), [](const Stay& a, const Stay& b) {
    return std::pair(a.admission, a.hospital) < std::pair(b.admission, b.hospital);
  });
}

// Every diagnosis of the patient is made in some stay; the chronic way of things brings many back.
void draw_diagnoses_of_stays(Patient& patient, SeededRandom& random) {
  constexpr double again = 0.3;
  const auto diagnoses = all_diagnoses();
  const DiagnosisIndex main = patient.diagnoses[0];
  for (Stay& stay : patient.stays) {
    const DiagnosisIndex reason = patient.diagnoses[random.below(patient.diagnoses.size())];
    stay.diagnoses.push_back(diagnoses[reason].primary ? reason : main);
  }
  const auto add = [](Stay& stay, DiagnosisIndex code) {
    auto& list = stay.diagnoses;
    if (std::find(list.begin(), list.end(), code) == list.end()) list.push_back(code);
  };
  for (const DiagnosisIndex code : patient.diagnoses) {
    add(patient.stays[random.below(patient.stays.size())], code);
    for (Stay& stay : patient.stays) {
      if (random.chance(again)) add(stay, code);
    }
  }
}

void draw_charges(Patient& patient, const Person& person, SeededRandom& random) {
  // Who earns more is treated at more cost, a little.
  const double means = person.income == 0 ? 0 : 0.2 * (std::log(person.income) - 10.5);
  for (Stay& stay : patient.stays) {
    const double codes = std::log(1.0 + static_cast<double>(stay.diagnoses.size()));
    const double price = std::exp(7.3 + 0.4 * codes + means + random.normal(0, 0.4));
    stay.charges = static_cast<std::uint32_t>(std::lround(price * stay.days));
  }
}

// What a letter is in most people and in the others, and how many the others are.
struct Site {
  char usual;
  char other;
  double frequency;
};

std::array<Site, kSites> draw_sites(SeededRandom random) {
  constexpr std::string_view letters = "ACGT";
  std::array<Site, kSites> sites{};
  for (Site& site : sites) {
    const std::size_t usual = random.below(4);
    site.usual = letters[usual];
    site.other = letters[(usual + 1 + random.below(3)) % 4];
    site.frequency = 0.1 + 0.4 * random.uniform();
  }
  return sites;
}

std::string draw_sequence(const std::array<Site, kSites>& sites, unsigned inherited,
                          SeededRandom& random) {
  std::string sequence(kSites, ' ');
  for (std::size_t i = 0; i < kSites; ++i) {
    const bool changed =
        i < kInheritedDiseases ? (inherited >> i & 1U) != 0 : random.chance(sites[i].frequency);
    sequence[i] = changed ? sites[i].other : sites[i].usual;
  }
  return sequence;
}

void draw_consent(Patient& patient, SeededRandom& random) {
  const bool gives = random.chance(kGivesDna);
  std::vector<HospitalIndex> visited;
  visited.reserve(patient.stays.size());
  for (const Stay& stay : patient.stays) visited.push_back(stay.hospital);
  std::sort(visited.begin(), visited.end());
  visited.erase(std::unique(visited.begin(), visited.end()), visited.end());
  for (const HospitalIndex hospital : visited) {
    if (random.chance(kDnaTakenAtHospital) && gives) patient.dna_at.push_back(hospital);
  }
}

// Two equal sequences are next to impossible; where they happen, the later one mutates.
void separate_sequences(std::vector<Patient>& patients, const std::array<Site, kSites>& sites,
                        SeededRandom random) {
  std::unordered_set<std::string> samples;
  for (Patient& patient : patients) {
    if (patient.sequence.empty()) continue;
    while (!samples.insert(patient.sample).second) {
      patient.sequence = draw_sequence(sites, patient.inherited, random);
      patient.sample = sha256_hex(patient.sequence).substr(0, kFingerprintLetters);
    }
  }
}

}  // namespace

std::vector<Patient> make_patients(std::size_t count, const std::vector<Person>& people,
                                   const Hospitals& hospitals, std::uint64_t seed,
                                   Progress& progress) {
  const auto chosen = choose_patients(count, people, seed);
  const DiagnosisModel diagnoses;
  const auto sites = draw_sites(stream_of(seed, Stage::dna));
  std::vector<Patient> patients(count);
  parallel_blocks(count, kPeoplePerBlock, [&](std::size_t begin, std::size_t end) {
    SeededRandom random = stream_of(seed, Stage::care, begin / kPeoplePerBlock);
    for (std::size_t i = begin; i < end; ++i) {
      Patient& patient = patients[i];
      patient.person = chosen[i];
      const Person& person = people[patient.person];
      const int age = age_on(person.birth, last_day());
      patient.inherited = DiagnosisModel::draw_inherited(age, person.race == Race::black, random);
      patient.diagnoses = diagnoses.draw(person.name.sex, age, patient.inherited, random);
      draw_stays(patient, person, hospitals, random);
      draw_diagnoses_of_stays(patient, random);
      draw_charges(patient, person, random);
      draw_consent(patient, random);
      if (patient.dna_at.empty()) continue;
      patient.sequence = draw_sequence(sites, patient.inherited, random);
      patient.sample = sha256_hex(patient.sequence).substr(0, kFingerprintLetters);
    }
    progress.advance(end - begin);
  });
  separate_sequences(patients, sites, stream_of(seed, Stage::dna, 1));
  return patients;
}

}  // namespace pratique::synthetic
