#include "pratique/dp/flow/synthesize.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/dp/flow/diffgen.h"
#include "pratique/dp/flow/found_attributes.h"
#include "pratique/dp/flow/notes_view.h"
#include "pratique/dp/flow/study.h"
#include "pratique/dp/flow/testing/budget_fixture.h"

namespace pratique::dp::flow::synthesize_test {
namespace {

// 600 people: F with flu and M with gout, in three ages that say nothing.
std::string people(int count = 600) {
  std::string text = "id,age,sex,illness\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format("{},{},{},{}\n", i, 20 + 10 * (i / 2 % 3), i % 2 == 0 ? "F" : "M",
                        i % 2 == 0 ? "flu" : "gout");
  return text;
}

class DpSynthesize : public BudgetFixture {
 protected:
  std::string data = file("people.csv", people());
  std::string out = path("s.csv");

  [[nodiscard]] SynthesizeRequest request() const {
    return {.ledger = ledger,
            .domains = {"age=20..40:10", "sex=F|M", "illness=flu|gout|asthma"},
            .epsilon = 400,
            .out = out};
  }
  std::map<std::string, int> counted(const std::vector<std::string>& columns) const {
    std::map<std::string, int> counts;
    for (const auto& row : rows_of(out)) {
      std::string cell;
      for (const auto& column : columns) cell += row.at(column) + " ";
      ++counts[cell];
    }
    return counts;
  }
};

TEST_F(DpSynthesize, ATableLikeTheData) {
  open_budget_for(data);
  const Json result = *synthesize(request(), run()).result;
  EXPECT_EQ(result.at("method"), "mst");
  EXPECT_EQ(result.at("epsilon_spent"), 400);
  EXPECT_EQ(result.at("epsilon_left"), 600);
  EXPECT_NEAR(result.at("delta_spent").get<double>(), 0.00001, 1e-12);
  EXPECT_NEAR(result.at("delta_left").get<double>(), 0.00009, 1e-12);
  EXPECT_EQ(result.at("private"), true);
  EXPECT_EQ(result.at("out"), out);
  EXPECT_NEAR(result.at("rows").get<double>(), 600, 3);
  EXPECT_EQ(lines_of(out).front(), "age,sex,illness");
  const auto pairs = counted({"sex", "illness"});
  EXPECT_NEAR(pairs.at("F flu "), 300, 6);
  EXPECT_NEAR(pairs.at("M gout "), 300, 6);
  EXPECT_NEAR(counted({"age"}).at("20..29 "), 200, 6);
  // Sex and illness tell each other, so they were measured together.
  bool together = false;
  for (const auto& marginal : result.at("marginals"))
    together = together || marginal == "sex+illness" || marginal == "illness+sex";
  EXPECT_TRUE(together);
  const Json manifest = manifest_of(out);
  EXPECT_EQ(manifest.at("verb"), "synthesize");
  EXPECT_EQ(manifest.at("parameters").at("method"), "mst");
  EXPECT_EQ(manifest.at("parameters").at("epsilon"), 400);
  EXPECT_EQ(manifest.at("parameters").at("private"), true);
  EXPECT_EQ(manifest.at("parameters").at("columns").size(), 3U);
  EXPECT_EQ(manifest.at("claims").at(0).at("delta"), result.at("delta_spent"));
  EXPECT_EQ(manifest.at("inputs").size(), 2U);
}

TEST_F(DpSynthesize, ColumnsMarginalsAndRowsAreThoseAskedFor) {
  open_budget_for(data);
  auto asked = request();
  asked.columns = {"sex", "age"};
  asked.marginals = {"age+sex"};
  asked.rows = 50;
  asked.delta = 0.00002;
  const Json result = *synthesize(asked, run()).result;
  EXPECT_EQ(lines_of(out).front(), "sex,age");
  EXPECT_EQ(lines_of(out).size(), 51U);
  EXPECT_EQ(result.at("marginals"), (Json{"sex+age"}));
  EXPECT_NEAR(result.at("delta_spent").get<double>(), 0.00002, 1e-12);
}

TEST_F(DpSynthesize, CutsAreFoundForAShare) {
  std::string text = "income,born\n";
  for (int i = 0; i < 800; ++i) text += fmt::format("{},{}-06-15\n", 1000 + i % 400, 1940 + i % 60);
  open_budget_for(file("incomes.csv", text));
  SynthesizeRequest asked{.ledger = ledger,
                          .cuts = {"income=4", "born=4:date"},
                          .cuts_share = 0.5,
                          .epsilon = 600,
                          .out = out};
  (void)synthesize(asked, run());
  // A quarter in each part, about.
  for (const char* column : {"income", "born"}) {
    const auto parts = counted({column});
    EXPECT_LE(parts.size(), 5U) << column;
    for (const auto& [part, count] : parts) EXPECT_LT(count, 330) << column << " " << part;
  }
  EXPECT_EQ(charges(), 1U);
  asked.epsilon = 1e-8;
  EXPECT_NE(refusal([&] { return synthesize(asked, run()); }).find("too small to find cuts"),
            std::string::npos);
}

// Every row is looked at, though all are alike.
TEST_F(DpSynthesize, CutsAreFoundAroundASingleValue) {
  std::string text = "income\n";
  for (int i = 0; i < 800; ++i) text += "5000\n";
  open_budget_for(file("incomes.csv", text));
  (void)synthesize(
      {.ledger = ledger, .cuts = {"income=4"}, .cuts_share = 0.5, .epsilon = 600, .out = out},
      run());
  for (const auto& [part, count] : counted({"income"})) {
    const auto points = part.find("..");
    ASSERT_NE(points, std::string::npos) << part;
    EXPECT_LE(std::stod(part.substr(0, points)), 5000) << part;
    EXPECT_GE(std::stod(part.substr(points + 2)), 5000) << part;
  }
}

TEST_F(DpSynthesize, CutsAreNamedByColumnAndParts) {
  const auto wanted = WantedCuts::parse("income=16");
  EXPECT_EQ(wanted.column, "income");
  EXPECT_EQ(wanted.parts, 16U);
  EXPECT_FALSE(wanted.dates);
  EXPECT_EQ(wanted.placeholder().cells(), 17U);  // and the stray one
  EXPECT_TRUE(WantedCuts::parse("born=2:date").dates);
  EXPECT_EQ(WantedCuts::parse("born=256:date:dmy").order, DateOrder::day_first);
  EXPECT_EQ(WantedCuts::parse("born=256").parts, 256U);
  for (const char* text : {"income", "=4", "income=", "income=1", "income=257", "income=2.5",
                           "income=x", "income=4:dmy", "income=4:days"})
    EXPECT_THROW((void)WantedCuts::parse(text), Error) << text;
}

TEST_F(DpSynthesize, WhatIsRefusedCostsAndWritesNothing) {
  open_budget_for(data, 10, 0.0001, "id");
  const auto with = [&](auto change) {
    auto asked = request();
    asked.epsilon = 1;
    change(asked);
    return refusal([&] { return synthesize(asked, run()); });
  };
  EXPECT_NE(with([](auto& r) { r.ledger.clear(); }).find("--from"), std::string::npos);
  EXPECT_NE(with([&](auto& r) { r.from = data; }).find("--from"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.epsilon.reset(); }).find("--epsilon"), std::string::npos);
  EXPECT_NE(with([](auto& r) {
              r.columns = {"age", "id"};
            }).find("needs a domain"),
            std::string::npos);
  EXPECT_NE(with([](auto& r) { r.domains.push_back("id=0..9"); }).find("whose a row is"),
            std::string::npos);
  EXPECT_NE(with([](auto& r) { r.domains = {}; }).find("columns with domains"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.domains = {"agee=0..1"}; }).find("agee"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.cuts = {"age=4"}; }).find("has a domain already"),
            std::string::npos);
  EXPECT_NE(with([](auto& r) {
              r.cuts = {"id=4", "id=5"};
            }).find("has a domain already"),
            std::string::npos);
  EXPECT_NE(with([](auto& r) { r.marginals = {"age"}; }).find("--marginals"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.marginals = {"age+age"}; }).find("--marginals"),
            std::string::npos);
  EXPECT_NE(with([](auto& r) { r.marginals = {"age+height"}; }).find("height"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.memory = 1; }), "");
  EXPECT_NE(with([&](auto& r) { r.out = data; }), "");
  EXPECT_NE(with([&](auto& r) { r.out = ledger; }), "");
  EXPECT_EQ(charges(), 0U);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(DpSynthesize, NoiseThatIsGaussianNeedsADelta) {
  open_budget_for(data, 10, 0);
  EXPECT_NE(refusal([&] { return synthesize(request(), run()); }).find("delta"), std::string::npos);
}

