// What a note says of its patient, by what was found in it and the words around: the identifiers
// that records are linked by, and the row of the identifier view (HIDE; Gardner and Xiong 2008).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/notes/note.h"

namespace pratique::notes {

struct NoteFacts {
  std::string given, family;  // folded; of the first person named who is no clinician or relative
  std::string birth;          // YYYY-MM-DD, where a word for being born stands before
  std::string sex;            // F, M; empty: the words do not say
  std::optional<int> age;     // the first that is told
  std::string zip;            // five digits, or three
  std::string mrn;            // digits
  std::vector<std::string> dates;  // YYYY-MM-DD, YYYY-MM or YYYY, but for that of birth
  std::set<std::string> diagnoses;
};

[[nodiscard]] NoteFacts facts_of(std::string_view text, const std::vector<Span>& spans);

// Words of medicine that name a disease, folded.
[[nodiscard]] std::set<std::string> diagnoses_in(std::string_view text);

}  // namespace pratique::notes
