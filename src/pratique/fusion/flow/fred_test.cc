#include "pratique/fusion/flow/fred.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "pratique/crypto/hash.h"
#include "pratique/fusion/flow/web.h"
#include "pratique/fusion/testing/people_for_flow_test.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::fusion::flow::fred_test {
namespace {

using Names = std::vector<std::string>;

class FredFlow : public NamedPeopleFlow {
 protected:
  const Names leaving{"name", "valuation", "visits"};
  const Names qi{"valuation", "visits"};
  std::string data =
      table_of_persons("private.csv", {"name", "ssn", "valuation", "visits", "income"});
  std::string facts = table_of_persons("web.csv", {"name", "holdings"});

  [[nodiscard]] FredRequest asked() const {
    FredRequest request;
    request.file = data;
    request.auxiliary = facts;
    request.names.key = "name";
    request.quasi_identifiers = qi;
    request.identifiers = {"ssn"};
    request.target = "income";
    request.rules = rules;
    request.fred.largest_k = 4;
    request.seed = 1;
    request.out = path("out.csv");
    return request;
  }
  [[nodiscard]] Json reported(const FredRequest& request) { return *fred(request, run).result; }
  // What the attack by itself finds in a file, which shares no code with the levels of FRED.
  [[nodiscard]] Json attacked(const std::string& release, const std::string& auxiliary,
                              const std::string& learn = {}) {
    WebRequest request;
    request.release = release;
    request.auxiliary = auxiliary;
    request.names.key = "name";
    request.target = "income";
    request.rules = rules;
    request.truth = data;
    request.learn = learn;
    return *web(request, run).result;
  }
};

TEST_F(FredFlow, NamesStayAndTheTargetGoes) {
  for (const std::string method : {"microaggregate", "mondrian"}) {
    SCOPED_TRACE(method);
    FredRequest request = asked();
    request.method = method;
    const Outcome outcome = fred(request, run);
    EXPECT_TRUE(outcome.passed);
    const Json& result = *outcome.result;
    const auto released = cells("out.csv");
    EXPECT_EQ(released.columns, leaving);
    EXPECT_EQ(released.rows.size(), persons.size());
    for (const auto& person : persons) {
      EXPECT_EQ(released.count_by({"name"}).count({person.name}), 1U);
    }
    EXPECT_EQ(result["people"], 12);
    EXPECT_EQ(result["method"], method);
    EXPECT_EQ(result["unchanged"], Json{"name"});
    EXPECT_EQ(result["out"], path("out.csv"));
    EXPECT_EQ(result["seed"], 1);
    EXPECT_GE(result["seconds"], 0);
    EXPECT_LT(result["seconds"], 300);
    EXPECT_TRUE(verify::verify_release(run.engine, path("out.csv"), progress).holds());
    const int smallest = released.smallest_class(qi);
    EXPECT_GE(smallest, result["k_opt"].get<int>());
    EXPECT_EQ(result["models"]["k"]["required"], result["k_opt"]);
    EXPECT_EQ(result["models"]["k"]["achieved"], smallest);
    const Json parameters = manifest_of("out.csv")["parameters"];
    EXPECT_EQ(parameters.value("centre", "none"), method == "mondrian" ? "none" : "mean");
    EXPECT_EQ(parameters["auxiliary_key"], "name");
  }
}

TEST_F(FredFlow, MicroaggregationShowsMeansAndMondrianRanges) {
  std::map<std::string, int> valuation_of;
  for (const auto& person : persons) valuation_of[person.name] = person.valuation;
  FredRequest request = asked();
  request.method = "microaggregate";
  (void)reported(request);
  std::map<Names, std::vector<int>> classes;
  for (const auto& row : cells("out.csv").rows)
    classes[{row[1], row[2]}].push_back(valuation_of.at(row[0]));
  for (const auto& [shown, valuations] : classes) {
    // With a decimal more than the values have.
    const double sum = std::accumulate(valuations.begin(), valuations.end(), 0.0);
    EXPECT_NEAR(std::stod(shown[0]), sum / static_cast<double>(valuations.size()), 0.05 + 1e-9);
    EXPECT_EQ(shown[0].find(".."), std::string::npos);
  }
  request.method = "mondrian";
  (void)reported(request);
  std::size_t ranges = 0;
  for (const auto& row : cells("out.csv").rows) {
    const auto dots = row[1].find("..");
    const int low = std::stoi(row[1]);
    const int high = dots == std::string::npos ? low : std::stoi(row[1].substr(dots + 2));
    ranges += dots == std::string::npos ? 0 : 1;
    EXPECT_LE(low, valuation_of.at(row[0]));
    EXPECT_GE(high, valuation_of.at(row[0]));
  }
  EXPECT_GT(ranges, 0U);
}

TEST_F(FredFlow, TheFiguresOfTheBestLevelAreThoseOfTheFile) {
  const Json result = reported(asked());
  ASSERT_EQ(result["levels"].size(), 3U);
  Json best;
  Json best_sum;
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& level = result["levels"][i];
    EXPECT_EQ(level["k"], i + 2);
    EXPECT_EQ(level["admitted"], true);
    EXPECT_EQ(level["source"], facts);
    EXPECT_NEAR(
        level["gain"].get<double>(),
        level["dissimilarity_before"].get<double>() - level["dissimilarity_after"].get<double>(),
        1e-6);
    if (best.is_null() || level["h"] > best["h"]) best = level;
    if (best_sum.is_null() || level["weighted_sum"] > best_sum["weighted_sum"]) best_sum = level;
  }
  EXPECT_EQ(result["k_opt"], best["k"]);
  EXPECT_EQ(result["k_opt_weighted_sum"], best_sum["k"]);
  // H = w1 (P o P^) + w2 (1/m) sum of |E|^-2, and U = 1 / sum of |E|^2, from the file.
  const auto classes = cells("out.csv").count_by(qi);
  double squares = 0;
  double mean_square = 0;
  for (const auto& [cells_of_class, size] : classes) {
    squares += size * size;
    mean_square += size * std::pow(size, -2) / 12;
  }
  EXPECT_EQ(best["classes"], classes.size());
  EXPECT_NEAR(best["utility"].get<double>(), 1 / squares, 1e-12);
  const double after = best["dissimilarity"];
  EXPECT_NEAR(best["h"].get<double>(), 0.5 * after + 0.5 * mean_square, 1e-4);
  EXPECT_NEAR(best["weighted_sum"].get<double>(), 0.5 * after + 0.5 / squares, 1e-4);
  const Json attack = attacked(path("out.csv"), facts);
  EXPECT_NEAR(
      attack["dissimilarity_after"].get<double>() / best["dissimilarity_after"].get<double>(), 1,
      1e-9);
  EXPECT_LE(after, attack["dissimilarity_after"].get<double>() * (1 + 1e-9));
  if (!best["source"].is_null()) {
    EXPECT_EQ(best["adversary"], attack["strongest"]);
  }
  for (const std::string key : {"dissimilarity_before", "dissimilarity_after", "information_gain",
                                "within_5_percent", "within_10_percent", "rank_correlation"}) {
    EXPECT_NEAR(result["released"][key].get<double>(), attack[key].get<double>(), 1e-3) << key;
  }
}