TEST_F(DpSynthesize, ASeedClaimsNothing) {
  open_budget_for(data);
  auto asked = request();
  asked.epsilon = 1;
  asked.insecure_seed = 5;
  const Json result = *synthesize(asked, run()).result;
  EXPECT_EQ(result.at("private"), false);
  EXPECT_TRUE(any_note(result, "NOT PRIVATE"));
  const auto first = read_file(out);
  (void)synthesize(asked, run());
  EXPECT_EQ(read_file(out), first);
  EXPECT_EQ(manifest_of(out).at("claims"), Json::array());
}

TEST_F(DpSynthesize, AnEvaluationIsExactAndForTheSteward) {
  open_budget_for(data);
  (void)synthesize(request(), run());
  // Beside rows of which each is in the cells of one of its own: nothing is off.
  std::string alike = "age,sex,illness\n";
  for (const auto& row : rows_of(out))
    alike +=
        fmt::format("{},{},{}\n", row.at("age").substr(0, 2), row.at("sex"), row.at("illness"));
  const EvaluateRequest itself{
      .synthetic = out, .original = file("alike.csv", alike), .label = "illness"};
  const Json same = *evaluate(itself, run()).result;
  EXPECT_EQ(same.at("rows"), same.at("original_rows"));
  for (const char* ways : {"two_way", "three_way"}) {
    EXPECT_NEAR(same.at(ways).at("worst_distance").get<double>(), 0, 1e-12);
    EXPECT_NEAR(same.at(ways).at("mean_distance").get<double>(), 0, 1e-12);
  }
  EXPECT_EQ(same.at("two_way").at("each").size(), 3U);
  EXPECT_EQ(same.at("three_way").at("each").size(), 1U);
  EXPECT_EQ(same.at("three_way").at("worst_columns"), "age+sex+illness");
  EXPECT_NE(same.at("steward_only").get<std::string>().find("STEWARD ONLY"), std::string::npos);
  EXPECT_NE(same.at("membership").get<std::string>().find("--others"), std::string::npos);

  // Beside people of whom half have the other illness: sex and illness differ by one half.
  std::string text = "age,sex,illness\n";
  for (int i = 0; i < 400; ++i)
    text += fmt::format("{},{},{}\n", 20 + 10 * (i / 4 % 3), i % 2 == 0 ? "F" : "M",
                        i / 2 % 2 == 0 ? "flu" : "gout");
  EvaluateRequest asked{.synthetic = out,
                        .original = file("other.csv", text),
                        .label = "illness",
                        .out = path("judged.json")};
  const auto outcome = evaluate(asked, run());
  const Json result = *outcome.result;
  EXPECT_EQ(result.at("original_rows"), 400);
  EXPECT_EQ(result.at("two_way").at("worst_columns"), "sex+illness");
  EXPECT_NEAR(result.at("two_way").at("worst_distance").get<double>(), 0.5, 0.02);
  double mean = 0;
  for (const auto& one : result["two_way"]["each"]) mean += one.at("distance").get<double>() / 3;
  EXPECT_NEAR(result["two_way"].at("mean_distance").get<double>(), mean, 1e-12);
  EXPECT_EQ(result.at("usefulness").size(), 2U);
  EXPECT_EQ(result["usefulness"][0].at("epsilon"), result["two_way"]["worst_distance"]);
  EXPECT_EQ(result["usefulness"][1].at("epsilon"), result["three_way"]["worst_distance"]);
  EXPECT_NE(result["usefulness"][0].at("questions").get<std::string>().find("by two"),
            std::string::npos);
  EXPECT_NE(result["usefulness"][1].at("questions").get<std::string>().find("by three"),
            std::string::npos);
  EXPECT_EQ(result.at("classifier").at("label"), "illness");
  EXPECT_NEAR(result["classifier"].at("most_frequent").get<double>(), 0.5, 0.1);
  EXPECT_EQ(result.at("linkage").at("guessed"), "illness");
  EXPECT_EQ(mode_of(path("judged.json")), 0600U);
  EXPECT_EQ(read_json_file(path("judged.json")), result);
  EXPECT_FALSE(outcome.for_a_person->at("two_way").contains("each"));
  // Without a label it is the last column; with others, membership is tried.
  asked.label.clear();
  asked.others = file("others.csv", "age,sex,illness\n20,F,asthma\n30,M,asthma\n");
  asked.out.clear();
  const Json tried = *evaluate(asked, run()).result;
  EXPECT_EQ(tried.at("classifier").at("label"), "illness");
  EXPECT_EQ(tried.at("membership").at("members"), 400);
  EXPECT_EQ(tried.at("membership").at("others"), 2);
  EXPECT_NEAR(tried.at("membership").at("advantage_at_most").get<double>(), 1,
              1e-9);  // of epsilon 400
  EXPECT_NE(refusal([&] {
              return evaluate({.synthetic = data, .original = data}, run());
            }).find("synthesize"),
            std::string::npos);
}

