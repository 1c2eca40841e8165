#include "pratique/fusion/fcl.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pratique/core/error.h"

namespace pratique::fusion::fcl_test {
namespace {

// The example that jFuzzyLogic's documentation and IEC 61131-7 both begin with, in their layout.
constexpr const char* kTipper = R"(
FUNCTION_BLOCK tipper
VAR_INPUT
  service : REAL;
  food : REAL;
END_VAR
VAR_OUTPUT
  tip : REAL;
END_VAR
FUZZIFY service
  TERM poor := (0, 1) (4, 0) ;
  TERM good := (1, 0) (4,1) (6,1) (9,0);
  TERM excellent := (6, 0) (9, 1);
END_FUZZIFY
FUZZIFY food
  TERM rancid := (0, 1) (1, 1) (3,0) ;
  TERM delicious := (7,0) (9,1);
END_FUZZIFY
DEFUZZIFY tip
  TERM cheap := (0,0) (5,1) (10,0);
  TERM average := trian 10 15 20;
  TERM generous := (20,0) (25,1) (30,0);
  METHOD : COG;  // Centre of gravity
  DEFAULT := 0;
END_DEFUZZIFY
RULEBLOCK No1
  AND : MIN;  (* its dual follows *)
  ACT : MIN;
  ACCU : MAX;
  RULE 1 : IF service IS poor OR food IS rancid THEN tip IS cheap;
  RULE 2 : IF service IS good THEN tip IS average;
  RULE 3 : IF service IS excellent AND NOT (food IS rancid OR food IS NOT delicious)
    THEN tip IS generous WITH 0.5;
END_RULEBLOCK
END_FUNCTION_BLOCK
)";

TEST(Fcl, ReadsTheTipper) {
  const FuzzySystem system = parse_fcl(kTipper, "tipper.fcl");
  EXPECT_EQ(system.name, "tipper");
  ASSERT_EQ(system.inputs.size(), 2U);
  EXPECT_EQ(system.inputs[0].terms.size(), 3U);
  EXPECT_EQ(std::get<LinearSet>(system.outputs[0].terms[1].set),
            (LinearSet{{{10, 0}, {15, 1}, {20, 0}}}));
  EXPECT_EQ(system.outputs[0].default_value, 0);
  ASSERT_EQ(system.blocks.size(), 1U);
  EXPECT_EQ(system.blocks[0].disjunction, Disjunction::maximum);
  ASSERT_EQ(system.blocks[0].rules.size(), 3U);
  const Rule& third = system.blocks[0].rules[2];
  EXPECT_EQ(third.weight, 0.5);
  using Kind = ConditionNode::Kind;
  EXPECT_EQ(third.condition, (std::vector<ConditionNode>{{Kind::is, 0, 2},
                                                         {Kind::is, 1, 0},
                                                         {Kind::is, 1, 1},
                                                         {Kind::negation, 2, 0},
                                                         {Kind::disjunction, 1, 3},
                                                         {Kind::negation, 4, 0},
                                                         {Kind::conjunction, 0, 5}}));
}

TEST(Fcl, PrintsWhatItReadsBack) {
  const FuzzySystem system = parse_fcl(kTipper, "tipper.fcl");
  EXPECT_EQ(parse_fcl(print_fcl(system, "a note"), "again"), system);
}

TEST(Fcl, AndAndOrFollowEachOther) {
  const auto block = [](const std::string& words) {
    std::string text = kTipper;
    const auto at = text.find("AND : MIN;");
    text.replace(at, 10, words);
    return parse_fcl(text, "x").blocks[0];
  };
  EXPECT_EQ(block("AND : PROD;").disjunction, Disjunction::probabilistic);
  EXPECT_EQ(block("OR : BSUM;").conjunction, Conjunction::bounded);
  EXPECT_EQ(block("AND : MIN; OR : ASUM;").disjunction, Disjunction::probabilistic);
  EXPECT_EQ(block("").conjunction, Conjunction::minimum);
}

// A rule file whose `part` is wrong, and where the error stands.
struct Wrong {
  const char* part;
  const char* instead;
  const char* place;
  const char* says;
};

class FclErrors : public testing::TestWithParam<Wrong> {};

TEST_P(FclErrors, NameLineAndColumn) {
  std::string text = kTipper;
  const auto at = text.find(GetParam().part);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(GetParam().part).size(), GetParam().instead);
  try {
    (void)parse_fcl(text, "rules.fcl");
    FAIL() << "was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    EXPECT_EQ(error.place(), GetParam().place);
    EXPECT_NE(error.message().find(GetParam().says), std::string::npos) << error.message();
    EXPECT_FALSE(error.hint().empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FclErrors,
    testing::Values(
        Wrong{"FUNCTION_BLOCK tipper", "BLOCK tipper", "rules.fcl:2:1", "FUNCTION_BLOCK"},
        Wrong{"service : REAL", "service : INT", "rules.fcl:4:13", "expected REAL"},
        Wrong{"food : REAL", "service : REAL", "rules.fcl:5:3", "declared twice"},
        Wrong{"(4, 0) ;", "(4, 2) ;", "rules.fcl:11:23", "between 0 and 1"},
        Wrong{"(4,1) (6,1)", "(6,1) (4,1)", "rules.fcl:12:29", "do not rise"},
        Wrong{"TERM excellent", "TERM good", "rules.fcl:13:8", "two terms"},
        Wrong{"trian 10 15 20", "trian 10 15", "rules.fcl:21:19", "takes 3 numbers"},
        Wrong{"trian 10 15 20", "gbell 1 2 3", "rules.fcl:21:19", "a set"},
        Wrong{"trian 10 15 20", "gauss 15 0", "rules.fcl:21:19", "not above 0"},
        Wrong{"trian 10 15 20", "15", "rules.fcl:19:11", "have no area"},
        Wrong{"METHOD : COG", "METHOD : COGX", "rules.fcl:23:12", "one of COA"},
        Wrong{"METHOD : COG", "METHOD : COGS", "rules.fcl:19:11", "takes singletons"},
        Wrong{"service IS poor OR", "servce IS poor OR", "rules.fcl:30:15", "input variable"},
        Wrong{"tip IS cheap;", "tip IS cheep;", "rules.fcl:30:61", "a term of 'tip'"},
        Wrong{"tip IS cheap;", "tip IS cheap", "rules.fcl:31:3", "';'"},
        Wrong{"WITH 0.5", "WITH 1.5", "rules.fcl:33:31", "between 0 and 1"},
        Wrong{"MIN;  (* its", "MIN; $ (* its", "rules.fcl:27:14", "no meaning"},
        Wrong{"its dual follows *)", "its dual follows", "rules.fcl:27:15", "never ends"},
        Wrong{"END_FUNCTION_BLOCK", "", "rules.fcl:36:1", "expected VAR_INPUT"},
        Wrong{"END_FUNCTION_BLOCK", "END_FUNCTION_BLOCK more", "rules.fcl:35:20", "after END"},
        Wrong{"FUZZIFY food", "FUZZIFY service", "rules.fcl:15:9", "in two places"}));

TEST(Fcl, RefusesNestingWithoutEnd) {
  std::string text = kTipper;
  const auto at = text.find("service IS good");
  text.insert(at, std::string(100000, '('));
  EXPECT_THROW((void)parse_fcl(text, "x"), Error);
}

TEST(Fcl, IdentifiersOfColumnsAndWords) {
  EXPECT_EQ(fcl_identifier("Property value ($)"), "property_value");
  EXPECT_EQ(fcl_identifier("Chief Executive"), "chief_executive");
  EXPECT_EQ(fcl_identifier("3 rooms"), "n_3_rooms");
  EXPECT_EQ(fcl_identifier("--"), "n");
  EXPECT_EQ(fcl_identifier("If"), "if_");
  for (const auto* name : {"Property value ($)", "3 rooms", "If", "--"}) {
    EXPECT_EQ(fcl_identifier(fcl_identifier(name)), fcl_identifier(name));
  }
}

rc::Gen<double> number() {
  return rc::gen::map(rc::gen::inRange(-100000, 100000), [](int n) { return n / 64.0; });
}
rc::Gen<double> degree() {
  return rc::gen::map(rc::gen::inRange(0, 101), [](int n) { return n / 100.0; });
}

FuzzySet any_set(bool singleton) {
  if (singleton) return Singleton{*number()};
  if (*rc::gen::inRange(0, 3) == 0) {
    return GaussianSet{*number(), 0.25 + std::abs(*number())};
  }
  LinearSet set;
  double x = *number();
  const int points = *rc::gen::inRange(1, 5);
  for (int i = 0; i < points; ++i) {
    set.points.push_back({x, *degree()});
    x += std::abs(*number());
  }
  return set;
}

void fill(Variable& variable, const std::string& name, bool singletons) {
  variable.name = name;
  const int terms = *rc::gen::inRange(1, 4);
  for (int t = 0; t < terms; ++t) {
    variable.terms.push_back({name + "_t" + std::to_string(t), any_set(singletons)});
  }
  if (*rc::gen::arbitrary<bool>()) variable.range = Interval{-3000, 3000.5};
}

std::uint32_t any_condition(const FuzzySystem& system, std::vector<ConditionNode>& nodes,
                            int depth) {
  using Kind = ConditionNode::Kind;
  const int choice = depth > 3 ? 0 : *rc::gen::inRange(0, 5);
  ConditionNode node;
  if (choice < 2) {
    node.left = *rc::gen::inRange<std::uint32_t>(0, system.inputs.size());
    node.right = *rc::gen::inRange<std::uint32_t>(0, system.inputs[node.left].terms.size());
  } else {
    node.kind = choice == 2 ? Kind::negation : choice == 3 ? Kind::conjunction : Kind::disjunction;
    node.left = any_condition(system, nodes, depth + 1);
    if (choice > 2) node.right = any_condition(system, nodes, depth + 1);
  }
  nodes.push_back(node);
  return static_cast<std::uint32_t>(nodes.size() - 1);
}

RC_GTEST_PROP(FclProperties, EverySystemIsReadAsItWasPrinted, ()) {
  FuzzySystem system;
  system.name = "any";
  system.inputs.resize(*rc::gen::inRange(1, 4));
  for (std::size_t i = 0; i < system.inputs.size(); ++i) {
    fill(system.inputs[i], "i" + std::to_string(i), *rc::gen::arbitrary<bool>());
  }
  system.outputs.resize(*rc::gen::inRange(1, 3));
  for (std::size_t o = 0; o < system.outputs.size(); ++o) {
    OutputVariable& output = system.outputs[o];
    output.method = static_cast<Defuzzification>(*rc::gen::inRange(0, 6));
    fill(output, "o" + std::to_string(o), output.method == Defuzzification::singletons);
    if (*rc::gen::arbitrary<bool>()) output.default_value = *number();
  }
  system.accumulation = static_cast<Accumulation>(*rc::gen::inRange(0, 4));
  system.blocks.resize(*rc::gen::inRange(1, 3));
  for (auto& block : system.blocks) {
    block.name = "b";
    block.conjunction = static_cast<Conjunction>(*rc::gen::inRange(0, 3));
    block.disjunction = static_cast<Disjunction>(*rc::gen::inRange(0, 3));
    block.activation = static_cast<Activation>(*rc::gen::inRange(0, 2));
    block.rules.resize(*rc::gen::inRange(1, 4));
    for (auto& rule : block.rules) {
      rule.label = "7";
      (void)any_condition(system, rule.condition, 0);
      const auto output = *rc::gen::inRange<std::uint32_t>(0, system.outputs.size());
      rule.conclusions.push_back(
          {output, *rc::gen::inRange<std::uint32_t>(0, system.outputs[output].terms.size())});
      rule.weight = *degree();
    }
  }
  RC_ASSERT(parse_fcl(print_fcl(system), "printed") == system);
}

}  // namespace
}  // namespace pratique::fusion::fcl_test