// Whoever finds that facts mislead leaves them aside, and whoever finds that all does guesses the
// mean.
TEST_F(FredFlow, TheNearestOfAllEstimatesCounts) {
  double mean = 0;
  for (const auto& person : persons) mean += person.income() / 12.0;
  double variance = 0;
  for (const auto& person : persons) variance += std::pow(person.income() - mean, 2) / 12;
  // Somebody else's holdings: those of the person with the opposite rank.
  std::vector<int> holdings;
  for (const auto& person : persons) holdings.push_back(person.holdings);
  std::sort(holdings.begin(), holdings.end());
  std::string misleading = "name,holdings\n";
  for (const auto& person : persons) {
    const auto rank = std::find(holdings.begin(), holdings.end(), person.holdings);
    misleading += person.name + "," + std::to_string(holdings[holdings.end() - rank - 1]) + "\n";
  }
  // Rules that are wrong throughout: everybody earns next to nothing.
  std::string wrong = kIncomeRules;
  for (const std::string term : {"low := 40000", "medium := 70000", "high := 100000"}) {
    wrong.replace(wrong.find(term), term.size(), term.substr(0, term.find(' ')) + " := 1");
  }
  FredRequest request = asked();
  std::set<std::string> sources;
  for (const auto& [web, used] :
       {std::pair{facts, rules}, std::pair{file("misleading.csv", misleading), rules},
        std::pair{facts, file("wrong.fcl", wrong)}}) {
    request.auxiliary = web;
    request.rules = used;
    const Json result = reported(request);
    EXPECT_NEAR(result["variance_of_target"].get<double>() / variance, 1, 1e-9);
    for (const auto& level : result["levels"]) {
      const double before = level["dissimilarity_before"];
      const double after = level["dissimilarity_after"];
      const double least = std::min({before, after, variance});
      EXPECT_NEAR(level["dissimilarity"].get<double>() / least, 1, 1e-9);
      EXPECT_EQ(level["source"].is_null(), least != after);
      EXPECT_EQ(level["adversary"] == "mean", least == variance);
      sources.insert(least == after ? "facts" : least == before ? "release" : "mean");
    }
  }
  EXPECT_EQ(sources, (std::set<std::string>{"facts", "release", "mean"}));
}

