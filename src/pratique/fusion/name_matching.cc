#include "pratique/fusion/name_matching.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "pratique/core/jaro_winkler.h"
#include "pratique/core/parallel.h"
#include "pratique/fusion/observations.h"

namespace pratique::fusion {
namespace {

constexpr std::size_t kNamesPerBlock = 256;

struct Name {
  std::string text;      // words with one space between
  std::string initials;  // words of one letter, sorted
  std::uint32_t first_key = 0;
  std::uint32_t last_key = 0;
};

std::uint32_t key_of(char a, char b, char c) {
  const auto byte = [](char x) { return std::uint32_t{static_cast<unsigned char>(x)}; };
  return (byte(a) << 16U) | (byte(b) << 8U) | byte(c);
}

Name read_name(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const bool lower = c >= 'a' && c <= 'z';
    const bool upper = c >= 'A' && c <= 'Z';
    const bool kept = lower || upper || (c >= '0' && c <= '9') ||
                      static_cast<unsigned char>(c) >= 0x80U || c == '\'';
    if (kept && !inside) words.emplace_back();
    if (kept) words.back() += upper ? static_cast<char>(c - 'A' + 'a') : c;
    inside = kept;
  }
  Name name;
  std::vector<const std::string*> whole;
  for (const auto& word : words) {
    name.text += (name.text.empty() ? "" : " ") + word;
    if (word.size() == 1) {
      name.initials += word;
    } else {
      whole.push_back(&word);
    }
  }
  std::sort(name.initials.begin(), name.initials.end());
  if (words.empty()) return name;
  const std::string& first = whole.empty() ? words.front() : *whole.front();
  const std::string& last = whole.empty() ? words.back() : *whole.back();
  const auto second = [](const std::string& word) { return word.size() > 1 ? word[1] : ' '; };
  name.first_key = key_of(first[0], second(first), last[0]);
  name.last_key = key_of(first[0], last[0], second(last));
  return name;
}

bool other_initials(const Name& a, const Name& b) {
  return !a.initials.empty() && !b.initials.empty() &&
         a.initials.find_first_of(b.initials) == std::string::npos;
}

struct Best {
  std::uint32_t row = kNotFound;
  bool exact = false;
  bool ambiguous = false;
};

class Finder {
 public:
  Finder(const Column& others, const NameMatching& options) : options_(options) {
    rows_.resize(others.dictionary.size());
    for (std::uint32_t row = 0; row < others.codes.size(); ++row) {
      auto& place = rows_[others.codes[row]];
      place = place.count == 0 ? Rows{row, 1} : Rows{place.first, place.count + 1};
    }
    for (const auto text : others.dictionary.values()) {
      const auto code = static_cast<Code>(names_.size());
      names_.push_back(read_name(text));
      if (names_.back().text.empty() || rows_[code].count == 0) continue;
      by_first_[names_.back().first_key].push_back(code);
      by_last_[names_.back().last_key].push_back(code);
    }
  }

  [[nodiscard]] Best find(const Name& name) const {
    if (name.text.empty()) return {};
    double best = 0;
    double second = 0;
    Code best_code = 0;
    const auto compare = [&](Code code) {
      const Name& other = names_[code];
      if (other_initials(name, other)) return;
      const double alike = jaro_winkler(name.text, other.text);
      if (alike > best) {
        second = best;
        best = alike;
        best_code = code;
      } else {
        second = std::max(second, alike);
      }
    };
    if (const auto place = by_first_.find(name.first_key); place != by_first_.end()) {
      for (const Code code : place->second) compare(code);
    }
    if (const auto place = by_last_.find(name.last_key); place != by_last_.end()) {
      for (const Code code : place->second) {
        if (names_[code].first_key != name.first_key) compare(code);
      }
    }
    if (best < options_.threshold || best == 0) return {};
    const bool rival = second >= options_.threshold && best - second <= options_.margin;
    if (rival || rows_[best_code].count > 1) return {.ambiguous = true};
    return {rows_[best_code].first, best == 1, false};
  }

 private:
  struct Rows {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  const NameMatching& options_;
  std::vector<Rows> rows_;  // by code
  std::vector<Name> names_;
  std::unordered_map<std::uint32_t, std::vector<Code>> by_first_;
  std::unordered_map<std::uint32_t, std::vector<Code>> by_last_;
};

}  // namespace

NameMatches match_names(const Column& names, const Column& others, const NameMatching& options,
                        Progress& progress) {
  const Finder finder(others, options);
  std::vector<Best> best(names.dictionary.size());
  progress.begin("matching names", best.size());
  parallel_blocks(best.size(), kNamesPerBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t code = begin; code < end; ++code) {
      best[code] = finder.find(read_name(names.dictionary.value(static_cast<Code>(code))));
    }
    progress.advance(end - begin);
  });
  NameMatches matches;
  for (const Code code : names.codes) {
    const Best& match = best[code];
    matches.row_of.push_back(match.row);
    matches.matched += match.row != kNotFound ? 1 : 0;
    matches.exact += match.exact ? 1 : 0;
    matches.ambiguous += match.ambiguous ? 1 : 0;
  }
  return matches;
}

}  // namespace pratique::fusion
