#include "pratique/synthetic/consortium.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/hash.h"
#include "pratique/core/json.h"
#include "pratique/core/parallel.h"
#include "pratique/synthetic/internal/diagnoses.h"

namespace pratique {
namespace {

namespace fs = std::filesystem;

using Row = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string& text, char delimiter) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == delimiter) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::vector<Row> read_table(const std::string& path) {
  std::vector<std::string> lines = split(read_file(path), '\n');
  EXPECT_EQ(lines.back(), "");
  lines.pop_back();
  const auto columns = split(lines[0], ',');
  std::vector<Row> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto fields = split(lines[i], ',');
    EXPECT_EQ(fields.size(), columns.size()) << path << ":" << i + 1;
    Row row;
    for (std::size_t c = 0; c < columns.size(); ++c) row[columns[c]] = fields[c];
    rows.push_back(std::move(row));
  }
  return rows;
}

std::map<std::string, std::string> hashes(const std::string& folder) {
  std::map<std::string, std::string> result;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    result[entry.path().lexically_relative(folder)] = sha256_file(entry.path());
  }
  return result;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double sum_a = 0;
  double sum_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum_a += a[i];
    sum_b += b[i];
  }
  const auto n = static_cast<double>(a.size());
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double da = a[i] - sum_a / n;
    const double db = b[i] - sum_b / n;
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return ab / std::sqrt(aa * bb);
}

// One world for all tests that only look at it.
class Consortium : public testing::Test {
 protected:
  static constexpr std::uint64_t kHospitals = 20;
  static constexpr std::uint64_t kPatients = 10000;

  struct Made {
    PrivateFolder parent;
    std::string folder = parent.path() + "/world";
    ConsortiumSummary summary =
        generate_consortium({kHospitals, kPatients, 1, folder}, Progress::silent());
    std::vector<Row> people = table("truth/people.csv");
    std::vector<Row> visits = table("truth/visits.csv");
    std::vector<Row> discharges;
    std::vector<Row> dna;
    // By the person's key: hospitals with a stay, hospitals with DNA.
    std::map<std::string, std::set<std::string>> identified_trail;
    std::map<std::string, std::set<std::string>> dna_trail;
    std::map<std::string, std::string> person_of_visit;
    std::map<std::string, std::string> person_of_sample;

    Made() {
      for (const Row& row : table("hospitals.csv")) {
        const std::string& hospital = row.at("hospital");
        for (Row& stay : table("hospitals/" + hospital + "/discharges.csv")) {
          stay["hospital"] = hospital;
          discharges.push_back(std::move(stay));
        }
        for (Row& sample : table("hospitals/" + hospital + "/dna.csv")) {
          sample["hospital"] = hospital;
          dna.push_back(std::move(sample));
        }
      }
      for (const Row& row : visits) {
        person_of_visit[row.at("visit")] = row.at("person");
        identified_trail[row.at("person")].insert(row.at("hospital"));
      }
      for (const Row& row : people) {
        if (!row.at("sample").empty()) person_of_sample[row.at("sample")] = row.at("person");
      }
      for (const Row& row : dna) {
        dna_trail[person_of_sample[row.at("sample")]].insert(row.at("hospital"));
      }
    }
    [[nodiscard]] std::vector<Row> table(const std::string& name) const {
      return read_table(folder + "/" + name);
    }
    [[nodiscard]] std::map<std::string, Row> keyed(const std::string& name,
                                                   const std::string& key) const {
      std::map<std::string, Row> result;
      for (Row& row : table(name)) {
        const std::string value = row.at(key);
        EXPECT_TRUE(result.emplace(value, std::move(row)).second) << name << " repeats a key";
      }
      return result;
    }
  };
  static void SetUpTestSuite() { made_ = std::make_unique<Made>(); }
  static void TearDownTestSuite() { made_.reset(); }
  static const Made& world() { return *made_; }

 private:
  static std::unique_ptr<Made> made_;
};
std::unique_ptr<Consortium::Made> Consortium::made_;

