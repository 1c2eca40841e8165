#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>

#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/synthetic/internal/world.h"

namespace pratique::synthetic {
namespace {

namespace fs = std::filesystem;

class CsvFile {
 public:
  CsvFile(const std::string& path, const std::string& columns, Progress& progress)
      : file_(path), progress_(progress) {
    file_.write(columns + "\n");
  }
  // Fields are our own words and numbers: none needs quotes.
  template <class... Fields>
  void row(const Fields&... fields) {
    line_.clear();
    (append(fields), ...);
    line_.back() = '\n';
    file_.write(line_);
    if (++rows_ % 4096 == 0) progress_.check();
  }
  [[nodiscard]] std::uint64_t commit() {
    file_.commit();
    progress_.advance(1);
    return rows_;
  }

 private:
  template <class Field>
  void append(const Field& field) {
    fmt::format_to(std::back_inserter(line_), "{},", field);
  }
  AtomicFile file_;
  Progress& progress_;
  std::string line_;
  std::uint64_t rows_ = 0;
};

// A key is a letter and the row's place in its own file.
std::string key(char letter, std::size_t index) {
  return fmt::format("{}{:07}", letter, index + 1);
}

struct FilePlan {
  ConsortiumSummary::File file;
  std::function<void(CsvFile&)> write;
};

// The stays of one hospital, by admission: (patient, stay).
struct StayAt {
  std::uint32_t patient;
  std::uint32_t stay;
};

std::vector<std::vector<StayAt>> stays_by_hospital(const World& world) {
  std::vector<std::vector<StayAt>> stays(world.hospitals.all().size());
  for (std::uint32_t p = 0; p < world.patients.size(); ++p) {
    const auto& list = world.patients[p].stays;
    for (std::uint32_t s = 0; s < list.size(); ++s) stays[list[s].hospital].push_back({p, s});
  }
  for (auto& list : stays) {
    std::stable_sort(list.begin(), list.end(), [&](const StayAt& a, const StayAt& b) {
      return world.patients[a.patient].stays[a.stay].admission <
             world.patients[b.patient].stays[b.stay].admission;
    });
  }
  return stays;
}

std::string visit_key(const Hospital& hospital, std::size_t index) {
  return fmt::format("{}-{:06}", hospital.id, index + 1);
}

void write_register(const World& world, CsvFile& csv) {
  for (std::size_t i = 0; i < world.registered.size(); ++i) {
    const Person& person = world.people[world.registered[i]];
    const Zip& zip = world.region.zips()[person.zip];
    csv.row(key('R', i), text_of(person.name), date_text(person.birth), text_of(person.name.sex),
            zip.code, text_of(person.address), zip.town);
  }
}

void write_hospitals(const World& world, CsvFile& csv) {
  for (const Hospital& hospital : world.hospitals.all()) {
    const Zip& zip = world.region.zips()[hospital.zip];
    csv.row(hospital.id, hospital.name, zip.code, zip.town);
  }
}

void write_zips(const World& world, CsvFile& csv) {
  std::vector<std::size_t> population(world.region.zips().size());
  for (const Person& person : world.people) ++population[person.zip];
  for (std::size_t i = 0; i < population.size(); ++i) {
    const Zip& zip = world.region.zips()[i];
    csv.row(zip.code, zip.town, zip.county, population[i], fmt::format("{:.1f}", zip.east),
            fmt::format("{:.1f}", zip.north));
  }
}

void write_discharges(const World& world, const Hospital& hospital,
                      const std::vector<StayAt>& stays, CsvFile& csv) {
  const auto diagnoses = all_diagnoses();
  for (std::size_t i = 0; i < stays.size(); ++i) {
    const Patient& patient = world.patients[stays[i].patient];
    const Stay& stay = patient.stays[stays[i].stay];
    const Person& person = world.people[patient.person];
    std::string others;
    for (std::size_t d = 1; d < stay.diagnoses.size(); ++d) {
      if (d > 1) others += '|';
      others += diagnoses[stay.diagnoses[d]].code;
    }
    csv.row(visit_key(hospital, i), text_of(person.name), date_text(person.birth),
            text_of(person.name.sex), world.region.zips()[person.zip].code,
            date_text(stay.admission), stay.days, diagnoses[stay.diagnoses[0]].code, others,
            stay.charges);
  }
}

// The patients who left DNA, by hospital, in the order of their fingerprints, which says nothing
// about who they are.
std::vector<std::vector<const Patient*>> dna_by_hospital(const World& world) {
  std::vector<std::vector<const Patient*>> givers(world.hospitals.all().size());
  for (const Patient& patient : world.patients) {
    for (const HospitalIndex hospital : patient.dna_at) givers[hospital].push_back(&patient);
  }
  for (auto& list : givers) {
    std::sort(list.begin(), list.end(),
              [](const Patient* a, const Patient* b) { return a->sample < b->sample; });
  }
  return givers;
}

void write_patients(const World& world, CsvFile& csv) {
  const auto diagnoses = all_diagnoses();
  for (std::size_t i = 0; i < world.pseudonyms.size(); ++i) {
    const Patient& patient = world.patients[world.pseudonyms[i]];
    const Person& person = world.people[patient.person];
    std::uint64_t days = 0;
    std::uint64_t cost = 0;
    for (const Stay& stay : patient.stays) {
      days += stay.days;
      cost += stay.charges;
    }
    csv.row(key('P', i), date_text(person.birth), age_on(person.birth, last_day()),
            text_of(person.name.sex), world.region.zips()[person.zip].code, text_of(person.race),
            text_of(person.marital), text_of(person.education),
            world.hospitals.all()[patient.stays[0].hospital].id,
            diagnoses[patient.diagnoses[0]].code, patient.stays.size(), days, cost);
  }
}

void write_codes(const World& world, CsvFile& csv) {
  const auto diagnoses = all_diagnoses();
  for (std::size_t i = 0; i < world.pseudonyms.size(); ++i) {
    std::vector<std::string_view> codes;
    for (const DiagnosisIndex code : world.patients[world.pseudonyms[i]].diagnoses) {
      codes.push_back(diagnoses[code].code);
    }
    std::sort(codes.begin(), codes.end());
    for (const std::string_view code : codes) csv.row(key('P', i), code);
  }
}

void write_insurer(const World& world, CsvFile& csv) {
  for (std::size_t i = 0; i < world.members.size(); ++i) {
    const Member& member = world.members[i];
    const Person& person = world.people[world.patients[member.patient].person];
    csv.row(key('M', i), text_of(person.name), member.visit_index, member.expenditure_index,
            member.valuation, person.income);
  }
}

void write_web(const World& world, CsvFile& csv) {
  for (std::size_t i = 0; i < world.pages.size(); ++i) {
    const Page& page = world.pages[i];
    const Person& person = world.people[page.person];
    csv.row(key('W', i), page.name, job_title(person), employer_name(person), person.property_size,
            person.property_value);
  }
}

void write_true_people(const World& world, CsvFile& csv) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  struct Places {
    std::uint32_t entry = none;
    std::uint32_t patient = none;  // place in the research table
    std::uint32_t member = none;
    std::uint32_t page = none;
    std::string_view sample;
  };
  std::vector<Places> places(world.people.size());
  for (std::uint32_t i = 0; i < world.registered.size(); ++i) places[world.registered[i]].entry = i;
  for (std::uint32_t i = 0; i < world.pages.size(); ++i) places[world.pages[i].person].page = i;
  for (std::uint32_t i = 0; i < world.pseudonyms.size(); ++i) {
    const Patient& patient = world.patients[world.pseudonyms[i]];
    places[patient.person].patient = i;
    places[patient.person].sample = patient.sample;
  }
  for (std::uint32_t i = 0; i < world.members.size(); ++i) {
    places[world.patients[world.members[i].patient].person].member = i;
  }
  const auto key_or_empty = [](char letter, std::uint32_t index) {
    return index == none ? std::string() : key(letter, index);
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Places& of = places[i];
    csv.row(key('N', i), key_or_empty('R', of.entry), key_or_empty('P', of.patient), of.sample,
            key_or_empty('M', of.member), key_or_empty('W', of.page));
  }
}

void write_true_records(const World& world, CsvFile& csv) {
  const auto diagnoses = all_diagnoses();
  std::vector<const Patient*> patient_of(world.people.size(), nullptr);
  for (const Patient& patient : world.patients) patient_of[patient.person] = &patient;
  for (std::size_t i = 0; i < world.registered.size(); ++i) {
    const Patient* patient = patient_of[world.registered[i]];
    if (patient == nullptr) continue;
    const Person& person = world.people[patient->person];
    csv.row(key('R', i), date_text(person.birth), text_of(person.name.sex),
            world.region.zips()[person.zip].code, diagnoses[patient->diagnoses[0]].code);
  }
}

void write_true_visits(const World& world, const std::vector<std::vector<StayAt>>& stays,
                       CsvFile& csv) {
  for (std::size_t h = 0; h < stays.size(); ++h) {
    const Hospital& hospital = world.hospitals.all()[h];
    for (std::size_t i = 0; i < stays[h].size(); ++i) {
      csv.row(visit_key(hospital, i), hospital.id,
              key('N', world.patients[stays[h][i].patient].person));
    }
  }
}

}  // namespace

