#include "pratique/notes/link/person_view.h"

#include <algorithm>
#include <unordered_map>

#include "pratique/core/parallel.h"
#include "pratique/notes/find/finder.h"

namespace pratique::notes {
namespace {

constexpr int kMostRounds = 4;

struct ReadNote {
  std::string patient;
  NoteFacts facts;
  std::vector<std::string> names;
};

// `known` by the number of the note, of the persons that the round before linked.
std::vector<ReadNote> read_facts(const OpenedNotes& notes, const PatientRecords& records,
                                 const std::vector<const KnownIdentifiers*>& known,
                                 double certainty, std::vector<RejectedNote>& rejected,
                                 const Run& run) {
  std::vector<ReadNote> all;
  rejected = notes.rejected;
  notes.read(
      [&](NoteFile&& file) {
        const std::size_t first = all.size();
        all.resize(first + file.notes.size());
        parallel_blocks(file.notes.size(), 16, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const Note& note = file.notes[i];
            const KnownIdentifiers* of_person =
                first + i < known.size() ? known[first + i] : nullptr;
            if (of_person == nullptr) of_person = records.of(note.patient);
            const auto spans = find_identifiers(note.text, certainty, of_person);
            all[first + i] = {note.patient, facts_of(note.text, spans),
                              certain_names(note.text, spans)};
          }
        });
        rejected.insert(rejected.end(), file.rejected.begin(), file.rejected.end());
      },
      run.progress);
  return all;
}

}  // namespace

void add_facts_to(PersonRow& row, const NoteFacts& facts) {
  ++row.notes;
  if (!row.age) row.age = facts.age;
  if (row.sex.empty()) row.sex = facts.sex;
  if (row.zip.size() < facts.zip.size()) row.zip = facts.zip;
  row.dates.insert(row.dates.end(), facts.dates.begin(), facts.dates.end());
  std::sort(row.dates.begin(), row.dates.end());
  row.diagnoses.insert(facts.diagnoses.begin(), facts.diagnoses.end());
}

PersonView view_persons(const OpenedNotes& notes, const PatientRecords& records, double certainty,
                        const Run& run, int rounds) {
  PersonView view;
  std::vector<KnownIdentifiers> of_person;
  std::vector<const KnownIdentifiers*> known;
  std::size_t names_before = 0;
  std::vector<ReadNote> read;
  for (view.rounds = 1;; ++view.rounds) {
    read = read_facts(notes, records, known, certainty, view.rejected, run);
    std::vector<LinkRecord> linked;
    linked.reserve(read.size());
    for (const auto& note : read) {
      linked.push_back({note.patient, note.facts.given, note.facts.family, note.facts.birth,
                        note.facts.sex, note.facts.zip, note.facts.mrn});
    }
    // Rows of the record are persons too: a note that names no patient may be one of theirs.
    for (const auto& row : records.rows)
      linked.push_back({row.patient, row.given, row.family, row.birth, row.sex, row.zip, row.mrn});
    view.linkage = link_records(linked);
    std::size_t names = 0;
    of_person.assign(view.linkage.persons, {});
    known.assign(read.size(), nullptr);
    for (std::size_t row = 0; row < records.rows.size(); ++row) {
      KnownIdentifiers& person = of_person[view.linkage.person[read.size() + row]];
      if (const auto* recorded = records.of(records.rows[row].patient)) {
        person.words.insert(recorded->words.begin(), recorded->words.end());
        person.numbers.insert(recorded->numbers.begin(), recorded->numbers.end());
        person.initials.insert(recorded->initials.begin(), recorded->initials.end());
      }
    }
    for (std::size_t i = 0; i < read.size(); ++i) {
      KnownIdentifiers& person = of_person[view.linkage.person[i]];
      if (const auto* recorded = records.of(read[i].patient)) {
        person.words.insert(recorded->words.begin(), recorded->words.end());
        person.numbers.insert(recorded->numbers.begin(), recorded->numbers.end());
      }
      for (const auto& word : read[i].names) person.words.insert(word);
      known[i] = &person;
    }
    for (const auto& person : of_person) names += person.words.size();
    const bool last =
        rounds > 0 ? view.rounds == rounds : names == names_before || view.rounds == kMostRounds;
    if (last) break;
    names_before = names;
  }
  view.notes = read.size();
  // Who is in the record alone has no note, and so no row. Persons with notes come first.
  std::uint32_t with_notes = 0;
  view.person_of_note.assign(
      view.linkage.person.begin(),
      view.linkage.person.begin() + static_cast<std::ptrdiff_t>(read.size()));
  for (const auto person : view.person_of_note) with_notes = std::max(with_notes, person + 1);
  view.persons.resize(with_notes);
  for (std::size_t i = 0; i < read.size(); ++i)
    add_facts_to(view.persons[view.person_of_note[i]], read[i].facts);
  // What the notes do not tell, the record does.
  for (std::size_t row = 0; row < records.rows.size(); ++row) {
    const auto person = view.linkage.person[read.size() + row];
    if (person >= with_notes) continue;
    if (view.persons[person].sex.empty()) view.persons[person].sex = records.rows[row].sex;
    if (view.persons[person].zip.empty()) view.persons[person].zip = records.rows[row].zip;
  }
  return view;
}

}  // namespace pratique::notes
