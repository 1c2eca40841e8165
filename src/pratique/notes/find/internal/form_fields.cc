#include "pratique/notes/find/internal/form_fields.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace pratique::notes {
namespace {

enum class Field : std::uint8_t { name, place, ward, hospital, organisation, profession };

// Labels of one to three words, folded; a hyphen, a point or a slash between words is a blank.
const std::unordered_map<std::string_view, Field>& labels() {
  static const std::unordered_map<std::string_view, Field> table = [] {
    std::unordered_map<std::string_view, Field> fields;
    const auto add = [&](Field field, std::initializer_list<std::string_view> all) {
      for (const auto label : all) fields.emplace(label, field);
    };
    add(Field::name, {"name",
                      "patient name",
                      "pt name",
                      "full name",
                      "surname",
                      "forename",
                      "forenames",
                      "first name",
                      "last name",
                      "middle name",
                      "given name",
                      "given names",
                      "family name",
                      "maiden name",
                      "first",
                      "last",
                      "mi",
                      "mother name",
                      "father name",
                      "nom",
                      "prenom",
                      "nombre",
                      "apellido",
                      "apellidos",
                      "cognome",
                      "vorname",
                      "nachname",
                      "nok",
                      "next of kin",
                      "emergency contact",
                      "guardian",
                      "parent",
                      "spouse",
                      "pcp",
                      "gp",
                      "consultant",
                      "att",
                      "attending",
                      "physician",
                      "surgeon",
                      "referring physician",
                      "referred by",
                      "ordered by",
                      "requested by",
                      "reported by",
                      "dictated by",
                      "transcribed by",
                      "verified by",
                      "signed by",
                      "seen by",
                      "technologist",
                      "tech",
                      "nurse",
                      "resp party",
                      "responsible party",
                      "guarantor",
                      "subscriber",
                      "insured",
                      "policy holder",
                      "interpreter",
                      "therapist",
                      "case manager",
                      "social worker",
                      "contact",
                      "contact person",
                      "attn",
                      "driver",
                      "passenger",
                      "witness",
                      "assistant",
                      "asst",
                      "assistants",
                      "anesthesiologist",
                      "informant",
                      "caregiver",
                      "proxy",
                      "hcp",
                      "escort",
                      "surrogate",
                      "caller",
                      "medecin traitant",
                      "paciente",
                      "naam",
                      "patientin",
                      "provider",
                      "primary care provider",
                      "primary care physician",
                      "completed by",
                      "prepared by",
                      "reviewed by",
                      "performed by",
                      "requesting",
                      "from"});
    add(Field::place,
        {"address",         "addr",       "street",         "street address", "home address",
         "mailing address", "city",       "town",           "city state zip", "city state",
         "state",           "zip",        "zip code",       "postcode",       "postal code",
         "county",          "country",    "residence",      "adresse",        "domicilio",
         "direccion",       "indirizzo",  "adres",          "wohnort",        "lives",
         "anschrift",       "birthplace", "place of birth", "suburb",         "village"});
    add(Field::ward, {"ward", "room", "bed", "unit", "loc", "location"});
    add(Field::hospital, {"hospital", "facility", "clinic", "practice", "referring hospital",
                          "facility name", "hospital name", "nursing home", "snf"});
    add(Field::organisation,
        {"employer", "school", "pharmacy", "insurance", "insurance company", "ins co", "payer",
         "payor", "employer school", "company", "carrier", "insurer", "church", "agency",
         "place of work", "primary insurance", "secondary insurance", "health plan"});
    add(Field::profession,
        {"occupation", "profession", "position", "job", "job title", "beruf", "ocupacion",
         "profesion", "beroep", "professione", "employment", "occup"});
    return fields;
  }();
  return table;
}

// What forms say where there is nothing.
bool is_empty_value(const NoteWord& word) {
  return is_one_of(
      word.small,
      {"none",       "unknown",  "na",      "n",           "denies",  "see",     "not",
       "no",         "yes",      "same",    "as",          "per",     "pending", "other",
       "unemployed", "disabled", "refused", "deferred",    "the",     "alone",   "with",
       "self",       "patient",  "nil",     "independent", "full",    "stable",  "normal",
       "right",      "left",     "home",    "history",     "retired", "is",      "in",
       "a",          "clean",    "dry",     "ac",          "wnl",     "at",      "on",
       "was",        "to",       "seen",    "discharge",   "admit",   "er",      "ed",
       "icu"});
}

bool is_separator(char c) { return c == ' ' || c == '\t'; }

// Where the value ends: at two blanks, a tab, a bar, the line's end, or before the next label.
std::size_t end_of_value(std::string_view text, std::size_t from) {
  constexpr std::size_t kLongest = 70;
  const std::size_t limit = std::min(text.size(), from + kLongest);
  std::size_t at = from;
  for (; at < limit; ++at) {
    const char c = text[at];
    if (c == '\n' || c == '\r' || c == '\t' || c == '|' || c == ';') break;
    if (c == ' ' && at + 1 < limit && text[at + 1] == ' ') break;
    if (c != ':' || at + 1 >= text.size()) continue;
    // The word before it is a label of its own.
    while (at > from && text[at] != ' ' && text[at] != ',') --at;
    break;
  }
  while (at > from && std::string_view(" ,.-#(").find(text[at - 1]) != std::string_view::npos) --at;
  return at;
}

}  // namespace

