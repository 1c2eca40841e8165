// Names, places, hospitals, organisations: runs of words that begin with a capital, judged by the
// lists that have them (words/words.h), by the words before and after them, and by what they are
// otherwise: an English or a medical word that is no name anywhere is none here.
#pragma once

#include <string_view>
#include <vector>

#include "pratique/notes/note.h"

namespace pratique::notes {

void add_word_candidates(std::string_view text, std::vector<Span>& candidates);

}  // namespace pratique::notes
