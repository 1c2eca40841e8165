// What people work as, and for whom: by the lists of jobs, and by the words that tell of work.
// Works as a carpenter, a 61-year-old farmer, Occupation: roofer; a paralegal at Dunmore Reilly.
#pragma once

#include <string_view>
#include <vector>

#include "pratique/notes/find/internal/note_words.h"
#include "pratique/notes/note.h"

namespace pratique::notes {

void add_profession_candidates(std::string_view text, const std::vector<NoteWord>& words,
                               std::vector<Span>& candidates);

}  // namespace pratique::notes