TEST_F(DpSynthesize, WhatEpsilonAllowsAnAdversary) {
  open_budget_for(data);
  auto asked = request();
  asked.epsilon = 0.5;
  asked.delta = 0.00005;
  (void)synthesize(asked, run());
  const Json judged = *evaluate({.synthetic = out, .original = data, .others = data}, run()).result;
  const double gain = std::exp(0.5) - 1;
  EXPECT_NEAR(judged.at("membership").at("advantage_at_most").get<double>(),
              (gain + 2 * 0.00005) / (gain + 2), 1e-9);
}

class DpDiffgen : public BudgetFixture {
 protected:
  // 800 people: who lives in the north has flu, in the south gout; age says nothing.
  std::string data = [this] {
    std::string text = "id,age,town,illness\n";
    for (int i = 0; i < 800; ++i)
      text +=
          fmt::format("p{},{},{},{}\n", i, 20 + i % 40, "abcd"[i % 4], i % 4 < 2 ? "flu" : "gout");
    return file("people.csv", text + "x,999,nowhere,flu\n");
  }();
  std::string town = file("town.csv", "a;north;*\nb;north;*\nc;south;*\nd;south;*\n");
  std::string illness = file("illness.csv", "flu;*\ngout;*\nasthma;*\n");
  std::string age = [this] {
    std::string text;
    for (int a = 20; a < 60; ++a) text += fmt::format("{};{}s;*\n", a, a / 10 * 10);
    return file("age.csv", text);
  }();

