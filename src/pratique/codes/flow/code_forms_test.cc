#include <nlohmann/json.hpp>

#include "pratique/codes/flow/protect.h"
#include "pratique/codes/flow/testing/codes_flow_fixture.h"

namespace pratique::codes::flow::code_forms_test {
namespace {

class CodeFormsFlow : public CodesProtectFlow {};

// ICD-10-CM is detected, and its codes are released in one spelling.
TEST_F(CodeFormsFlow, TheSystemOfCodesIsDetectedAndSpellingsAreMadeOne) {
  ProtectRequest request = asked("apriori");
  request.file =
      file("icd10.csv", "patient,code\n1,E11.9\n2,E119\n3,e11.9\n4,E11.65\n5,I10\n6,I10\n");
  request.codes.hierarchy.clear();
  request.parameters.k = 2;
  request.parameters.m = 1;
  request.out = path("icd10-out.csv");
  const auto result = result_of(request);
  EXPECT_EQ(result.at("hierarchy"), "icd10");
  EXPECT_EQ(
      result.at("respelled"),
      (Json{{"spellings", 2}, {"occurrences", 2}, {"points", 1}, {"letters", 1}, {"blanks", 0}}));
  // E11.65 is one patient's: with E11.9 it is the category E11.
  std::multiset<std::string> released;
  for (const auto& line : lines_of(request.out)) {
    if (line.find("code") == std::string::npos) released.insert(line.substr(line.find(',') + 1));
  }
  EXPECT_EQ(released, (std::multiset<std::string>{"E11", "E11", "E11", "E11", "I10", "I10"}));
  const auto manifest = manifest_of(request.out);
  EXPECT_EQ(manifest.at("parameters").at("code_system"), "icd10");
  EXPECT_EQ(manifest.at("parameters").at("points"), true);
  EXPECT_TRUE(verifies(request.out));

  request.file = file("shop.dat", "milk bread\nmilk\nbread\n");
  const auto why = refusal([&] { return protect(request, run()); });
  EXPECT_NE(why.find("needs a hierarchy"), std::string::npos) << why;
}

// A claims file, with two claims of one patient and a patient without a diagnosis, leaves as rows
// of patient and code; so does a discharge list.
TEST_F(CodeFormsFlow, WideFilesAndListsInCellsAreReadAsTheyAre) {
  ProtectRequest request = asked("suppress");
  request.codes.hierarchy.clear();
  request.parameters.k = 2;
  request.parameters.m = 1;
  request.insensitive = {"sex"};
  request.file =
      file("claims.csv",
           "patient,DX1,sex,DX2\n1,250.00,f,\n2,401.9,m,25000\n1,401.9,f,\n3,V58.1,f,\n4,,m,\n");
  request.out = path("claims-out.csv");
  const auto wide = result_of(request);
  EXPECT_EQ(wide.at("code_columns"), (Json{"DX1", "DX2"}));
  EXPECT_EQ(wide.at("patients_without_codes"), 1);
  EXPECT_EQ(wide.at("patients_in"), 3);
  EXPECT_EQ(wide.at("respelled").at("points"), 1);
  const auto lines = lines_of(request.out);
  EXPECT_EQ(lines.front(), "patient,code,sex");
  EXPECT_EQ(lines.size(), 5U);  // two patients with 250.00 and 401.9
  EXPECT_TRUE(verifies(request.out));
  EXPECT_EQ(manifest_of(request.out).at("parameters").at("code_columns"), (Json{"DX1", "DX2"}));

  request.file = file("list.csv", "patient,code\n1,250.00;401.9\n2,401.9;250.00\n");
  request.out = path("list-out.csv");
  request.insensitive.clear();
  EXPECT_EQ(result_of(request).at("separator"), ";");
  EXPECT_EQ(
      sorted_lines_of(request.out),
      (std::vector<std::string>{"1,250.00", "1,401.9", "2,250.00", "2,401.9", "patient,code"}));
}

TEST_F(CodeFormsFlow, ALongReleaseKeepsItsColumnsAndNotItsNames) {
  auto request = asked("apriori");
  request.file = long_file("long.csv");
  request.out = path("out.csv");
  EXPECT_NE(refusal([&] { return protect(request, run()); }).find("dna: "), std::string::npos);
  request.insensitive = {"dna"};
  const auto result = result_of(request);
  EXPECT_EQ(result.at("unchanged"), Json::array({"dna"}));
  EXPECT_EQ(result.at("dropped"), Json::array({"visit"}));
  EXPECT_TRUE(verifies(request.out));
  EXPECT_EQ(lines_of(request.out).at(0), "patient,code,dna");
  EXPECT_EQ(read_file(request.out).find("Name"), std::string::npos);
  std::map<std::string, Record> by_patient;
  for (const auto& row : rows_of(request.out)) by_patient[row.at("patient")].insert(row.at("code"));
  EXPECT_EQ(by_patient.size(), 10U);
  EXPECT_EQ(std::count_if(by_patient.begin(), by_patient.end(),
                          [](const auto& patient) { return patient.second.size() == 2; }),
            7);
  const auto claim = manifest_of(request.out).at("claims").at(0);
  EXPECT_EQ(claim.at("patient"), "patient");
  EXPECT_EQ(claim.at("code"), "code");

  request.codes.columns.identifiers = {"dna"};
  request.insensitive.clear();
  request.out = path("out.parquet");
  EXPECT_EQ(result_of(request).at("unchanged"), Json::array());
  EXPECT_TRUE(verifies(request.out));
}

}  // namespace
}  // namespace pratique::codes::flow::code_forms_test
