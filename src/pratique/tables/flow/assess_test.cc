#include "pratique/tables/flow/assess.h"

#include <nlohmann/json.hpp>

#include "pratique/kind/testing/table_flow_fixture.h"

namespace pratique::tables::flow::assess_test {
namespace {

class AssessFlow : public TableFlowFixture {
 protected:
  // One class of two women with one diagnosis, one of three men with two.
  std::string release = file("release.csv",
                             "age,sex,diagnosis\n20..29,F,flu\n20..29,F,flu\n30..39,M,flu\n"
                             "30..39,M,cold\n30..39,M,cold\n");

  [[nodiscard]] AssessRequest asked() const {
    AssessRequest request{.file = release, .population = {}, .columns = {}};
    request.columns.said.quasi_identifiers = {"age", "sex"};
    request.columns.said.sensitive = {"diagnosis"};
    return request;
  }
};

TEST_F(AssessFlow, AProfileIsOfEveryColumn) {
  const Json report = *profile({release}, run).result;
  EXPECT_EQ(report["rows"], 5);
  ASSERT_EQ(report["columns"].size(), 3U);
  EXPECT_EQ(report["columns"][2]["name"], "diagnosis");
  EXPECT_EQ(report["columns"][2]["distinct"], 2);
}

TEST_F(AssessFlow, FiguresByHand) {
  const Json assessment = *assess(asked(), run).result;
  EXPECT_EQ(assessment["rows"], 5);
  EXPECT_EQ(assessment["classes"], 2);
  EXPECT_EQ(assessment["k"], 2);
  EXPECT_EQ(assessment["risk"]["prosecutor_max"], 0.5);
  EXPECT_EQ(assessment["risk"]["journalist_max"], 0.5);
  EXPECT_EQ(assessment["l_distinct"], 1);
  EXPECT_EQ(assessment["alpha"], 1);
  ASSERT_EQ(assessment["sensitive"].size(), 1U);
  EXPECT_EQ(assessment["sensitive"][0]["column"], "diagnosis");
  EXPECT_FALSE(assessment.contains("k_map"));
}

TEST_F(AssessFlow, APopulationIsWhoTheAdversaryChoosesFrom) {
  AssessRequest request = asked();
  // Three fit the women, five the men, two nobody.
  request.population =
      file("all.csv", "age,sex\n21,F\n22,F\n25,F\n31,M\n35,M\n36,M\n39,M\n39,M\n21,M\n60,F\n");
  const Json assessment = *assess(request, run).result;
  EXPECT_EQ(assessment["k_map"], 3);
  EXPECT_EQ(assessment["population_unmatched"], 0);
  EXPECT_NEAR(assessment["risk"]["journalist_max"].get<double>(), 1.0 / 3, 1e-12);
  EXPECT_NEAR(assessment["risk"]["marketer"].get<double>(), (2 / 3.0 + 3 / 5.0) / 5, 1e-12);
}

TEST_F(AssessFlow, SecretsOfWhichSomebodyHasSeveralValuesAreNamed) {
  AssessRequest request{
      .file = file("visits.csv",
                   "who,age,diagnosis,blood\n1,20,flu,A\n1,20,gout,A\n2,20,flu,B\n2,20,flu,B\n"),
      .population = {},
      .columns = {}};
  request.columns.said.quasi_identifiers = {"age"};
  request.columns.said.sensitive = {"diagnosis", "blood"};
  request.person = "who";
  EXPECT_EQ((*assess(request, run).result)["several_values"], Json({"diagnosis"}));
  request.person = {};
  request.rows_are_people = true;
  EXPECT_FALSE((*assess(request, run).result).contains("several_values"));
}

TEST_F(AssessFlow, LabelsContainWhomTheirHierarchySays) {
  AssessRequest request{.file = file("labels.csv", "pet\nmammal\nmammal\n"),
                        .population = file("all.csv", "pet\ncat\ndog\ndog\nhen\nunicorn\n"),
                        .columns = {}};
  request.columns.said.quasi_identifiers = {"pet"};
  EXPECT_EQ((*assess(request, run).result)["population_unmatched"], 2);
  request.columns.hierarchies = {"pet=" +
                                 file("tree.csv", "cat;mammal;*\ndog;mammal;*\nhen;bird;*\n")};
  const Json assessment = *assess(request, run).result;
  EXPECT_EQ(assessment["k_map"], 3);
  EXPECT_EQ(assessment["population_unmatched"], 0);
}

TEST_F(AssessFlow, SomeQuasiIdentifierIsNeeded) {
  AssessRequest request = asked();
  request.columns.said.quasi_identifiers.clear();
  EXPECT_EQ(message_of([&] { return assess(request, run); }), "no quasi-identifiers were given");
}

class AttackFlow : public TableFlowFixture {
 protected:
  // Ann and Bob are alone in their cells; Dot is one of two who share their diagnosis; nobody's
  // cells contain Zed.
  std::string release = file("release.csv",
                             "age,sex,diagnosis\n20..29,F,flu\n20..29,M,cold\n30..39,*,flu\n"
                             "30..39,*,flu\n");
  std::string voters = file("voters.csv", "name,age,sex\nAnn,21,F\nBob,23,M\nDot,34,F\nZed,50,M\n");

