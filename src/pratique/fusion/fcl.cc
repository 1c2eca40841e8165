#include "pratique/fusion/fcl.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/core/ascii.h"
#include "pratique/core/file.h"
#include "pratique/data/table.h"
#include "pratique/fusion/internal/fcl_lexer.h"
#include "pratique/fusion/internal/fcl_words.h"

namespace pratique::fusion {
namespace {

using TokenKind = FclToken::Kind;

// Deeper conditions than this are no rule that a person wrote.
constexpr int kDeepest = 100;

class Parser {
 public:
  Parser(std::string_view text, const std::string& place)
      : lexer_(text, place), tokens_(lexer_.all()) {}

  FuzzySystem system() {
    expect_word("FUNCTION_BLOCK");
    if (here().kind == TokenKind::word && !is_reserved_in_fcl(here().word)) {
      system_.name = lower(std::string(take().text));
    }
    while (!at_word("END_FUNCTION_BLOCK")) {
      if (at_word("VAR_INPUT")) {
        declare(system_.inputs, "input");
      } else if (at_word("VAR_OUTPUT")) {
        declare(system_.outputs, "output");
      } else if (at_word("FUZZIFY")) {
        fuzzify();
      } else if (at_word("DEFUZZIFY")) {
        defuzzify();
      } else if (at_word("RULEBLOCK")) {
        rule_block();
      } else {
        fail("expected VAR_INPUT, VAR_OUTPUT, FUZZIFY, DEFUZZIFY or RULEBLOCK here",
             "An END_ word may be missing, or END_FUNCTION_BLOCK at the end.");
      }
    }
    const FclToken end = take();
    if (here().kind != TokenKind::end) {
      fail("there is text after END_FUNCTION_BLOCK", "A rule file has one FUNCTION_BLOCK.");
    }
    check(end);
    return std::move(system_);
  }

 private:
  [[nodiscard]] const FclToken& here() const { return tokens_[at_]; }
  FclToken take() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_[at_]; }
  [[nodiscard]] bool at_word(std::string_view word) const {
    return here().kind == TokenKind::word && here().word == word;
  }
  [[nodiscard]] bool at_sign(std::string_view sign) const {
    return here().kind == TokenKind::sign && here().text == sign;
  }
  bool skip_word(std::string_view word) {
    const bool matched = at_word(word);
    if (matched) take();
    return matched;
  }
  bool skip_sign(std::string_view sign) {
    const bool matched = at_sign(sign);
    if (matched) take();
    return matched;
  }

  [[noreturn]] void fail_at(const FclToken& token, const std::string& what,
                            const std::string& hint) const {
    throw lexer_.error_at(token.at, what).hint(hint);
  }
  [[noreturn]] void fail(const std::string& what, const std::string& hint) const {
    fail_at(here(), what, hint);
  }
  [[noreturn]] void expected(const std::string& what) const {
    fail(here().kind == TokenKind::end
             ? fmt::format("the text ends where {} is expected", what)
             : fmt::format("expected {}, not '{}'", what, here().text.substr(0, 40)),
         "docs/fusion.md shows how a rule file is written.");
  }
  void expect_word(const std::string& word) {
    if (!skip_word(word)) expected(word);
  }
  void expect_sign(const std::string& sign) {
    if (!skip_sign(sign)) expected(fmt::format("'{}'", sign));
  }
  double number() {
    if (here().kind != TokenKind::number) expected("a number");
    return take().number;
  }
  std::string name(const std::string& what) {
    if (here().kind != TokenKind::word || is_reserved_in_fcl(here().word)) expected(what);
    return lower(std::string(take().text));
  }

