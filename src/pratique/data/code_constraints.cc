#include "pratique/data/code_constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/json.h"
#include "pratique/data/utf8.h"

namespace pratique {
namespace {

constexpr std::string_view kBlanks = " \t\r";

void add(CodeConstraint& constraint, std::string_view code, const std::string& place) {
  if (!is_utf8(code)) throw Error::input("a code is not UTF-8 text").at(place);
  if (!fits_in_a_set(code)) {
    throw Error::input("a code contains a bracket or a bar, which mark sets of codes")
        .at(place)
        .hint("A constraint names codes as they are in the data, separated by blanks.");
  }
  const bool again = std::any_of(constraint.codes.begin(), constraint.codes.end(),
                                 [&](const auto& member) { return member.code == code; });
  if (again) {
    throw Error::input(fmt::format("{} appears twice in one constraint", in_quotes(code)))
        .at(place)
        .hint("Name each code once. Did you mean another one?");
  }
  constraint.codes.push_back({std::string(code), place});
}

std::vector<CodeConstraint> parse_lines(std::string_view text, const std::string& place) {
  std::vector<CodeConstraint> constraints;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    CodeConstraint constraint;
    for (std::size_t at = 0;;) {
      at = line.find_first_not_of(kBlanks, at);
      if (at == std::string_view::npos) break;
      const auto stop = std::min(line.find_first_of(kBlanks, at), line.size());
      add(constraint, line.substr(at, stop - at), fmt::format("{}:{}:{}", place, number, at + 1));
      at = stop;
    }
    if (!constraint.codes.empty()) constraints.push_back(std::move(constraint));
  }
  return constraints;
}

std::vector<CodeConstraint> parse_lists(const Json& lists, const std::string& place) {
  std::vector<CodeConstraint> constraints;
  std::size_t number = 0;
  for (const auto& [name, list] : lists.items()) {
    ++number;
    const std::string where = lists.is_object()
                                  ? fmt::format("{}, constraint {}", place, in_quotes(name))
                                  : fmt::format("{}, constraint {}", place, number);
    if (!list.is_array() || list.empty()) {
      throw Error::input("a constraint is not a list of codes").at(where);
    }
    CodeConstraint constraint;
    for (const auto& code : list) {
      if (!code.is_string()) {
        throw Error::input("a code is not text")
            .at(where)
            .hint("Write codes in quotes: \"296.00\".");
      }
      add(constraint, code.get<std::string>(), where);
    }
    constraints.push_back(std::move(constraint));
  }
  return constraints;
}

}  // namespace

bool fits_in_a_set(std::string_view code) {
  return !code.empty() && code.find_first_of("()|") == std::string_view::npos;
}

std::vector<CodeConstraint> parse_code_constraints(std::string_view text,
                                                   const std::string& place) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  auto constraints = json ? parse_lists(parse_json(text, place), place) : parse_lines(text, place);
  if (constraints.empty()) {
    throw Error::input("the policy has no constraint")
        .at(place)
        .hint("Write a constraint per line, its codes separated by blanks.");
  }
  return constraints;
}

std::vector<std::vector<Code>> bind_constraints(const std::vector<CodeConstraint>& constraints,
                                                const Dictionary& codes) {
  std::vector<std::vector<Code>> bound;
  for (const auto& constraint : constraints) {
    bound.emplace_back();
    for (const auto& member : constraint.codes) {
      const auto code = codes.find(member.code);
      if (!code) {
        const auto near =
            nearest_names({codes.values().begin(), codes.values().end()}, member.code);
        throw Error::input(fmt::format("the data has no code {}", in_quotes(member.code)))
            .at(member.place)
            .hint(near.empty()
                      ? "Correct it, or remove it from the policy."
                      : fmt::format("The nearest is {}. Correct it, or remove it from the policy.",
                                    in_quotes(near.front())));
      }
      bound.back().push_back(*code);
    }
    std::sort(bound.back().begin(), bound.back().end());
  }
  return bound;
}

std::string constraints_text(const std::vector<std::vector<Code>>& constraints,
                             const Dictionary& codes) {
  std::vector<std::string> lines;
  for (const auto& constraint : constraints) {
    std::vector<std::string_view> texts;
    for (const Code code : constraint) texts.push_back(codes.value(code));
    std::sort(texts.begin(), texts.end());
    lines.push_back(fmt::format("{}\n", fmt::join(texts, " ")));
  }
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

}  // namespace pratique