TEST_F(FredFlow, NothingIsReleasedBelowTheThresholdOfAnAdversaryWithoutFacts) {
  FredRequest request = asked();
  const Json level = reported(request)["levels"][2];
  request.fred.protection = std::nextafter(level["dissimilarity"].get<double>(), 1e300);
  const Json result = reported(request);
  for (const auto& other : result["levels"]) {
    EXPECT_EQ(other["admitted"], other["dissimilarity"] >= request.fred.protection);
  }
}

TEST_F(FredFlow, WhatProvesNothingIsWarnedAbout) {
  FredRequest request = asked();
  Json result = reported(request);
  EXPECT_FALSE(result.contains("warnings"));
  const double variance = result["variance_of_target"];
  request.fred.protection = variance;
  EXPECT_FALSE(reported(request).contains("warnings"));
  request.fred.protection = std::nextafter(variance, 1e300);
  const Outcome outcome = fred(request, run);
  EXPECT_FALSE(outcome.passed);
  ASSERT_EQ((*outcome.result)["warnings"].size(), 1U);
  EXPECT_NE((*outcome.result)["warnings"][0].get<std::string>().find("variance"),
            std::string::npos);
  request = asked();
  request.auxiliary = file("others.csv", "name,holdings\nZoltan,700\n");
  result = reported(request);
  EXPECT_NE(result["warnings"][0].get<std::string>().find("nobody"), std::string::npos);
  request.auxiliary = table_of_persons("visits.csv", {"name", "ssn"});
  request.rules = file("own.fcl",
                       "FUNCTION_BLOCK f VAR_INPUT valuation : REAL; END_VAR "
                       "VAR_OUTPUT income : REAL; END_VAR "
                       "FUZZIFY valuation TERM low := (1, 1) (10, 0); END_FUZZIFY "
                       "DEFUZZIFY income TERM low := 40000; METHOD : COGS; DEFAULT := 60000; "
                       "END_DEFUZZIFY "
                       "RULEBLOCK r RULE 1 : IF valuation IS low THEN income IS low; END_RULEBLOCK "
                       "END_FUNCTION_BLOCK");
  result = reported(request);
  ASSERT_EQ(result["warnings"].size(), 1U);
  EXPECT_NE(result["warnings"][0].get<std::string>().find("no column of the facts"),
            std::string::npos);
}

TEST_F(FredFlow, TheChoiceAmongAdmittedLevelsIsExplained) {
  FredRequest request = asked();
  const Json result = reported(request);
  EXPECT_EQ(result["k_least"], 2);
  EXPECT_GT(result["k_opt"], 2);
  const std::string choice = result["choice"];
  EXPECT_NE(choice.find("3 levels satisfy both"), std::string::npos) << choice;
  EXPECT_NE(choice.find("H is largest at k = " + result["k_opt"].dump()), std::string::npos);
  EXPECT_NE(choice.find("--k-max 2"), std::string::npos);
  request.fred.largest_k = 2;
  EXPECT_EQ(reported(request)["k_opt"], 2);
  EXPECT_EQ(reported(request)["choice"], "k = 2 alone satisfies both thresholds");
  // Where H counts utility alone, the smallest is the best.
  request = asked();
  request.fred.w1 = 0;
  EXPECT_NE(reported(request)["choice"].get<std::string>().find("the smallest of them"),
            std::string::npos);
}