void add_form_fields(std::string_view text, const std::vector<NoteWord>& words,
                     std::vector<Span>& candidates) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    // Label, perhaps (s) or #, then a colon.
    std::size_t colon = words[i].end;
    while (colon < text.size() && colon < words[i].end + 3 &&
           std::string_view(" #.)").find(text[colon]) != std::string_view::npos)
      ++colon;
    if (colon >= text.size() || text[colon] != ':') continue;
    std::string phrase;
    const Field* field = nullptr;
    for (std::size_t from = i + 1; from-- > 0 && from + 3 > i;) {
      if (from < i) {
        const auto gap = text.substr(words[from].end, words[from + 1].start - words[from].end);
        if (gap.size() > 2 || gap.find('\n') != std::string_view::npos) break;
      }
      phrase = phrase.empty() ? words[from].small : words[from].small + " " + phrase;
      if (const auto listed = labels().find(phrase); listed != labels().end())
        field = &listed->second;
    }
    if (field == nullptr) continue;
    std::size_t start = colon + 1;
    while (start < text.size() && is_separator(text[start])) ++start;
    const std::size_t end = end_of_value(text, start);
    if (end <= start) continue;
    std::size_t first = i + 1;
    while (first < words.size() && words[first].start < start) ++first;
    std::size_t last = first;
    while (last < words.size() && words[last].end <= end) ++last;
    const bool has_words = last > first;
    if (has_words && words[first].start == start && is_empty_value(words[first])) continue;
    const std::size_t count = last - first;
    const bool digits =
        text.substr(start, end - start).find_first_of("0123456789") != std::string_view::npos;
    const auto all_plain = [&] {
      return std::all_of(
          words.begin() + static_cast<std::ptrdiff_t>(first),
          words.begin() + static_cast<std::ptrdiff_t>(last), [](const NoteWord& word) {
            return (word.kinds & words::kMedical) != 0 && (word.kinds & words::kName) == 0;
          });
    };
    const auto take = [&](const char* type, double certainty) {
      candidates.push_back({start, end, type, certainty});
    };
    switch (*field) {
      case Field::name: {
        if (!has_words || count > 5 || words[first].start > start + 2) break;
        // From: home; Attending: seen by
        const bool name = std::any_of(
            words.begin() + static_cast<std::ptrdiff_t>(first),
            words.begin() + static_cast<std::ptrdiff_t>(last), [&](const NoteWord& word) {
              const char head = text[word.start];
              const bool capital =
                  (head >= 'A' && head <= 'Z') || static_cast<unsigned char>(head) >= 0xC3;
              return (word.kinds & words::kName) != 0 ||
                     (capital && (word.kinds & (words::kEnglish | words::kMedical)) == 0);
            });
        const char head = text[words[first].start];
        const bool capital =
            (head >= 'A' && head <= 'Z') || static_cast<unsigned char>(head) >= 0xC3;
        if (!name || !capital || all_plain()) break;
        std::size_t to = first;
        const auto plain_word = [&](const NoteWord& word) {
          return word.small.size() > 1 && !is_title(word) && !word.capital && !word.shouted &&
                 (word.kinds & words::kEnglish) != 0 && (word.kinds & words::kName) == 0;
        };
        while (to < last && !plain_word(words[to]) && !is_credential(words[to]) &&
               (to == first || words[to].start - words[to - 1].end < 3))
          ++to;
        if (to > first) candidates.push_back({words[first].start, words[to - 1].end, "name", 0.72});
        break;
      }
      case Field::place:
        if ((has_words || digits) && (count < 9) && !(count == 1 && !digits && all_plain()) &&
            (digits || words[first].capital || words[first].shouted ||
             (words[first].kinds & words::kTown) != 0))
          take("location", 0.6);
        break;
      case Field::ward:
        if ((digits && end - start < 12) ||
            (count > 0 && count < 3 && words[first].capital && !all_plain() &&
             (words[first].roles & kGenericRole) == 0))
          take("location", 0.55);
        break;
      case Field::hospital:
        if (has_words && count < 7 && (words[first].capital || words[first].shouted) &&
            !all_plain())
          take("hospital", 0.66);
        break;
      case Field::organisation:
        if (has_words && count < 6 && !all_plain()) take("organisation", 0.66);
        break;
      case Field::profession:
        if (has_words && count < 5 && !all_plain()) take("profession", 0.66);
        break;
    }
  }
}

}  // namespace pratique::notes
