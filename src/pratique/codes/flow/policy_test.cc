#include "pratique/codes/flow/policy.h"

#include <nlohmann/json.hpp>

#include "pratique/codes/flow/protect.h"
#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::codes::flow::policy_test {
namespace {

class CodesPolicyFlow : public FlowFixture {
 protected:
  std::string sets =
      file("sets.dat", "296.00 296.01 296.02\n295.00 295.01 295.02\n296.00 296.02\n");
  std::string out = path("policy.txt");

  // The first line says who wrote it.
  static std::string constraints_in(const std::string& policy) {
    const std::string text = read_file(policy);
    EXPECT_TRUE(text.starts_with("# Written by pratique codes "));
    return text.substr(text.find('\n') + 1);
  }

  UtilityPolicyRequest utility() const { return {.file = sets, .out = out}; }
  Json result_of(const UtilityPolicyRequest& request) {
    return *utility_policy(request, run()).result;
  }
};

TEST_F(CodesPolicyFlow, EverySetOfAVisitIsOnePrivacyConstraint) {
  PrivacyPolicyRequest request{
      .discharge = file("discharge.csv",
                        "patient,visit,code\nann,1,296.00\nann,1,296.01\nann,1,V70\nann,2,296.02\n"
                        "bob,1,296.01\nbob,1,296.00\n"),
      .out = out};
  request.codes.columns.visit = "visit";
  const Json all = *privacy_policy(request, run()).result;
  EXPECT_EQ(all, (Json{{"constraints", 3}, {"codes", 4}, {"out", out}}));
  EXPECT_EQ(constraints_in(out), "296.00 296.01\n296.00 296.01 V70\n296.02\n");

  // Only what the patients of the data have, each set once.
  request.data = file("data.csv", "patient,code\n1,296.00\n1,296.01\n2,296.02\n");
  const Json within = *privacy_policy(request, run()).result;
  EXPECT_EQ(within, (Json{{"constraints", 2}, {"codes", 3}, {"out", out}}));
  EXPECT_EQ(constraints_in(out), "296.00 296.01\n296.02\n");
}

TEST_F(CodesPolicyFlow, APolicyWithoutConstraintsIsNotWritten) {
  const PrivacyPolicyRequest request{.discharge = file("discharge.dat", "a b\nc\n"),
                                     .data = file("data.dat", "x\ny\n"),
                                     .out = out};
  EXPECT_NE(refusal([&] { return privacy_policy(request, run()); }).find("no constraint"),
            std::string::npos);
  auto diseases = utility();
  diseases.diseases = file("diseases.txt", "Asthma: 493\n");
  EXPECT_NE(refusal([&] { return utility_policy(diseases, run()); }).find("no constraint"),
            std::string::npos);
  EXPECT_TRUE(nothing_written(out));
}

TEST_F(CodesPolicyFlow, NoFileThatIsReadIsOverwritten) {
  const auto tree = file("tree.csv", "296.00;*\n");
  const auto diseases = file("diseases.txt", "Mine: 296.0\n");
  for (const auto& [request, target] : std::vector<std::pair<UtilityPolicyRequest, std::string>>{
           {{.file = sets, .diseases = "gwas"}, sets},
           {{.file = sets, .diseases = diseases}, diseases},
           {{.file = sets, .hierarchy = tree}, tree}}) {
    auto onto = request;
    onto.out = target;
    const auto before = read_file(target);
    EXPECT_NE(refusal([&] { return utility_policy(onto, run()); }).find("same file"),
              std::string::npos);
    EXPECT_EQ(read_file(target), before);
  }
  for (const auto& target : {sets, diseases}) {
    const auto before = read_file(target);
    EXPECT_NE(refusal([&] {
                return privacy_policy({.discharge = sets, .data = diseases, .out = target}, run());
              }).find("same file"),
              std::string::npos);
    EXPECT_EQ(read_file(target), before);
  }
}

TEST_F(CodesPolicyFlow, AUtilityPolicyComesFromAHierarchyOrFromDiseases) {
  auto request = utility();
  EXPECT_NE(refusal([&] { return utility_policy(request, run()); }).find("--diseases"),
            std::string::npos);
  request.hierarchy = "icd9";
  request.diseases = "gwas";
  EXPECT_NE(refusal([&] { return utility_policy(request, run()); }).find("--diseases"),
            std::string::npos);
  EXPECT_TRUE(nothing_written(out));

  request.hierarchy.clear();
  // Bipolar disorder is 296.0x, schizophrenia 295.
  EXPECT_EQ(result_of(request), (Json{{"constraints", 2}, {"codes", 6}, {"out", out}}));
  EXPECT_EQ(constraints_in(out), "295.00 295.01 295.02\n296.00 296.01 296.02\n");

  request.diseases = file("diseases.txt", "Mine: 296.0 295.01\n");
  EXPECT_EQ(result_of(request).at("codes"), 4);
  EXPECT_EQ(constraints_in(out), "295.01 296.00 296.01 296.02\n");
}

TEST_F(CodesPolicyFlow, LevelsGoFromTheCodesToTheRoot) {
  auto request = utility();
  request.hierarchy = "icd9";
  request.level = 2;  // three digits
  (void)result_of(request);
  EXPECT_EQ(constraints_in(out), "295.00 295.01 295.02\n296.00 296.01 296.02\n");

  request.file = file("few.dat", "a b\nc\n");
  request.hierarchy = file("tree.csv", "a;ab;*\nb;ab;*\nc;c-;*\n");
  const std::vector<std::string> expected = {"a\nb\nc\n", "a b\nc\n", "a b c\n"};
  for (std::uint64_t level = 0; level < 3; ++level) {
    request.level = level;
    EXPECT_EQ(result_of(request).at("codes"), 3);
    EXPECT_EQ(constraints_in(out), expected[level]) << level;
  }
  request.level = 3;
  const auto text = refusal([&] { return utility_policy(request, run()); });
  EXPECT_NE(text.find("no level 3"), std::string::npos);
  EXPECT_NE(text.find("to 2, the root"), std::string::npos);
  EXPECT_EQ(constraints_in(out), expected[2]);
}

TEST_F(CodesPolicyFlow, PoliciesAreReadOverTheCodesOfTheData) {
  const auto data = CodeInput{}.read(run(), sets).sets;
  const auto read = [&](const std::string& key, const std::string& path, Parameters& into) {
    const auto setting = std::ranges::find(policy_model.settings, key, &Setting::key);
    std::get<Setting::FromFile>(setting->value)(path, data, into);
  };
  Parameters both;
  read("privacy", file("privacy.txt", "296.00 296.01\n"), both);
  read("utility", file("kept.txt", "295.00\n"), both);
  EXPECT_EQ(both.policy->codes, &data.codes);
  EXPECT_EQ(
      both.policy->privacy,
      (std::vector<std::vector<Code>>{{*data.codes.find("296.00"), *data.codes.find("296.01")}}));
  EXPECT_EQ(both.policy->utility, (std::vector<std::vector<Code>>{{*data.codes.find("295.00")}}));

  Parameters of_studies;
  read("utility", "gwas", of_studies);
  EXPECT_TRUE(of_studies.policy->privacy.empty());
  EXPECT_EQ(of_studies.policy->utility.size(), 2U);
  EXPECT_NE(refusal([&] {
              read("privacy", file("bad.txt", "296.00 296.09\n"), of_studies);
              return 0;
            }).find("bad.txt:1:8"),
            std::string::npos);
}

class CodesGwasFlow : public FlowFixture {
 protected:
  std::map<std::string, Json> by_disease(const GwasRequest& request) {
    const Json result = *gwas(request, run()).result;
    EXPECT_EQ(result.at("diseases"), result.at("table").size());
    std::map<std::string, Json> rows;
    std::uint64_t usable = 0;
    for (const auto& row : result.at("table")) {
      usable += row.at("usable") == true ? 1U : 0U;
      rows[row.at("disease")] = row;
    }
    EXPECT_EQ(result.at("gwas_supported"), usable);
    return rows;
  }
};

TEST_F(CodesGwasFlow, ItemsAcrossADiseaseMakeItUseless) {
  GwasRequest request{.release = file("r.dat", "(493.00|401.1) 185\n185\n(493.01|493.02)\n"),
                      .original = file("o.dat", "493.00 185\n185 401.1\n493.01\n")};
  const auto rows = by_disease(request);
  EXPECT_EQ(rows.size(), 18U);
  EXPECT_EQ(rows.at("Prostate cancer"), (Json{{"disease", "Prostate cancer"},
                                              {"usable", true},
                                              {"cases", 2},
                                              {"cases_before", 2},
                                              {"sets_across", 0}}));
  // (493.01|493.02) is asthma for certain, (493.00|401.1) may be.
  EXPECT_EQ(rows.at("Asthma"), (Json{{"disease", "Asthma"},
                                     {"usable", false},
                                     {"cases", 1},
                                     {"cases_before", 2},
                                     {"sets_across", 1}}));
  request.original.clear();
  EXPECT_EQ(by_disease(request).at("Asthma").at("cases_before"), nullptr);
  // Without the original nobody can tell that a case was lost.
  request.release = file("less.dat", "185\n");
  EXPECT_EQ(by_disease(request).at("Prostate cancer").at("usable"), true);
  request.original = path("o.dat");
  EXPECT_EQ(by_disease(request).at("Prostate cancer").at("usable"), false);
}

TEST_F(CodesGwasFlow, OnlyWhatStandsInBracketsIsASetOfCodes) {
  const auto diseases = file("diseases.txt", "Prostate: 185\nAsthma: 493\n");
  const auto cases = [&](const std::string& item) {
    return by_disease({.release = file("r.dat", item + "\n"), .diseases = diseases})
        .at("Prostate")
        .at("cases");
  };
  EXPECT_EQ(cases("185"), 1);
  EXPECT_EQ(cases("(185)"), 1);
  EXPECT_EQ(cases("(185|185.0)"), 1);
  EXPECT_EQ(cases("(185|493)"), 0);
  EXPECT_EQ(cases("()"), 0);
  EXPECT_EQ(cases("("), 0);
  EXPECT_EQ(cases("(185"), 0);
  EXPECT_EQ(cases("185)"), 0);
}

TEST_F(CodesGwasFlow, LabelsMeanWhatTheManifestSays) {
  const auto data = file("in.dat", "493.00\n493.01\n401.1\n401.1\n");
  const auto out = path("out.dat");
  ProtectRequest request{.file = data, .out = out, .seed = 1};
  request.parameters.k = 2;
  request.parameters.m = 1;
  request.codes.hierarchy =
      file("tree.csv", "493.00;breathing;*\n493.01;breathing;*\n401.1;pressure;*\n");
  (void)protect(request, run());
  ASSERT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"401.1", "401.1", "breathing", "breathing"}));
  const auto asthma = [&] { return by_disease({.release = out, .original = data}).at("Asthma"); };
  EXPECT_EQ(asthma().at("usable"), true);
  EXPECT_EQ(asthma().at("cases"), 2);

  // What is no label of the file, or not of the shape of labels, says nothing.
  Json manifest = manifest_of(out);
  const Json claim = manifest.at("claims").at(0);
  const auto with_labels = [&](const Json& labels) {
    manifest["claims"] = Json::array({Json{{"model", "other"}, {"standing", "derived"}}, claim});
    manifest["claims"][1]["labels"] = labels;
    write_file_atomically(Manifest::path_of(out), to_text(manifest));
    return asthma();
  };
  const Json right = {{"breathing", {"493.00", "493.01"}}};
  EXPECT_EQ(with_labels(right).at("cases"), 2);
  EXPECT_EQ(with_labels({{"breathing", {"493.00", 7}}}).at("cases"), 2);
  EXPECT_EQ(with_labels({{"breathing", {"493.00", "401.1"}}}).at("sets_across"), 1);
  EXPECT_EQ(with_labels({{"breathing", "493.00"}}).at("cases"), 0);
  EXPECT_EQ(with_labels({{"elsewhere", {"493.00"}}}).at("cases"), 0);
  EXPECT_EQ(with_labels(Json::array({"breathing"})).at("cases"), 0);
  std::filesystem::remove(Manifest::path_of(out));
  EXPECT_EQ(asthma().at("cases"), 0);
}

}  // namespace
}  // namespace pratique::codes::flow::policy_test