  [[nodiscard]] DiffgenRequest request() const {
    return {.file = data,
            .ledger = ledger,
            .quasi_identifiers = {"age", "town"},
            .sensitive = {"illness"},
            .hierarchies = {"age=" + age, "town=" + town, "illness=" + illness},
            .epsilon = 200,
            .specialisations = 1,
            .out = path("r.csv")};
  }
};

TEST_F(DpDiffgen, ValuesAreGeneralisedAsFarAsTheClassAllows) {
  open_budget_for(data, 1000, 0);
  const Json result = *diffgen(request(), run()).result;
  EXPECT_EQ(result.at("method"), "diffgen");
  EXPECT_EQ(result.at("epsilon_spent"), 200);
  EXPECT_EQ(result.at("epsilon_left"), 800);
  EXPECT_EQ(result.at("values"), (Json{{"age", 1}, {"town", 2}}));
  EXPECT_EQ(lines_of(path("r.csv")).front(), "age,town,illness");
  std::map<std::string, int> counts;
  for (const auto& row : rows_of(path("r.csv"))) {
    EXPECT_EQ(row.at("age"), "*");
    ++counts[row.at("town") + " " + row.at("illness")];
  }
  // The row of nowhere is in no tree.
  EXPECT_EQ(counts, (std::map<std::string, int>{{"north flu", 400}, {"south gout", 400}}));
  const Json manifest = manifest_of(path("r.csv"));
  EXPECT_EQ(manifest.at("parameters").at("method"), "diffgen");
  EXPECT_EQ(manifest.at("parameters").at("delta"), 0);
  EXPECT_EQ(manifest.at("inputs").size(), 5U);  // the table, the ledger, three trees
  // With more specialisations ages are told apart.
  auto more = request();
  more.specialisations = 4;
  const Json finer = diffgen(more, run()).result->at("values");
  EXPECT_GT(finer.at("age").get<int>() + finer.at("town").get<int>(), 3);
  std::map<std::string, std::set<std::string>> shown;
  for (const auto& row : rows_of(path("r.csv")))
    for (const char* column : {"age", "town"}) shown[column].insert(row.at(column));
  for (const char* column : {"age", "town"})
    EXPECT_EQ(shown[column].size(), finer.at(column).get<std::size_t>()) << column;
}

