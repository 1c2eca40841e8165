#include "pratique/fusion/inference.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pratique/crypto/random.h"
#include "pratique/fusion/fcl.h"

namespace pratique::fusion::inference_test {
namespace {

// One input that fires `low` to the degree 1 - x and `high` to the degree x, x in 0..1.
FuzzySystem two_rules(const std::string& output, const std::string& block) {
  return parse_fcl(
      "FUNCTION_BLOCK f VAR_INPUT x : REAL; END_VAR VAR_OUTPUT y : REAL; END_VAR\n"
      "FUZZIFY x TERM low := (0, 1) (1, 0); TERM high := (0, 0) (1, 1); END_FUZZIFY\n"
      "DEFUZZIFY y " +
          output + " END_DEFUZZIFY\nRULEBLOCK r " + block +
          " RULE 1 : IF x IS low THEN y IS small; RULE 2 : IF x IS high THEN y IS large;"
          " END_RULEBLOCK END_FUNCTION_BLOCK",
      "test");
}

double run(const FuzzySystem& system, const std::vector<Input>& inputs,
           Reading reading = Reading::possible) {
  std::vector<std::vector<Truth>> truths;
  std::vector<const Truth*> pointers;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    truths.push_back(fuzzify(system.inputs[i], inputs[i], reading));
  }
  for (const auto& of_input : truths) pointers.push_back(of_input.data());
  return Inference(system, 0).estimate(pointers).value;
}

constexpr const char* kTriangles =
    "TERM small := (0, 0) (2, 1) (4, 0); TERM large := (6, 0) (8, 1) (10, 0); ";

TEST(Inference, ACentroidWorkedByHand) {
  // Small to the degree 1/2 and large to the degree 1/2: two equal trapezoids around 2 and 8.
  EXPECT_NEAR(run(two_rules(std::string(kTriangles) + "METHOD : COG;", ""), {{{0.5, 0.5}}}), 5,
              1e-9);
  // A triangle scaled by 1/4 has a quarter of the area 2, by 3/4 three quarters: (0.5 * 2 + 1.5 *
  // 8) / 2.
  EXPECT_NEAR(
      run(two_rules(std::string(kTriangles) + "METHOD : COG;", "ACT : PROD;"), {{{0.75, 0.75}}}),
      6.5, 1e-9);
  // Cut off at h, a triangle of base 4 has the area 4h - 2h^2: 0.875 and 1.875.
  EXPECT_NEAR(run(two_rules(std::string(kTriangles) + "METHOD : COG;", ""), {{{0.75, 0.75}}}),
              (0.875 * 2 + 1.875 * 8) / 2.75, 1e-4);
}

TEST(Inference, BisectorMaximaAndSingletonsByHand) {
  // Scaled: areas 0.5 and 1.5, so the half, 1, is reached where the large triangle has given 0.5:
  // 0.75 (x - 6)^2 / 4 = 0.5.
  EXPECT_NEAR(
      run(two_rules(std::string(kTriangles) + "METHOD : COA;", "ACT : PROD;"), {{{0.75, 0.75}}}),
      6 + std::sqrt(0.5 * 4 / 0.75), 1e-6);
  // Cut off at 0.75, large is flat from 7.5 to 8.5.
  EXPECT_NEAR(run(two_rules(std::string(kTriangles) + "METHOD : LM;", ""), {{{0.75, 0.75}}}), 7.5,
              0.03);
  EXPECT_NEAR(run(two_rules(std::string(kTriangles) + "METHOD : RM;", ""), {{{0.75, 0.75}}}), 8.5,
              0.03);
  EXPECT_NEAR(run(two_rules(std::string(kTriangles) + "METHOD : MM;", ""), {{{0.75, 0.75}}}), 8,
              0.03);
  EXPECT_NEAR(
      run(two_rules("TERM small := 2; TERM large := 8; METHOD : COGS;", ""), {{{0.75, 0.75}}}),
      0.25 * 2 + 0.75 * 8, 1e-12);
}

TEST(Inference, WhereNoRuleFiresThereIsADefault) {
  const std::string rest =
      "RULEBLOCK r RULE 1 : IF x IS low THEN y IS small; END_RULEBLOCK END_FUNCTION_BLOCK";
  const std::string head =
      "FUNCTION_BLOCK f VAR_INPUT x : REAL; END_VAR VAR_OUTPUT y : REAL; END_VAR "
      "FUZZIFY x TERM low := (0, 1) (1, 0); END_FUZZIFY "
      "DEFUZZIFY y TERM small := (0, 0) (2, 1) (4, 0); ";
  const Input high = {{3, 3}};
  EXPECT_EQ(run(parse_fcl(head + "DEFAULT := 77; END_DEFUZZIFY " + rest, "x"), {high}), 77);
  EXPECT_EQ(run(parse_fcl(head + "END_DEFUZZIFY " + rest, "x"), {high}), 2);
}

TEST(Inference, AnIntervalIsJudgedByItsMostFavourableValueOrOnAverage) {
  const FuzzySystem system = two_rules(std::string(kTriangles) + "METHOD : COG;", "");
  const Variable& x = system.inputs[0];
  EXPECT_EQ(fuzzify(x, {{0.25, 0.5}}, Reading::possible),
            (std::vector<Truth>{{0.5, 0.75}, {0.25, 0.5}}));
  EXPECT_EQ(fuzzify(x, {{0.25, 0.5}}, Reading::average),
            (std::vector<Truth>{{0.625, 0.625}, {0.375, 0.375}}));
  // One of two values; nothing known; no upper end.
  EXPECT_EQ(fuzzify(x, {{0, 0}, {0.25, 0.25}}, Reading::possible),
            (std::vector<Truth>{{0.75, 1}, {0, 0.25}}));
  EXPECT_EQ(fuzzify(x, {}, Reading::possible), (std::vector<Truth>{{0, 1}, {0, 1}}));
  EXPECT_EQ(fuzzify(x, {}, Reading::average), (std::vector<Truth>{{0.5, 0.5}, {0.5, 0.5}}));
  EXPECT_EQ(
      fuzzify(x, {{0.75, std::numeric_limits<double>::infinity()}}, Reading::possible)[1].most, 1);
}

TEST(Inference, NotOfAnIntervalIsJudgedByItsLeastDegree) {
  // "NOT low" of 0.25..0.5 may hold to the degree 0.5, at its upper end.
  const FuzzySystem system = parse_fcl(
      "FUNCTION_BLOCK f VAR_INPUT x : REAL; END_VAR VAR_OUTPUT y : REAL; END_VAR "
      "FUZZIFY x TERM low := (0, 1) (1, 0); END_FUZZIFY "
      "DEFUZZIFY y TERM a := 1; TERM b := 0; METHOD : COGS; END_DEFUZZIFY RULEBLOCK r "
      "RULE 1 : IF NOT x IS low THEN y IS a; RULE 2 : IF x IS low OR NOT x IS low THEN y IS b "
      "WITH 0.5; END_RULEBLOCK END_FUNCTION_BLOCK",
      "x");
  // a to the degree 0.5, b to the degree max(0.75, 0.5) / 2.
  EXPECT_NEAR(run(system, {{{0.25, 0.5}}}), 0.5 / (0.5 + 0.375), 1e-12);
}

// The same inference once more: every rule at every one of many points.
double brute_force(const FuzzySystem& system, const std::vector<double>& inputs) {
  using Kind = ConditionNode::Kind;
  const OutputVariable& output = system.outputs[0];
  const RuleBlock& block = system.blocks[0];
  const bool product = block.conjunction == Conjunction::product;
  std::vector<double> degrees;
  for (const auto& rule : block.rules) {
    std::vector<double> nodes;
    for (const auto& node : rule.condition) {
      if (node.kind == Kind::is) {
        nodes.push_back(
            membership(system.inputs[node.left].terms[node.right].set, inputs[node.left]));
        continue;
      }
      const double a = nodes[node.left];
      const double b = nodes[node.right];
      nodes.push_back(node.kind == Kind::negation      ? 1 - a
                      : node.kind == Kind::conjunction ? (product ? a * b : std::min(a, b))
                      : product                        ? a + b - a * b
                                                       : std::max(a, b));
    }
    degrees.push_back(nodes.back() * rule.weight);
  }
  constexpr int kPoints = 100000;
  double area = 0;
  double moment = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double y =
        output.range->low + (output.range->high - output.range->low) * (i + 0.5) / kPoints;
    double height = 0;
    for (std::size_t r = 0; r < degrees.size(); ++r) {
      const double own = membership(output.terms[block.rules[r].conclusions[0].term].set, y);
      const double shown =
          block.activation == Activation::product ? degrees[r] * own : std::min(degrees[r], own);
      switch (system.accumulation) {
        case Accumulation::maximum:
          height = std::max(height, shown);
          break;
        case Accumulation::bounded_sum:
          height = std::min(1.0, height + shown);
          break;
        case Accumulation::probabilistic:
          height = height + shown - height * shown;
          break;
        case Accumulation::normalised_sum:
          height += shown;
          break;
      }
    }
    area += height;
    moment += height * y;
  }
  return moment / area;
}

