// Notes grouped into persons, and what they tell of each.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pratique/notes/find/note_facts.h"
#include "pratique/notes/find/patient_record.h"
#include "pratique/notes/format/note_input.h"
#include "pratique/notes/link/linkage.h"

namespace pratique::notes {

struct PersonRow {
  std::uint64_t notes = 0;
  std::optional<int> age;
  std::string sex, zip;
  std::vector<std::string> dates;
  std::set<std::string> diagnoses;
};

struct PersonView {
  std::vector<PersonRow> persons;
  std::vector<std::uint32_t> person_of_note;  // in the order of reading
  Linkage linkage;
  std::uint64_t notes = 0;
  int rounds = 0;
  std::vector<RejectedNote> rejected;
};

// `records` are what is known of patients before; those of the notes' own patients are used.
// `rounds`: so many, whatever they find; 0: until nothing new is found.
[[nodiscard]] PersonView view_persons(const OpenedNotes& notes, const PatientRecords& records,
                                      double certainty, const Run& run, int rounds = 0);

// A row for what one text, or several of one person, tell.
void add_facts_to(PersonRow& row, const NoteFacts& facts);

}  // namespace pratique::notes
