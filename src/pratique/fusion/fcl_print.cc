#include <fmt/format.h>

#include "pratique/core/ascii.h"
#include "pratique/fusion/fcl.h"
#include "pratique/fusion/internal/fcl_lexer.h"
#include "pratique/fusion/internal/fcl_words.h"

namespace pratique::fusion {
namespace {

std::string print_set(const FuzzySet& set) {
  if (const auto* linear = std::get_if<LinearSet>(&set)) {
    std::string text;
    for (const auto& point : linear->points) {
      text += fmt::format("{}({}, {})", text.empty() ? "" : " ", point.x, point.degree);
    }
    return text;
  }
  if (const auto* gaussian = std::get_if<GaussianSet>(&set)) {
    return fmt::format("gauss {} {}", gaussian->mean, gaussian->deviation);
  }
  return fmt::format("{}", std::get<Singleton>(set).at);
}

std::string print_terms(const Variable& variable) {
  std::string text;
  for (const auto& term : variable.terms) {
    text += fmt::format("  TERM {} := {};\n", term.name, print_set(term.set));
  }
  if (variable.range) {
    text += fmt::format("  RANGE := ({} .. {});\n", variable.range->low, variable.range->high);
  }
  return text;
}

// Parentheses where the tree is not what reading from the left would give.
std::string print_condition(const FuzzySystem& system, const std::vector<ConditionNode>& nodes,
                            std::uint32_t at) {
  using NodeKind = ConditionNode::Kind;
  const ConditionNode& node = nodes[at];
  const auto inner = [&](std::uint32_t part, bool wrapped) {
    const std::string text = print_condition(system, nodes, part);
    return wrapped ? "(" + text + ")" : text;
  };
  const auto is_pair = [&](std::uint32_t part) {
    return nodes[part].kind == NodeKind::conjunction || nodes[part].kind == NodeKind::disjunction;
  };
  switch (node.kind) {
    case NodeKind::is:
      return fmt::format("{} IS {}", system.inputs[node.left].name,
                         system.inputs[node.left].terms[node.right].name);
    case NodeKind::negation:
      return "NOT " + inner(node.left, is_pair(node.left));
    case NodeKind::conjunction:
      return inner(node.left, nodes[node.left].kind == NodeKind::disjunction) + " AND " +
             inner(node.right, is_pair(node.right));
    case NodeKind::disjunction:
      break;
  }
  return inner(node.left, false) + " OR " +
         inner(node.right, nodes[node.right].kind == NodeKind::disjunction);
}

std::string print_rule(const FuzzySystem& system, const Rule& rule) {
  std::string then;
  for (const auto& conclusion : rule.conclusions) {
    const OutputVariable& output = system.outputs[conclusion.output];
    then += fmt::format("{}{} IS {}", then.empty() ? "" : ", ", output.name,
                        output.terms[conclusion.term].name);
  }
  return fmt::format("  RULE {} : IF {} THEN {}{};\n", rule.label,
                     print_condition(system, rule.condition,
                                     static_cast<std::uint32_t>(rule.condition.size() - 1)),
                     then, rule.weight == 1 ? "" : fmt::format(" WITH {}", rule.weight));
}

}  // namespace

std::string print_fcl(const FuzzySystem& system, const std::string& comment) {
  std::string text;
  if (!comment.empty()) text += fmt::format("(* {} *)\n", comment);
  text += fmt::format("FUNCTION_BLOCK {}\n\nVAR_INPUT\n", system.name);
  for (const auto& input : system.inputs) text += fmt::format("  {} : REAL;\n", input.name);
  text += "END_VAR\n\nVAR_OUTPUT\n";
  for (const auto& output : system.outputs) text += fmt::format("  {} : REAL;\n", output.name);
  text += "END_VAR\n\n";
  for (const auto& input : system.inputs) {
    text += fmt::format("FUZZIFY {}\n{}END_FUZZIFY\n\n", input.name, print_terms(input));
  }
  for (const auto& output : system.outputs) {
    text += fmt::format("DEFUZZIFY {}\n{}  METHOD : {};\n", output.name, print_terms(output),
                        word_of(kMethods, output.method));
    text += output.default_value ? fmt::format("  DEFAULT := {};\n", *output.default_value)
                                 : "  DEFAULT := NC;\n";
    text += "END_DEFUZZIFY\n\n";
  }
  for (const auto& block : system.blocks) {
    text += fmt::format(
        "RULEBLOCK {}\n  AND : {};\n  OR : {};\n  ACT : {};\n  ACCU : {};\n", block.name,
        word_of(kConjunctions, block.conjunction), word_of(kDisjunctions, block.disjunction),
        word_of(kActivations, block.activation), word_of(kAccumulations, system.accumulation));
    for (const auto& rule : block.rules) text += print_rule(system, rule);
    text += "END_RULEBLOCK\n\n";
  }
  return text + "END_FUNCTION_BLOCK\n";
}

std::string fcl_identifier(std::string_view text) {
  std::string identifier;
  for (const char c : lower(std::string(text))) {
    const bool kept = (c >= 'a' && c <= 'z') || is_digit(c);
    if (kept) {
      identifier += c;
    } else if (!identifier.empty() && identifier.back() != '_') {
      identifier += '_';
    }
  }
  while (!identifier.empty() && identifier.back() == '_') identifier.pop_back();
  if (identifier.empty()) identifier = "n";
  if (is_digit(identifier.front())) identifier.insert(0, "n_");
  std::string upper = identifier;
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  if (is_reserved_in_fcl(upper)) identifier += "_";
  return identifier;
}

}  // namespace pratique::fusion