  template <class Named>
  std::uint32_t known(const std::vector<Named>& all, const std::string& what) {
    const FclToken token = here();
    const std::string wanted = name(what);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].name == wanted) return static_cast<std::uint32_t>(i);
      names.push_back(all[i].name);
    }
    const auto near = nearest_names(names, wanted);
    fail_at(token, fmt::format("'{}' is not the name of {}", wanted, what),
            near.empty() ? fmt::format("There are: {}.", fmt::join(names, ", "))
                         : fmt::format("Did you mean {}?", fmt::join(near, " or ")));
  }

  template <class Value>
  Value choice(const Words<Value>& words) {
    expect_sign(":");
    if (here().kind == TokenKind::word) {
      const auto entry = words.find(here().word);
      if (entry != words.end()) {
        take();
        expect_sign(";");
        return entry->second;
      }
    }
    std::vector<std::string_view> names;
    for (const auto& [word, value] : words) names.push_back(word);
    expected(fmt::format("one of {}", fmt::join(names, ", ")));
  }

  template <class Declared>
  void declare(std::vector<Declared>& variables, const std::string& kind) {
    take();
    while (!skip_word("END_VAR")) {
      const FclToken token = here();
      Declared variable;
      variable.name = name(fmt::format("the name of an {} variable, or END_VAR", kind));
      if (system_.find_input(variable.name) || system_.find_output(variable.name)) {
        fail_at(token, fmt::format("the variable '{}' is declared twice", variable.name),
                "Every variable has one line, of input or of output.");
      }
      expect_sign(":");
      expect_word("REAL");
      expect_sign(";");
      variables.push_back(std::move(variable));
    }
  }

  FuzzySet function_set() {
    const FclToken token = take();
    std::vector<double> numbers;
    while (here().kind == TokenKind::number) numbers.push_back(take().number);
    const std::size_t wanted = token.word == "GAUSS" ? 2 : token.word == "TRIAN" ? 3 : 4;
    if (numbers.size() != wanted) {
      fail_at(token,
              fmt::format("{} takes {} numbers, not {}", lower(std::string(token.text)), wanted,
                          numbers.size()),
              "trian left peak right; trape left top top right; gauss mean deviation.");
    }
    if (token.word == "GAUSS") {
      if (numbers[1] <= 0) fail_at(token, "the deviation of gauss is not above 0", kGaussHint);
      return GaussianSet{numbers[0], numbers[1]};
    }
    if (!std::is_sorted(numbers.begin(), numbers.end())) {
      fail_at(token, "the numbers of this set do not rise", "Write them from left to right.");
    }
    LinearSet set;
    for (std::size_t i = 0; i < wanted; ++i) {
      set.points.push_back({numbers[i], i == 0 || i + 1 == wanted ? 0.0 : 1.0});
    }
    return set;
  }

  FuzzySet points() {
    LinearSet set;
    while (at_sign("(")) {
      const FclToken token = take();
      MembershipPoint point;
      point.x = number();
      expect_sign(",");
      point.degree = number();
      expect_sign(")");
      if (point.degree < 0 || point.degree > 1) {
        fail_at(token, "the degree of a point is not between 0 and 1",
                "A point is (value, degree of membership).");
      }
      if (!set.points.empty() && set.points.back().x > point.x) {
        fail_at(token, "the points of this set do not rise", "Write them from left to right.");
      }
      set.points.push_back(point);
    }
    return set;
  }

  void term(Variable& variable) {
    take();
    const FclToken token = here();
    Term new_term;
    new_term.name = name("the name of a term");
    if (variable.find_term(new_term.name)) {
      fail_at(token, fmt::format("'{}' has two terms '{}'", variable.name, new_term.name),
              "Give one of them another name.");
    }
    expect_sign(":=");
    if (here().kind == TokenKind::number) {
      new_term.set = Singleton{take().number};
    } else if (at_sign("(")) {
      new_term.set = points();
    } else if (at_word("TRIAN") || at_word("TRAPE") || at_word("GAUSS")) {
      new_term.set = function_set();
    } else {
      expected("a set: points like (1, 0) (5, 1), trian, trape, gauss or a number");
    }
    expect_sign(";");
    variable.terms.push_back(std::move(new_term));
  }

  void range(Variable& variable) {
    take();
    expect_sign(":=");
    const FclToken token = here();
    expect_sign("(");
    Interval interval;
    interval.low = number();
    expect_sign("..");
    interval.high = number();
    expect_sign(")");
    expect_sign(";");
    if (interval.low >= interval.high) {
      fail_at(token, "this range is empty", "Write the lower end first.");
    }
    variable.range = interval;
  }

  void require_fresh(const FclToken& token, const Variable& variable) const {
    if (variable.terms.empty()) return;
    fail_at(token, fmt::format("the terms of '{}' are in two places", variable.name),
            "Keep one of the two parts.");
  }

  void fuzzify() {
    take();
    const FclToken token = here();
    Variable& variable = system_.inputs[known(system_.inputs, "an input variable")];
    require_fresh(token, variable);
    while (!skip_word("END_FUZZIFY")) {
      if (at_word("TERM")) {
        term(variable);
      } else if (at_word("RANGE")) {
        range(variable);
      } else {
        expected("TERM, RANGE or END_FUZZIFY");
      }
    }
  }

  void defuzzify() {
    take();
    const FclToken token = here();
    OutputVariable& variable = system_.outputs[known(system_.outputs, "an output variable")];
    require_fresh(token, variable);
    while (!skip_word("END_DEFUZZIFY")) {
      if (at_word("TERM")) {
        term(variable);
      } else if (at_word("RANGE")) {
        range(variable);
      } else if (skip_word("METHOD")) {
        variable.method = choice(kMethods);
      } else if (at_word("ACCU")) {
        accumulation();
      } else if (skip_word("DEFAULT")) {
        expect_sign(":=");
        if (skip_word("NC")) {
          variable.default_value.reset();
        } else {
          variable.default_value = number();
        }
        expect_sign(";");
      } else {
        expected("TERM, RANGE, METHOD, ACCU, DEFAULT or END_DEFUZZIFY");
      }
    }
    check_method(token, variable);
  }

  void check_method(const FclToken& token, const OutputVariable& variable) const {
    const auto singletons = std::count_if(
        variable.terms.begin(), variable.terms.end(),
        [](const Term& output_term) { return std::holds_alternative<Singleton>(output_term.set); });
    const bool wants = variable.method == Defuzzification::singletons;
    const auto all = static_cast<std::ptrdiff_t>(variable.terms.size());
    if (singletons == (wants ? all : 0)) return;
    fail_at(
        token,
        wants ? fmt::format("METHOD COGS takes singletons, and '{}' has other sets", variable.name)
              : fmt::format("the output '{}' has singletons, which have no area", variable.name),
        wants ? "Use METHOD : COG." : "Make all its terms singletons and use METHOD : COGS.");
  }

  void accumulation() {
    const FclToken token = take();
    const Accumulation given = choice(kAccumulations);
    if (accumulation_given_ && given != system_.accumulation) {
      fail_at(token, "ACCU is given twice, with different values",
              "All parts must use the same ACCU.");
    }
    accumulation_given_ = true;
    system_.accumulation = given;
  }

  void rule_block() {
    take();
    RuleBlock block;
    if (here().kind == TokenKind::word && !is_reserved_in_fcl(here().word)) {
      block.name = lower(std::string(take().text));
    }
    bool has_and = false;
    bool has_or = false;
    while (!skip_word("END_RULEBLOCK")) {
      if (at_word("RULE")) {
        block.rules.push_back(rule());
      } else if (skip_word("AND")) {
        block.conjunction = choice(kConjunctions);
        has_and = true;
      } else if (skip_word("OR")) {
        block.disjunction = choice(kDisjunctions);
        has_or = true;
      } else if (skip_word("ACT")) {
        block.activation = choice(kActivations);
      } else if (at_word("ACCU")) {
        accumulation();
      } else {
        expected("RULE, AND, OR, ACT, ACCU or END_RULEBLOCK");
      }
    }
    if (has_and && !has_or) {
      block.disjunction = static_cast<Disjunction>(block.conjunction);  // its dual, by the order
    } else if (has_or && !has_and) {
      block.conjunction = static_cast<Conjunction>(block.disjunction);
    }
    system_.blocks.push_back(std::move(block));
  }

  Rule rule() {
    take();
    Rule new_rule;
    if (here().kind == TokenKind::number || here().kind == TokenKind::word)
      new_rule.label = take().text;
    expect_sign(":");
    expect_word("IF");
    (void)disjunction(new_rule.condition, 0);
    expect_word("THEN");
    do {
      Conclusion conclusion;
      conclusion.output = known(system_.outputs, "an output variable");
      expect_word("IS");
      conclusion.term =
          known(system_.outputs[conclusion.output].terms,
                fmt::format("a term of '{}'", system_.outputs[conclusion.output].name));
      new_rule.conclusions.push_back(conclusion);
    } while (skip_sign(","));
    if (skip_word("WITH")) {
      const FclToken token = here();
      new_rule.weight = number();
      if (new_rule.weight < 0 || new_rule.weight > 1) {
        fail_at(token, "a rule's weight is not between 0 and 1", "Write WITH 0.5, for example.");
      }
    }
    expect_sign(";");
    return new_rule;
  }

  static std::uint32_t add(std::vector<ConditionNode>& nodes, ConditionNode node) {
    nodes.push_back(node);
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }

  std::uint32_t disjunction(std::vector<ConditionNode>& nodes, int depth) {
    std::uint32_t left = conjunction(nodes, depth);
    while (skip_word("OR")) {
      const std::uint32_t right = conjunction(nodes, depth);
      left = add(nodes, {ConditionNode::Kind::disjunction, left, right});
    }
    return left;
  }

  std::uint32_t conjunction(std::vector<ConditionNode>& nodes, int depth) {
    std::uint32_t left = factor(nodes, depth);
    while (skip_word("AND")) {
      const std::uint32_t right = factor(nodes, depth);
      left = add(nodes, {ConditionNode::Kind::conjunction, left, right});
    }
    return left;
  }

  std::uint32_t factor(std::vector<ConditionNode>& nodes, int depth) {
    if (depth > kDeepest) {
      fail("this condition is nested too deep", "Write it as several rules.");
    }
    if (skip_word("NOT")) {
      return add(nodes, {ConditionNode::Kind::negation, factor(nodes, depth + 1), 0});
    }
    if (skip_sign("(")) {
      const std::uint32_t inner = disjunction(nodes, depth + 1);
      expect_sign(")");
      return inner;
    }
    const std::uint32_t input = known(system_.inputs, "an input variable");
    expect_word("IS");
    const bool negated = skip_word("NOT");
    const std::uint32_t of_input = known(system_.inputs[input].terms,
                                         fmt::format("a term of '{}'", system_.inputs[input].name));
    const std::uint32_t is = add(nodes, {ConditionNode::Kind::is, input, of_input});
    return negated ? add(nodes, {ConditionNode::Kind::negation, is, 0}) : is;
  }

  void check(const FclToken& end) const {
    const auto require_terms = [&](const Variable& variable, const char* part) {
      if (variable.terms.empty()) {
        fail_at(end, fmt::format("the variable '{}' has no terms", variable.name),
                fmt::format("Add {0} {1} ... END_{0}.", part, variable.name));
      }
    };
    for (const auto& input : system_.inputs) require_terms(input, "FUZZIFY");
    for (const auto& output : system_.outputs) require_terms(output, "DEFUZZIFY");
    const bool has_rules = std::any_of(system_.blocks.begin(), system_.blocks.end(),
                                       [](const RuleBlock& block) { return !block.rules.empty(); });
    if (!has_rules) fail_at(end, "there is no rule", "Add a RULEBLOCK with at least one RULE.");
  }

  static constexpr const char* kGaussHint = "Write gauss mean deviation.";

  FclLexer lexer_;
  std::vector<FclToken> tokens_;
  std::size_t at_ = 0;
  FuzzySystem system_;
  bool accumulation_given_ = false;
};

}  // namespace

FuzzySystem parse_fcl(std::string_view text, const std::string& place) {
  return Parser(text, place).system();
}

FuzzySystem read_fcl(const std::string& path) { return parse_fcl(read_file(path), path); }

}  // namespace pratique::fusion
