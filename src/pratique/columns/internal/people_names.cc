#include "pratique/columns/internal/people_names.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

namespace pratique::columns::internal {
namespace {

// As they are compared: small letters of ASCII, without points and commas.
constexpr std::string_view kTitles[] = {"dr",  "prof", "mr", "mrs",  "ms",   "miss", "frau", "herr",
                                        "med", "mme",  "m",  "mlle", "dott", "sr",   "sra"};

constexpr std::string_view kMedical[] = {
    "acute",      "chronic",   "type",     "disease",      "syndrome",   "disorder",   "failure",
    "mild",       "moderate",  "severe",   "primary",      "secondary",  "congenital", "recurrent",
    "diabetes",   "asthma",    "cancer",   "infection",    "tumor",      "tumour",     "fracture",
    "pain",       "injury",    "stroke",   "pneumonia",    "heart",      "renal",      "kidney",
    "liver",      "lung",      "breast",   "hypertension", "ulcer",      "bleeding",   "left",
    "right",      "upper",     "lower",    "stage",        "grade",      "unit",       "ward",
    "department", "clinic",    "hospital", "surgery",      "medicine",   "therapy",    "tablet",
    "injection",  "insulin",   "vaccine",  "test",         "blood",      "unknown",    "other",
    "akute",      "akuter",    "akutes",   "chronische",   "typ",        "schwere",    "leichte",
    "station",    "klinik",    "linke",    "rechte",       "fraktur",    "pneumonie",  "aigue",
    "chronique",  "maladie",   "diabete",  "aguda",        "cronica",    "enfermedad", "fractura",
    "sulfate",    "phosphate", "sodium",   "chloride",     "citrate",    "acetate",    "acid",
    "tartrate",   "succinate", "maleate",  "oral",         "intravenous"};

constexpr std::string_view kMedicalEnds[] = {"itis",  "osis", "emia", "pathy",        "ectomy",
                                             "algia", "noma", "uria", "hydrochloride"};

bool is_among(std::string_view word, const auto& list) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool is_medical(std::string_view word) {
  return is_among(word, kMedical) ||
         std::any_of(std::begin(kMedicalEnds), std::end(kMedicalEnds),
                     [&](std::string_view end) { return word.ends_with(end); });
}

std::vector<std::string> words_of_name(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ' ') {
      if (!words.back().empty()) words.emplace_back();
    } else if (c != '.' && c != ',') {
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  if (words.back().empty()) words.pop_back();
  const auto name = std::find_if(words.begin(), words.end(),
                                 [](const auto& word) { return !is_among(word, kTitles); });
  words.erase(words.begin(), name);
  return words;
}

}  // namespace

void PeopleNames::add(std::string_view text) {
  const auto words = words_of_name(text);
  if (words.size() < 2 || !texts_.emplace(words.front(), words.back()).second) return;
  ++firsts_[words.front()];
  ++lasts_[words.back()];
  if (std::any_of(words.begin(), words.end(), is_medical)) ++medical_;
}

bool PeopleNames::recombine() const {
  constexpr std::size_t kTexts = 10;
  constexpr std::size_t kWords = 5;
  if (texts_.size() < kTexts || firsts_.size() < kWords || lasts_.size() < kWords) return false;
  if (10 * medical_ > 3 * texts_.size()) return false;
  const auto both = std::count_if(texts_.begin(), texts_.end(), [&](const auto& text) {
    return firsts_.at(text.first) > 1 && lasts_.at(text.second) > 1;
  });
  return 10 * static_cast<std::size_t>(both) >= 3 * texts_.size();
}

}  // namespace pratique::columns::internal
