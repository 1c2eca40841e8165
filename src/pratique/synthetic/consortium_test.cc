#include "pratique/synthetic/consortium.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/json.h"
#include "pratique/core/parallel.h"
#include "pratique/synthetic/consortium_fixture.h"

// That the files agree with each other, and how the folder comes to be.
namespace pratique::synthetic::consortium_test {
namespace {

namespace fs = std::filesystem;

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

TEST_F(Consortium, TrueRecordsAreThoseOfRegisteredPatients) {
  const auto records = world().keyed("truth/records.csv", "entry");
  const auto patients = world().keyed("patients.csv", "patient");
  std::size_t registered_patients = 0;
  for (const Row& row : world().people) {
    if (row.at("patient").empty() || row.at("entry").empty()) continue;
    ++registered_patients;
    for (const std::string column : {"date_of_birth", "sex", "zip", "diagnosis"}) {
      EXPECT_EQ(records.at(row.at("entry")).at(column), patients.at(row.at("patient")).at(column));
    }
  }
  EXPECT_EQ(records.size(), registered_patients);
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

TEST(ConsortiumFolder, SameSeedSameBytesOnAnyNumberOfThreads) {
  const PrivateFolder parent;
  std::vector<std::map<std::string, std::string>> hashed;
  for (const std::size_t threads : {1U, 2U}) {
    const ThreadLimit limit(threads);
    const std::string folder = parent.path() + "/" + std::to_string(threads);
    (void)generate_consortium({7, 5000, 9, folder}, Progress::silent());
    hashed.push_back(hashes(folder));
  }
  EXPECT_EQ(hashed[0].size(), 10 + 2 * 7 + 1U);
  EXPECT_EQ(hashed[0], hashed[1]);
  const std::string other = parent.path() + "/other";
  (void)generate_consortium({7, 5000, 10, other}, Progress::silent());
  EXPECT_NE(hashed[0].at("register.csv"), hashes(other).at("register.csv"));
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

TEST(ConsortiumFolder, AFullDiskLeavesNothing) {
  const PrivateFolder parent;
  const std::string inside = parent.path() + "/inside";
  fs::create_directory(inside);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* const action = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string place;
  try {
    (void)generate_consortium({2, 5000, 1, inside + "/world"}, Progress::silent());
  } catch (const Error& error) {
    place = error.place();
    EXPECT_EQ(error.code(), ErrorCode::machine);
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  (void)std::signal(SIGXFSZ, action);
  EXPECT_TRUE(place.starts_with(inside + "/world/")) << place;
  EXPECT_TRUE(fs::is_empty(inside));
}

}  // namespace
}  // namespace pratique::synthetic::consortium_test
