#include "pratique/data/code_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "pratique/core/error.h"
#include "pratique/data/table.h"
#include "pratique/data/utf8.h"

namespace pratique {
namespace {

constexpr std::string_view kArrow = "->";
constexpr std::string_view kBlank = " \t\r";

struct Word {
  std::string_view text;
  std::size_t column;
};

std::vector<Word> words_of(std::string_view line) {
  std::vector<Word> words;
  for (std::size_t at = 0;;) {
    at = line.find_first_not_of(kBlank, at);
    if (at == std::string_view::npos) return words;
    const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
    words.push_back({line.substr(at, end - at), count_characters(line.substr(0, at)) + 1});
    at = end;
  }
}

class RuleReader {
 public:
  RuleReader(const std::string& place, const Dictionary* codes) : place_(place), codes_(codes) {}

  void read(std::string_view line, std::size_t number) {
    const auto words = words_of(line);
    if (words.empty() || words.front().text.starts_with('#')) return;
    line_ = number;
    CodeRule rule;
    bool right = false;
    for (const Word& word : words) {
      if (word.text == kArrow) {
        if (right) throw wrong("a second ->", word.column);
        if (rule.known.empty()) throw wrong("no code on the left of ->", word.column);
        right = true;
        continue;
      }
      check(word, right);
      auto& side = right ? rule.inferred : rule.known;
      const std::string code(word.text);
      if (std::find(side.begin(), side.end(), code) == side.end()) side.push_back(code);
    }
    const std::size_t end = words.back().column + count_characters(words.back().text);
    if (!right) throw wrong("no ->", end);
    if (rule.inferred.empty()) throw wrong("no code on the right of ->", end);
    rules_.push_back(std::move(rule));
  }

  std::vector<CodeRule> take() && { return std::move(rules_); }

 private:
  [[nodiscard]] Error wrong(const std::string& what, std::size_t column) const {
    return Error::input(fmt::format("the rule has {}", what))
        .at(fmt::format("{}:{}:{}", place_, line_, column))
        .hint("A rule is codes, -> and sensitive codes, with blanks between: 401.2 401.4 -> 295");
  }

  void check(const Word& word, bool right) {
    const std::string code(word.text);
    if (codes_ != nullptr && !codes_->find(code)) {
      const auto& values = codes_->values();
      const auto near = nearest_names({values.begin(), values.end()}, code);
      throw Error::input(fmt::format("no patient has the code {}", in_quotes(code)))
          .at(fmt::format("{}:{}:{}", place_, line_, word.column))
          .hint(near.empty() ? "Correct it, or leave the rule out."
                             : fmt::format("Did you mean {}?", fmt::join(near, " or ")));
    }
    const auto [seen, fresh] = side_.try_emplace(code, right);
    if (!fresh && seen->second != right) {
      throw Error::input(
          fmt::format("{} is on the left of a rule and on the right of one", in_quotes(code)))
          .at(fmt::format("{}:{}:{}", place_, line_, word.column))
          .hint("A code is either public (left) or sensitive (right), the same in all rules.");
    }
  }

  std::string place_;
  const Dictionary* codes_;
  std::size_t line_ = 0;
  std::map<std::string, bool> side_;  // on the right
  std::vector<CodeRule> rules_;
};

}  // namespace

std::vector<CodeRule> parse_code_rules(std::string_view text, const std::string& place,
                                       const Dictionary* codes) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  RuleReader reader(place, codes);
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read(text.substr(0, end), line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  auto rules = std::move(reader).take();
  if (rules.empty()) {
    throw Error::input("the file holds no rule").at(place).hint("A rule is: 401.2 401.4 -> 295");
  }
  return rules;
}

}  // namespace pratique
