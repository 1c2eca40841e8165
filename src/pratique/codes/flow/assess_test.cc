#include "pratique/codes/flow/assess.h"

#include <nlohmann/json.hpp>
#include <set>

#include "pratique/codes/flow/protect.h"
#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::codes::flow::assess_test {
namespace {

class CodesAssessFlow : public FlowFixture {
 protected:
  Json assessed(const AssessRequest& request) { return *assess(request, run()).result; }

  // The share of patients with at most `support` candidates, going by what is known of them.
  static Json share_up_to(const Json& result, const std::string& known, int support) {
    for (const auto& point : result.at("curves")) {
      if (point.at("known") == known && point.at("support") == support) return point["share_up_to"];
    }
    return nullptr;
  }
};

TEST_F(CodesAssessFlow, FourPatientsByHand) {
  const auto assessment =
      assessed({.file = file("few.dat", "a b\na b\na c\nb\n"), .assess = {.k = 2}, .seed = 7});
  EXPECT_EQ(assessment.at("patients"), 4);
  EXPECT_EQ(assessment.at("codes"), 3);
  EXPECT_EQ(assessment.at("mean_codes"), 1.75);
  EXPECT_EQ(assessment.at("k"), 2);
  EXPECT_EQ(assessment.at("seed"), 7);
  // Only c, and only a with c, are one patient's.
  EXPECT_EQ(assessment.at("unique_all"), 0.25);
  EXPECT_EQ(assessment.at("unique_set"), 0.5);  // b alone is one patient's whole set
  EXPECT_EQ(assessment.at("unique_m"), (Json{{"1", 0.25}, {"2", 0.25}, {"3", 0.25}, {"4", 0.25}}));
  EXPECT_EQ(assessment.at("violations_m"), (Json{{"1", 1}, {"2", 1}, {"3", 0}}));
  EXPECT_EQ(share_up_to(assessment, "codes of one visit", 1), nullptr);
}

TEST_F(CodesAssessFlow, ASeedThatWasDrawnIsToldAndRepeatsTheRun) {
  AssessRequest request{.file = file("few.dat", "a b c d\na b\na c\nb d\n")};
  const auto first = assessed(request);
  const auto second = assessed(request);
  EXPECT_NE(first.at("seed"), second.at("seed"));
  request.seed = first.at("seed").get<std::uint64_t>();
  EXPECT_EQ(assessed(request), first);
}

TEST_F(CodesAssessFlow, APopulationHidesPatients) {
  AssessRequest request{.file = file("one.dat", "a b\n")};
  EXPECT_EQ(assessed(request).at("unique_all"), 1);
  request.population = file("people.dat", "c\nb a\na b\n");
  const auto assessment = assessed(request);
  EXPECT_EQ(assessment.at("unique_all"), 0);
  EXPECT_EQ(assessment.at("patients"), 1);
}

TEST_F(CodesAssessFlow, TheMostTellingVisitCounts) {
  AssessRequest request{
      .file =
          file("long.csv", "patient,code,visit\nann,a,1\nann,b,1\nann,c,2\nbob,a,1\nbob,c,1\n")};
  request.codes.columns.visit = "visit";
  const auto assessment = assessed(request);
  // Ann's first visit {a, b} is hers alone; both have {a, c}, which is Bob's only one.
  EXPECT_EQ(share_up_to(assessment, "codes of one visit", 1), 0.5);
  EXPECT_EQ(share_up_to(assessment, "codes of one visit", 2), 1);
}

TEST_F(CodesAssessFlow, CurvesAreWrittenWithTheirNumbers) {
  const auto assessment =
      assessed({.file = file("few.dat", "a b\na b\na c\nb\n"), .out = path("new/curves")});
  EXPECT_EQ(lines_of(path("new/curves/curves.csv")).size(), assessment.at("curves").size() + 1);
  std::size_t points = 0;
  const Json chart = read_json_file(path("new/curves/curves.json"));
  for (const auto& series : chart.at("series")) points += series.at("points").size();
  EXPECT_EQ(points, assessment.at("curves").size());
  EXPECT_NE(read_file(path("new/curves/curves.svg")).find("<svg"), std::string::npos);
}

TEST_F(CodesAssessFlow, TheColumnsAreThoseAskedFor) {
  AssessRequest request{.file = file("other.csv", "who,code\n1,a\n")};
  EXPECT_NE(refusal([&] { return assess(request, run()); }).find("patient"), std::string::npos);
  request.codes.columns = {.patient = "who", .code = "code"};
  EXPECT_EQ(assessed(request).at("patients"), 1);
}

class CodesAttackFlow : public FlowFixture {
 protected:
  Json attacked(const AttackRequest& request) { return *attack(request, run()).result; }
};

TEST_F(CodesAttackFlow, WhatIsKnownIsTheOneOrTheOther) {
  const auto data = file("sets.dat", "a\n");
  for (const auto& request : {AttackRequest{.release = data},
                              AttackRequest{.release = data, .known = data, .discharge = {data}}}) {
    EXPECT_NE(refusal([&] { return attack(request, run()); }).find("--discharge"),
              std::string::npos);
  }
}

// The tutorial's example for 5^3-anonymity.
constexpr const char* kAttackedSets =
    "a b c d e f g h\na c e f g\nc d e f h\na c e f\ne f g h\nd e f g\na b d e\na c f\na c\nb h\n";

TEST_F(CodesAttackFlow, WhoKnowsAllCodesFindsTheRecordsThatHaveThem) {
  const auto data = file("sets.dat", kAttackedSets);
  std::vector<std::set<std::string>> sets;
  for (const auto& line : lines_of(data)) {
    const auto parts = parts_of(line, ' ');
    sets.emplace_back(parts.begin(), parts.end());
  }
  for (std::uint64_t k = 1; k <= 6; ++k) {
    std::uint64_t under_k = 0;
    std::uint64_t unique = 0;
    for (const auto& known : sets) {
      const auto candidates = static_cast<std::uint64_t>(
          std::count_if(sets.begin(), sets.end(), [&](const auto& other) {
            return std::includes(other.begin(), other.end(), known.begin(), known.end());
          }));
      under_k += candidates < k ? 1 : 0;
      unique += candidates == 1 ? 1 : 0;
    }
    const auto result = attacked({.release = data, .known = data, .truth = data, .k = k});
    EXPECT_EQ(result.at("attack"), "one-step");
    EXPECT_EQ(result.at("k"), k);
    EXPECT_EQ(result.at("targets"), 10);
    EXPECT_EQ(result.at("matched_under_k"), under_k) << k;
    EXPECT_EQ(result.at("reidentified"), unique);
    EXPECT_EQ(result.at("correct"), unique);
  }
  EXPECT_EQ(attacked({.release = data, .known = data}).at("correct"), nullptr);
}

TEST_F(CodesAttackFlow, DischargesGoByVisitAndInsidersByPatient) {
  const auto release = file("release.csv", "patient,code\n1,a\n1,c\n2,a\n2,b\n3,c\n");
  const auto visits = file("visits.csv", "patient,visit,code\nann,1,a\nann,2,c\n");
  AttackRequest request{.release = release, .discharge = {visits}};
  request.codes.columns.visit = "visit";
  // Two records have a, two have c, and one has both.
  const auto by_visit = attacked(request);
  EXPECT_EQ(by_visit.at("attack"), "two-step");
  EXPECT_EQ(by_visit.at("reidentified"), 0);
  EXPECT_EQ(by_visit.at("matched_under_k"), 1);
  request.known = visits;
  request.discharge.clear();
  const auto by_patient = attacked(request);
  EXPECT_EQ(by_patient.at("attack"), "one-step");
  EXPECT_EQ(by_patient.at("targets"), 1);
  EXPECT_EQ(by_patient.at("reidentified"), 1);
}

// Public summaries name nobody; a voter list does, where one line alone has the same birthday and
// sex.
TEST_F(CodesAttackFlow, AVoterListNamesThePeopleOfSummaries) {
  AttackRequest request{
      .release = file("release.csv", "patient,code\n1,250.00\n1,401.9\n2,250.00\n3,V58.1\n"),
      .discharge = {file("h1.csv", "born,sex,primary,others\n1970,f,250.00,401.9\n1980,m,V58.1,\n"),
                    file("h2.csv", "born,sex,primary,others\n1970,f,401.9,\n1990,f,250.00,\n")},
      .names =
          file("voters.csv", "name,born,sex\nAnn,1970,f\nBob,1980,m\nCid,1980,m\nDee,1990,f\n"),
      .on = {"born", "sex"},
      .k = 2};
  request.codes.columns.wide = {"primary", "others"};
  const auto result = attacked(request);
  // Ann's first visit (250.00 and 401.9) and her second (401.9) fit one record each; two voters may
  // be the man of 1980; 250.00, all that is known of Dee, is in two records.
  EXPECT_EQ(result.at("attack"), "two-step");
  EXPECT_EQ(result.at("summaries"), 4);
  EXPECT_EQ(result.at("summaries_named"), 3);
  EXPECT_EQ(result.at("targets"), 2);
  EXPECT_EQ(result.at("reidentified"), 1);
  request.on.clear();
  EXPECT_NE(refusal([&] { return attack(request, run()); }).find("--on"), std::string::npos);
  request.names.clear();
  EXPECT_NE(refusal([&] { return attack(request, run()); }).find("--names"), std::string::npos);
}

// The manifest says what labels stand for.
TEST_F(CodesAttackFlow, LabelsOfAReleaseNeedNoHierarchyWhereItsManifestIs) {
  ProtectRequest protection{.file = file("in.dat", "401.0\n401.1\n401.1\n250.00\n250.00\n"),
                            .out = path("out.dat")};
  protection.parameters.k = 2;
  protection.parameters.m = 1;
  (void)protect(protection, run());
  const auto result =
      attacked({.release = protection.out, .known = file("who.dat", "401.0\n"), .k = 4});
  EXPECT_EQ(result.at("matched_under_k"), 1);  // the three of 401
}

TEST_F(CodesAttackFlow, TheTruthOfALongFileGoesByName) {
  const auto release = file("release.csv", "patient,code\n1,a\n1,b\n2,c\n");
  const auto original = file("original.csv", "patient,code\nann,c\nbob,a\nbob,b\n");
  // Each is found for certain; Zoe is nobody of the data.
  const auto result = attacked({.release = release,
                                .known = file("known.csv", "patient,code\nbob,a\nann,c\nzoe,b\n"),
                                .truth = original});
  EXPECT_EQ(result.at("reidentified"), 3);
  EXPECT_EQ(result.at("correct"), 2);
}

TEST_F(CodesAttackFlow, TheTruthOfSetsGoesByLine) {
  const auto release = file("release.dat", "a b\nc\n");
  const auto known = file("known.dat", "a\nc\nb\n");
  EXPECT_EQ(attacked({.release = release, .known = known, .truth = file("t1.dat", "a b\nc\n")})
                .at("correct"),
            2);
  // The first is somebody else's, and there is no third line.
  EXPECT_EQ(attacked({.release = release, .known = known, .truth = file("t2.dat", "c\nc\n")})
                .at("correct"),
            1);
}

TEST_F(CodesAttackFlow, SensitiveCodesAreDisclosedWhenAllCandidatesHaveThem) {
  const auto release = file("release.dat", "a s\na s\nb t\nb\n");
  const auto known = file("known.dat", "a\nb\n");
  const auto disclosed = [&](const std::string& sensitive) {
    AttackRequest request{.release = release, .known = known};
    if (!sensitive.empty()) request.sensitive = file("sensitive.txt", sensitive);
    return attacked(request).at("sensitive_disclosed");
  };
  EXPECT_EQ(disclosed(""), 1);
  EXPECT_EQ(disclosed("s\n"), 1);
  EXPECT_EQ(disclosed("s t\n"), 1);
  EXPECT_EQ(disclosed("t\n"), 0);
  EXPECT_THROW((void)disclosed("s zz\n"), Error);
}

TEST_F(CodesAttackFlow, LabelsOfTheHierarchyCoverTheirCodes) {
  AttackRequest request{.release = file("release.dat", "A\nA\nb\n"),
                        .known = file("known.dat", "a\nb\n")};
  // Nothing that is shown is a: it says nothing, and all three may be meant.
  EXPECT_EQ(
      attacked({.release = request.release, .known = request.known, .k = 3}).at("matched_under_k"),
      1);
  request.codes.hierarchy = file("tree.csv", "a;A;*\na2;A;*\nb;B;*\n");
  request.k = 3;
  const auto result = attacked(request);
  EXPECT_EQ(result.at("matched_under_k"), 2);
  EXPECT_EQ(result.at("reidentified"), 1);

  AttackRequest icd9{.release = file("icd.dat", "401\n401\n250.00\n250.00\n250.00\n"),
                     .known = file("icd-known.dat", "401.1\n"),
                     .k = 3};
  icd9.codes.hierarchy = "icd9";
  EXPECT_EQ(attacked(icd9).at("matched_under_k"), 1);
}

TEST_F(CodesAttackFlow, TheThresholdItselfIsStillAllowed) {
  // One of two is found for certain.
  AttackRequest request{.release = file("release.dat", "a\nb\nb\n"),
                        .known = file("known.dat", "a\nb\n")};
  const auto passes = [&](std::optional<double> fail_above) {
    request.fail_above = fail_above;
    return attack(request, run()).passed;
  };
  EXPECT_TRUE(passes({}));
  EXPECT_TRUE(passes(0.5));
  EXPECT_FALSE(passes(0.49));
  EXPECT_FALSE(passes(0));
}

// Every record that covers {a} covers one of {b} as well, but for whoever knows whole sets.
TEST_F(CodesAttackFlow, WhoeverComparesWholeSetsCountsForTheThreshold) {
  AttackRequest request{.release = file("release.dat", "a\na b\nb\n"),
                        .known = file("known.dat", "a\na b\nb\n")};
  const auto result = attacked(request);
  EXPECT_EQ(result.at("reidentified"), 1);  // a and b
  EXPECT_EQ(result.at("whole_set_known"),
            (Json{{"targets", 3}, {"matched_under_k", 3}, {"reidentified", 3}, {"named", 3}}));
  request.fail_above = 0.5;
  EXPECT_FALSE(attack(request, run()).passed);
  // Somebody who knows a visit does not know that there were no other codes.
  request.discharge = {request.known};
  request.known.clear();
  EXPECT_TRUE(attack(request, run()).passed);
  EXPECT_FALSE(attacked(request).contains("whole_set_known"));
}

TEST_F(CodesAttackFlow, KnownCodesThatNoRecordShowsAreNotTried) {
  // Everybody fits whoever is known by nothing: of ten, nobody is found.
  AttackRequest request{.release = file("release.dat", "a\na\na\na\na\na\n"),
                        .known = file("known.dat", "x\ny\n")};
  EXPECT_TRUE(attack(request, run()).passed);
  request.fail_above = 1;
  const auto outcome = attack(request, run());
  EXPECT_FALSE(outcome.passed);
  EXPECT_TRUE(outcome.result->contains("note"));
  // With a single code that is shown, something was.
  request.known = file("some.dat", "x\na\n");
  EXPECT_TRUE(attack(request, run()).passed);
  EXPECT_FALSE(attacked(request).contains("note"));
}

TEST_F(CodesAttackFlow, AFileWithoutPatientsIsRefused) {
  const auto some = file("some.csv", "patient,code\n1,a\n");
  const auto none = file("none.csv", "patient,code\n");
  for (const auto& request : {AttackRequest{.release = some, .known = none},
                              AttackRequest{.release = none, .known = some}}) {
    EXPECT_NE(refusal([&] { return attack(request, run()); }).find("none.csv"), std::string::npos);
  }
}

}  // namespace
}  // namespace pratique::codes::flow::assess_test
