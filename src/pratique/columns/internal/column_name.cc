#include "pratique/columns/internal/column_name.h"

#include <algorithm>
#include <cctype>

namespace pratique::columns::internal {
namespace {

enum class Letter { lower, upper, digit, other };

Letter letter(char c) {
  const auto u = static_cast<unsigned char>(c);
  if (u >= 0x80 || std::islower(u) != 0) return Letter::lower;  // other alphabets: part of a word
  if (std::isupper(u) != 0) return Letter::upper;
  return std::isdigit(u) != 0 ? Letter::digit : Letter::other;
}

// Letters of U+00C0 to U+00FF without their marks; ß is ss, and what is no letter a blank.
std::string without_marks(std::string_view text) {
  constexpr std::string_view kPlain =
      "AAAAAAACEEEEIIIIDNOOOOO OUUUUYTsaaaaaaaceeeeiiiidnooooo ouuuuyty";
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool marked = static_cast<unsigned char>(text[i]) == 0xC3U && i + 1 < text.size() &&
                        (static_cast<unsigned char>(text[i + 1]) & 0xC0U) == 0x80U;
    if (!marked) {
      plain += text[i];
      continue;
    }
    const std::size_t letter = static_cast<unsigned char>(text[++i]) & 0x3FU;
    plain += kPlain[letter];
    if (letter == 0x1F) plain += 's';
  }
  return plain;
}

std::vector<std::string> words_of(std::string_view as_written) {
  const std::string text = without_marks(as_written);
  std::vector<std::string> words;
  Letter before = Letter::other;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Letter now = letter(text[i]);
    const bool next_is_lower = i + 1 < text.size() && letter(text[i + 1]) == Letter::lower;
    // A word starts at a capital after a small letter (patientName), at the last of several
    // capitals (SSNumber: SS, Number), and where letters and digits meet.
    const bool starts = before == Letter::other ||
                        (now == Letter::upper && before == Letter::lower) ||
                        (now == Letter::upper && before == Letter::upper && next_is_lower) ||
                        ((now == Letter::digit) != (before == Letter::digit));
    if (now != Letter::other) {
      if (starts) words.emplace_back();
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    }
    before = now;
  }
  return words;
}

// versichertennr is versicherten, number; none where it is no such word.
std::vector<std::string> compound_number(std::vector<std::string> words) {
  constexpr std::string_view kEnd = "nr";
  constexpr std::size_t kShortestStem = 3;
  if (words.empty() || !words.back().ends_with(kEnd) ||
      words.back().size() < kEnd.size() + kShortestStem)
    return {};
  words.back().resize(words.back().size() - kEnd.size());
  words.emplace_back("number");
  return words;
}

}  // namespace

ColumnName::ColumnName(std::string_view name) : words_(words_of(name)) {
  // A number by other names: patient_nbr, hosp_no, SUBJ-NUM.
  constexpr std::string_view kNumber[] = {"nbr", "nmbr", "num", "nr", "no"};
  if (words_.size() > 1 &&
      std::find(std::begin(kNumber), std::end(kNumber), words_.back()) != std::end(kNumber))
    words_.back() = "number";
  compound_ = compound_number(words_);
}

bool ColumnName::has(std::string_view phrase) const {
  const auto wanted = words_of(phrase);
  const auto in = [&](const std::vector<std::string>& words) {
    return std::search(words.begin(), words.end(), wanted.begin(), wanted.end()) != words.end();
  };
  if (in(words_) || in(compound_)) return true;
  std::string joined;
  for (const auto& word : wanted) joined += word;
  return wanted.size() > 1 && std::find(words_.begin(), words_.end(), joined) != words_.end();
}

bool ColumnName::has_word_of(std::initializer_list<std::string_view> words) const {
  return std::find_first_of(words_.begin(), words_.end(), words.begin(), words.end()) !=
         words_.end();
}

bool ColumnName::says_age() const {
  return has_word_of({"age",          "ages",        "alter",      "ageyears", "ageinyears",
                      "yearsold",     "lebensalter", "edad",       "idade",    "leeftijd",
                      "alder",        "wiek",        "agegroup",   "agegrp",   "agecat",
                      "agecategory",  "ageband",     "agebracket", "ageclass", "agerange",
                      "altersgruppe", "eta",         "anni",       "jahre",    "jaren",
                      "lebensjahre",  "lebensjahr"}) ||
         (has_word_of({"birth"}) && has_word_of({"year", "years", "yrs"}) &&
          has_word_of({"since", "from"})) ||
         (has_word_of({"old"}) && has_word_of({"year", "years", "yr", "yrs"}));
}

bool ColumnName::says_age_below_years() const {
  if (has_word_of({"agemonths", "agemonth", "agemos", "agemo", "ageweeks", "agedays", "ageinmonths",
                   "ageinweeks", "ageindays", "monthsold", "weeksold", "daysold"}))
    return true;
  const bool several =
      has_word_of({"months", "mos",     "mths",     "weeks", "wks",     "days",  "hours",
                   "monate", "monaten", "wochen",   "tage",  "tagen",   "meses", "semanas",
                   "dias",   "mois",    "semaines", "jours", "maanden", "weken", "dagen"});
  const bool unit = several || has_word_of({"month", "mo", "mth", "week", "wk", "day", "hour"});
  return (unit && (says_age() || has_word_of({"old"}))) || (several && has_word_of({"birth"}));
}

}  // namespace pratique::columns::internal
