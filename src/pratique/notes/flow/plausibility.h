// `notes plausibility`: sensitive terms rise to hypernyms until at least t texts could have been
// the original (plausibility/plausibility.h). Terms are those that are named, that somebody marked
// in the input, or all terms of an ontology of one's own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/kind/run.h"
#include "pratique/notes/format/note_input.h"

namespace pratique::notes::flow {

struct PlausibilityRequest {
  NoteInput input;
  std::uint64_t t = 50;
  std::uint64_t minimum = 1;
  std::string ontology = "wordnet";
  std::vector<std::string> terms = {};
  std::vector<std::string> senses = {};  // TERM=N
  std::string out = {};                  // empty: nothing is written
};
// JSON keys: notes, texts (of the note with the fewest), t, loss (mean), terms, unreached (notes
// that have too few terms for t, which are not written), unknown (terms that the ontology does not
// have), rejected[], out. Exit 1 where a note does not reach t, or none has a term.
[[nodiscard]] Outcome plausibility(const PlausibilityRequest& request, const Run& run);

}  // namespace pratique::notes::flow
