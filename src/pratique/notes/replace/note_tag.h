// Tags of DE-ID's form in a text that was released before, and what may stand in their place later:
// **NAME[AAA, BBB M], **DATE[2011], **PLACE, **AGE[over 89].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pratique/notes/note.h"
#include "pratique/notes/replace/surrogates.h"

namespace pratique::notes {

// The type of their spans; nothing but surrogates replaces one.
inline constexpr std::string_view kTagType = "tag";

[[nodiscard]] std::vector<Span> tags_in(std::string_view text);

// The same letters are the same name in all notes of a patient. A name fits women and men and
// stands for a given as well as a family name, since the letters tell neither. What has no content
// is drawn by its place (`where`); a date without its year, an age and a profession stay.
[[nodiscard]] std::string surrogate_of_tag(std::string_view tag, std::string_view where,
                                           const Surrogates& surrogates);

}  // namespace pratique::notes
