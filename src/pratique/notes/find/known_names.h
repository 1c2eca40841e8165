// What is known of a patient before a note is read: words of names that other notes of theirs are
// certain of, and what their own record says (name, number, telephone). These words are looked for
// everywhere, in any case, and with one letter wrong, missing, too many or swapped where the word
// is long enough and no other word; three initials and more in capitals; numbers, and the days of
// birth in the orders that countries write them in, by their digits alone.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "pratique/notes/note.h"

namespace pratique::notes {

struct KnownIdentifiers {
  std::unordered_set<std::string> words;                      // folded
  std::unordered_map<std::string, std::string> numbers = {};  // digits -> type
  std::unordered_set<std::string> initials = {};              // JRS, of whole names alone

  // From a value of a record: its words as a name, or its digits.
  void add_name(std::string_view name);
  void add_initials(std::string_view name);
  void add_number(std::string_view number, const std::string& type);
  // A day, in whatever form note_date.h reads.
  void add_day(std::string_view date);
  [[nodiscard]] bool empty() const { return words.empty() && numbers.empty() && initials.empty(); }
};

// Words of a name worth looking for elsewhere: of three letters and more, and no everyday word.
[[nodiscard]] std::vector<std::string> telling_words(std::string_view name);

void add_known_candidates(std::string_view text, const KnownIdentifiers& known,
                          std::vector<Span>& candidates);

// "smith, maria", "maria smith", where smith is known: what is beside it and a name somewhere.
void add_names_beside_known(std::string_view text, const KnownIdentifiers& known,
                            std::vector<Span>& candidates);

// Whether one insertion, deletion, substitution or swap of neighbours makes one of the other.
[[nodiscard]] bool one_typing_error_apart(std::string_view a, std::string_view b);

}  // namespace pratique::notes
