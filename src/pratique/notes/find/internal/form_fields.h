// What stands in the fields of forms and headers: Surname: NDLOVU, Employer: Salt River Roofing,
// City/State/Zip: ... The label says what the value is, whatever its words mean otherwise.
#pragma once

#include <string_view>
#include <vector>

#include "pratique/notes/find/internal/note_words.h"
#include "pratique/notes/note.h"

namespace pratique::notes {

void add_form_fields(std::string_view text, const std::vector<NoteWord>& words,
                     std::vector<Span>& candidates);

}  // namespace pratique::notes
