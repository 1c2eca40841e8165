#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "pratique/codes/flow/protect.h"
#include "pratique/codes/flow/testing/codes_flow_fixture.h"

namespace pratique::codes::flow::table_codes_protect_test {
namespace {

class TableAndCodesFlow : public CodesProtectFlow {
 protected:
  ProtectRequest request{.model = "table+codes", .out = path("out.csv"), .seed = 1};
  void SetUp() override {
    // Each code is shared by four and each age by four, but not both.
    std::string text = "patient,code,age,dna\n";
    for (int number = 0; number < 16; ++number) {
      text += fmt::format("Name{},{},{},{}\n", number, "abcd"[number % 4], 20 + number / 4,
                          "ACGT"[number % 4]);
    }
    request.file = file("in.csv", text);
    request.codes.hierarchy = file("tree.csv", "a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n");
    request.parameters.k = 4;
    request.parameters.m = 1;
    request.parameters.quasi_identifiers = {"age"};
    request.insensitive = {"dna"};
    request.parameters.value_hierarchies = {"age=interval:2,4"};
  }
};

TEST_F(TableAndCodesFlow, EachAgeWithEachCodeIsShared) {
  const auto result = result_of(request);
  EXPECT_EQ(result.at("unchanged"), Json::array({"dna"}));
  const Json everybody = {{"targets", 16}, {"matched_under_k", 16}, {"reidentified", 16}};
  const Json nobody = {{"targets", 16}, {"matched_under_k", 0}, {"reidentified", 0}};
  for (const auto* known : {"demographics_and_m_codes_known", "demographics_and_all_codes_known"}) {
    EXPECT_EQ(result.at("before").at(known), everybody);
    EXPECT_EQ(result.at("after").at(known), nobody);
  }
  EXPECT_EQ(result.at("before").at("m_codes_known"), nobody);
  std::map<std::string, int> alike;
  std::set<std::string> ages;
  const auto rows = rows_of(request.out);
  for (const auto& row : rows) {
    ++alike[row.at("age") + " " + row.at("code")];
    ages.insert(row.at("age"));
  }
  EXPECT_EQ(rows.size(), 16U);
  for (const auto& [both, count] : alike) EXPECT_GE(count, 4) << both;
  EXPECT_EQ(result.at("classes"), ages.size());
  EXPECT_GE(result.at("metrics").at("demographics_ncp"), 0);
  EXPECT_EQ(read_file(request.out).find("Name"), std::string::npos);
  EXPECT_EQ(manifest_of(request.out).at("claims").at(0).at("quasi_identifiers"),
            Json::array({"age"}));
  EXPECT_TRUE(verifies(request.out));
}

TEST_F(TableAndCodesFlow, WithoutAHierarchyAnAgeStaysOrGoes) {
  request.parameters.value_hierarchies.clear();
  (void)result_of(request);
  for (const auto& row : rows_of(request.out)) {
    const auto& age = row.at("age");
    EXPECT_TRUE(age == "*" || age == "20" || age == "21" || age == "22" || age == "23") << age;
  }
}

TEST_F(TableAndCodesFlow, QuasiIdentifiersAreNamedRightly) {
  const auto said = [&] { return refusal([&] { return protect(request, run()); }); };
  request.parameters.quasi_identifiers = {"dna"};
  request.insensitive = {"age"};
  EXPECT_NE(said().find("'age', which is not a quasi-identifier"), std::string::npos);
  request.parameters.value_hierarchies.clear();
  request.parameters.quasi_identifiers = {"weight"};
  EXPECT_NE(said().find("weight"), std::string::npos);
  request.parameters.quasi_identifiers.clear();
  EXPECT_NE(said().find("--qi"), std::string::npos);
  EXPECT_TRUE(nothing_written(request.out));
}

}  // namespace
}  // namespace pratique::codes::flow::table_codes_protect_test
