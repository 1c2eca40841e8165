#include "pratique/fusion/internal/fcl_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "pratique/core/ascii.h"

namespace pratique::fusion {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

constexpr std::array<std::string_view, 47> kReserved = {"ACCU",
                                                        "ACT",
                                                        "AND",
                                                        "ASUM",
                                                        "BDIF",
                                                        "BSUM",
                                                        "COA",
                                                        "COG",
                                                        "COGS",
                                                        "DEFAULT",
                                                        "DEFUZZIFY",
                                                        "END_DEFUZZIFY",
                                                        "END_FUNCTION_BLOCK",
                                                        "END_FUZZIFY",
                                                        "END_OPTIONS",
                                                        "END_RULEBLOCK",
                                                        "END_VAR",
                                                        "FUNCTION_BLOCK",
                                                        "FUZZIFY",
                                                        "GAUSS",
                                                        "IF",
                                                        "IS",
                                                        "LM",
                                                        "MAX",
                                                        "METHOD",
                                                        "MIN",
                                                        "MM",
                                                        "MOM",
                                                        "NC",
                                                        "NOT",
                                                        "NSUM",
                                                        "OPTIONS",
                                                        "OR",
                                                        "PROBOR",
                                                        "PROD",
                                                        "RANGE",
                                                        "REAL",
                                                        "RM",
                                                        "RULE",
                                                        "RULEBLOCK",
                                                        "TERM",
                                                        "THEN",
                                                        "TRAPE",
                                                        "TRIAN",
                                                        "VAR_INPUT",
                                                        "VAR_OUTPUT",
                                                        "WITH"};

}  // namespace

bool is_reserved_in_fcl(std::string_view upper_case_word) {
  return std::find(kReserved.begin(), kReserved.end(), upper_case_word) != kReserved.end();
}

Error FclLexer::error_at(std::size_t byte, const std::string& message) const {
  const auto before = text_.substr(0, std::min(byte, text_.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto newline = before.rfind('\n');
  const std::size_t begins = newline == std::string_view::npos ? 0 : newline + 1;
  return Error::input(message).at(
      fmt::format("{}:{}:{}", place_, line, before.size() - begins + 1));
}

void FclLexer::skip_blanks_and_comments() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at_;
    } else if (text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (text_.substr(at_, 2) == "(*") {
      const auto end = text_.find("*)", at_ + 2);
      if (end == std::string_view::npos) {
        throw error_at(at_, "this comment never ends").hint("Close it with *).");
      }
      at_ = end + 2;
    } else {
      return;
    }
  }
}

FclToken FclLexer::number() {
  const std::size_t begin = at_;
  if (text_[at_] == '+' || text_[at_] == '-') ++at_;
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  // 1..10 is a range, not 1. and .10
  if (at_ + 1 < text_.size() && text_[at_] == '.' && is_digit(text_[at_ + 1])) {
    ++at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  }
  if (at_ < text_.size() && upper(text_[at_]) == 'E') {
    std::size_t exponent = at_ + 1;
    if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
    if (exponent < text_.size() && is_digit(text_[exponent])) {
      at_ = exponent;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    }
  }
  FclToken token{FclToken::Kind::number, text_.substr(begin, at_ - begin), {}, 0, begin};
  const auto digits = token.text.substr(token.text.front() == '+' ? 1 : 0);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), token.number);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) {
    throw error_at(begin, "this number is out of range").hint("Write it like 12.5.");
  }
  if (token.number == 0) token.number = 0;  // no minus zero
  return token;
}

FclToken FclLexer::next() {
  skip_blanks_and_comments();
  if (at_ == text_.size()) return {FclToken::Kind::end, {}, {}, 0, at_};
  const char c = text_[at_];
  const std::size_t begin = at_;
  if (is_letter(c)) {
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    FclToken token{FclToken::Kind::word, text_.substr(begin, at_ - begin), {}, 0, begin};
    for (const char letter : token.text) token.word += upper(letter);
    return token;
  }
  const auto digit_at = [&](std::size_t at) { return at < text_.size() && is_digit(text_[at]); };
  if (is_digit(c) || ((c == '-' || c == '+') && digit_at(at_ + 1))) return number();
  for (const std::string_view sign : {":=", ".."}) {
    if (text_.substr(at_, 2) == sign) {
      at_ += 2;
      return {FclToken::Kind::sign, sign, {}, 0, begin};
    }
  }
  if (std::string_view("();:,").find(c) == std::string_view::npos) {
    throw error_at(at_, "this character has no meaning in FCL")
        .hint("Names are letters, digits and underscores; comments go between (* and *).");
  }
  ++at_;
  return {FclToken::Kind::sign, text_.substr(begin, 1), {}, 0, begin};
}

std::vector<FclToken> FclLexer::all() {
  if (text_.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;
  std::vector<FclToken> tokens;
  do {
    tokens.push_back(next());
  } while (tokens.back().kind != FclToken::Kind::end);
  return tokens;
}

}  // namespace pratique::fusion
