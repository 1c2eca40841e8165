// Names that their form gives away, whatever the lists say of their words: behind a label, before
// credentials, initials, BREWER,WILL J and Banks 91F.
#pragma once

#include <string_view>
#include <vector>

#include "pratique/notes/find/internal/note_words.h"
#include "pratique/notes/note.h"

namespace pratique::notes {

void add_names_by_form(std::string_view text, const std::vector<NoteWord>& words,
                       std::vector<Span>& candidates);

// To be asked when all names are known.
void add_ages_of_names(std::string_view text, std::vector<Span>& candidates);

}  // namespace pratique::notes
