#include "pratique/fusion/flow/compose.h"

#include <nlohmann/json.hpp>

#include "pratique/fusion/composition_simulation.h"
#include "pratique/kind/testing/table_flow_fixture.h"

namespace pratique::fusion::flow::compose_test {
namespace {

using Names = std::vector<std::string>;

std::string rows_of(const std::string& cell, const Names& conditions) {
  std::string text;
  for (const auto& condition : conditions) text.append(cell).append(",").append(condition) += '\n';
  return text;
}

class ComposeFlow : public TableFlowFixture {
 protected:
  // Tables 3.2 and 3.4 of Ganta's thesis.
  std::string h1 = file(
      "h1.csv", "zip,age,condition\n" + rows_of("130**,<30", {"AIDS", "Heart", "Viral", "Viral"}) +
                    rows_of("130**,>=40", {"Cancer", "Heart", "Viral", "Viral"}) +
                    rows_of("130**,3*", {"Cancer", "Cancer", "Cancer", "Cancer"}));
  std::string h2 = file(
      "h2.csv", "zip,age,condition\n" +
                    rows_of("130**,<35", {"AIDS", "TB", "Flu", "TB", "Cancer", "Cancer"}) +
                    rows_of("130**,>=35", {"Cancer", "Cancer", "Cancer", "TB", "Viral", "Viral"}));
  std::string targets =
      file("targets.csv", "name,zip,age,illness\nAlice,13012,28,AIDS\nBob,13012,36,Cancer\n");

