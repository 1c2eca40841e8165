#include "pratique/fusion/flow/rules.h"

#include <nlohmann/json.hpp>

#include "pratique/fusion/fcl.h"
#include "pratique/fusion/testing/people_for_flow_test.h"

namespace pratique::fusion::flow::rules_test {
namespace {

class RulesFlow : public NamedPeopleFlow {
 protected:
  std::string data = table_of_persons("private.csv", {"name", "valuation", "visits", "income"});
  std::string facts = table_of_persons("web.csv", {"name", "holdings"}, 2);

  [[nodiscard]] RulesRequest asked() const {
    RulesRequest request;
    request.from = data;
    request.target = "income";
    return request;
  }
  [[nodiscard]] Json drafted(const RulesRequest& request) { return *draft(request, run).result; }
};

TEST_F(RulesFlow, ADraftOfOneTableIsARuleFile) {
  RulesRequest request = asked();
  request.key = "name";
  const Json result = drafted(request);
  EXPECT_EQ(result["rows"], 12);
  EXPECT_EQ(result["rows_used"], 12);
  EXPECT_EQ(result["inputs"], (Json{"valuation", "visits"}));  // neither the key nor the target
  EXPECT_EQ(result["target"], "income");
  EXPECT_EQ(result["rows_covered"], 1);
  EXPECT_FALSE(result.contains("matched"));
  EXPECT_FALSE(result.contains("out"));
  EXPECT_FALSE(result.contains("squared_error_tuned"));
  const std::string text = result["fcl"];
  EXPECT_EQ(text.find("(* Drafted by pratique from 12 rows"), 0U);
  const FuzzySystem system = parse_fcl(text, "draft");
  ASSERT_EQ(system.inputs.size(), 2U);
  EXPECT_EQ(system.outputs.at(0).name, "income");
  EXPECT_EQ(system.blocks.at(0).rules.size(), result["rules"]);
}

TEST_F(RulesFlow, FactsAreInputsOfThePeopleWhoAreFound) {
  RulesRequest request = asked();
  request.auxiliary = facts;
  request.key = "name";
  request.out = path("draft.fcl");
  const Json result = drafted(request);
  EXPECT_EQ(result["matched"], 6);
  EXPECT_EQ(result["rows_used"], 6);  // every second person is found
  EXPECT_EQ(result["inputs"], (Json{"valuation", "visits", "holdings"}));
  EXPECT_EQ(result["out"], path("draft.fcl"));
  EXPECT_FALSE(result.contains("fcl"));
  EXPECT_EQ(mode_of("draft.fcl"), 0600U);
  EXPECT_EQ(parse_fcl(read_file(path("draft.fcl")), "draft").inputs.size(), 3U);
}

TEST_F(RulesFlow, AnotherKeyMayNamePeopleInTheFacts) {
  RulesRequest request = asked();
  request.auxiliary =
      file("called.csv", "called,holdings\nAlice,600\nBoris,4000\nChristine,2500\n");
  request.key = "name";
  EXPECT_THROW((void)draft(request, run), Error);
  request.auxiliary_key = "called";
  const Json result = drafted(request);
  EXPECT_EQ(result["matched"], 3);
  // Neither key is an input.
  EXPECT_EQ(result["inputs"], (Json{"valuation", "visits", "holdings"}));
}

TEST_F(RulesFlow, InputsThatAreNamedAreTakenOnceInTheirOrder) {
  RulesRequest request = asked();
  request.inputs = {"visits", "valuation", "visits"};
  EXPECT_EQ(drafted(request)["inputs"], (Json{"visits", "valuation"}));
  request.inputs = {"visits"};
  EXPECT_EQ(drafted(request)["inputs"], Json{"visits"});
}

TEST_F(RulesFlow, TermsAndRulesAreAsManyAsWereAskedFor) {
  RulesRequest request = asked();
  request.inputs = {"valuation"};
  request.drafting.terms = 2;
  request.drafting.output_terms = 3;
  request.drafting.most_rules = 1;
  const Json result = drafted(request);
  EXPECT_EQ(result["rules"], 1);
  EXPECT_LT(result["rows_covered"], 1);
  const FuzzySystem system = parse_fcl(result["fcl"].get<std::string>(), "draft");
  EXPECT_EQ(system.inputs.at(0).terms.size(), 2U);
  EXPECT_EQ(system.outputs.at(0).terms.size(), 3U);
}

TEST_F(RulesFlow, TuningFitsTheDataBetter) {
  RulesRequest request = asked();
  request.inputs = {"valuation", "visits"};
  const std::string plain = drafted(request)["fcl"];
  request.tune = true;
  const Json tuned = drafted(request);
  EXPECT_LT(tuned["squared_error_tuned"].get<double>(),
            tuned["squared_error_drafted"].get<double>());
  EXPECT_NE(tuned["fcl"], plain);
}

TEST_F(RulesFlow, MistakesAreNamed) {
  RulesRequest request = asked();
  request.auxiliary = facts;
  EXPECT_EQ(message_of([&] { return draft(request, run); }), "--auxiliary needs --key");
  request = asked();
  request.target = "incomes";
  Error error = error_of([&] { return draft(request, run); });
  EXPECT_NE(error.message().find("incomes"), std::string::npos);
  EXPECT_EQ(error.place(), data);
  request = asked();
  request.inputs = {"valuaton"};
  error = error_of([&] { return draft(request, run); });
  EXPECT_NE(error.message().find("valuaton"), std::string::npos);
  EXPECT_NE(error.hint().find("valuation"), std::string::npos);
  request.inputs = {"visits", "income"};
  EXPECT_EQ(message_of([&] { return draft(request, run); }), "the target cannot also be an input");
  request = asked();
  request.from = file("words.csv", "name,income\nAlice,5\nBoris,6\nChristine,7\n");
  request.key = "name";
  EXPECT_EQ(message_of([&] { return draft(request, run); }),
            "no column can be an input: none has numbers or a few words");
}

TEST_F(RulesFlow, NothingThatWasReadIsOverwritten) {
  RulesRequest request = asked();
  request.auxiliary = facts;
  request.key = "name";
  for (const std::string& file : {data, facts}) {
    request.out = file;
    EXPECT_EQ(message_of([&] { return draft(request, run); }),
              "the output is the same file as an input");
  }
}

}  // namespace
}  // namespace pratique::fusion::flow::rules_test