TEST_F(FredFlow, TheTableAsItIsIsAttackedFirst) {
  const Json result = reported(asked());
  const Json attack = attacked(table_of_persons("raw.csv", leaving), facts);
  EXPECT_NEAR(result["as_it_is"]["dissimilarity_after"].get<double>(),
              attack["dissimilarity_after"].get<double>(), 1e-3);
  EXPECT_NEAR(result["as_it_is"]["information_gain"].get<double>(),
              attack["information_gain"].get<double>(), 1e-3);
  EXPECT_EQ(result["sources"],
            Json::array({{{"source", facts}, {"matched", 12}, {"ambiguous", 0}}}));
}

TEST_F(FredFlow, ThresholdsAdmitOrNothingIsWritten) {
  FredRequest request = asked();
  request.fred.protection = 1e12;
  Outcome outcome = fred(request, run);
  EXPECT_FALSE(outcome.passed);
  Json result = *outcome.result;
  EXPECT_TRUE(result["k_opt"].is_null());
  EXPECT_NE(result["note"].get<std::string>().find("no level from k = 2 to 4"), std::string::npos);
  double most = 0;
  for (const auto& level : result["levels"]) {
    EXPECT_EQ(level["admitted"], false);
    most = std::max(most, level["dissimilarity"].get<double>());
  }
  EXPECT_EQ(result["nearest"]["dissimilarity"], most);
  EXPECT_FALSE(result.contains("out"));
  EXPECT_TRUE(nothing_at("out.csv"));
  // The dissimilarity of a level that is released may be the threshold itself.
  const Json levels = result["levels"];
  request.fred.protection = most;
  outcome = fred(request, run);
  EXPECT_TRUE(outcome.passed);
  EXPECT_FALSE(outcome.result->contains("note"));
  EXPECT_TRUE(exists("out.csv"));
}

TEST_F(FredFlow, TheManifestSaysHowItWasMade) {
  FredRequest request = asked();
  request.fred.w1 = 0.75;
  request.fred.w2 = 0.125;
  request.fred.utility = 0.001;
  request.learn = table_of_persons("sample.csv", {"name", "income"}, 3);
  run.command = {"fusion", "fred", "private.csv"};
  run.options = Json{{"w1", 0.75}};
  run.config = file("fred.yaml", "w1: 0.75\n");
  const Json result = reported(request);
  const Json manifest = manifest_of("out.csv");
  EXPECT_EQ(manifest["kind"], "fusion");
  EXPECT_EQ(manifest["verb"], "fred");
  EXPECT_EQ(manifest["command"], (Json{"fusion", "fred", "private.csv"}));
  EXPECT_EQ(manifest["options"], (Json{{"w1", 0.75}}));
  EXPECT_EQ(manifest["seed"], 1);
  EXPECT_EQ(manifest["parameters"], Json::parse(R"({
      "method": "microaggregate", "quasi_identifiers": ["valuation", "visits"], "key": "name",
      "auxiliary_key": "name",
      "target": "income", "identifiers": ["ssn"], "tp": 0.0, "tu": 0.001, "w1": 0.75, "w2": 0.125,
      "insensitive": [], "allowed": [], "centre": "mean"})"));
  Names inputs;
  for (const auto& input : manifest["inputs"]) {
    inputs.push_back(input["path"]);
    EXPECT_FALSE(input.contains("sha256"));
  }
  EXPECT_EQ(inputs, (Names{data, facts, path("sample.csv"), rules, run.config}));
  EXPECT_EQ(manifest["inputs"][3]["role"], "setting");
  ASSERT_EQ(manifest["claims"].size(), 1U);
  EXPECT_EQ(manifest["claims"][0]["k"], result["k_opt"]);
  EXPECT_EQ(manifest["claims"][0]["quasi_identifiers"], Json(qi));
  EXPECT_EQ(manifest["results"]["k_opt"], result["k_opt"]);
}