TEST(Inference, CentroidsAreThoseOfABruteForceIntegration) {
  for (int trial = 0; trial < 8; ++trial) {
    SeededRandom random(11, trial);
    const auto number = [&](double low, double high) {
      return low + (high - low) * random.uniform();
    };
    FuzzySystem system;
    for (int i = 0; i < 2; ++i) {
      Variable input;
      input.name = "i" + std::to_string(i);
      for (int t = 0; t < 3; ++t) {
        const double peak = number(0, 10);
        input.terms.push_back({"t" + std::to_string(t), GaussianSet{peak, number(1, 4)}});
      }
      system.inputs.push_back(input);
    }
    OutputVariable output;
    output.name = "y";
    for (int t = 0; t < 4; ++t) {
      const double a = number(0, 80);
      const double b = a + number(1, 10);
      const double c = b + number(0, 10);
      // The last has a step.
      const double d = t == 3 ? c : c + number(1, 10);
      if (t == 2) {
        output.terms.push_back({"gauss", GaussianSet{a, number(3, 9)}});
      } else {
        output.terms.push_back(
            {"t" + std::to_string(t), LinearSet{{{a, 0}, {b, 1}, {c, 1}, {d, 0}}}});
      }
    }
    output.range = Interval{0, 100};
    system.outputs.push_back(output);
    system.accumulation = static_cast<Accumulation>(trial % 4);
    RuleBlock block;
    block.conjunction = trial % 2 == 0 ? Conjunction::minimum : Conjunction::product;
    block.disjunction = trial % 2 == 0 ? Disjunction::maximum : Disjunction::probabilistic;
    block.activation = trial < 4 ? Activation::minimum : Activation::product;
    for (std::uint32_t r = 0; r < 5; ++r) {
      using Kind = ConditionNode::Kind;
      Rule rule;
      rule.condition = {
          {Kind::is, 0, static_cast<std::uint32_t>(random.below(3))},
          {Kind::is, 1, static_cast<std::uint32_t>(random.below(3))},
          {Kind::negation, 1, 0},
          {r % 2 == 0 ? Kind::conjunction : Kind::disjunction, 0, r % 3 == 0 ? 2U : 1U}};
      rule.conclusions = {{0, static_cast<std::uint32_t>(random.below(4))}};
      rule.weight = number(0.2, 1);
      block.rules.push_back(rule);
    }
    system.blocks.push_back(block);
    const std::vector<double> at = {number(0, 10), number(0, 10)};
    EXPECT_NEAR(run(system, {{{at[0], at[0]}}, {{at[1], at[1]}}}), brute_force(system, at), 0.03)
        << "trial " << trial;
  }
}

