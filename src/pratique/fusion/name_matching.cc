#include "pratique/fusion/name_matching.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "pratique/core/jaro_winkler.h"
#include "pratique/core/parallel.h"
#include "pratique/fusion/observations.h"

namespace pratique::fusion {
namespace {

constexpr std::size_t kNamesPerBlock = 256;

// What a name without an initial, or in another order, counts less than the same name as written:
// more than the usual margin, so that the latter is found where both are.
constexpr double kAnotherForm = 0.025;

// A name as it is compared, and where it is looked up.
struct Form {
  std::string text;  // words with one space between
  std::uint32_t first_key = 0;
  std::uint32_t last_key = 0;
};

struct Name {
  std::string spelling;  // with accents and titles
  Form written;
  Form sorted;           // whole words alone, in the order of the alphabet
  std::string initials;  // words of one letter, sorted
};

using Words = std::vector<std::string>;

std::string joined(const Words& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::uint32_t key_of(char a, char b, char c) {
  const auto byte = [](char x) { return std::uint32_t{static_cast<unsigned char>(x)}; };
  return (byte(a) << 16U) | (byte(b) << 8U) | byte(c);
}

// Looked up by the first and the last of `whole`, which is not empty.
Form form_of(std::string text, const Words& whole) {
  const std::string& first = whole.front();
  const std::string& last = whole.back();
  const auto second = [](const std::string& word) { return word.size() > 1 ? word[1] : ' '; };
  return {std::move(text), key_of(first[0], second(first), last[0]),
          key_of(first[0], last[0], second(last))};
}

// Letters from U+00C0 to U+017F without their marks, in lower case; '.' where there is none.
constexpr std::string_view kPlainLetters =
    "aaaaaaaceeeeiiiidnooooo.ouuuuyts"
    "aaaaaaaceeeeiiiidnooooo.ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggg"
    "gggghhhhiiiiiiiiiiiijjkkklllllll"
    "lllnnnnnnnnnoooooooorrrrrrssssss"
    "ssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

std::string without_accents(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const bool two_bytes = lead >= 0xC3U && lead <= 0xCDU && at + 1 < text.size();
    const unsigned point =
        two_bytes ? ((lead & 0x1FU) << 6U) | (static_cast<unsigned char>(text[at + 1]) & 0x3FU) : 0;
    const bool letter = point >= 0xC0U && point <= 0x17FU && kPlainLetters[point - 0xC0U] != '.';
    const bool mark = point >= 0x300U && point <= 0x36FU;  // combines with the letter before
    if (letter) plain += kPlainLetters[point - 0xC0U];
    if (!letter && !mark) plain += text[at];
    if (letter || mark) ++at;
  }
  return plain;
}

// In lower case, without punctuation.
Words words_of(std::string_view text) {
  Words words;
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
  return words;
}

// Not those that tell people apart, as Jr and Sr do.
bool is_title(const std::string& word) {
  static constexpr std::array<std::string_view, 15> kTitles = {
      "mr",  "mrs", "ms",  "miss", "mx", "dr",  "prof", "professor",
      "sir", "rev", "hon", "phd",  "md", "esq", "rn"};
  return std::find(kTitles.begin(), kTitles.end(), word) != kTitles.end();
}

// The words of a name, the family name last.
Words name_words(std::string_view text) {
  const std::string plain = without_accents(text);
  const auto comma = plain.find(',');
  Words words = words_of(std::string_view(plain).substr(0, comma));
  const Words family = words;
  if (comma != std::string::npos) {
    words = words_of(std::string_view(plain).substr(comma));
    words.insert(words.end(), family.begin(), family.end());
  }
  Words untitled = words;
  std::erase_if(untitled, is_title);
  return untitled.empty() ? words : untitled;
}

Name read_name(std::string_view text) {
  Name name;
  name.spelling = joined(words_of(text));
  const Words words = name_words(text);
  if (words.empty()) return name;
  Words whole;
  for (const auto& word : words) {
    if (word.size() == 1) {
      name.initials += word;
    } else {
      whole.push_back(word);
    }
  }
  if (whole.empty()) whole = words;
  std::sort(name.initials.begin(), name.initials.end());
  name.written = form_of(joined(words), whole);
  std::sort(whole.begin(), whole.end());
  name.sorted = form_of(joined(whole), whole);
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

// Names by the letters they must share.
class Index {
 public:
  void add(const Form& form, Code code) {
    by_first_[form.first_key].push_back(code);
    by_last_[form.last_key].push_back(code);
  }
  void look_up(const Form& form, std::vector<Code>& codes) const {
    const auto append = [&](const Codes& by, std::uint32_t key) {
      const auto place = by.find(key);
      if (place != by.end()) codes.insert(codes.end(), place->second.begin(), place->second.end());
    };
    append(by_first_, form.first_key);
    append(by_last_, form.last_key);
  }

 private:
  using Codes = std::unordered_map<std::uint32_t, std::vector<Code>>;
  Codes by_first_;
  Codes by_last_;
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
      if (names_.back().written.text.empty() || rows_[code].count == 0) continue;
      written_.add(names_.back().written, code);
      sorted_.add(names_.back().sorted, code);
    }
  }

  [[nodiscard]] Best find(const Name& name) const {
    if (name.written.text.empty()) return {};
    std::vector<Code> candidates;
    written_.look_up(name.written, candidates);
    sorted_.look_up(name.sorted, candidates);
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    double best = 0;
    double second = 0;
    Code best_code = 0;
    for (const Code code : candidates) {
      const Name& other = names_[code];
      if (other_initials(name, other)) continue;
      const double alike =
          std::max(jaro_winkler(name.written.text, other.written.text),
                   jaro_winkler(name.sorted.text, other.sorted.text) - kAnotherForm);
      if (alike > best) {
        second = best;
        best = alike;
        best_code = code;
      } else {
        second = std::max(second, alike);
      }
    }
    if (best < options_.threshold || best == 0) return {};
    const bool rival = second >= options_.threshold && best - second <= options_.margin;
    if (rival || rows_[best_code].count > 1) return {.ambiguous = true};
    return {rows_[best_code].first, names_[best_code].spelling == name.spelling, false};
  }

 private:
  struct Rows {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  const NameMatching& options_;
  std::vector<Rows> rows_;  // by code
  std::vector<Name> names_;
  Index written_;
  Index sorted_;
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