TEST_F(DpDiffgen, WhatIsRefusedCostsNothing) {
  open_budget_for(data, 1000, 0);
  const auto with = [&](auto change) {
    auto asked = request();
    change(asked);
    return refusal([&] { return diffgen(asked, run()); });
  };
  EXPECT_NE(with([](auto& r) { r.ledger.clear(); }).find("--ledger"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.epsilon.reset(); }).find("--epsilon"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.quasi_identifiers = {}; }).find("--qi"), std::string::npos);
  EXPECT_NE(with([](auto& r) {
              r.sensitive = {"illness", "age"};
            }).find("--sensitive"),
            std::string::npos);
  EXPECT_NE(with([](auto& r) { r.sensitive = {}; }).find("--sensitive"), std::string::npos);
  EXPECT_NE(with([](auto& r) {
              r.quasi_identifiers = {"age", "illness"};
            }).find("twice"),
            std::string::npos);
  EXPECT_NE(with([](auto& r) {
              r.quasi_identifiers = {"age", "age"};
            }).find("twice"),
            std::string::npos);
  EXPECT_NE(with([&](auto& r) { r.file = town; }).find("another table"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.hierarchies.pop_back(); }).find("needs a hierarchy"),
            std::string::npos);
  EXPECT_NE(with([](auto& r) { r.hierarchies[0] = "age=interval:5"; }).find("is not a file"),
            std::string::npos);
  EXPECT_NE(with([&](auto& r) { r.quasi_identifiers = {"agee"}; }).find("agee"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.epsilon = 3e-9; }).find("too small"), std::string::npos);
  EXPECT_NE(with([&](auto& r) { r.out = town; }), "");
  EXPECT_NE(with([&](auto& r) { r.out = data; }), "");
  EXPECT_EQ(charges(), 0U);
  EXPECT_TRUE(nothing_written(path("r.csv")));
}

TEST_F(DpDiffgen, AStudyMeasuresEverySetting) {
  const Json result =
      *study({.rows = 2000, .draws = 2, .vary = "xi0", .seed = 3, .out = path("study.csv")}, run())
           .result;
  EXPECT_EQ(result.at("rows"), 2000);
  EXPECT_EQ(result.at("draws"), 2);
  EXPECT_EQ(result.at("seed"), 3);
  EXPECT_EQ(result.at("out"), path("study.csv"));
  EXPECT_LE(result.at("occupied"), 2000);
  ASSERT_GT(result.at("settings").size(), 1U);
  const auto rows = rows_of(path("study.csv"));
  ASSERT_EQ(rows.size(), result["settings"].size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& one = result["settings"][i];
    EXPECT_EQ(one.at("varies"), "xi0");
    EXPECT_EQ(rows[i].at("varies"), "xi0");
    EXPECT_EQ(rows[i].at("method"), one.at("method"));
    EXPECT_EQ(rows[i].at("xi0"),
              one.at("xi0").is_null() ? "default" : fmt::format("{}", one.at("xi0").get<double>()));
    EXPECT_NEAR(std::stod(rows[i].at("absolute")), one.at("absolute").at("mean").get<double>(),
                0.005);
    EXPECT_NEAR(std::stod(rows[i].at("relative_high")), one.at("relative").at("high").get<double>(),
                0.00001);
    EXPECT_LE(one.at("absolute").at("low"), one.at("absolute").at("mean"));
    EXPECT_GE(one.at("absolute").at("high"), one.at("absolute").at("mean"));
  }
  const Json again = *study({.rows = 2000, .draws = 2, .vary = "xi0", .seed = 3}, run()).result;
  EXPECT_EQ(again.at("settings"), result.at("settings"));
  EXPECT_FALSE(again.contains("out"));
}

