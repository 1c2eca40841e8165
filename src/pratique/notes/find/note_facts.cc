#include "pratique/notes/find/note_facts.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "pratique/core/ascii.h"
#include "pratique/data/date.h"
#include "pratique/notes/find/known_names.h"
#include "pratique/notes/replace/note_date.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

template <class Take>
void each_folded_word(std::string_view text, const Take& take) {
  for (std::size_t at = 0; at < text.size();) {
    const auto is_letter = [&](std::size_t i) {
      const auto c = static_cast<unsigned char>(text[i]);
      return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    const std::size_t start = at;
    while (at < text.size() && is_letter(at)) ++at;
    if (at > start) {
      take(words::folded(text.substr(start, at - start)));
    } else {
      ++at;
    }
  }
}

std::string digits_in(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (is_digit(c)) digits += c;
  }
  return digits;
}

std::string sex_told(std::string_view text) {
  int female = 0;
  int male = 0;
  each_folded_word(text, [&](const std::string& word) {
    for (const char* f : {"she", "her", "hers", "woman", "female", "mrs", "ms", "lady", "girl"})
      female += word == f ? 1 : 0;
    for (const char* m : {"he", "his", "him", "man", "male", "mr", "gentleman", "boy"})
      male += word == m ? 1 : 0;
  });
  // Sex: F, 94 yo F
  static const re2::RE2 letter(
      R"((?i)\b(?:(?:sex|gender)[\s:|^]{1,3}([fm])\b|\d{1,3} ?(?:yo|y/o|yr|y\.o\.|-year-old) ?-?([fm])\b))");
  re2::StringPiece rest(text.data(), text.size());
  re2::StringPiece first;
  re2::StringPiece second;
  while (re2::RE2::FindAndConsume(&rest, letter, &first, &second)) {
    const char sex = first.empty() ? second[0] : first[0];
    (sex == 'f' || sex == 'F' ? female : male) += 3;
  }
  return female > male ? "F" : male > female ? "M" : "";
}

// "son luis, age 9", "his 102-year-old mother", "brother died at 52"
bool is_of_relative(std::string_view text, const Span& span) {
  constexpr std::size_t kBefore = 40;
  constexpr std::size_t kBehind = 28;
  const std::size_t from = span.start - std::min(span.start, kBefore);
  auto before = text.substr(from, span.start - from);
  if (const auto end = before.find_last_of(".;\n"); end != std::string_view::npos)
    before.remove_prefix(end + 1);
  auto behind = text.substr(span.end, kBehind);
  behind = behind.substr(0, behind.find_first_of(".,;\n"));
  bool kin = false;
  const auto look = [&](const std::string& word) {
    for (const char* relative :
         {"mother",  "father",      "son",      "daughter",    "brother",       "sister",
          "wife",    "husband",     "aunt",     "uncle",       "cousin",        "niece",
          "nephew",  "grandmother", "grandson", "grandfather", "granddaughter", "mom",
          "dad",     "partner",     "roommate", "friend",      "neighbor",      "dtr",
          "sibling", "twin",        "spouse",   "boyfriend",   "girlfriend",    "child"})
      kin = kin || word == relative;
  };
  each_folded_word(before, look);
  each_folded_word(behind, look);
  return kin;
}

bool tells_birth(std::string_view text, std::size_t start) {
  const auto before = lower(
      std::string(text.substr(start > 16 ? start - 16 : 0, std::min<std::size_t>(start, 16))));
  return before.find("dob") != std::string::npos || before.find("birth") != std::string::npos ||
         before.find("born") != std::string::npos || before.find("geb") != std::string::npos ||
         before.find("n\xC3\xA9") != std::string::npos || before.find("d.o.b") != std::string::npos;
}

}  // namespace

std::set<std::string> diagnoses_in(std::string_view text) {
  static constexpr std::array<std::string_view, 24> kDiseases = {
      "diabetes", "asthma",    "cancer",       "hypertension", "stroke",   "pneumonia",
      "hiv",      "copd",      "gout",         "epilepsy",     "sepsis",   "depression",
      "fracture", "hepatitis", "tuberculosis", "cirrhosis",    "melanoma", "leukemia",
      "lymphoma", "migraine",  "obesity",      "dementia",     "lupus",    "syphilis"};
  static constexpr std::array<std::string_view, 8> kEndings = {"itis",  "oma",   "emia",   "osis",
                                                               "pathy", "algia", "plegia", "uria"};
  std::set<std::string> diseases;
  each_folded_word(text, [&](const std::string& word) {
    if (std::find(kDiseases.begin(), kDiseases.end(), word) != kDiseases.end()) {
      diseases.insert(word);
      return;
    }
    if (word.size() < 7 || (words::kinds_of(word) & words::kMedical) == 0) return;
    if (std::any_of(kEndings.begin(), kEndings.end(),
                    [&](std::string_view ending) { return word.ends_with(ending); }))
      diseases.insert(word);
  });
  return diseases;
}

NoteFacts facts_of(std::string_view text, const std::vector<Span>& spans) {
  NoteFacts facts;
  // 60..79 is no age and 1980..1999 no day: somebody generalised them.
  const auto is_range = [&](const Span& span) {
    return text.substr(span.end, 2) == ".." ||
           (span.start > 1 && text.substr(span.start - 2, 2) == "..") ||
           text.substr(span.start, span.end - span.start).find("..") != std::string_view::npos;
  };
  for (const Span& span : spans) {
    const auto content = text.substr(span.start, span.end - span.start);
    if ((span.type == "age" || span.type == "date") && is_range(span)) continue;
    if (span.type == "name" && span.detail.empty() && facts.family.empty()) {
      const auto parts = telling_words(content);
      if (parts.empty()) continue;
      const bool family_first = content.find(',') != std::string_view::npos;
      facts.family = family_first ? parts.front() : parts.back();
      if (parts.size() > 1) facts.given = family_first ? parts[1] : parts.front();
    } else if (span.type == "age" && !facts.age && !is_of_relative(text, span)) {
      const std::string digits = digits_in(content);
      if (!digits.empty() && digits.size() <= 3) facts.age = std::stoi(digits);
    } else if (span.type == "date") {
      std::string day;
      if (const auto moved = day_of(content)) {
        day = *moved;
      } else if (const auto year = year_in(content)) {
        day = std::to_string(*year);
      }
      if (day.empty()) continue;
      if (day.size() == 10 && tells_birth(text, span.start)) {
        facts.birth = day;
      } else {
        facts.dates.push_back(day);
      }
    } else if (span.type == "location" && facts.zip.empty()) {
      const std::string digits = digits_in(content);
      if (digits.size() == 5 || digits.size() == 9) facts.zip = digits.substr(0, 5);
    } else if (span.type == "mrn" && facts.mrn.empty()) {
      facts.mrn = digits_in(content);
    }
  }
  facts.sex = sex_told(text);
  facts.diagnoses = diagnoses_in(text);
  std::sort(facts.dates.begin(), facts.dates.end());
  return facts;
}

}  // namespace pratique::notes
