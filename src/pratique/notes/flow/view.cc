#include "pratique/notes/flow/view.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/core/csv_field.h"
#include "pratique/core/error.h"
#include "pratique/notes/link/person_view.h"

namespace pratique::notes::flow {

namespace {

void refuse_notes_of_nobody(const OpenedNotes& notes, const Run& run) {
  notes.read(
      [&](NoteFile&& file) {
        for (std::size_t i = 0; i < file.notes.size(); ++i) {
          if (!file.notes[i].patient.empty()) continue;
          throw Error::input("a note names no patient")
              .at(notes.source.name + ":" + std::to_string(file.lines[i]))
              .hint(
                  "Linking by what notes tell makes the rows of one person depend on the notes of "
                  "others; give every note its patient.");
        }
      },
      run.progress);
}

}  // namespace

Outcome view(const ViewRequest& request, const Run& run) {
  const OpenedNotes notes = open_notes(request.input, run);
  for (const auto& file : {request.input.path, request.record}) {
    if (!file.empty() && same_file(file, request.out)) {
      throw Error::input("the output is the same file as an input")
          .at(request.out)
          .hint("Choose another name with --out.");
    }
  }
  PatientRecords records;
  if (!request.record.empty()) records = read_patient_records(request.record, run);
  if (request.keyed) refuse_notes_of_nobody(notes, run);
  const PersonView linked =
      view_persons(notes, records, request.certainty, run, request.keyed ? 2 : 0);
  AtomicFile out(request.out, 0600);
  out.write("person,notes,age,sex,zip,first_date,last_date,diagnoses\n");
  for (std::size_t p = 0; p < linked.persons.size(); ++p) {
    const PersonRow& row = linked.persons[p];
    out.write(fmt::format("{},{},{},{},{},{},{},{}\n", p + 1, row.notes,
                          row.age ? std::to_string(*row.age) : "", row.sex, row.zip,
                          row.dates.empty() ? "" : row.dates.front(),
                          row.dates.empty() ? "" : row.dates.back(),
                          csv_field(fmt::format("{}", fmt::join(row.diagnoses, "; ")))));
  }
  out.commit();
  Json fields = Json::array();
  for (const auto& field : linked.linkage.fields) {
    fields.push_back({{"field", field.name},
                      {"m", field.m},
                      {"u", field.u},
                      {"agrees", field.agrees()},
                      {"disagrees", field.disagrees()}});
  }
  return {Json{{"persons", linked.persons.size()},
               {"notes", linked.notes},
               {"links", linked.linkage.links},
               {"compared", linked.linkage.compared},
               {"rounds", linked.rounds},
               {"rejected", to_json(linked.rejected)},
               {"fields", std::move(fields)},
               {"out", request.out}},
          linked.notes > 0};
}

}  // namespace pratique::notes::flow
