// `notes tag`: finds the identifiers of notes. `notes evaluate`: how well they were found.
#pragma once

#include <optional>
#include <string>

#include "pratique/kind/run.h"
#include "pratique/notes/find/finder.h"
#include "pratique/notes/format/note_input.h"
#include "pratique/notes/model/detect.h"

namespace pratique::notes::flow {

struct TagRequest {
  NoteInput input;
  std::string out = {};
  double certainty = kDefaultCertainty;
  std::optional<double> recall = {};
  std::string model = {};
  std::string record = {};    // a table of patients, as of notes protect
  std::string form = "json";  // json, inline, brat
};
// JSON keys: notes, spans, rejected[] (line, why), notes_per_second, certainty (the threshold),
// recall_calibrated (of --recall: what it found of notes held back), out. Where every note was
// rejected, or there was none, the check did not hold.
[[nodiscard]] Outcome tag(const TagRequest& request, const Run& run);

struct EvaluateRequest {
  std::string spans = {};
  std::string gold = {};   // notes in any form, or spans alone
  std::string leaks = {};  // where to list gold spans that are not wholly covered; empty: nowhere
};
// JSON keys: see metric/evaluation.h; missing: gold notes without a prediction; rejected[].
[[nodiscard]] Outcome evaluate(const EvaluateRequest& request, const Run& run);

}  // namespace pratique::notes::flow
