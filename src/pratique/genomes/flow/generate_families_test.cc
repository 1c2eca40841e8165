// Files of a world of families agree with each other.
#include "pratique/genomes/flow/generate_families.h"

#include <nlohmann/json.hpp>
#include <set>

#include "pratique/genomes/flow/attack_family.h"
#include "pratique/genomes/flow/testing/genomes_flow_fixture.h"

namespace pratique::genomes::flow::generate_families_test {
namespace {

class GenerateFamilies : public GenomesFlowFixture {};

TEST_F(GenerateFamilies, FilesOfAWorldAgreeWithEachOther) {
  const FamiliesRequest request{
      .people = 120, .hospitals = 4, .sites = 30, .seed = 4, .out = path("world")};
  const Json result = *generate_families(request, run()).result;
  const auto truth = table_of(path("world/truth.csv"));
  EXPECT_EQ(result.at("people"), truth.size());
  EXPECT_EQ(result.at("seed"), 4);
  EXPECT_EQ(result.at("out"), path("world"));
  std::map<std::string, std::map<std::string, std::string>> of_name;
  std::map<std::string, int> people_called;
  std::set<std::string> samples;
  int carriers = 0;
  std::set<std::string> families;
  for (const auto& row : truth) {
    of_name[row.at("name")] = row;
    ++people_called[row.at("name")];
    families.insert(row.at("family"));
    if (!row.at("sample").empty()) samples.insert(row.at("sample"));
    carriers += row.at("disease").empty() ? 0 : 1;
  }
  EXPECT_EQ(result.at("samples"), samples.size());
  EXPECT_EQ(result.at("families"), families.size());
  EXPECT_EQ(result.at("carriers"), carriers);
  // Genotypes of the samples, and alleles that children have of their parents.
  std::vector<std::string> header;
  std::map<std::string, std::vector<std::string>> calls;
  std::size_t variants = 0;
  int last = 0;
  for (const auto& line : lines_of(path("world/genotypes.vcf"))) {
    if (line.starts_with("##")) continue;
    const auto cells = parts_of(line, '\t');
    if (header.empty()) {
      header = cells;
      continue;
    }
    ++variants;
    EXPECT_GT(std::stoi(cells.at(1)), last);
    last = std::stoi(cells.at(1));
    for (std::size_t c = 9; c < cells.size(); ++c) calls[header[c]].push_back(cells[c]);
  }
  EXPECT_EQ(result.at("variants"), variants);
  EXPECT_GE(variants, 30U);
  EXPECT_EQ(calls.size(), samples.size());
  for (const auto& sample : samples) EXPECT_TRUE(calls.contains(sample));
  // Nor are samples in the order of the families.
  const std::vector<std::string> listed(header.begin() + 9, header.end());
  std::vector<std::string> by_family;
  for (const auto& row : truth)
    if (!row.at("sample").empty()) by_family.push_back(row.at("sample"));
  EXPECT_TRUE(std::is_permutation(listed.begin(), listed.end(), by_family.begin()));
  EXPECT_NE(listed, by_family);
  // Of each disease there is a variant that those who have it carry once, and nobody else does.
  std::map<std::string, std::set<std::string>> diseased;
  for (const auto& row : truth)
    if (!row.at("sample").empty() && !row.at("disease").empty())
      diseased[row.at("disease")].insert(row.at("sample"));
  EXPECT_FALSE(diseased.empty());
  std::map<std::set<std::string>, std::size_t> carried_by;  // one copy each
  for (std::size_t v = 0; v < variants; ++v) {
    std::set<std::string> who;
    bool once = true;
    for (const auto& [sample, own] : calls) {
      if (own[v] != "0|0") who.insert(sample);
      once = once && own[v] != "1|1";
    }
    if (once) carried_by.emplace(who, v);
  }
  for (const auto& [disease, who] : diseased) EXPECT_TRUE(carried_by.contains(who)) << disease;
  int trios = 0;
  std::map<std::string, std::string> sex;
  std::map<std::string, std::string> family_of;
  for (const auto& line : lines_of(path("world/families.ped"))) {
    const auto cells = parts_of(line, ' ');
    sex[cells.at(1)] = cells.at(4);
    EXPECT_TRUE(cells.at(4) == "1" || cells.at(4) == "2");
    if (cells[2] == "0") continue;
    EXPECT_EQ(sex.contains(cells[2]) ? sex[cells[2]] : "1", "1");
    EXPECT_EQ(sex.contains(cells[3]) ? sex[cells[3]] : "2", "2");
    if (!calls.contains(cells[1]) || !calls.contains(cells[2]) || !calls.contains(cells[3]))
      continue;
    ++trios;
    for (std::size_t v = 0; v < variants; ++v) {
      EXPECT_NE(calls[cells[2]][v].find(calls[cells[1]][v][0]), std::string::npos);
      EXPECT_NE(calls[cells[3]][v].find(calls[cells[1]][v][2]), std::string::npos);
    }
  }
  EXPECT_GT(trios, 0);
  EXPECT_EQ(sex.size(), truth.size());
  // DNA and discharges are of the same hospitals, sexes as in the pedigrees.
  std::map<std::string, std::set<std::string>> dna_at;
  std::map<std::string, std::set<std::string>> seen_at;
  for (const auto& row : table_of(path("world/dna.csv"))) {
    dna_at[row.at("sample")].insert(row.at("hospital"));
    EXPECT_EQ(row.at("sex"), sex.at(row.at("sample")) == "1" ? "M" : "F");
    EXPECT_EQ(row.at("hospital").size(), 3U);
    EXPECT_GE(row.at("hospital"), "H01");
    EXPECT_LE(row.at("hospital"), "H04");
  }
  for (const auto& row : table_of(path("world/clinical.csv"))) {
    const auto& person = of_name.at(row.at("name"));
    if (people_called[row.at("name")] == 1) {
      EXPECT_EQ(row.at("sex"), sex.at(person.at("person")) == "1" ? "M" : "F");
      if (!row.at("icd9").empty()) {
        EXPECT_EQ(row.at("icd9"), person.at("disease"));
      }
    }
    seen_at[row.at("name")].insert(row.at("hospital"));
  }
  EXPECT_EQ(dna_at.size(), samples.size());
  for (const auto& row : truth) {
    if (row.at("sample").empty()) continue;
    EXPECT_EQ(row.at("sample"), row.at("person"));
    for (const auto& hospital : dna_at.at(row.at("sample")))
      EXPECT_TRUE(seen_at[row.at("name")].contains(hospital));
  }
  EXPECT_EQ(table_of(path("world/register.csv")).size(), truth.size());
  // Attacks find what is there.
  const Json attacked = *attack_family({.pedigrees = path("world/families.ped"),
                                        .register_file = path("world/genealogies.ged")},
                                       run())
                             .result;
  EXPECT_EQ(attacked.at("structures"), families.size());
  EXPECT_EQ(attacked.at("matched"), families.size());
  // The same seed makes the same world, another one another; a folder that has something stays.
  auto again = request;
  again.out = path("again/");
  (void)generate_families(again, run());
  for (const char* name : {"genotypes.vcf", "dna.csv", "clinical.csv", "register.csv", "truth.csv",
                           "families.ped", "genealogies.ged"})
    EXPECT_EQ(read_file(path("again/") + name), read_file(path("world/") + name)) << name;
  EXPECT_NE(refusal([&] { return generate_families(again, run()); }).find("not empty"),
            std::string::npos);
  again.out = path("nowhere/world");
  EXPECT_NE(refusal([&] { return generate_families(again, run()); }).find("does not exist"),
            std::string::npos);
}

}  // namespace
}  // namespace pratique::genomes::flow::generate_families_test