TEST_F(Consortium, SummaryAndWorldFileCountTheRows) {
  const ConsortiumSummary& summary = world().summary;
  const Json json = read_json_file(world().folder + "/world.json");
  std::map<std::string, std::uint64_t> rows;
  for (const auto& file : json.at("files")) {
    const std::string path = file.at("path");
    const std::string text = read_file(world().folder + "/" + path);
    EXPECT_EQ(file.at("rows"), std::count(text.begin(), text.end(), '\n') - 1) << path;
    EXPECT_TRUE(text.starts_with(file.at("columns").get<std::string>() + "\n")) << path;
    rows[path] = file.at("rows");
  }
  EXPECT_EQ(hashes(world().folder).size(), rows.size() + 1);  // and world.json itself
  EXPECT_EQ(json.at("seed"), 1);
  EXPECT_EQ(summary.patients, kPatients);
  EXPECT_EQ(rows.at("patients.csv"), kPatients);
  EXPECT_EQ(rows.at("hospitals.csv"), kHospitals);
  EXPECT_EQ(rows.at("register.csv"), summary.registered);
  EXPECT_EQ(rows.at("truth/people.csv"), summary.population);
  EXPECT_EQ(rows.at("truth/visits.csv"), summary.visits);
  EXPECT_EQ(world().discharges.size(), summary.visits);
  EXPECT_EQ(world().dna.size(), summary.dna_samples);
  EXPECT_EQ(world().dna_trail.size(), summary.dna_patients);
  EXPECT_EQ(rows.at("codes.csv"), summary.codes);
  EXPECT_EQ(rows.at("insurer.csv"), summary.insured);
  EXPECT_EQ(rows.at("web_facts.csv"), summary.web_pages);
}

TEST_F(Consortium, TruthNamesEveryRowOfEveryFileOnce) {
  const std::map<std::string, std::string> files = {{"register.csv", "entry"},
                                                    {"patients.csv", "patient"},
                                                    {"insurer.csv", "member"},
                                                    {"web_facts.csv", "page"}};
  for (const auto& [file, key] : files) {
    std::set<std::string> told;
    for (const Row& row : world().people) {
      if (row.at(key).empty()) continue;
      EXPECT_TRUE(told.insert(row.at(key)).second) << file;
    }
    std::set<std::string> there;
    for (const auto& [value, row] : world().keyed(file, key)) there.insert(value);
    EXPECT_EQ(told, there) << file;
  }
  std::set<std::string> visits;
  for (const Row& row : world().discharges) {
    EXPECT_TRUE(visits.insert(row.at("visit")).second);
    EXPECT_TRUE(world().person_of_visit.contains(row.at("visit")));
  }
  EXPECT_EQ(visits.size(), world().person_of_visit.size());
}

TEST_F(Consortium, TheSamePersonIsDescribedAlikeEverywhere) {
  const auto entries = world().keyed("register.csv", "entry");
  const auto patients = world().keyed("patients.csv", "patient");
  const auto members = world().keyed("insurer.csv", "member");
  std::map<std::string, Row> person;
  std::size_t unregistered_patients = 0;
  std::size_t registered_others = 0;
  for (const Row& row : world().people) {
    person[row.at("person")] = row;
    if (!row.at("patient").empty() && row.at("entry").empty()) ++unregistered_patients;
    if (row.at("patient").empty() && !row.at("entry").empty()) ++registered_others;
    if (!row.at("member").empty()) {
      EXPECT_FALSE(row.at("patient").empty());
    }
    if (row.at("patient").empty() || row.at("entry").empty()) continue;
    for (const std::string column : {"date_of_birth", "sex", "zip"}) {
      EXPECT_EQ(patients.at(row.at("patient")).at(column), entries.at(row.at("entry")).at(column));
    }
    if (row.at("member").empty()) continue;
    EXPECT_EQ(members.at(row.at("member")).at("name"), entries.at(row.at("entry")).at("name"));
  }
  EXPECT_GT(unregistered_patients, kPatients / 50);
  EXPECT_GT(registered_others, kPatients);
  for (const Row& stay : world().discharges) {
    const Row& who = person.at(world().person_of_visit.at(stay.at("visit")));
    const Row& patient = patients.at(who.at("patient"));
    for (const std::string column : {"date_of_birth", "sex", "zip"}) {
      EXPECT_EQ(stay.at(column), patient.at(column));
    }
    EXPECT_GE(stay.at("admission_date"), stay.at("date_of_birth"));
    EXPECT_GE(stay.at("admission_date"), "2010-01-01");
    EXPECT_LE(stay.at("admission_date"), "2012-12-31");
    if (!who.at("entry").empty()) {
      EXPECT_EQ(stay.at("name"), entries.at(who.at("entry")).at("name"));
    }
  }
}