  [[nodiscard]] ComposeRequest asked() const {
    ComposeRequest request;
    request.releases = {h1, h2};
    request.targets = targets;
    request.columns.said.quasi_identifiers = {"zip", "age"};
    request.columns.said.sensitive = {"condition"};
    return request;
  }
  // Two releases by age, with numbers that a target may equal.
  [[nodiscard]] ComposeRequest by_age(const std::string& first, const std::string& second,
                                      const std::string& people) const {
    ComposeRequest request;
    request.releases = {file("a.csv", "age,dx\n" + first), file("b.csv", "age,dx\n" + second)};
    request.targets = file("t.csv", people);
    request.columns.said.quasi_identifiers = {"age"};
    request.columns.said.sensitive = {"dx"};
    return request;
  }
  [[nodiscard]] Json composed(const ComposeRequest& request) {
    return *compose_releases(request, run).result;
  }
  [[nodiscard]] Names located_by(const ComposeRequest& request) {
    Names ways;
    const Json result = composed(request);
    for (const auto& release : result["by_release"]) ways.push_back(release["located_by"]);
    return ways;
  }
  [[nodiscard]] std::string refusal(const ComposeRequest& request) {
    return message_of([&] { return compose_releases(request, run); });
  }
};

TEST_F(ComposeFlow, TheExampleOfTheThesis) {
  ComposeRequest request = asked();
  request.truth = "illness";
  const Outcome outcome = compose_releases(request, run);
  EXPECT_TRUE(outcome.passed);
  const Json& result = *outcome.result;
  EXPECT_EQ(result["releases"], 2);
  EXPECT_EQ(result["targets"], 2);
  EXPECT_EQ(result["located"], 1);
  // Only AIDS is in both of Alice's classes; all of Bob's first class have cancer.
  EXPECT_EQ(result["perfect_breach"], 1);
  EXPECT_EQ(result["correct"], 1);
  EXPECT_EQ(result["effective_anonymity"]["posterior"], 1);
  EXPECT_EQ(result["effective_anonymity"]["prior"], (Json{2.0, 3.5}));
  EXPECT_EQ(result["by_release"][0]["release"], h1);
  EXPECT_EQ(result["by_release"][0]["k"], 4);
  EXPECT_EQ(result["by_release"][1]["k"], 6);
  EXPECT_FALSE(result.contains("note"));
  EXPECT_FALSE(result.contains("out"));
  request.truth.clear();
  EXPECT_FALSE(composed(request).contains("correct"));
  // A truth may be a column that is known anyway.
  request.truth = "zip";
  EXPECT_EQ(composed(request)["correct"], 0);
}

TEST_F(ComposeFlow, ARowPerTargetAndNoValueOfAnybody) {
  ComposeRequest request = by_age("20..29,x\n20..29,y\n20..29,z\n30..39,m\n40..49,w\n40..49,v\n",
                                  "20..29,x\n20..29,y\n20..29,w\n30..39,m\n40..49,t\n40..49,u\n",
                                  "age\n21\n35\n45\n90\n");
  request.out = path("found.csv");
  EXPECT_EQ(composed(request)["out"], path("found.csv"));
  const auto written = cells("found.csv");
  EXPECT_EQ(written.columns, (Names{"target", "prior", "left", "confidence", "bayes"}));
  ASSERT_EQ(written.rows.size(), 4U);
  // Three values each, two in common; one; two each and none in common; nowhere.
  EXPECT_EQ(Names(written.rows[0].begin(), written.rows[0].end() - 1),
            (Names{"1", "3", "2", "0.5000"}));
  EXPECT_EQ(Names(written.rows[1].begin(), written.rows[1].end() - 1),
            (Names{"2", "1", "1", "1.0000"}));
  EXPECT_EQ(Names(written.rows[2].begin(), written.rows[2].end() - 1), (Names{"3", "2", "0", ""}));
  EXPECT_EQ(Names(written.rows[3].begin(), written.rows[3].end() - 1), (Names{"4", "0", "0", ""}));
  // x and y are as frequent: a coin.
  EXPECT_NEAR(std::stod(written.rows[0][4]), 0.5, 1e-3);
  EXPECT_GT(std::stod(written.rows[1][4]), 0.9);
}

TEST_F(ComposeFlow, TheThresholdItselfIsAllowed) {
  // One of two is left with one value.
  ComposeRequest request =
      by_age("20..29,x\n20..29,y\n30..39,x\n", "20..29,x\n20..29,y\n30..39,x\n", "age\n21\n35\n");
  EXPECT_EQ(composed(request)["perfect_breach"], 0.5);
  request.max_breach = 0.5;
  EXPECT_TRUE(compose_releases(request, run).passed);
  request.max_breach = 0.4999;
  EXPECT_FALSE(compose_releases(request, run).passed);
  request.max_breach.reset();
  EXPECT_TRUE(compose_releases(request, run).passed);
}

TEST_F(ComposeFlow, WhereNoValueIsLeftNothingWasTried) {
  const auto note_of = [&](ComposeRequest request) {
    EXPECT_TRUE(compose_releases(request, run).passed);
    request.max_breach = 1;
    const Outcome outcome = compose_releases(request, run);
    EXPECT_FALSE(outcome.passed);
    return (*outcome.result)["note"].get<std::string>();
  };
  EXPECT_NE(note_of(by_age("20..29,x\n", "20..29,y\n", "age\n21\n")).find("contradicted"),
            std::string::npos);
  // Each is located in one release, nobody in both.
  EXPECT_NE(note_of(by_age("20..29,x\n", "50..59,x\n", "age\n21\n55\n")).find("in all releases"),
            std::string::npos);
}

TEST_F(ComposeFlow, AnUntriedAttackClearsNothing) {
  ComposeRequest request = by_age("young,x\nold,y\n", "20..29,x\n50..59,y\n", "age\n21\n50\n");
  Outcome outcome = compose_releases(request, run);
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ((*outcome.result)["located"], 0);
  EXPECT_NE((*outcome.result)["note"].get<std::string>().find(path("a.csv")), std::string::npos);
  request.max_breach = 1;
  EXPECT_FALSE(compose_releases(request, run).passed);
  // What the labels of the first release mean.
  const std::string tree = file("young.csv", "21;young;*\n22;young;*\n50;old;*\n");
  request.hierarchies = {"1:age=" + tree};
  outcome = compose_releases(request, run);
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ((*outcome.result)["located"], 1);
  EXPECT_FALSE(outcome.result->contains("note"));
  request.hierarchies = {"2:age=" + tree};
  EXPECT_EQ(composed(request)["located"], 0);
  request.hierarchies.clear();
  request.columns.hierarchies = {"age=" + tree};
  EXPECT_EQ(composed(request)["located"], 1);
}

TEST_F(ComposeFlow, EveryReleaseHasItsOwnLabels) {
  ComposeRequest request = by_age("20..29,x\n50..59,y\n", "young,x\nold,y\n", "age\n21\n50\n");
  const Json result = composed(request);
  EXPECT_EQ(result["by_release"][0]["located"], 1);
  EXPECT_EQ(result["by_release"][1]["located"], 0);
  EXPECT_NE(result["note"].get<std::string>().find(path("b.csv")), std::string::npos);
  request.hierarchies = {"2:age=" + file("young.csv", "21;young;*\n50;old;*\n")};
  EXPECT_EQ(composed(request)["by_release"][1]["located"], 1);
  EXPECT_FALSE(composed(request).contains("note"));
  // The same word for other people.
  request = by_age("young,x\nold,y\n", "young,x\nold,y\n", "age\n21\n40\n");
  request.hierarchies = {"1:age=" + file("first.csv", "21;young;*\n40;old;*\n"),
                         "2:age=" + file("second.csv", "21;young;*\n40;young;*\n50;old;*\n")};
  // Who is 40 is old in one and young in the other, and x and y contradict.
  EXPECT_EQ(composed(request)["perfect_breach"], 0.5);
}

TEST_F(ComposeFlow, AReleaseWithoutRowsNeedsNoHierarchy) {
  ComposeRequest request = by_age("", "20..29,x\n", "age\n21\n");
  EXPECT_EQ(composed(request)["note"], "nobody was located in all releases");
}

TEST_F(ComposeFlow, ReleasesMayHaveDifferentColumnsAndLabelsForValues) {
  ComposeRequest request;
  request.releases = {file("a.csv", "age,dx\n20..29,(493.00|487)\n"),
                      file("b.csv", "sex,dx\nF,asthma\nM,*\n")};
  request.targets = file("t.csv", "age,sex,dx\n21,F,493.00\n");
  request.columns.said.quasi_identifiers = {"age", "sex"};
  request.columns.said.sensitive = {"dx"};
  request.truth = "dx";
  request.columns.hierarchies = {"dx=" +
                                 file("tree.csv", "493.00;asthma;*\n493.01;asthma;*\n487;flu;*\n")};
  const Json result = composed(request);
  EXPECT_EQ(result["perfect_breach"], 1);
  EXPECT_EQ(result["correct"], 1);
  EXPECT_EQ(result["by_release"][0]["columns"], Json{"age"});
  EXPECT_EQ(result["by_release"][1]["columns"], Json{"sex"});
  // Without its hierarchy a label is a value of its own, and contradicts.
  request.columns.hierarchies.clear();
  EXPECT_TRUE(composed(request)["perfect_breach"].is_null());
}

TEST_F(ComposeFlow, AHierarchyOverTheSensitiveColumnNeedNotKnowStars) {
  ComposeRequest request =
      by_age("20..29,12\n20..29,*\n", "20..29,12\n20..29,17\n", "age,was\n21,12\n");
  request.columns.hierarchies = {"dx=interval:10"};
  request.truth = "was";
  EXPECT_EQ(composed(request)["targets"], 1);
}

TEST_F(ComposeFlow, ATruthMayBeFinerThanWhatTheReleasesShow) {
  // Three digits were released of a code with five.
  ComposeRequest request =
      by_age("20..29,493\n20..29,401\n", "20..29,493\n20..29,250\n", "age,was\n21,493.01\n");
  request.truth = "was";
  EXPECT_EQ(composed(request)["correct"], 0);
  request.columns.hierarchies = {"dx=icd9"};
  EXPECT_EQ(composed(request)["perfect_breach"], 1);
  EXPECT_EQ(composed(request)["correct"], 1);
}

TEST_F(ComposeFlow, OneReleaseAloneWinsOverAll) {
  ComposeRequest request = by_age("25,x\n35,y\n", "25,x\n35,y\n", "age\n25\n35\n");
  EXPECT_EQ(located_by(request), (Names{"containing", "containing"}));
  request.locate = {"nearest"};
  EXPECT_EQ(located_by(request), (Names{"nearest", "nearest"}));
  request.locate = {"contain", "nearest"};  // later words win
  EXPECT_EQ(located_by(request), (Names{"nearest", "nearest"}));
  request.locate = {"2:nearest", "contain"};
  EXPECT_EQ(located_by(request), (Names{"containing", "nearest"}));
  request.locate = {"nearest", "1:contain"};
  EXPECT_EQ(located_by(request), (Names{"containing", "nearest"}));
  request.locate = {"1:nearest", "1:auto"};
  EXPECT_EQ(located_by(request), (Names{"containing", "containing"}));
  for (const std::string wrong : {"0:nearest", "3:nearest", "99999999999999999999999:nearest"}) {
    request.locate = {wrong};
    EXPECT_EQ(refusal(request),
              "--locate " + wrong + ": there is no release " + wrong.substr(0, wrong.find(':')));
    EXPECT_EQ(error_of([&] { return compose_releases(request, run); }).hint(),
              "Releases are numbered as they are given, from 1 to 2.");
  }
  for (const std::string wrong : {"near", ":nearest", "x:nearest", ""}) {
    request.locate = {wrong};
    EXPECT_EQ(refusal(request), "--locate takes auto, contain or nearest, not '" + wrong + "'");
  }
}

TEST_F(ComposeFlow, AManifestTellsCentroidsFromRanges) {
  ComposeRequest request = by_age("25,x\n35,y\n", "25,x\n35,y\n", "age\n25\n35\n");
  const auto say = [&](const Json& parameters) {
    Manifest manifest;
    manifest.kind = "tables";
    manifest.verb = "protect";
    manifest.outputs = {{"b.csv", std::string(64, '0'), 1, "csv"}};
    manifest.parameters = parameters;
    manifest.claims = Json::array();
    manifest.verification = Json::array();
    (void)file("b.csv.manifest.json", manifest.to_text());
  };
  say({{"method", "microaggregate"}, {"centre", "mean"}});
  EXPECT_EQ(located_by(request), (Names{"containing", "nearest"}));
  request.locate = {"2:contain"};
  EXPECT_EQ(located_by(request), (Names{"containing", "containing"}));
  request.locate.clear();
  for (const Json& others : {Json{{"method", "microaggregate"}, {"centre", "range"}},
                             Json{{"method", "mondrian"}}, Json{{"method", 5}}, Json::object()}) {
    say(others);
    EXPECT_EQ(located_by(request), (Names{"containing", "containing"}));
  }
  (void)file("b.csv.manifest.json", "no manifest");
  EXPECT_EQ(located_by(request), (Names{"containing", "containing"}));
}

TEST_F(ComposeFlow, DoubtWhetherSomebodyIsInAReleaseLeavesDoubt) {
  ComposeRequest request = asked();
  EXPECT_EQ(composed(request)["bayes"]["confidence"], 1);
  request.presence = {"1"};
  EXPECT_EQ(composed(request)["bayes"]["confidence"], 1);
  request.presence = {"2:0.5"};
  const double doubt = composed(request)["bayes"]["confidence"];
  EXPECT_LT(doubt, 1);
  request.presence = {"2:0.9"};
  EXPECT_GT(composed(request)["bayes"]["confidence"].get<double>(), doubt);
  for (const std::string wrong : {"0", "1.0001", "-0.5", "x", "0.5x", ""}) {
    request.presence = {wrong};
    EXPECT_EQ(refusal(request),
              "--overlap-probability takes a probability above 0, up to 1, not '" + wrong + "'");
  }
}

TEST_F(ComposeFlow, TheStrengthOfThePriorMayBeGiven) {
  ComposeRequest request = asked();
  request.strength = 2.5;
  EXPECT_EQ(composed(request)["bayes"]["prior_strength"], 2.5);
}

TEST_F(ComposeFlow, ColumnsAreWhereTheyAreNeeded) {
  ComposeRequest request = asked();
  request.columns.said.quasi_identifiers = {"zip", "name"};
  EXPECT_EQ(refusal(request), "no release has the column 'name'");
  request.columns.said.quasi_identifiers = {"zip", "condition"};
  request.columns.said.sensitive = {"age"};
  EXPECT_NE(refusal(request).find("condition"), std::string::npos);  // targets do not have it
  request = asked();
  request.columns.said.sensitive = {"illness"};
  EXPECT_NE(refusal(request).find("illness"), std::string::npos);  // releases do not have it
  request.columns.said.sensitive.clear();
  EXPECT_EQ(refusal(request), "the attack takes one sensitive attribute, named with --sensitive");
  request.columns.said.sensitive = {"condition", "illness"};
  EXPECT_EQ(refusal(request), "the attack takes one sensitive attribute, named with --sensitive");
  request = asked();
  request.columns.said.quasi_identifiers.clear();
  EXPECT_EQ(refusal(request), "no quasi-identifiers were given");
  request = asked();
  request.releases.push_back(file("other.csv", "height,condition\n1,flu\n"));
  const Error error = error_of([&] { return compose_releases(request, run); });
  EXPECT_EQ(error.message(), "the release has none of the quasi-identifiers");
  EXPECT_EQ(error.place(), path("other.csv"));
  request = asked();
  request.truth = "truth";
  EXPECT_NE(refusal(request).find("truth"), std::string::npos);
}

TEST_F(ComposeFlow, MistakesAreNamed) {
  ComposeRequest request = asked();
  request.data = h1;
  EXPECT_EQ(refusal(request), "--data goes with --simulate");
  request = asked();
  request.releases.clear();
  EXPECT_EQ(refusal(request), "fusion compose needs --release, once for each, and --targets");
  request = asked();
  request.targets.clear();
  EXPECT_EQ(refusal(request), "fusion compose needs --release, once for each, and --targets");
  request = asked();
  request.targets = file("nobody.csv", "zip,age\n");
  EXPECT_EQ(refusal(request), "there are no targets to attack");
  request = asked();
  request.hierarchies = {"age=date"};
  EXPECT_EQ(refusal(request), "--hierarchy-of takes N:COLUMN=SPEC, not 'age=date'");
  request.hierarchies = {"1:agee=date"};
  EXPECT_NE(refusal(request).find("agee"), std::string::npos);
}

TEST_F(ComposeFlow, NothingThatWasReadIsOverwritten) {
  ComposeRequest request = by_age("young,x\n", "20..29,x\n", "age\n21\n");
  const std::string tree = file("young.csv", "21;young;*\n");
  request.columns.hierarchies = {"age=" + tree};
  for (const std::string& file : {path("a.csv"), path("b.csv"), path("t.csv"), tree}) {
    const std::string before = read_file(file);
    request.out = file;
    EXPECT_EQ(refusal(request), "the output is the same file as an input");
    EXPECT_EQ(read_file(file), before);
  }
}

class CompositionStudyFlow : public TableFlowFixture {
 protected:
  std::string data = [&] {
    std::string text = "age,sex,dx,job\n";
    for (int i = 0; i < 60; ++i) {
      text += std::to_string(20 + (i * 17) % 50) + "," + (i % 3 == 0 ? "F" : "M") + ",d" +
              std::to_string((i * i) % 7) + ",j" + std::to_string(i % 5) + "\n";
    }
    return file("data.csv", text);
  }();