  [[nodiscard]] AttackRequest asked() const {
    AttackRequest request{.release = release,
                          .register_file = voters,
                          .on = {"age", "sex"},
                          .truth = {},
                          .truth_key = {},
                          .columns = {}};
    request.columns.said.sensitive = {"diagnosis"};
    return request;
  }
};

TEST_F(AttackFlow, WhatTheHolderOfARegisterFinds) {
  const Json findings = *attack(asked(), run).result;
  EXPECT_EQ(findings["targets"], 4);
  EXPECT_EQ(findings["release_rows"], 4);
  EXPECT_EQ(findings["release_rows_matched"], 4);
  EXPECT_EQ(findings["linked"], 3);
  EXPECT_EQ(findings["linked_uniquely"], 2);
  EXPECT_EQ(findings["sensitive_disclosed"], 3);
  EXPECT_FALSE(findings.contains("correct"));
  EXPECT_FALSE(findings.contains("note"));
  EXPECT_EQ(findings["attribute"]["column"], "diagnosis");
  EXPECT_EQ(findings["attribute"]["homogeneous"], 4);
  EXPECT_FALSE(findings["attribute"].contains("similar"));
}

TEST_F(AttackFlow, WithoutASensitiveAttributeLinksAreAllThereIs) {
  AttackRequest request = asked();
  request.columns.said.sensitive.clear();
  request.fail_above = 0.5;  // two of four
  const Outcome outcome = attack(request, run);
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ((*outcome.result)["linked_uniquely"], 2);
  EXPECT_FALSE(outcome.result->contains("sensitive_disclosed"));
  EXPECT_FALSE(outcome.result->contains("attribute"));
}

TEST_F(AttackFlow, TheThresholdItselfIsAllowed) {
  AttackRequest request = asked();
  EXPECT_TRUE(attack(request, run).passed);
  request.fail_above = 0.75;  // three of four are disclosed
  EXPECT_TRUE(attack(request, run).passed);
  request.fail_above = 0.7499;
  EXPECT_FALSE(attack(request, run).passed);
  request.fail_above = 1;
  EXPECT_TRUE(attack(request, run).passed);
  request.fail_above = 0;
  EXPECT_FALSE(attack(request, run).passed);
}

TEST_F(AttackFlow, WhatWasNotTriedPassesNoThreshold) {
  AttackRequest request = asked();
  request.fail_above = 1;
  request.release = file("none.csv", "age,sex,diagnosis\n");
  Outcome outcome = attack(request, run);
  EXPECT_FALSE(outcome.passed);
  EXPECT_TRUE(outcome.result->contains("note"));
  // Nobody in the register is of an age that is released.
  request.release = asked().release;
  request.register_file = file("others.csv", "name,age,sex\nZoe,99,F\n");
  outcome = attack(request, run);
  EXPECT_FALSE(outcome.passed);
  EXPECT_TRUE(outcome.result->contains("note"));
  request.fail_above.reset();
  EXPECT_TRUE(attack(request, run).passed);
}

TEST_F(AttackFlow, TheTruthTellsWhichClaimsHold) {
  AttackRequest request = asked();
  // Bob's record is another man's row: not linked rightly, though the diagnosis is right.
  request.truth =
      file("truth.csv", "name,age,sex,diagnosis\nAnn,21,F,flu\nBob,45,M,cold\nDot,34,F,gout\n");
  request.truth_key = "name";
  const Json findings = *attack(request, run).result;
  EXPECT_EQ(findings["correctly_linked"], 1);
  EXPECT_EQ(findings["correct"], 2);
  // A truth without ages cannot tell: what it has is held against the cells.
  request.truth = file("less.csv", "name,diagnosis\nAnn,flu\nBob,cold\nDot,gout\n");
  EXPECT_EQ((*attack(request, run).result)["correctly_linked"], 2);
}

TEST_F(AttackFlow, AKeyMayBeOneOfTheColumnsLinkedOn) {
  AttackRequest request = asked();
  request.truth = file("truth.csv", "age,sex,diagnosis\n21,F,flu\n23,M,cold\n");
  request.truth_key = "age";
  EXPECT_EQ((*attack(request, run).result)["correctly_linked"], 2);
}

TEST_F(AttackFlow, ATruthHasAKey) {
  AttackRequest request = asked();
  request.truth = file("truth.csv", "name,diagnosis\nAnn,flu\n");
  EXPECT_EQ(message_of([&] { return attack(request, run); }),
            "--truth and --truth-key go together");
  request.truth.clear();
  request.truth_key = "name";
  EXPECT_EQ(message_of([&] { return attack(request, run); }),
            "--truth and --truth-key go together");
}

TEST_F(AttackFlow, OneSensitiveAttributeAtATime) {
  AttackRequest request = asked();
  request.columns.said.sensitive = {"diagnosis", "sex"};
  EXPECT_EQ(message_of([&] { return attack(request, run); }),
            "the attack takes one sensitive attribute at a time");
}

TEST_F(AttackFlow, TheSensitiveColumnMayBeKnownToo) {
  AttackRequest request = asked();
  request.register_file = file("knows.csv", "age,diagnosis\n21,flu\n");
  request.on = {"age", "diagnosis"};
  EXPECT_EQ((*attack(request, run).result)["linked_uniquely"], 1);
}

TEST_F(AttackFlow, AnAttackThatFindsNothingSaysWhatMayBeWrong) {
  AttackRequest request = asked();
  request.register_file = file("strangers.csv", "name,age,sex\nZed,50,M\n");
  EXPECT_TRUE(attack(request, run).result->contains("note"));
  request.release = file("one.csv", "age,sex,diagnosis\n20..29,F,flu\n");
  EXPECT_TRUE(attack(request, run).result->contains("note"));
  request.register_file = voters;
  EXPECT_FALSE(attack(request, run).result->contains("note"));  // one row is found
  request.release = file("none.csv", "age,sex,diagnosis\n");
  EXPECT_TRUE(attack(request, run).result->contains("note"));
}

TEST_F(AttackFlow, LabelsAreLinkedThroughTheirHierarchy) {
  AttackRequest request{.release = file("labels.csv", "pet,diagnosis\nmammal,flu\nbird,cold\n"),
                        .register_file = file("owners.csv", "pet\ncat\nhen\nunicorn\n"),
                        .on = {"pet"},
                        .truth = {},
                        .truth_key = {},
                        .columns = {}};
  // Without the tree no label can be compared with an animal: the attack was not tried, which is
  // not 0 found.
  EXPECT_TRUE((*attack(request, run).result)["linked"].is_null());
  request.columns.hierarchies = {"pet=" + file("tree.csv", "cat;mammal;*\nhen;bird;*\n")};
  EXPECT_EQ((*attack(request, run).result)["linked"], 2);
}

TEST_F(AttackFlow, ValuesUnderOneNodeSayTheSame) {
  AttackRequest request = asked();
  request.release = file("similar.csv",
                         "age,sex,diagnosis\n20..29,F,flu\n20..29,F,cold\n30..39,M,flu\n"
                         "30..39,M,gout\n");
  EXPECT_FALSE((*attack(request, run).result)["attribute"].contains("similar"));
  request.columns.hierarchies = {"diagnosis=" +
                                 file("tree.csv", "flu;lung;*\ncold;lung;*\ngout;joint;*\n")};
  const Json findings = *attack(request, run).result;
  EXPECT_EQ(findings["attribute"]["similar"], 2);
  EXPECT_EQ(findings["attribute"]["homogeneous"], 0);
}

TEST_F(AttackFlow, ColumnsLinkedOnAreInBothFiles) {
  AttackRequest request = asked();
  request.on = {"name"};
  EXPECT_THROW((void)attack(request, run), Error);
  request.on = {"diagnosis"};
  EXPECT_THROW((void)attack(request, run), Error);
}

}  // namespace
}  // namespace pratique::tables::flow::assess_test
