// Clinical notes of nobody: admissions, discharges, pathology reports, letters and queries, in the
// layout, with the abbreviations and the typing errors that such notes have, and with every
// identifier in them known. A patient has several notes, and is the same person in all of them.
//
// Written are JSON lines {"id", "patient", "text", "spans": [{"start", "end", "type"}]}, in code
// points. Lines of text come from templates; every second of these is held back (Half::held) from
// what a model is trained on, so that it can be measured on lines that it never saw. The same seed
// and number of notes give the same bytes.
#pragma once

#include <cstdint>
#include <string>

#include "pratique/core/progress.h"

namespace pratique {

struct NotesOptions {
  enum class Half { all, trained, held };
  std::uint64_t notes = 0;
  std::uint64_t seed = 0;
  Half half = Half::all;
  std::string path = {};           // of the JSON lines
  std::string register_path = {};  // a table of the patients, where one is wanted
};

struct NotesSummary {
  std::uint64_t notes = 0, spans = 0, patients = 0, bytes = 0;
};

NotesSummary generate_notes(const NotesOptions& options, Progress& progress);

}  // namespace pratique