  [[nodiscard]] ComposeRequest asked() const {
    ComposeRequest request;
    request.simulate = true;
    request.data = data;
    request.columns.said.quasi_identifiers = {"age", "sex"};
    request.columns.said.sensitive = {"dx", "job"};
    request.columns.hierarchies = {"age=interval:5,10,20"};
    request.overlap = 10;
    request.ks = {2, 3};
    request.methods = {"mondrian", "mixed"};
    request.ls = {1.5, 50};  // nobody has fifty diagnoses
    request.ts = {0.6};
    request.diversity_k = 4;
    request.release_counts = {2, 3};
    request.runs = 2;
    request.seed = 5;
    return request;
  }
};

// The study is the simulation of what was asked for.
TEST_F(CompositionStudyFlow, EveryOptionReachesTheSimulation) {
  const Source source = run.open(data);
  const Table table = run.engine.load(source, {"age", "sex", "dx", "job"}, progress);
  Schema schema;
  schema.hierarchies = {{"age", "interval:5,10,20"}, {"sex", "flat"}};
  const auto trees = tables::flow::make_hierarchies(schema, {"age", "sex"}, table);
  SimulationOptions wanted;
  wanted.quasi_identifiers = {"age", "sex"};
  wanted.sensitive = {"dx", "job"};
  wanted.overlap = 10;
  wanted.ks = {2, 3};
  wanted.methods = {"mondrian", "mixed"};
  wanted.ls = {1.5, 50};
  wanted.ts = {0.6};
  wanted.diversity_k = 4;
  wanted.releases = {2, 3};
  wanted.runs = 2;
  wanted.seed = 5;
  std::vector<Json> of_style;
  for (const std::string recoding : {"labels", "free"}) {
    wanted.style = recoding == "labels" ? tables::CellStyle::labels : tables::CellStyle::free;
    ComposeRequest request = asked();
    request.recoding = recoding;
    const Json result = *study_composition(request, run).result;
    const Json expected = to_json(
        simulate(table, {{"age", &trees.at("age")}, {"sex", &trees.at("sex")}}, wanted, progress));
    EXPECT_EQ(result["cases"], expected["cases"]);
    of_style.push_back(result["cases"]);
    EXPECT_EQ(result["rows"], 60);
    EXPECT_EQ(result["overlap"], 10);
    EXPECT_EQ(result["runs"], 2);
    EXPECT_EQ(result["seed"], 5);
    EXPECT_GE(result["seconds"], 0);
    EXPECT_LT(result["seconds"], 300);
    EXPECT_FALSE(result.contains("files"));
  }
  EXPECT_NE(of_style[0], of_style[1]);
}

TEST_F(CompositionStudyFlow, APersonIsShownTheCasesThatWorked) {
  const Outcome outcome = study_composition(asked(), run);
  const Json& cases = (*outcome.result)["cases"];
  const Json& shown = (*outcome.for_a_person)["cases"];
  std::size_t worked = 0;
  std::size_t failed = 0;
  for (const auto& simulated : cases) {
    if (simulated["runs"] == 0) {
      ++failed;
      continue;
    }
    const Json& row = shown.at(worked++);
    EXPECT_EQ(row["method"], simulated["method"]);
    std::string model = "k=" + simulated["k"].dump();
    if (!simulated["l"].is_null()) model += " l=1.5";
    if (!simulated["t"].is_null()) model += " t=0.6";
    EXPECT_EQ(row["model"], model);
    EXPECT_EQ(row["releases"], simulated["releases"]);
    EXPECT_EQ(row["sensitive"], simulated["sensitive"]);
    EXPECT_EQ(row["perfect_breach"], simulated["known"]["perfect_breach"]);
    EXPECT_EQ(row["at_0.25"], simulated["known"]["breach_at"]["0.25"]);
    EXPECT_EQ(row["mean_drop"], simulated["known"]["mean_drop"]);
    EXPECT_EQ(row["loss"], simulated["loss"]);
  }
  EXPECT_EQ(shown.size(), worked);
  EXPECT_GT(worked, 0U);
  EXPECT_GT(failed, 0U);
  EXPECT_EQ((*outcome.for_a_person)["seed"], 5);
  EXPECT_EQ((*outcome.for_a_person)["rows"], 60);
}

TEST_F(CompositionStudyFlow, FiguresLieInTheirFolder) {
  ComposeRequest request = asked();
  request.runs = 1;
  request.out = path("deep/study");
  const Outcome outcome = study_composition(request, run);
  EXPECT_EQ((*outcome.for_a_person)["out"], path("deep/study"));
  const Json& files = (*outcome.result)["files"];
  EXPECT_EQ(files[0], path("deep/study/cases.csv"));
  EXPECT_EQ(files.size() % 2, 1U);  // and two of each figure
  EXPECT_GT(files.size(), 1U);
  for (const auto& written_file : files) {
    const std::string text = read_file(written_file);
    EXPECT_EQ(text.find("<svg") == std::string::npos,
              written_file.get<std::string>().find(".csv") != std::string::npos);
    EXPECT_FALSE(text.empty());
  }
}

TEST_F(CompositionStudyFlow, ADrawnSeedRepeatsTheStudy) {
  ComposeRequest request = asked();
  request.runs = 1;
  request.seed.reset();
  const Json first = *study_composition(request, run).result;
  request.seed = first["seed"].get<std::uint64_t>();
  EXPECT_EQ((*study_composition(request, run).result)["cases"], first["cases"]);
}

TEST_F(CompositionStudyFlow, MistakesAreNamed) {
  const auto refusal = [&](const ComposeRequest& request) {
    return message_of([&] { return study_composition(request, run); });
  };
  ComposeRequest request = asked();
  request.data.clear();
  EXPECT_EQ(refusal(request),
            "--simulate needs --data: the table that the releases are drawn from");
  request = asked();
  request.releases = {data};
  EXPECT_EQ(refusal(request), "--simulate makes its own releases and targets");
  request = asked();
  request.targets = data;
  EXPECT_EQ(refusal(request), "--simulate makes its own releases and targets");
  request = asked();
  request.columns.said.sensitive.clear();
  EXPECT_EQ(refusal(request), "no sensitive attribute was given");
  request = asked();
  request.columns.said.quasi_identifiers.clear();
  EXPECT_EQ(refusal(request), "no quasi-identifiers were given");
}

}  // namespace
}  // namespace pratique::fusion::flow::compose_test
