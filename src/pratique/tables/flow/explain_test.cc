#include "pratique/tables/flow/explain.h"

#include <nlohmann/json.hpp>

#include "pratique/kind/release_file.h"
#include "pratique/tables/flow/protect.h"
#include "pratique/tables/testing/people_for_flow_test.h"

namespace pratique::tables::flow::explain_test {
namespace {

class ExplainFlow : public PeopleFlow {
 protected:
  // Two classes of three: in their twenties one woman and two men, in their thirties women alone.
  ExplainRequest released(const ProtectRequest& request) {
    (void)protect(request, run);
    return {.release = request.out,
            .manifest = release::ReleaseFile::read(request.out).manifest(),
            .recorded = request,
            .original = {}};
  }
  [[nodiscard]] Json explained(ExplainRequest request, std::uint64_t number) {
    request.number = number;
    return *explain(request, run).result;
  }
  [[nodiscard]] Json explained(ExplainRequest request, const std::string& value,
                               const std::string& column = {}) {
    request.value = value;
    request.column = column;
    return *explain(request, run).result;
  }
  static Json column_of(const Json& result, const std::string& name) {
    for (const auto& column : result["columns"]) {
      if (column["column"] == name) return column;
    }
    return nullptr;
  }
};

TEST_F(ExplainFlow, ClassesAreNumberedAsTheyAppearInTheFile) {
  const ExplainRequest request = released(asked());
  const auto rows = cells("out.csv").rows;
  const std::string first = rows[0][0];
  const std::string second = first == "20..29" ? "30..39" : "20..29";
  EXPECT_EQ(explained(request, 1)["cells"], (Json{{"age", first}, {"sex", "*"}}));
  EXPECT_EQ(explained(request, 2)["cells"], (Json{{"age", second}, {"sex", "*"}}));
  for (const std::uint64_t wrong : {0, 3}) {
    EXPECT_EQ(message_of([&] { return explained(request, wrong); }),
              "there is no class " + std::to_string(wrong));
  }
}

TEST_F(ExplainFlow, WhatOneLevelLessWouldBreakByHand) {
  const ExplainRequest request = released(asked());
  for (const std::uint64_t number : {1, 2}) {
    const Json result = explained(request, number);
    EXPECT_EQ(result["method"], "levels");
    EXPECT_EQ(result["class"], number);
    EXPECT_EQ(result["classes"], 2);
    EXPECT_EQ(result["records"], 3);
    EXPECT_EQ(result["models"], (Json{{"k", {{"required", 3.0}, {"achieved", 3.0}}}}));
    const Json age = column_of(result, "age");
    EXPECT_EQ(age["parts"].size(), 3U);  // three years, a record each
    EXPECT_EQ(age["records_broken"], 3);
    EXPECT_EQ(age["breaks"][0]["achieved"], 1);
    EXPECT_EQ(age["whole_column"]["level"], 0);
    EXPECT_EQ(age["whole_column"]["suppressed"], 6);
    EXPECT_EQ(age["whole_column"]["allowed"], 0);
    const Json sex = column_of(result, "sex");
    const bool twenties = result["cells"]["age"] == "20..29";
    EXPECT_EQ(sex["parts"].size(), twenties ? 2U : 1U);
    EXPECT_EQ(sex["records_broken"], twenties ? 3 : 0);
    EXPECT_EQ(sex["whole_column"]["suppressed"], 3);  // all in their twenties
  }
}

TEST_F(ExplainFlow, AValueIsExplainedOverAllItsClasses) {
  const ExplainRequest request = released(asked());
  const Json all = explained(request, "*");
  EXPECT_EQ(all["method"], "levels");
  EXPECT_EQ(all["value"], "*");
  ASSERT_EQ(all["columns"].size(), 1U);
  const Json sex = column_of(all, "sex");
  EXPECT_EQ(sex["classes"], 2);
  EXPECT_EQ(sex["records"], 6);
  EXPECT_EQ(sex["classes_broken"], 1);
  EXPECT_EQ(sex["records_broken"], 3);
  EXPECT_EQ(sex["parts"].size(), 2U);  // of the class where most would break
  const std::string why = sex["why"];
  EXPECT_EQ(why.find("6 records in 2 classes show it. One level lower, 1 of these classes would "
                     "break a model, with 3 records in the parts that do. In the worst of them: "
                     "sex shows *."),
            0U);
  const Json twenties = column_of(explained(request, "20..29"), "age");
  EXPECT_EQ(twenties["classes"], 1);
  EXPECT_EQ(twenties["records"], 3);
  EXPECT_EQ(twenties["classes_broken"], 1);
  EXPECT_EQ(twenties["records_broken"], 3);
}

TEST_F(ExplainFlow, OneColumnOrAllThatShowTheValue) {
  ProtectRequest request = asked();
  request.levels = {"age=2", "sex=1"};
  const ExplainRequest hidden = released(request);
  EXPECT_EQ(explained(hidden, "*")["columns"].size(), 2U);
  for (const std::string column : {"age", "sex"}) {
    const Json result = explained(hidden, "*", column);
    ASSERT_EQ(result["columns"].size(), 1U);
    EXPECT_EQ(result["columns"][0]["column"], column);
  }
  EXPECT_EQ(message_of([&] { return explained(hidden, "20..29"); }),
            "no quasi-identifier of the release shows that value");
  EXPECT_EQ(message_of([&] { return explained(hidden, "*", "ward"); }),
            "'ward' is not a quasi-identifier: it was not generalised");
  EXPECT_NE(message_of([&] { return explained(hidden, "*", "wardd"); }).find("wardd"),
            std::string::npos);
}

TEST_F(ExplainFlow, APersonReadsSentences) {
  ExplainRequest request = released(asked());
  request.number = 1;
  const Outcome outcome = explain(request, run);
  EXPECT_TRUE(outcome.passed);
  const Json& shown = *outcome.for_a_person;
  EXPECT_FALSE(shown.contains("columns"));
  EXPECT_FALSE(shown.contains("cells"));
  EXPECT_EQ(shown["records"], 3);
  EXPECT_EQ(shown["why"]["age"], column_of(*outcome.result, "age")["why"]);
  EXPECT_EQ(shown["why"]["sex"], column_of(*outcome.result, "sex")["why"]);
}

TEST_F(ExplainFlow, WithoutLevelsOfItsOwnNoColumnHasOneAsAWhole) {
  ProtectRequest request = asked();
  request.method = "mondrian";
  request.levels.clear();
  const Json result = explained(released(request), 1);
  EXPECT_EQ(result["method"], "mondrian");
  for (const auto& column : result["columns"]) EXPECT_FALSE(column.contains("whole_column"));
}

TEST_F(ExplainFlow, ClassesOfUnequalSizeAndLossAreCountedEach) {
  // 20s: two women and one man; 30s: four women; 40s: three women and three men.
  ProtectRequest request = asked();
  request.file =
      file("more.csv",
           "name,age,sex,ward,diagnosis\na,21,F,1,x\nb,22,F,1,x\nc,23,M,1,x\nd,31,F,1,x\n"
           "e,32,F,1,x\nf,33,F,1,x\ng,34,F,1,x\nh,41,F,1,x\ni,42,F,1,x\nj,43,F,1,x\n"
           "k,44,M,1,x\nl,45,M,1,x\nm,46,M,1,x\n");
  request.models["k"] = {"2"};
  const Json sex = column_of(explained(released(request), "*"), "sex");
  EXPECT_EQ(sex["classes"], 3);
  EXPECT_EQ(sex["records"], 13);
  EXPECT_EQ(sex["classes_broken"], 1);
  EXPECT_EQ(sex["records_broken"], 1);  // one man alone
  const Json stricter = [&] {
    request.models["k"] = {"3"};
    request.out = path("three.csv");
    return column_of(explained(released(request), "*"), "sex");
  }();
  EXPECT_EQ(stricter["classes_broken"], 1);
  EXPECT_EQ(stricter["records_broken"], 3);
}

TEST_F(ExplainFlow, TheOriginalMayHaveMovedButNotChanged) {
  ProtectRequest asked_for = asked();
  asked_for.columns.config = file("roles.yaml", "hierarchies: {sex: flat}\n");
  ExplainRequest request = released(asked_for);
  std::filesystem::rename(people, path("moved.csv"));
  EXPECT_THROW((void)explained(request, 1), Error);
  request.original = path("moved.csv");
  EXPECT_EQ(explained(request, 1)["records"], 3);
  std::ofstream(path("moved.csv"), std::ios::app) << "Gus,39,M,1,flu\n";
  EXPECT_EQ(message_of([&] { return explained(request, 1); }),
            path("moved.csv") + " is not the file that the release was made from");
}

TEST_F(ExplainFlow, AManifestWithoutInputsExplainsNothing) {
  ExplainRequest request = released(asked());
  request.manifest.inputs.clear();
  EXPECT_EQ(message_of([&] { return explained(request, 1); }),
            people + " is not the file that the release was made from");
}

TEST_F(ExplainFlow, AReleaseThatWasEditedIsNotExplained) {
  const ExplainRequest request = released(asked());
  const std::string text = read_file(path("out.csv"));
  // One cell: a third class.
  std::string edited = text;
  edited.replace(edited.find("20..29"), 6, "20..28");
  std::ofstream(path("out.csv")) << edited;
  EXPECT_EQ(message_of([&] { return explained(request, 1); }),
            path("out.csv") + " is not what the run in its manifest makes");
  // As many classes, but one that the run does not make.
  edited = text;
  for (auto at = edited.find("20..29"); at != std::string::npos; at = edited.find("20..29")) {
    edited.replace(at, 6, "20..28");
  }
  std::ofstream(path("out.csv")) << edited;
  const std::uint64_t changed = cells("out.csv").rows[0][0] == "20..28" ? 1 : 2;
  EXPECT_EQ(message_of([&] { return explained(request, changed); }),
            "the release is not what the run in its manifest makes");
  EXPECT_EQ(explained(request, 3 - changed)["records"], 3);
}

TEST_F(ExplainFlow, ChanceCannotBeExplained) {
  ProtectRequest request = asked();
  request.perturb = {"ward=pram:0.5"};
  const ExplainRequest by_chance = released(request);
  EXPECT_EQ(message_of([&] { return explained(by_chance, 1); }),
            "this release was randomised, and the noise was not recorded");
}

TEST_F(ExplainFlow, AClassOrAValueButNotBoth) {
  ExplainRequest request = released(asked());
  EXPECT_EQ(message_of([&] { return explain(request, run); }), "give one of --class and --value");
  request.number = 1;
  request.value = "*";
  EXPECT_EQ(message_of([&] { return explain(request, run); }), "give one of --class and --value");
}

}  // namespace
}  // namespace pratique::tables::flow::explain_test
