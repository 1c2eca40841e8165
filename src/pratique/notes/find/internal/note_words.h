// The words of a text, each with the lists that have it (words/words.h) and what it is for those
// around it: a title, kin, what announces a name, what a finding is called.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/words/words.h"

namespace pratique::notes {

struct NoteWord {
  std::size_t start = 0, end = 0;
  std::string small;  // folded
  std::uint16_t kinds = 0;
  std::uint32_t roles = 0;
  bool capital = false, capitals = false;
  bool shouted = false;  // in a line of capitals, where these tell nothing: taken for a small word
  bool pointed = false;  // a point is behind it
  bool symbol = false;
  bool begins = false;  // a sentence, a line or a quotation
  bool joined = false;  // only a blank, a hyphen or a point and a blank stands before it
};

// What a word is for those around it.
enum Role : std::uint32_t {
  kTitleRole = 1U << 0U,
  kFormOfAddressRole = 1U << 1U,
  kClinicianTitleRole = 1U << 2U,
  kCredentialRole = 1U << 3U,
  kKinRole = 1U << 4U,
  kAnnouncesNameRole = 1U << 5U,
  kFollowsNameRole = 1U << 6U,
  kAnnouncesPlaceRole = 1U << 7U,
  kHospitalWordRole = 1U << 8U,
  kCompanyWordRole = 1U << 9U,
  kFindingRole = 1U << 10U,
  kMonthOrDayRole = 1U << 11U,
  kEverydayRole = 1U << 12U,  // also given names, and far more often words
  kSpeaksRole = 1U << 13U,    // what nothing but a person does
  kClinicalRole = 1U << 14U,  // an everyday word of notes
  kPracticeRole = 1U << 15U,  // Pediatrics, Imaging: also what practices are called
  kGenericRole = 1U << 16U,   // says nothing of which one: outside, general
  kMovesRole = 1U << 17U,     // how patients come to places: transferred, seen
};

inline bool is_form_of_address(const NoteWord& word) {
  return (word.roles & kFormOfAddressRole) != 0;
}
inline bool is_clinician_title(const NoteWord& word) {
  return (word.roles & kClinicianTitleRole) != 0;
}
inline bool is_credential(const NoteWord& word) { return (word.roles & kCredentialRole) != 0; }
inline bool is_kin(const NoteWord& word) { return (word.roles & kKinRole) != 0; }
inline bool announces_name(const NoteWord& word) { return (word.roles & kAnnouncesNameRole) != 0; }
inline bool follows_name(const NoteWord& word) { return (word.roles & kFollowsNameRole) != 0; }
inline bool announces_place(const NoteWord& word) {
  return (word.roles & kAnnouncesPlaceRole) != 0;
}
inline bool is_hospital_word(const NoteWord& word) { return (word.roles & kHospitalWordRole) != 0; }
inline bool is_company_word(const NoteWord& word) { return (word.roles & kCompanyWordRole) != 0; }
inline bool names_finding(const NoteWord& word) { return (word.roles & kFindingRole) != 0; }
inline bool is_month_or_day(const NoteWord& word) { return (word.roles & kMonthOrDayRole) != 0; }
inline bool speaks(const NoteWord& word) { return (word.roles & kSpeaksRole) != 0; }
inline bool is_everyday(const NoteWord& word) { return (word.roles & kEverydayRole) != 0; }
// SR is a sinus rhythm and ms contin a drug: what is also another word needs its point.
[[nodiscard]] bool is_title(const NoteWord& word);

[[nodiscard]] bool is_word_byte(char c);
[[nodiscard]] bool is_one_of(const std::string& word,
                             std::initializer_list<std::string_view> words);
[[nodiscard]] std::vector<NoteWord> words_of(std::string_view text);
// Whether the text speaks of medicine: Foley and Jackson are things there, unless something says
// that they are people.
[[nodiscard]] bool is_clinical(const std::vector<NoteWord>& words);
// Whether the text is of another language than English, by its small words.
[[nodiscard]] bool is_foreign(const std::vector<NoteWord>& words);

}  // namespace pratique::notes