TEST_F(Consortium, CodesAreThoseOfTheStays) {
  std::map<std::string, std::string> pseudonym;
  for (const Row& row : world().people) pseudonym[row.at("person")] = row.at("patient");
  std::map<std::string, std::set<std::string>> from_stays;
  std::map<std::string, std::uint64_t> days;
  std::map<std::string, std::uint64_t> stays;
  for (const Row& stay : world().discharges) {
    const std::string& patient = pseudonym.at(world().person_of_visit.at(stay.at("visit")));
    auto& codes = from_stays[patient];
    codes.insert(stay.at("primary_diagnosis"));
    if (!stay.at("other_diagnoses").empty()) {
      for (const auto& code : split(stay.at("other_diagnoses"), '|')) codes.insert(code);
    }
    days[patient] += std::stoull(stay.at("length_of_stay"));
    ++stays[patient];
  }
  std::map<std::string, std::set<std::string>> listed;
  for (const Row& row : world().table("codes.csv")) {
    EXPECT_TRUE(listed[row.at("patient")].insert(row.at("code")).second);
  }
  EXPECT_EQ(listed, from_stays);
  for (const Row& row : world().table("patients.csv")) {
    const std::string& patient = row.at("patient");
    EXPECT_TRUE(listed.at(patient).contains(row.at("diagnosis")));
    EXPECT_EQ(row.at("length_of_stay"), std::to_string(days.at(patient)));
    EXPECT_EQ(row.at("hospital_visits"), std::to_string(stays.at(patient)));
  }
}

TEST_F(Consortium, CodesFitSexAndAgeAndAreSkewed) {
  std::map<std::string, synthetic::Diagnosis> known;
  for (const auto& diagnosis : synthetic::all_diagnoses()) {
    EXPECT_TRUE(known.emplace(diagnosis.code, diagnosis).second) << diagnosis.code;
  }
  const auto patients = world().keyed("patients.csv", "patient");
  std::map<std::string, std::size_t> frequency;
  std::map<std::string, std::set<std::string>> sets;
  for (const Row& row : world().table("codes.csv")) {
    const Row& patient = patients.at(row.at("patient"));
    const auto& diagnosis = known.at(row.at("code"));
    EXPECT_TRUE(patient.at("sex") == "F" ? diagnosis.women : diagnosis.men) << row.at("code");
    // Pregnancy, childbirth and the newborn, told from the numbers alone.
    const std::string chapter = row.at("code").substr(0, 2);
    const int age = std::stoi(patient.at("age"));
    if (chapter == "64" || chapter == "65" || chapter == "66") {
      EXPECT_EQ(patient.at("sex"), "F");
      EXPECT_TRUE(age >= 15 && age < 45) << age;
    }
    if (row.at("code") == "185") {
      EXPECT_TRUE(patient.at("sex") == "M" && age >= 45);
    }
    if (chapter == "76" || chapter == "77") {
      EXPECT_EQ(age, 0);
    }
    ++frequency[row.at("code")];
    sets[row.at("patient")].insert(row.at("code"));
  }
  std::vector<std::size_t> counts;
  std::size_t total = 0;
  for (const auto& [code, count] : frequency) {
    counts.push_back(count);
    total += count;
  }
  std::sort(counts.rbegin(), counts.rend());
  std::size_t top = 0;
  for (std::size_t i = 0; i < counts.size() / 10; ++i) top += counts[i];
  EXPECT_GT(static_cast<double>(top) / static_cast<double>(total), 0.3);  // uniform: 0.1
  EXPECT_GT(frequency.size(), 400U);

  // Diabetes and high blood pressure come together more often than chance has it.
  double diabetes = 0;
  double pressure = 0;
  double both = 0;
  for (const auto& [patient, codes] : sets) {
    const bool d = codes.contains("250.00");
    const bool p = codes.contains("401.9");
    diabetes += d ? 1 : 0;
    pressure += p ? 1 : 0;
    both += d && p ? 1 : 0;
  }
  EXPECT_GT(both * static_cast<double>(sets.size()) / (diabetes * pressure), 1.5);
}