TEST_F(FredFlow, ADrawnSeedIsRecorded) {
  FredRequest request = asked();
  request.seed.reset();
  const std::uint64_t seed = reported(request)["seed"];
  EXPECT_EQ(manifest_of("out.csv")["seed"], seed);
  EXPECT_EQ(manifest_of("out.csv")["options"]["seed"], seed);
  request.seed = seed;
  request.out = path("again.csv");
  (void)reported(request);
  EXPECT_EQ(read_file(path("again.csv")), read_file(path("out.csv")));
}

TEST_F(FredFlow, TheStrongestOfSeveralSourcesCounts) {
  const std::string all = table_of_persons("set/all.csv", {"name", "holdings"});
  const std::string few = table_of_persons("set/few.csv", {"name", "holdings"}, 5);
  (void)file("set/readme.txt", "no table");
  (void)file("set/.hidden.csv", "no table");
  std::filesystem::create_directory(path("set/folder.csv"));
  FredRequest request = asked();
  request.auxiliary.clear();
  request.attack_set = path("set");
  const Json several = reported(request);
  ASSERT_EQ(several["sources"].size(), 2U);
  EXPECT_EQ(several["sources"][0]["source"], all);
  EXPECT_EQ(several["sources"][0]["matched"], 12);
  EXPECT_EQ(several["sources"][1]["source"], few);
  EXPECT_EQ(several["sources"][1]["matched"], 3);
  request.attack_set.clear();
  std::map<std::string, Json> alone;
  for (const auto& source : {all, few}) {
    request.auxiliary = source;
    alone[source] = reported(request)["levels"];
  }
  for (std::size_t i = 0; i < several["levels"].size(); ++i) {
    const Json& both = several["levels"][i];
    EXPECT_EQ(both["dissimilarity"], std::min(alone[all][i]["dissimilarity"].get<double>(),
                                              alone[few][i]["dissimilarity"].get<double>()));
    ASSERT_FALSE(both["source"].is_null());
    EXPECT_EQ(both["dissimilarity"], alone[both["source"]][i]["dissimilarity"]);
  }
  // A file that is named comes beside those of the folder.
  request.auxiliary = facts;
  request.attack_set = path("set");
  EXPECT_EQ(reported(request)["sources"].size(), 3U);
}

TEST_F(FredFlow, SomeFactsAreNeeded) {
  FredRequest request = asked();
  request.auxiliary.clear();
  EXPECT_EQ(message_of([&] { return fred(request, run); }),
            "there are no facts for the release to resist");
  request.attack_set = path("nowhere");
  EXPECT_EQ(message_of([&] { return fred(request, run); }),
            "there is no .csv or .parquet file in this folder");
  (void)file("empty/readme.txt", "no table");
  request.attack_set = path("empty");
  const Error error = error_of([&] { return fred(request, run); });
  EXPECT_EQ(error.message(), "there is no .csv or .parquet file in this folder");
  EXPECT_EQ(error.place(), path("empty"));
}

TEST_F(FredFlow, AnAdversaryWithASampleIsResistedToo) {
  FredRequest request = asked();
  request.learn = table_of_persons("sample.csv", {"name", "income"}, 2);
  const Json result = reported(request);
  const Json raw = attacked(table_of_persons("raw.csv", leaving), facts, request.learn);
  EXPECT_NEAR(result["as_it_is"]["dissimilarity_after"].get<double>() /
                  raw["dissimilarity_after"].get<double>(),
              1, 1e-6);
  EXPECT_LT(result["as_it_is"]["dissimilarity_after"].get<double>(),
            reported(asked())["as_it_is"]["dissimilarity_after"].get<double>());
}

TEST_F(FredFlow, SomebodyMustBeLeftToScore) {
  FredRequest request = asked();
  request.learn = data;
  const Error error = error_of([&] { return fred(request, run); });
  EXPECT_EQ(error.message(), "'income' is not known for anybody outside the sample");
  EXPECT_TRUE(nothing_at("out.csv"));
  // One is enough.
  std::string text = read_file(data);
  text.erase(text.rfind("Leopold"));
  request.learn = file("but_one.csv", text);
  EXPECT_EQ(reported(request)["people"], 12);
}

