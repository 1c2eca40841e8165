// Where notes come from, in whatever form: JSON lines (json_lines.h), which are read as they are,
// or another form (foreign_notes.h), which is first turned into JSON lines in a private folder that
// disappears with this object. So whoever reads notes can read them twice, and a folder of texts is
// recorded by the hash of those lines.
#pragma once

#include <memory>
#include <string>

#include "pratique/core/file.h"
#include "pratique/kind/run.h"
#include "pratique/notes/format/json_lines.h"

namespace pratique::notes {

struct NoteInput {
  std::string path;
  std::string id_column = {};  // of a table; empty: detected by name
  std::string text_column = {};
  std::string patient_column = {};
};

struct OpenedNotes {
  Source source;      // what a manifest records
  std::string lines;  // the path of the JSON lines
  std::vector<RejectedNote> rejected;
  std::vector<RejectedNote> repaired;  // read, though not as they were written; and how
  std::shared_ptr<PrivateFolder> spool;

  // As read_note_lines, with texts.
  void read(const std::function<void(NoteFile&&)>& take, Progress& progress) const {
    read_note_lines(lines, true, take, progress);
  }
};

[[nodiscard]] OpenedNotes open_notes(const NoteInput& input, const Run& run);

}  // namespace pratique::notes