TEST_F(Consortium, PatientsPerHospitalFollowZipfsLaw) {
  std::map<std::string, double> patients;
  for (const auto& [person, hospitals] : world().identified_trail) {
    for (const auto& hospital : hospitals) ++patients[hospital];
  }
  std::vector<double> log_count;
  for (const auto& [hospital, count] : patients) log_count.push_back(std::log(count));
  std::sort(log_count.rbegin(), log_count.rend());
  ASSERT_EQ(log_count.size(), kHospitals);
  std::vector<double> log_rank;
  for (std::size_t i = 0; i < log_count.size(); ++i) {
    log_rank.push_back(std::log(static_cast<double>(i + 1)));
  }
  // A straight line of slope about -1 in the log-log plane.
  const double fit = correlation(log_rank, log_count);
  EXPECT_LT(fit, -0.97);
  const auto spread = [](const std::vector<double>& values) {
    double sum = 0;
    double squares = 0;
    for (const double value : values) {
      sum += value;
      squares += value * value;
    }
    const auto n = static_cast<double>(values.size());
    return std::sqrt(squares / n - sum / n * (sum / n));
  };
  const double slope = fit * spread(log_count) / spread(log_rank);
  EXPECT_LT(slope, -0.75);
  EXPECT_GT(slope, -1.25);
}

TEST_F(Consortium, NeighboursVisitTheSameHospitals) {
  std::map<std::string, std::string> zip;
  for (const Row& stay : world().discharges) {
    zip[world().person_of_visit.at(stay.at("visit"))] = stay.at("zip");
  }
  std::vector<std::pair<std::string, const std::set<std::string>*>> patients;
  for (const auto& [person, trail] : world().identified_trail) {
    patients.emplace_back(zip.at(person), &trail);
  }
  // Pairs of patients: from one ZIP, and from two counties; how many have a hospital in common?
  std::array<double, 2> pairs{};
  std::array<double, 2> common{};
  for (std::size_t i = 0; i < 2000; ++i) {
    for (std::size_t j = i + 1; j < 2000; ++j) {
      const bool same_zip = patients[i].first == patients[j].first;
      const bool same_county = patients[i].first.substr(0, 3) == patients[j].first.substr(0, 3);
      if (!same_zip && same_county) continue;
      const auto& [a, b] = std::pair(*patients[i].second, *patients[j].second);
      const bool meet =
          std::any_of(a.begin(), a.end(), [&](const auto& h) { return b.contains(h); });
      pairs[same_zip ? 0 : 1] += 1;
      common[same_zip ? 0 : 1] += meet ? 1 : 0;
    }
  }
  EXPECT_GT(common[0] / pairs[0], 2 * common[1] / pairs[1]);
}

