#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pratique/synthetic/consortium_fixture.h"
#include "pratique/synthetic/internal/diagnoses.h"

// That the world has the shape it is meant to have, measured on its files.
namespace pratique::synthetic::consortium_shape_test {
namespace {

namespace fs = std::filesystem;

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

TEST_F(Consortium, CodesFitSexAndAgeAndAreSkewed) {
  std::map<std::string, Diagnosis> known;
  for (const auto& diagnosis : all_diagnoses()) {
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
  log_count.reserve(patients.size());
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
      const auto& a = *patients[i].second;
      const auto& b = *patients[j].second;
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

TEST(Diagnoses, AreCodesOfTheClassification) {
  const std::string path = "../shared/data/codes/icd9cm_hierarchy.csv";
  if (!fs::exists(path)) GTEST_SKIP() << "needs " << path;
  std::set<std::string> billable;
  for (const std::string& line : split(read_file(path), '\n')) {
    const auto fields = split(line, ',');
    if (fields.size() > 2 && fields[2] == "1") billable.insert(fields[1]);
  }
  for (const auto& diagnosis : all_diagnoses()) {
    std::string digits(diagnosis.code);
    digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
    EXPECT_TRUE(billable.contains(digits)) << diagnosis.code;
  }
}

}  // namespace
}  // namespace pratique::synthetic::consortium_shape_test
