// For the tests of the consortium: one small world, read back from its files.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/synthetic/consortium.h"

namespace pratique::synthetic {
using Row = std::map<std::string, std::string>;

inline std::vector<std::string> split(const std::string& text, char delimiter) {
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

inline std::vector<Row> read_table(const std::string& path) {
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

inline std::map<std::string, std::string> hashes(const std::string& folder) {
  std::map<std::string, std::string> result;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    result[entry.path().lexically_relative(folder)] = sha256_file(entry.path());
  }
  return result;
}

// One world for all tests that only look at it.
class Consortium : public testing::Test {
 protected:
  static constexpr std::uint64_t kHospitals = 20;
  static constexpr std::uint64_t kPatients = 6000;

  struct World {
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

    World() {
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
  static void SetUpTestSuite() { world_ = std::make_unique<World>(); }
  static void TearDownTestSuite() { world_.reset(); }
  static const World& world() { return *world_; }

 private:
  static inline std::unique_ptr<World> world_;
};

}  // namespace pratique::synthetic