TEST_F(Consortium, PatientsVisitOneToManyHospitals) {
  std::map<std::size_t, double> by_count;
  double sum = 0;
  for (const auto& [person, trail] : world().identified_trail) {
    by_count[trail.size()] += 1.0 / kPatients;
    sum += static_cast<double>(trail.size());
  }
  // Malin (2006), table 5.1: means 1.6 to 2.4 and medians 1 to 2 in most populations.
  EXPECT_GT(sum / kPatients, 1.5);
  EXPECT_LT(sum / kPatients, 2.4);
  EXPECT_GT(by_count[1], 0.4);
  EXPECT_GT(by_count[3], 0.02);
  EXPECT_GE(by_count.rbegin()->first, 7U);
}

TEST_F(Consortium, DnaTrailsAreSubtrailsAndSomeAreShorterOrMissing) {
  std::map<std::string, std::set<std::string>> sequences;
  for (const Row& row : world().dna) {
    EXPECT_TRUE(world().person_of_sample.contains(row.at("sample")));
    sequences[row.at("sample")].insert(row.at("sequence"));
    EXPECT_EQ(row.at("sequence").find_first_not_of("ACGT"), std::string::npos);
  }
  std::set<std::string> distinct;
  for (const auto& [sample, texts] : sequences) {
    EXPECT_EQ(texts.size(), 1U);
    EXPECT_TRUE(distinct.insert(*texts.begin()).second);
  }
  EXPECT_EQ(sequences.size(), world().person_of_sample.size());
  double shorter = 0;
  double missing = 0;
  for (const auto& [person, trail] : world().identified_trail) {
    const auto at = world().dna_trail.find(person);
    if (at == world().dna_trail.end()) {
      missing += 1.0 / kPatients;
      continue;
    }
    EXPECT_TRUE(std::includes(trail.begin(), trail.end(), at->second.begin(), at->second.end()));
    shorter += at->second.size() < trail.size() ? 1.0 / kPatients : 0;
  }
  for (const auto& [person, trail] : world().dna_trail) {
    EXPECT_TRUE(world().identified_trail.contains(person));
  }
  EXPECT_GT(missing, 0.15);
  EXPECT_LT(missing, 0.4);
  EXPECT_GT(shorter, 0.05);
}

TEST_F(Consortium, InheritedDiseasesMarkTheDna) {
  std::map<std::string, std::set<std::string>> codes;
  for (const Row& row : world().table("codes.csv")) {
    codes[row.at("patient")].insert(row.at("code"));
  }
  std::map<std::string, std::string> sequence;
  for (const Row& row : world().dna) sequence[row.at("sample")] = row.at("sequence");
  const std::vector<std::string> diseases = {"277.00", "334.0", "448.0",  "333.4",
                                             "270.1",  "356.3", "282.60", "759.5"};
  for (std::size_t site = 0; site < diseases.size(); ++site) {
    std::set<char> with;
    std::set<char> without;
    for (const Row& row : world().people) {
      if (row.at("sample").empty()) continue;
      (codes.at(row.at("patient")).contains(diseases[site]) ? with : without)
          .insert(sequence.at(row.at("sample"))[site]);
    }
    EXPECT_EQ(without.size(), 1U);
    EXPECT_LE(with.size(), 1U);
    if (!with.empty()) {
      EXPECT_NE(with, without);
    }
  }
}

TEST_F(Consortium, NamesAreSharedBySomeButNotWithTheDateOfBirth) {
  std::map<std::string, std::size_t> names;
  std::map<std::string, double> surnames;
  std::set<std::pair<std::string, std::string>> with_birth;
  const auto table = world().table("register.csv");
  for (const Row& row : table) {
    ++names[row.at("name")];
    surnames[split(row.at("name"), ' ')[2]] += 1.0 / static_cast<double>(table.size());
    EXPECT_TRUE(with_birth.emplace(row.at("name"), row.at("date_of_birth")).second);
  }
  double shared = 0;
  for (const auto& [name, count] : names) {
    shared += count > 1 ? static_cast<double>(count) / static_cast<double>(table.size()) : 0;
  }
  EXPECT_GT(shared, 0.005);
  EXPECT_LT(shared, 0.3);
  double largest = 0;
  for (const auto& [name, share] : surnames) largest = std::max(largest, share);
  EXPECT_GT(largest, 0.005);  // as Smith has it; were all alike, 0.0004
  EXPECT_LT(largest, 0.03);
  EXPECT_GT(surnames.size(), 1000U);
}

