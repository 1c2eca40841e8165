// `notes tag`: finds the identifiers of notes. `notes evaluate`: how well they were found.
#pragma once

#include <string>

#include "pratique/kind/run.h"
#include "pratique/notes/find/finder.h"
#include "pratique/notes/format/note_input.h"
#include "pratique/notes/model/detect.h"

namespace pratique::notes::flow {

struct TagRequest {
  NoteInput input;
  std::string out;
  double certainty = kDefaultCertainty;
  std::string model = {};
  std::string form = "json";  // json, inline, brat
};
// JSON keys: notes, spans, rejected[] (line, why), notes_per_second, out. Where every note was
// rejected, or there was none, the check did not hold.
[[nodiscard]] Outcome tag(const TagRequest& request, const Run& run);

struct EvaluateRequest {
  std::string spans;
  std::string gold;
};
// JSON keys: see metric/evaluation.h; missing: gold notes without a prediction; rejected[].
[[nodiscard]] Outcome evaluate(const EvaluateRequest& request, const Run& run);

}  // namespace pratique::notes::flow
