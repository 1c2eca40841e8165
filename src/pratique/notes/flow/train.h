// `notes train`: a model from marked notes (model/tagger.h), with a cross-validated report, and the
// notes of a pool that are worth marking next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pratique/kind/run.h"
#include "pratique/notes/format/note_input.h"

namespace pratique::notes::flow {

struct TrainRequest {
  NoteInput annotated;
  std::uint64_t folds = 5;
  std::uint64_t epochs = 60;
  std::uint64_t suggest = 0;
  std::string pool = {};  // of notes to suggest from; empty: the annotated ones without spans
  std::optional<std::uint64_t> seed = {};
  std::string out = {};
};
// JSON keys: notes, spans, f1 (mean over the folds, of spans with both ends right), folds (how
// many), fold_f1[], epochs, suggested[] (ids, the least certain first), seed, rejected[], out.
[[nodiscard]] Outcome train(const TrainRequest& request, const Run& run);

}  // namespace pratique::notes::flow