std::vector<ConsortiumSummary::File> write_world(const World& world, const std::string& folder,
                                                 Progress& progress) {
  const auto stays = stays_by_hospital(world);
  const auto givers = dna_by_hospital(world);
  std::vector<FilePlan> plans;
  const auto plan = [&](std::string path, std::string what, std::string columns,
                        std::function<void(CsvFile&)> write) {
    plans.push_back({{std::move(path), std::move(what), std::move(columns), 0}, std::move(write)});
  };
  plan("register.csv", "population register: who lives where; some people are missing",
       "entry,name,date_of_birth,sex,zip,address,town",
       [&](CsvFile& csv) { write_register(world, csv); });
  plan("hospitals.csv", "the hospitals, the most popular first", "hospital,name,zip,town",
       [&](CsvFile& csv) { write_hospitals(world, csv); });
  plan("zips.csv", "the ZIPs, their people and their positions",
       "zip,town,county,population,east_km,north_km",
       [&](CsvFile& csv) { write_zips(world, csv); });
  plan("patients.csv", "research table: one row per patient, under a pseudonym",
       "patient,date_of_birth,age,sex,zip,race,marital_status,education,hospital,diagnosis,"
       "hospital_visits,length_of_stay,cost",
       [&](CsvFile& csv) { write_patients(world, csv); });
  plan("codes.csv", "diagnosis codes (ICD-9-CM) of each patient, under the same pseudonym",
       "patient,code", [&](CsvFile& csv) { write_codes(world, csv); });
  plan("insurer.csv", "the insurer's members, by name",
       "member,name,visit_index,expenditure_index,valuation,income",
       [&](CsvFile& csv) { write_insurer(world, csv); });
  plan("web_facts.csv", "what the web says, by name, with typing errors; property 0: owns none",
       "page,name,employment,employer,property_size,property_value",
       [&](CsvFile& csv) { write_web(world, csv); });
  plan("truth/people.csv", "who is who: the key of each person in every file",
       "person,entry,patient,sample,member,page",
       [&](CsvFile& csv) { write_true_people(world, csv); });
  plan("truth/records.csv", "the research table's record of each patient who is in the register",
       "entry,date_of_birth,sex,zip,diagnosis",
       [&](CsvFile& csv) { write_true_records(world, csv); });
  plan("truth/visits.csv", "whose visit it was", "visit,hospital,person",
       [&](CsvFile& csv) { write_true_visits(world, stays, csv); });
  for (std::size_t h = 0; h < stays.size(); ++h) {
    const Hospital& hospital = world.hospitals.all()[h];
    const std::string inside = "hospitals/" + hospital.id;
    fs::create_directories(fs::path(folder) / inside);
    plan(inside + "/discharges.csv", "identified stays at " + hospital.name,
         "visit,name,date_of_birth,sex,zip,admission_date,length_of_stay,primary_diagnosis,"
         "other_diagnoses,charges",
         [&world, &hospital, &list = stays[h]](CsvFile& csv) {
           write_discharges(world, hospital, list, csv);
         });
    plan(inside + "/dna.csv", "severed DNA samples at " + hospital.name, "sample,sequence",
         [&list = givers[h]](CsvFile& csv) {
           for (const Patient* patient : list) csv.row(patient->sample, patient->sequence);
         });
  }
  fs::create_directories(fs::path(folder) / "truth");

  progress.begin("writing files", plans.size());
  parallel_blocks(plans.size(), 1, [&](std::size_t i, std::size_t) {
    ConsortiumSummary::File& file = plans[i].file;
    CsvFile csv(folder + "/" + file.path, file.columns, progress);
    plans[i].write(csv);
    file.rows = csv.commit();
  });
  std::vector<ConsortiumSummary::File> files;
  files.reserve(plans.size());
  for (FilePlan& written : plans) files.push_back(std::move(written.file));
  return files;
}

}  // namespace pratique::synthetic
