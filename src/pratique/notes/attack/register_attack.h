// What an adversary gets from released notes. They read the texts and have a register: a table of
// people by name, with what else is known of them (age or birth, sex, zip, dates, diagnoses).
//
//   leaks         direct identifiers, by a detector that shares no rule with finding
//                 (verify/text_identifiers.h), and names of the register that stand in a text
//   reidentified  patients (notes, where no patient is named) whom the rest tells: one row of the
//                 register, and no other, is compatible with all that their notes say, and at least
//                 two attributes were compared; or a name of the register leaked that one row has
//   told          of surrogates: names that cannot be surrogates, since no list has them
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/kind/run.h"
#include "pratique/notes/format/note_input.h"

namespace pratique::notes {

struct NotesExposure {
  std::uint64_t notes = 0, patients = 0;
  std::uint64_t leaks = 0, notes_with_leaks = 0;
  std::uint64_t reidentified = 0;
  std::uint64_t compared = 0;  // patients with at least two attributes to compare
  std::uint64_t told = 0;
};

class Register {
 public:
  static Register read(const std::string& path, const Run& run);

  struct Person {
    std::vector<std::string> names;  // folded words
    int birth_year = 0;              // 0: not known
    int age = -1;
    std::string sex, zip;
    std::vector<std::string> dates;
    std::vector<std::string> terms;  // folded values of other columns
  };
  std::vector<Person> people;
  std::vector<std::vector<std::string>> vocabulary;  // folded values of each other column
  bool comparable = false;  // it has a column that notes can be compared with
};

[[nodiscard]] NotesExposure attack_notes_with(const OpenedNotes& notes, const Register& known,
                                              bool surrogates, const Run& run);

}  // namespace pratique::notes