class DpNotesView : public BudgetFixture {
 protected:
  std::string in = [this] {
    std::string text;
    for (int i = 0; i < 60; ++i)
      text += Json{{"id", std::to_string(i)},
                   {"patient", "p" + std::to_string(i / 2)},
                   {"text",
                    fmt::format("A {}-year-old {}.", 30 + i / 2, i / 2 % 2 == 0 ? "woman" : "man")}}
                  .dump() +
              "\n";
    return file("notes.jsonl", text);
  }();
  [[nodiscard]] NotesViewRequest request() const {
    NotesViewRequest asked;
    asked.view.input.path = in;
    asked.view.out = path("view.csv");
    asked.ledger = ledger;
    asked.epsilon = 400;
    asked.delta = 1e-5;
    asked.domains = {"age=30..59:10", "sex=F|M"};
    asked.out = path("s.csv");
    return asked;
  }
};

TEST_F(DpNotesView, TheViewOfNotesIsSynthesizedInOneStep) {
  const auto outcome = synthesize_notes_view(request(), run());
  const Json result = *outcome.result;
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ(result.at("persons"), 30);
  EXPECT_EQ(result.at("notes"), 60);
  EXPECT_EQ(result.at("view"), path("view.csv"));
  EXPECT_EQ(result.at("out"), path("s.csv"));
  EXPECT_EQ(result.at("budget").at("epsilon"), 400);
  EXPECT_EQ(result.at("synthetic").at("epsilon_spent"), 400);
  EXPECT_EQ(budget_now().at("left"), 0);
  EXPECT_EQ(mode_of(path("view.csv")), 0600U);
  EXPECT_EQ(lines_of(path("s.csv")).front(), "age,sex");
  EXPECT_NEAR(static_cast<double>(lines_of(path("s.csv")).size()), 31, 2);
  // Neither how many notes there are nor where they lie.
  const auto manifest = read_file(path("s.csv.manifest.json"));
  EXPECT_EQ(manifest.find("notes.jsonl"), std::string::npos);
  EXPECT_EQ(manifest.find("persons"), std::string::npos);
  EXPECT_EQ(manifest_of(path("s.csv")).at("options"), (Json{{"epsilon", 400.0}, {"delta", 1e-5}}));
}

TEST_F(DpNotesView, RefusesNotesOfNobodyAndFilesOfItsOwn) {
  for (const auto& own : {path("view.csv"), ledger, in}) {
    auto asked = request();
    asked.out = own;
    EXPECT_NE(
        refusal([&] { return synthesize_notes_view(asked, run()); }).find("replace another file"),
        std::string::npos);
  }
  auto asked = request();
  asked.view.input.path = file("nobody.jsonl", "{\"id\":\"1\",\"text\":\"well\"}\n");
  EXPECT_NE(refusal([&] { return synthesize_notes_view(asked, run()); }).find("names no patient"),
            std::string::npos);
  asked.view.input.path = file("none.jsonl", "nonsense\n");
  EXPECT_EQ(error_of([&] { return synthesize_notes_view(asked, run()); }).code(),
            ErrorCode::check_failed);
  EXPECT_FALSE(std::filesystem::exists(ledger));
  EXPECT_FALSE(std::filesystem::exists(path("s.csv")));
  // Domains of its own, where none are given.
  asked = request();
  asked.domains.clear();
  (void)synthesize_notes_view(asked, run());
  EXPECT_EQ(lines_of(path("s.csv")).front(), "age,sex,zip,first_date");
}

}  // namespace
}  // namespace pratique::dp::flow::synthesize_test