TEST_F(Consortium, TheRegisterHasAPyramidAndTellsMostPeopleApart) {
  std::map<std::string, double> quasi;
  double young = 0;
  double old = 0;
  double women = 0;
  double old_women = 0;
  const auto table = world().table("register.csv");
  for (const Row& row : table) {
    ++quasi[row.at("date_of_birth") + row.at("sex") + row.at("zip")];
    const bool woman = row.at("sex") == "F";
    young += row.at("date_of_birth") > "1994-12-31" ? 1 : 0;
    women += woman ? 1 : 0;
    if (row.at("date_of_birth") < "1933") {
      old += 1;
      old_women += woman ? 1 : 0;
    }
  }
  const auto people = static_cast<double>(table.size());
  EXPECT_NEAR(young / people, 0.24, 0.03);  // the United States in 2010: 24 % under 18
  EXPECT_NEAR(old / people, 0.037, 0.01);   // 3.6 % of 80 and over
  EXPECT_NEAR(women / people, 0.508, 0.02);
  EXPECT_GT(old_women / old, 0.57);
  double unique = 0;
  for (const auto& [key, count] : quasi) unique += count == 1 ? 1 : 0;
  EXPECT_GT(unique / people, 0.85);  // Sweeney (2000): 87 % of the population
}

TEST_F(Consortium, WebFactsAddToWhatTheInsurerTellsAboutIncome) {
  const auto members = world().keyed("insurer.csv", "member");
  const auto pages = world().keyed("web_facts.csv", "page");
  const auto entries = world().keyed("register.csv", "entry");
  std::vector<double> income;
  std::vector<double> valuation;
  std::vector<double> property;
  std::map<std::string, std::pair<double, double>> by_job;  // sum, count
  std::vector<std::string> job;
  double mistyped = 0;
  double named = 0;
  for (const Row& row : world().people) {
    if (!row.at("page").empty() && !row.at("entry").empty()) {
      ++named;
      const bool alike =
          pages.at(row.at("page")).at("name") == entries.at(row.at("entry")).at("name");
      mistyped += alike ? 0 : 1;
    }
    if (row.at("member").empty() || row.at("page").empty()) continue;
    const Row& page = pages.at(row.at("page"));
    income.push_back(std::log(std::stod(members.at(row.at("member")).at("income"))));
    valuation.push_back(std::stod(members.at(row.at("member")).at("valuation")));
    property.push_back(std::stod(page.at("property_size")));
    job.push_back(page.at("employment"));
    by_job[job.back()].first += income.back();
    by_job[job.back()].second += 1;
  }
  EXPECT_GT(mistyped / named, 0.05);
  EXPECT_LT(mistyped / named, 0.3);
  ASSERT_GT(income.size(), 1000U);
  std::vector<double> usual_of_job;
  usual_of_job.reserve(job.size());
  for (const auto& title : job) usual_of_job.push_back(by_job[title].first / by_job[title].second);
  const double r_valuation = correlation(income, valuation);
  const double r_property = correlation(income, property);
  const double r_job = correlation(income, usual_of_job);
  EXPECT_GT(r_valuation, 0.6);
  EXPECT_LT(r_valuation, 0.95);
  EXPECT_GT(r_property, 0.4);
  // The squared multiple correlation on valuation and one web fact, by its formula.
  const auto squared = [&](double r_other, const std::vector<double>& other) {
    const double between = correlation(valuation, other);
    return (r_valuation * r_valuation + r_other * r_other - 2 * r_valuation * r_other * between) /
           (1 - between * between);
  };
  EXPECT_GT(squared(r_property, property), r_valuation * r_valuation + 0.02);
  EXPECT_GT(squared(r_job, usual_of_job), r_valuation * r_valuation + 0.1);
}

