// Words that files have for a value that is not there: NA, unknown, null, - and the like.
#pragma once

#include <string_view>

#include "pratique/data/dictionary.h"

namespace pratique {

// In any case of letters, with blanks around it or without. An empty text is no word.
[[nodiscard]] bool is_missing_word(std::string_view text);
[[nodiscard]] bool has_missing_word(const Dictionary& values);

}  // namespace pratique
