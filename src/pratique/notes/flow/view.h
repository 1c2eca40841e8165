// `notes view`: the identifier view of HIDE: one row for each person, linked across notes and
// tables, with age, sex, ZIP, dates and diagnoses as the notes tell them. Names that one note of a
// person is certain of are then looked for in the others, and linking runs again, until nothing new
// is found. The view is private: it is what `tables protect` and `dp` take, not a release.
#pragma once

#include <string>

#include "pratique/kind/run.h"
#include "pratique/notes/find/finder.h"
#include "pratique/notes/format/note_input.h"

namespace pratique::notes::flow {

struct ViewRequest {
  NoteInput input;
  std::string record = {};
  double certainty = kDefaultCertainty;
  // Every note has to name its patient, and what one person's notes tell depends on them alone, so
  // that a row is one person's and no other's.
  bool keyed = false;
  std::string out = {};
};
// JSON keys: persons, notes, links, compared, rounds, rejected[], fields[] (field, m, u, agrees,
// disagrees: weights in bits), out.
[[nodiscard]] Outcome view(const ViewRequest& request, const Run& run);

}  // namespace pratique::notes::flow
