#include <functional>
#include <nlohmann/json.hpp>

#include "pratique/codes/flow/protect.h"
#include "pratique/codes/flow/testing/codes_flow_fixture.h"

namespace pratique::codes::flow::protect_refusals_test {
namespace {

class CodesRefusalsFlow : public CodesProtectFlow {};

// Two codes that one patient each has, and a tree with nothing between them and the root.
TEST_F(CodesRefusalsFlow, AReleaseThatKeepsNothingIsRefusedUnlessItIsWanted) {
  ProtectRequest request = asked("apriori");
  request.file = file("two.dat", "a\nb\n");
  request.codes.hierarchy = file("flat.csv", "a;*\nb;*\n");
  request.parameters.k = 2;
  const Error error = error_of([&] { return protect(request, run()); });
  EXPECT_EQ(error.code(), ErrorCode::check_failed);
  EXPECT_NE(error.message().find("most general"), std::string::npos);
  EXPECT_TRUE(nothing_written(request.out));
  request.keeps_nothing = true;
  EXPECT_EQ(result_of(request).at("metrics").at("ncp"), 1);
}

TEST_F(CodesRefusalsFlow, NothingIsWrittenWhereNothingWouldBeLeft) {
  auto request = asked("suppress");
  request.file = file("gone.dat", "a\nb\nc\n");
  request.codes.hierarchy.clear();
  request.parameters.k = 2;
  const auto error = error_of([&] { return protect(request, run()); });
  EXPECT_EQ(error.code(), ErrorCode::check_failed);
  EXPECT_EQ(error.place(), out);
  EXPECT_NE(error.message().find("nothing would be left"), std::string::npos);
  EXPECT_TRUE(nothing_written(out));
}

TEST_F(CodesRefusalsFlow, NoFileThatIsReadIsOverwritten) {
  config = file("settings.yaml", "k: 5\n");
  auto request = asked("");
  request.weights = file("weights.csv", "code,weight\na,1\n");
  const auto expect_kept = [&](const std::string& target) {
    const auto before = read_file(target);
    request.out = target;
    EXPECT_NE(refusal([&] { return protect(request, run()); }).find("same file"), std::string::npos)
        << target;
    EXPECT_EQ(read_file(target), before);
  };
  for (const auto& target : {sets, tree, config, request.weights}) expect_kept(target);
  const std::tuple<const char*, const char*, const char*> of_models[] = {
      {"coherence", "sensitive", "a\n"},
      {"rules", "rules", "a -> b\n"},
      {"policy", "privacy", "a b\n"},
      {"policy", "utility", "c d\n"}};
  request.parameters.m = Parameters{}.m;
  for (const auto& [model, key, text] : of_models) {
    request.model = model;
    request.model_files = {{key, file(key, text)}};
    expect_kept(path(key));
  }
}

TEST_F(CodesRefusalsFlow, WhatTheModelOrTheMethodDoesNotListenToIsRefused) {
  const auto said = [&](const std::function<void(ProtectRequest&)>& change) {
    auto request = asked("");
    change(request);
    auto text = refusal([&] { return protect(request, run()); });
    EXPECT_TRUE(nothing_written(request.out)) << text;
    return text;
  };
  const std::pair<std::function<void(ProtectRequest&)>, const char*> unheard[] = {
      {[](auto& r) { r.parameters.h = 3; }, "--h has no effect with --model km"},
      {[](auto& r) { r.parameters.c = 0.1; }, "--c has no effect with --model km"},
      {[](auto& r) { r.parameters.rho = 0.1; }, "--rho has no effect with --model km"},
      {[](auto& r) { r.parameters.p = 1; }, "--p has no effect with --model km"},
      {[](auto& r) { r.parameters.quasi_identifiers = {"age"}; }, "--qi has no effect"},
      {[](auto& r) { r.parameters.value_hierarchies = {"age=flat"}; }, "--qi-hierarchy has no"},
      {[&](auto& r) { r.model_files["privacy"] = file("p.txt", "a\n"); },
       "--privacy has no effect"},
      {[](auto& r) { r.model_files["utility"] = "gwas"; }, "--utility has no effect"},
      {[](auto& r) {
         r.model = "complete";
         r.parameters.m = 3;
       },
       "--m has no effect with --model complete"},
      {[](auto& r) { r.method = "disassociation"; },
       "--hierarchy has no effect with --method disassociation"},
      {[&](auto& r) {
         r.method = "disassociation";
         r.codes.hierarchy.clear();
         r.weights = file("w.csv", "code,weight\na,1\n");
       },
       "--weights has no effect with --method disassociation"},
  };
  for (const auto& [change, message] : unheard) {
    EXPECT_NE(said(change).find(message), std::string::npos) << said(change);
  }
}

TEST_F(CodesRefusalsFlow, WhatCannotBeIsRefused) {
  const auto said = [&](const std::function<void(ProtectRequest&)>& change) {
    auto request = asked("");
    change(request);
    auto text = refusal([&] { return protect(request, run()); });
    EXPECT_TRUE(nothing_written(request.out)) << text;
    return text;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(said([&](auto& r) { r.out = path("o.parquet"); }), "Parquet"));
  EXPECT_TRUE(has(said([](auto& r) { r.method = "aprior"; }), "apriori"));
  EXPECT_TRUE(has(said([](auto& r) { r.model = "kn"; }), "km"));
  EXPECT_TRUE(has(said([](auto& r) { r.parameters.k = 11; }), "10 patients"));
  EXPECT_TRUE(has(said([](auto& r) { r.codes.hierarchy.clear(); }), "--hierarchy"));
  EXPECT_TRUE(has(said([&](auto& r) { r = asked_of("policy"); }), "--privacy"));
  EXPECT_TRUE(has(said([&](auto& r) { r = asked_of("coherence"); }), "--sensitive"));
  EXPECT_TRUE(has(said([&](auto& r) { r = asked_of("rules"); }), "--rules"));
  EXPECT_TRUE(has(said([&](auto& r) {
                    r.file = long_file("long.csv");
                    r.codes.columns.patient = "patent";
                  }),
                  "Did you mean patient?"));
  EXPECT_TRUE(has(said([&](auto& r) {
                    r.method = "disassociation";
                    r.codes.hierarchy.clear();
                    r.parameters.k = 11;
                  }),
                  "10 patients"));
}

}  // namespace
}  // namespace pratique::codes::flow::protect_refusals_test
