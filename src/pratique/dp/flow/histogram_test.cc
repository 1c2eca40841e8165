#include "pratique/dp/flow/histogram.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/dp/flow/released.h"
#include "pratique/dp/flow/synthesize.h"
#include "pratique/dp/flow/testing/budget_fixture.h"

namespace pratique::dp::flow::histogram_test {
namespace {

class DpHistogram : public BudgetFixture {
 protected:
  // 200 people of ages 0 to 19, ten each; those under 10 in a, the others in b.
  std::string data = [this] {
    std::string text = "age,region\n";
    for (int i = 0; i < 200; ++i) text += fmt::format("{},{}\n", i % 20, i % 20 < 10 ? "a" : "b");
    return file("people.csv", text);
  }();
  std::string out = path("h.csv");

  Json made(const std::string& method, const std::vector<std::string>& columns = {"age"},
            double epsilon = 100) {
    return *histogram({.ledger = ledger,
                       .columns = columns,
                       .domains = {"age=0..19", "region=a|b|c"},
                       .method = method,
                       .epsilon = epsilon,
                       .out = out},
                      run())
                .result;
  }
  Json asked(const AskRequest& request) { return *ask(request, run()).result; }
  Json counted(const std::string& where) { return asked({.histogram = out, .where = where}); }
};

TEST_F(DpHistogram, ALineForEachCellWithItsCount) {
  open_budget_for(data, 1000, 0);
  const Json result = made("cells", {"age", "region"});
  EXPECT_EQ(result.at("method"), "cells");
  EXPECT_EQ(result.at("lines"), 60);
  EXPECT_EQ(result.at("epsilon_spent"), 100);
  EXPECT_EQ(result.at("epsilon_left"), 900);
  EXPECT_EQ(result.at("out"), out);
  EXPECT_EQ(result.at("private"), true);
  EXPECT_FALSE(result.contains("notes"));
  EXPECT_FALSE(result.contains("threshold"));
  EXPECT_GT(result.at("deviation").get<double>(), 0);
  const auto lines = lines_of(out);
  ASSERT_EQ(lines.size(), 61U);
  EXPECT_EQ(lines[0], "age_low,age_high,region_low,region_high,count");
  std::size_t line = 1;
  for (int age = 0; age < 20; ++age) {
    for (const char* region : {"a", "b", "c"}) {
      const int count = std::string(region) == (age < 10 ? "a" : "b") ? 10 : 0;
      EXPECT_EQ(lines[line++], fmt::format("{},{},{},{},{}", age, age, region, region, count));
    }
  }
  const Json manifest = manifest_of(out);
  EXPECT_EQ(manifest.at("kind"), "dp");
  EXPECT_EQ(manifest.at("verb"), "histogram");
  const Json& parameters = manifest.at("parameters");
  EXPECT_EQ(parameters.at("columns"), (Json{{{"column", "age"}, {"low", 0}, {"high", 19}},
                                            {{"column", "region"}, {"values", {"a", "b", "c"}}}}));
  EXPECT_EQ(parameters.at("method"), "cells");
  EXPECT_EQ(parameters.at("epsilon"), 100);
  EXPECT_EQ(parameters.at("max_rows"), 1);
  EXPECT_EQ(parameters.at("private"), true);
  EXPECT_EQ(parameters.at("deviation_of_box"), result.at("deviation"));
  ASSERT_EQ(manifest.at("claims").size(), 1U);
  EXPECT_EQ(manifest["claims"][0].at("model"), "differential-privacy");
  EXPECT_EQ(manifest["claims"][0].at("epsilon"), 100);
  EXPECT_EQ(manifest["claims"][0].at("delta"), 0);
  std::vector<std::string> inputs;
  for (const auto& input : manifest.at("inputs")) {
    inputs.push_back(std::filesystem::path(input.at("path").get<std::string>()).filename());
    EXPECT_FALSE(input.contains("sha256"));
  }
  EXPECT_EQ(inputs, (std::vector<std::string>{"people.csv", "budget"}));
}

TEST_F(DpHistogram, AFileOfValuesIsAmongTheSettings) {
  open_budget_for(data, 1000, 0);
  const auto values = file("regions.txt", "a\nb\n");
  (void)histogram({.ledger = ledger,
                   .columns = {"region"},
                   .domains = {"region=" + values},
                   .method = "cells",
                   .epsilon = 100,
                   .out = out},
                  run());
  EXPECT_EQ(lines_of(out),
            (std::vector<std::string>{"region_low,region_high,count", "a,a,100", "b,b,100"}));
  EXPECT_EQ(manifest_of(out).at("inputs").size(), 3U);
}

TEST_F(DpHistogram, EveryMethodAnswersFromTheReleaseAlone) {
  open_budget_for(data, 1000, 0);
  for (const char* method : {"auto", "cells", "hb", "kdtree", "dawa"}) {
    (void)made(method);
    const Json answer = counted("age BETWEEN 5 AND 9");
    EXPECT_EQ(answer.at("question"), "age BETWEEN 5 AND 9");
    EXPECT_NEAR(answer.at("answer").get<double>(), 50, 6) << method;
    EXPECT_GE(answer.at("error").get<double>(),
              std::abs(answer.at("answer").get<double>() - 50) - 1e-9)
        << method;
    EXPECT_GE(answer.at("error").get<double>(), answer.at("error_of_noise").get<double>());
    EXPECT_EQ(manifest_of(out).at("parameters").contains("tree"),
              std::string(method) == "auto" || std::string(method) == "hb");
  }
  for (const char* method : {"auto", "grid", "hb", "kdtree"}) {
    (void)made(method, {"age", "region"}, 120);
    EXPECT_NEAR(counted("region = 'a' AND age < 5").at("answer").get<double>(), 50, 10) << method;
  }
}

// Noise that is there: each count has the deviation of discrete Laplace, of rate epsilon.
TEST_F(DpHistogram, ErrorsAreThoseOfTheNoise) {
  open_budget_for(data, 1000, 0);
  const double q = std::exp(-1);
  const double deviation = std::sqrt(2 * q) / (1 - q);
  EXPECT_NEAR(made("cells", {"age", "region"}, 1).at("deviation").get<double>(), deviation, 1e-9);
  const double of_count = 1.96 * deviation * std::sqrt(15);  // ages 0 to 4 in three regions
  const Json count = counted("age < 5");
  EXPECT_NEAR(count.at("error").get<double>(), of_count, 1e-9);
  EXPECT_NEAR(count.at("error_of_noise").get<double>(), of_count, 1e-9);
  const Json sum = asked({.histogram = out, .where = "age < 5", .sum = "age"});
  EXPECT_NEAR(sum.at("error").get<double>(), 4 * of_count, 1e-9);
  EXPECT_NEAR(sum.at("error_of_noise").get<double>(), 4 * of_count, 1e-9);
  const Json mean = asked({.histogram = out, .where = "age < 5", .average = "age"});
  const double people = std::max(1.0, count.at("answer").get<double>());
  const double average = sum.at("answer").get<double>() / people;
  EXPECT_NEAR(mean.at("answer").get<double>(), average, 1e-9);
  EXPECT_NEAR(mean.at("error").get<double>(), (4 + std::abs(average)) * of_count / people, 1e-9);
  EXPECT_NEAR(mean.at("error_of_noise").get<double>(), 2 * 4 * of_count / people, 1e-9);
}

TEST_F(DpHistogram, CountsSumsAndMeansOfCells) {
  open_budget_for(data, 1000, 0);
  const Json all = made("cells", {"age", "region"});
  const double deviation = all.at("deviation");
  EXPECT_EQ(counted("").at("answer"), 200);
  EXPECT_EQ(counted("region = 'c' OR age = 7").at("answer"), 10);
  // 60 independent counts: the noise of their sum.
  EXPECT_NEAR(counted("").at("error").get<double>(), 1.96 * deviation * std::sqrt(60), 1e-9);
  EXPECT_NEAR(counted("age = 7").at("error").get<double>(), 1.96 * deviation * std::sqrt(3), 1e-9);
  EXPECT_FALSE(counted("age = 7").contains("notes"));
  // 10 (0 + 1 + ... + 4) and its mean.
  const Json sum = asked({.histogram = out, .where = "age < 5", .sum = "age"});
  EXPECT_EQ(sum.at("answer"), 100);
  EXPECT_NEAR(sum.at("error").get<double>(), 1.96 * deviation * std::sqrt(15) * 4, 1e-9);
  EXPECT_NEAR(sum.at("error_of_noise").get<double>(), sum.at("error").get<double>(), 1e-9);
  const Json mean = asked({.histogram = out, .where = "age < 5", .average = "age"});
  EXPECT_EQ(mean.at("answer"), 2);
  // (what the sum is off, and the mean times what the count is off) of 50.
  EXPECT_NEAR(mean.at("error").get<double>(), 1.96 * deviation * std::sqrt(15) * (4 + 2) / 50,
              1e-9);
  EXPECT_NEAR(mean.at("error_of_noise").get<double>(),
              2 * 1.96 * deviation * std::sqrt(15) * 4 / 50, 1e-9);
  // Of nobody the mean is of one at least.
  EXPECT_EQ(asked({.histogram = out, .where = "region = 'c'", .average = "age"}).at("answer"), 0);
  for (const AskRequest& wrong :
       {AskRequest{.histogram = out, .where = "age < 5", .sum = "age", .average = "age"},
        AskRequest{.histogram = out, .where = "height > 5"},
        AskRequest{.histogram = out, .where = "TRUE GROUP BY age"},
        AskRequest{.histogram = out, .where = "age < 5", .sum = "height"}})
    (void)refusal([&] { return ask(wrong, run()); });
}

TEST_F(DpHistogram, ALineOfSeveralCellsIsSpreadEvenlyAndTheErrorSaysWhatThatMayHide) {
  // By hand: 30 people in the cells 0 to 9, none known in 10 to 19.
  open_budget_for(data, 1000, 0);
  (void)made("kdtree");
  write_file_atomically(out, "age_low,age_high,count\n0,9,30.000\n10,19,-1.000\n");
  Json manifest = manifest_of(out);
  manifest["outputs"][0]["sha256"] = sha256_file(out);
  manifest["outputs"][0]["bytes"] = file_size(out);
  if (manifest.contains("output")) manifest["output"] = manifest["outputs"][0];
  manifest["parameters"]["deviation_of_box"] = 2;
  manifest["parameters"]["deviation_at_most"] = 0;
  const auto save = [&] {
    write_file_atomically(out + ".manifest.json", pratique::to_text(manifest));
  };
  save();
  const Json part = counted("age < 2");
  EXPECT_NEAR(part.at("answer").get<double>(), 6, 1e-9);
  EXPECT_NEAR(part.at("error_of_noise").get<double>(), 1.96 * 2 * 0.2, 1e-9);
  // All of the line, and what its noise may hide, could be below 2, or none of it.
  EXPECT_NEAR(part.at("error").get<double>(), 1.96 * 2 * 0.2 + (30 + 1.96 * 2 - 6), 1e-9);
  EXPECT_TRUE(any_note(part, "spread evenly"));
  // A line that is wholly asked about hides nothing.
  const Json whole = counted("age < 10");
  EXPECT_NEAR(whole.at("error").get<double>(), 1.96 * 2, 1e-9);
  EXPECT_FALSE(whole.contains("notes"));
  // A negative count stands for nobody; the sum takes it as it is.
  const Json some = counted("age >= 18");
  EXPECT_NEAR(some.at("answer").get<double>(), -0.2, 1e-9);
  EXPECT_NEAR(some.at("error").get<double>(), 1.96 * 2 * 0.2 + 1.96 * 2, 1e-9);
  // Of a sum: the mean age of the line is 4.5, and all may be 9 or 0.
  const Json sum = asked({.histogram = out, .where = "age < 10", .sum = "age"});
  EXPECT_NEAR(sum.at("answer").get<double>(), 135, 1e-9);
  EXPECT_NEAR(sum.at("error").get<double>(), 1.96 * 2 * 4.5 + (9 * (30 + 1.96 * 2) - 135), 1e-9);
  // Where the noise of any sum is bounded, it is.
  manifest["parameters"]["deviation_at_most"] = 0.25;
  save();
  EXPECT_NEAR(counted("age < 2").at("error_of_noise").get<double>(), 1.96 * 0.25, 1e-9);
  manifest["parameters"]["private"] = false;
  save();
  EXPECT_TRUE(any_note(counted("age < 10"), "NOT PRIVATE"));
  // Lines that are no box of the domains are refused.
  for (const char* line : {"5,20,1\n", "7,5,1\n", "x,5,1\n"}) {
    write_file_atomically(out, std::string("age_low,age_high,count\n") + line);
    manifest["outputs"][0]["sha256"] = sha256_file(out);
    if (manifest.contains("output")) manifest["output"] = manifest["outputs"][0];
    save();
    EXPECT_THROW((void)counted("age < 2"), Error) << line;
  }
}

TEST_F(DpHistogram, CellsWithoutALineMayHoldPeople) {
  // Two in each of a thousand cells of four million: no line has them.
  std::string text = "a,b\n";
  for (int i = 0; i < 2000; ++i) text += fmt::format("{},{}\n", i % 1000, i % 1000);
  const auto sparse = file("sparse.csv", text);
  open_budget_for(sparse, 4, 0);
  const Json result = *histogram({.ledger = ledger,
                                  .columns = {"a", "b"},
                                  .domains = {"a=0..2099", "b=0..2099"},
                                  .method = "cells",
                                  .epsilon = 1,
                                  .out = out},
                                 run())
                           .result;
  const double threshold = result.at("threshold");
  const double deviation = result.at("deviation");
  EXPECT_GT(threshold, 2);
  const Json answer = counted("a < 1000 AND b < 1000");
  EXPECT_GE(answer.at("error").get<double>(), std::abs(2000 - answer.at("answer").get<double>()));
  EXPECT_TRUE(any_note(answer, "without a line"));
  // As many cells as have no line, each of which may hold as many as the threshold, and the noise.
  const auto listed = [&](const auto& is_asked) {
    double lines = 0;
    for (const auto& row : rows_of(out))
      lines += is_asked(std::stoi(row.at("a_low")), std::stoi(row.at("b_low"))) ? 1 : 0;
    return lines;
  };
  const auto error = [&](double cells, double lines) {
    return (cells - lines) * threshold +
           1.96 * deviation * (std::sqrt(cells - lines) + std::sqrt(lines));
  };
  const double lines = listed([](int a, int b) { return a == 5 && b == 5; });
  EXPECT_NEAR(counted("a = 5 AND b = 5").at("error").get<double>(), error(1, lines), 1e-6);
  const double of_row = listed([](int a, int) { return a == 2099; });
  EXPECT_NEAR(counted("a = 2099").at("error").get<double>(), error(2100, of_row), 1e-6);
  // Of a sum: each of them may count so much.
  const Json sum = asked({.histogram = out, .where = "a = 5 AND b = 5", .sum = "a"});
  EXPECT_NEAR(sum.at("error").get<double>(), 5 * error(1, lines), 1e-6);
}

TEST_F(DpHistogram, RowsThatStandForSeveral) {
  const auto counts =
      file("counted.csv", "age,n\n1,5\n2,7\n1,1\n3,x\n4,-3\n0,0.5\n0,2000000000000\n");
  open_budget_for(counts, 200, 0);
  (void)histogram({.ledger = ledger,
                   .columns = {"age"},
                   .domains = {"age=0..4"},
                   .method = "cells",
                   .epsilon = 100,
                   .counts = "n",
                   .out = out},
                  run());
  EXPECT_EQ(lines_of(out), (std::vector<std::string>{"age_low,age_high,count", "0,0,0", "1,1,6",
                                                     "2,2,7", "3,3,0", "4,4,0"}));
}

TEST_F(DpHistogram, RowsOfAPersonAreCutToWhatWasAgreed) {
  const auto stays = file("stays.csv", "id,age\n1,0\n1,0\n1,0\n2,1\n");
  open_budget_for(stays, 300, 0, "id", 2);
  (void)histogram({.ledger = ledger,
                   .columns = {"age"},
                   .domains = {"age=0..1"},
                   .method = "cells",
                   .epsilon = 200,
                   .out = out},
                  run());
  EXPECT_EQ(lines_of(out), (std::vector<std::string>{"age_low,age_high,count", "0,0,2", "1,1,1"}));
  EXPECT_EQ(manifest_of(out).at("parameters").at("max_rows"), 2);
  EXPECT_EQ(manifest_of(out).at("claims").at(0).at("max_rows"), 2);
}

TEST_F(DpHistogram, ASeedClaimsNothing) {
  open_budget_for(data, 1000, 0);
  HistogramRequest request{.ledger = ledger,
                           .columns = {"age"},
                           .domains = {"age=0..19"},
                           .method = "cells",
                           .epsilon = 0.1,
                           .insecure_seed = 4,
                           .out = out};
  const Json result = *histogram(request, run()).result;
  EXPECT_EQ(result.at("private"), false);
  EXPECT_TRUE(any_note(result, "NOT PRIVATE"));
  const auto first = read_file(out);
  EXPECT_EQ(manifest_of(out).at("claims"), Json::array());
  EXPECT_EQ(manifest_of(out).at("parameters").at("private"), false);
  (void)histogram(request, run());
  EXPECT_EQ(read_file(out), first);
}

TEST_F(DpHistogram, WhatCannotBeIsRefusedBeforeItIsCharged) {
  open_budget_for(data, 10, 0);
  const HistogramRequest good{.ledger = ledger,
                              .columns = {"age"},
                              .domains = {"age=0..19", "region=a|b"},
                              .method = "cells",
                              .epsilon = 1,
                              .out = out};
  const auto with = [&](auto change) {
    auto request = good;
    change(request);
    return refusal([&] { return histogram(request, run()); });
  };
  EXPECT_NE(with([](auto& r) { r.domains = {"region=a|b"}; }).find("needs a domain"),
            std::string::npos);
  EXPECT_NE(with([](auto& r) { r.columns = {"agee"}; }).find("agee"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.counts = "n"; }).find("n"), std::string::npos);
  EXPECT_NE(with([](auto& r) {
              r.columns = {"age", "region"};
              r.method = "dawa";
            }),
            "");
  EXPECT_NE(with([&](auto& r) { r.out = data; }), "");
  EXPECT_NE(with([&](auto& r) { r.out = ledger; }), "");
  EXPECT_EQ(charges(), 0U);
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_NE(
      refusal([&] { return ask({.histogram = data, .where = "age < 3"}, run()); }).find("dp query"),
      std::string::npos);
  (void)histogram(good, run());
  std::ofstream(out, std::ios::app) << "5,5,1000000\n";
  EXPECT_EQ(error_of([&] { return counted("age < 3"); }).code(), ErrorCode::check_failed);
}

TEST_F(DpHistogram, CountsThatAreThereAndPeopleDoNotGoTogether) {
  const auto stays = file("stays.csv", "id,age,n\n1,0,1\n");
  open_budget_for(stays, 10, 0, "id");
  EXPECT_NE(refusal([&] {
              return histogram({.ledger = ledger,
                                .columns = {"age"},
                                .domains = {"age=0..1"},
                                .epsilon = 1,
                                .counts = "n",
                                .out = out},
                               run());
            }).find("--counts"),
            std::string::npos);
}

TEST_F(DpHistogram, ASyntheticTableOfAHistogramHasItsCounts) {
  open_budget_for(data, 1000, 0);
  (void)made("cells", {"age", "region"});
  SynthesizeRequest request{.from = out, .out = path("s.csv")};
  const Json result = *synthesize(request, run()).result;
  EXPECT_EQ(result.at("epsilon_spent"), 0);
  EXPECT_EQ(result.at("epsilon"), 100);
  EXPECT_EQ(result.at("rows"), 200);
  EXPECT_EQ(result.at("method"), "histogram");
  EXPECT_EQ(result.at("private"), true);
  EXPECT_EQ(sorted_lines_of(path("s.csv")), sorted_lines_of(data));
  EXPECT_EQ(charges(), 1U);
  const Json claim = manifest_of(path("s.csv")).at("claims").at(0);
  EXPECT_EQ(claim.at("epsilon"), 100);
  EXPECT_EQ(claim.at("delta"), 0);
  EXPECT_EQ(claim.at("max_rows"), 1);
  EXPECT_EQ(claim.at("values").at("region"), (Json{"a", "b", "c", "other"}));
  // Half as many rows: as many of each cell, as near as can be.
  request.rows = 100;
  (void)synthesize(request, run());
  EXPECT_EQ(lines_of(path("s.csv")).size(), 101U);
  for (const auto& change : std::vector<std::function<void(SynthesizeRequest&)>>{
           [](auto& r) { r.columns = {"age"}; }, [](auto& r) { r.domains = {"age=0..19"}; },
           [](auto& r) { r.marginals = {"age+region"}; }, [](auto& r) { r.cuts = {"age=4"}; },
           [](auto& r) { r.epsilon = 1; }, [](auto& r) { r.delta = 1e-6; }}) {
    auto wrong = request;
    change(wrong);
    EXPECT_NE(refusal([&] { return synthesize(wrong, run()); }).find("--from takes"),
              std::string::npos);
  }
  auto same = request;
  same.out = out;
  (void)refusal([&] { return synthesize(same, run()); });
  // One of several cells is drawn within its line.
  (void)made("kdtree");
  request.rows.reset();
  (void)synthesize(request, run());
  for (const auto& row : rows_of(path("s.csv"))) {
    EXPECT_GE(std::stoi(row.at("age")), 0);
    EXPECT_LE(std::stoi(row.at("age")), 19);
  }
  // Not private stays not private.
  (void)histogram({.ledger = ledger,
                   .columns = {"age"},
                   .domains = {"age=0..19"},
                   .method = "cells",
                   .epsilon = 1,
                   .insecure_seed = 4,
                   .out = out},
                  run());
  EXPECT_EQ(synthesize(request, run()).result->at("private"), false);
  EXPECT_EQ(manifest_of(path("s.csv")).at("claims"), Json::array());
}

}  // namespace
}  // namespace pratique::dp::flow::histogram_test