TEST(ConsortiumFolder, SameSeedSameBytesOnAnyNumberOfThreads) {
  const PrivateFolder parent;
  std::vector<std::map<std::string, std::string>> made;
  for (const std::size_t threads : {1U, 2U}) {
    const ThreadLimit limit(threads);
    const std::string folder = parent.path() + "/" + std::to_string(threads);
    (void)generate_consortium({7, 5000, 9, folder}, Progress::silent());
    made.push_back(hashes(folder));
  }
  EXPECT_EQ(made[0].size(), 9 + 2 * 7 + 1U);
  EXPECT_EQ(made[0], made[1]);
  const std::string other = parent.path() + "/other";
  (void)generate_consortium({7, 5000, 10, other}, Progress::silent());
  EXPECT_NE(made[0].at("register.csv"), hashes(other).at("register.csv"));
}

TEST(ConsortiumFolder, TheSmallestAndTheManyHospitalWorldsWork) {
  const PrivateFolder parent;
  const auto smallest =
      generate_consortium({1, 1, 1, parent.path() + "/smallest"}, Progress::silent());
  EXPECT_EQ(smallest.patients, 1U);
  const auto many =
      generate_consortium({120, 300, 1, parent.path() + "/many/"}, Progress::silent());
  EXPECT_EQ(many.hospitals, 120U);
  EXPECT_TRUE(fs::exists(parent.path() + "/many/hospitals/H120/dna.csv"));
}

TEST(ConsortiumFolder, RefusesWhatItWouldOverwrite) {
  const PrivateFolder parent;
  const std::string folder = parent.path() + "/full";
  fs::create_directory(folder);
  write_file_atomically(folder + "/mine.txt", "keep");
  EXPECT_THROW((void)generate_consortium({2, 10, 1, folder}, Progress::silent()), Error);
  EXPECT_EQ(read_file(folder + "/mine.txt"), "keep");
  EXPECT_THROW((void)generate_consortium({2, 10, 1, folder + "/mine.txt"}, Progress::silent()),
               Error);
  EXPECT_THROW(
      (void)generate_consortium({2, 10, 1, parent.path() + "/no/such"}, Progress::silent()), Error);
  EXPECT_THROW((void)generate_consortium({0, 10, 1, parent.path() + "/a"}, Progress::silent()),
               Error);
  EXPECT_THROW((void)generate_consortium({2, 0, 1, parent.path() + "/a"}, Progress::silent()),
               Error);
  fs::create_directory(parent.path() + "/empty");
  EXPECT_NO_THROW(
      (void)generate_consortium({2, 10, 1, parent.path() + "/empty"}, Progress::silent()));
}

TEST(ConsortiumFolder, StoppingLeavesNothing) {
  const PrivateFolder parent;
  const std::string inside = parent.path() + "/inside";
  fs::create_directory(inside);
  Progress progress;
  progress.stop();
  EXPECT_THROW((void)generate_consortium({2, 1000, 1, inside + "/world"}, progress), Error);
  EXPECT_TRUE(fs::is_empty(inside));
}

TEST(Diagnoses, AreCodesOfTheClassification) {
  const std::string path = "../shared/data/codes/icd9cm_hierarchy.csv";
  if (!fs::exists(path)) GTEST_SKIP() << "needs " << path;
  std::set<std::string> billable;
  for (const std::string& line : split(read_file(path), '\n')) {
    const auto fields = split(line, ',');
    if (fields.size() > 2 && fields[2] == "1") billable.insert(fields[1]);
  }
  for (const auto& diagnosis : synthetic::all_diagnoses()) {
    std::string digits(diagnosis.code);
    digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
    EXPECT_TRUE(billable.contains(digits)) << diagnosis.code;
  }
}

}  // namespace
}  // namespace pratique