TEST(FuzzySets, MeansAreAreasOverWidths) {
  SeededRandom random(3, 0);
  for (int trial = 0; trial < 40; ++trial) {
    const double a = random.normal(0, 3);
    const double b = a + random.uniform() * 4;
    const FuzzySet set = trial % 2 == 0
                             ? FuzzySet(LinearSet{{{a, 0.25}, {b, 1}, {b, 0.5}, {b + 2, 0}}})
                             : FuzzySet(GaussianSet{a, 0.5 + random.uniform()});
    const Interval over{random.normal(0, 3), 0};
    const Interval whole{over.low, over.low + random.uniform() * 6};
    double sum = 0;
    double least = 1;
    double most = 0;
    constexpr int kPoints = 20000;
    for (int i = 0; i <= kPoints; ++i) {
      const double degree = membership(set, whole.low + (whole.high - whole.low) * i / kPoints);
      sum += i == 0 || i == kPoints ? degree / 2 : degree;
      least = std::min(least, degree);
      most = std::max(most, degree);
    }
    EXPECT_NEAR(mean_membership(set, whole), sum / kPoints, 1e-3);
    EXPECT_NEAR(membership_over(set, whole).least, least, 1e-3);
    EXPECT_NEAR(membership_over(set, whole).most, most, 1e-3);
  }
}

}  // namespace
}  // namespace pratique::fusion::inference_test