TEST_F(FredFlow, ChartsShowEveryLevelAndMarkTheBest) {
  FredRequest request = asked();
  request.charts = path("charts");
  const Json result = reported(request);
  const std::map<std::string, int> series = {
      {"dissimilarity", 4}, {"utility", 1}, {"objective", 2}};
  for (const auto& [name, lines] : series) {
    const auto csv = cells("charts/" + name + ".csv");
    EXPECT_EQ(csv.rows.size(), 3U * static_cast<std::size_t>(lines)) << name;
    EXPECT_NE(read_file(path("charts/" + name + ".svg")).find("<svg"), std::string::npos);
    for (std::size_t i = 0; i < csv.rows.size(); ++i) {
      const bool best = csv.rows[i][2] == result["k_opt"].dump();
      EXPECT_EQ(csv.rows[i].back(), best ? "1" : "0");
    }
  }
  const auto after = cells("charts/dissimilarity.csv").rows[3];
  EXPECT_EQ(after[0], "after fusion");
  EXPECT_NEAR(std::stod(after[3]), result["levels"][0]["dissimilarity_after"].get<double>(), 1e-3);
  const auto utility = cells("charts/utility.csv").rows[1];
  EXPECT_NEAR(std::stod(utility[3]), result["levels"][1]["utility"].get<double>(), 1e-9);
  // Where no level is admitted none is marked.
  request.fred.protection = 1e12;
  (void)reported(request);
  for (const auto& row : cells("charts/objective.csv").rows) EXPECT_EQ(row.back(), "0");
}

TEST_F(FredFlow, AColumnHasOneRole) {
  const auto refusal = [&](const std::function<void(FredRequest&)>& change) {
    FredRequest request = asked();
    change(request);
    return message_of([&] { return fred(request, run); });
  };
  EXPECT_EQ(refusal([](auto& request) { request.quasi_identifiers.clear(); }),
            "no quasi-identifiers were given");
  EXPECT_EQ(refusal([](auto& request) { request.quasi_identifiers.emplace_back("name"); }),
            "the column 'name' has two roles");
  EXPECT_EQ(refusal([](auto& request) { request.quasi_identifiers.emplace_back("income"); }),
            "the column 'income' has two roles");
  EXPECT_EQ(refusal([](auto& request) { request.quasi_identifiers.emplace_back("visits"); }),
            "the column 'visits' has two roles");
  EXPECT_EQ(refusal([](auto& request) { request.identifiers.emplace_back("visits"); }),
            "the column 'visits' has two roles");
  EXPECT_EQ(refusal([](auto& request) { request.target = "name"; }),
            "the key and the target are the same column");
  for (const auto& wrong :
       {std::function<void(FredRequest&)>([](auto& request) { request.names.key = "nowhere"; }),
        std::function<void(FredRequest&)>([](auto& request) { request.target = "nowhere"; }),
        std::function<void(FredRequest&)>(
            [](auto& request) { request.quasi_identifiers.emplace_back("nowhere"); })}) {
    EXPECT_NE(refusal(wrong).find("nowhere"), std::string::npos);
  }
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal([&](auto& request) { request.fred.w2 = infinite; }),
            "thresholds and weights are plain numbers");
  EXPECT_EQ(refusal([&](auto& request) { request.fred.protection = std::nan(""); }),
            "thresholds and weights are plain numbers");
  EXPECT_TRUE(nothing_at("out.csv"));
}

// Names stay in the list: a column that nobody mentioned would be known of everybody.
TEST_F(FredFlow, NothingLeavesThatNobodyDecidedAbout) {
  FredRequest request = asked();
  request.identifiers.clear();
  Error error = error_of([&] { return fred(request, run); });
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_NE(error.message().find("nobody decided about 1 of its columns"), std::string::npos);
  EXPECT_EQ(error.place(), data);
  EXPECT_NE(error.hint().find("--id ssn"), std::string::npos);
  // Nor as it is, without a word that everybody hears.
  request.insensitive = {"ssn"};
  error = error_of([&] { return fred(request, run); });
  EXPECT_NE(error.message().find("may name people"), std::string::npos);
  EXPECT_NE(error.hint().find("--allow ssn"), std::string::npos);
  request.allowed = {"nowhere"};
  EXPECT_NE(message_of([&] { return fred(request, run); }).find("nowhere"), std::string::npos);
  EXPECT_TRUE(nothing_at("out.csv"));
  request.allowed = {"ssn"};
  const Json result = reported(request);
  EXPECT_EQ(result["allowed"], Json{"ssn"});
  EXPECT_EQ(result["unchanged"], (Json{"name", "ssn"}));
  const Json parameters = manifest_of("out.csv")["parameters"];
  EXPECT_EQ(parameters["insensitive"], Json{"ssn"});
  EXPECT_EQ(parameters["allowed"], Json{"ssn"});
  EXPECT_EQ(verify::verify_release(run.engine, path("out.csv"), progress).allowed, Names{"ssn"});
  EXPECT_EQ(cells("out.csv").columns, (Names{"name", "ssn", "valuation", "visits"}));
}

TEST_F(FredFlow, WhatIsHarmlessLeavesAsItIs) {
  FredRequest request = asked();
  request.identifiers.clear();
  request.quasi_identifiers = {"valuation"};
  request.insensitive = {"side"};
  std::string text = "name,valuation,side,income\n";
  std::set<Names> lines;
  for (const auto& person : persons) {
    const std::string side = person.visits % 2 == 0 ? "left" : "right";
    lines.insert({person.name, side});
    text += person.name + "," + std::to_string(person.valuation) + "," + side + "," +
            std::to_string(person.income()) + "\n";
  }
  request.file = file("sides.csv", text);
  EXPECT_FALSE(reported(request).contains("allowed"));
  EXPECT_EQ(manifest_of("out.csv")["parameters"]["allowed"], Json::array());
  std::set<Names> released;
  for (const auto& row : cells("out.csv").rows) released.insert({row[0], row[2]});
  EXPECT_EQ(released, lines);
  request.insensitive = {"side", "valuation"};
  EXPECT_EQ(message_of([&] { return fred(request, run); }), "the column 'valuation' has two roles");
}

// Five rows of one person are no crowd of five.
TEST_F(FredFlow, ANameThatRepeatsIsAskedAbout) {
  FredRequest request = asked();
  request.identifiers.clear();
  std::string text = "name,valuation,visits,income\n";
  for (const auto& person : persons) {
    for (int row = 0; row < 5; ++row) {
      text += person.name + "," + std::to_string(person.valuation) + "," +
              std::to_string(person.visits) + "," + std::to_string(person.income()) + "\n";
    }
  }
  request.file = file("five.csv", text);
  const Error error = error_of([&] { return fred(request, run); });
  EXPECT_EQ(error.message(), "'name' repeats, and rows are counted as people");
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_TRUE(nothing_at("out.csv"));
  request.rows_are_people = true;
  EXPECT_EQ(reported(request)["people"], 60);
  EXPECT_EQ(manifest_of("out.csv")["parameters"]["rows_are_people"], true);
  EXPECT_TRUE(verify::verify_release(run.engine, path("out.csv"), progress).rows_are_people);
}

TEST_F(FredFlow, NobodyHidesAlone) {
  FredRequest request = asked();
  request.identifiers.clear();
  request.file = file("one.csv", "name,valuation,visits,income\nAlice,1,4,37900\n");
  EXPECT_EQ(message_of([&] { return fred(request, run); }), "the table has fewer than two people");
  request.file =
      file("two.csv", "name,valuation,visits,income\nAlice,1,4,37900\nBoris,9,2,88500\n");
  EXPECT_EQ(reported(request)["k_opt"], 2);
}

TEST_F(FredFlow, NothingThatWasReadIsOverwritten) {
  FredRequest request = asked();
  request.learn = table_of_persons("sample.csv", {"name", "income"}, 2);
  run.config = file("fred.yaml", "w1: 0.5\n");
  for (const std::string& file : {data, facts, rules, request.learn, run.config}) {
    const std::string before = read_file(file);
    request.out = file;
    EXPECT_EQ(message_of([&] { return fred(request, run); }),
              "the output is the same file as an input");
    EXPECT_EQ(read_file(file), before);
  }
}

TEST_F(FredFlow, RulesAskForWhatSomeFileHas) {
  FredRequest request = asked();
  request.auxiliary = table_of_persons("bare.csv", {"name", "visits"});
  EXPECT_EQ(message_of([&] { return fred(request, run); }),
            "the rules ask for 'holdings', which none of the files has as a column");
}

}  // namespace
}  // namespace pratique::fusion::flow::fred_test
