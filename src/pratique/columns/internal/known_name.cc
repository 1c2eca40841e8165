#include "pratique/columns/internal/known_name.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "pratique/words/words.h"

namespace pratique::columns::internal {
namespace {

constexpr int kMostWords = 24;  // of a cell that is looked at

bool is_letter(char c) {
  return static_cast<unsigned char>(c) >= 0x80 || std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool is_ordinary(std::uint16_t kinds) {
  return (kinds & (words::kEnglish | words::kMedical | words::kTown | words::kRegion |
                   words::kStreet | words::kJob)) != 0;
}

}  // namespace

bool is_known_name(std::string_view word) {
  return word.size() > 1 && std::all_of(word.begin(), word.end(), is_letter) &&
         (words::kinds_of(word) & words::kName) != 0;
}

bool is_another_word(std::string_view word) {
  const std::uint16_t kinds = words::kinds_of(word);
  return is_ordinary(kinds) || (kinds & words::kEponym) != 0;
}

bool holds_known_name(std::string_view text) {
  std::uint16_t before = 0;  // the kinds of the word before, where nothing but a blank is between
  std::size_t i = 0;
  for (int word = 0; word < kMostWords && i < text.size(); ++word) {
    while (i < text.size() && !is_letter(text[i])) {
      // Lee, Ann is a name; Lee. Ann is the end of a sentence and the begin of another.
      if (text[i] != ' ' && text[i] != ',') before = 0;
      ++i;
    }
    const std::size_t begin = i;
    while (i < text.size() && (is_letter(text[i]) || text[i] == '\'')) ++i;
    const std::uint16_t kinds = i - begin < 2 ? 0 : words::kinds_of(text.substr(begin, i - begin));
    const std::uint16_t both = before | kinds;
    if ((before & words::kName) != 0 && (kinds & words::kName) != 0 &&
        (both & words::kGiven) != 0 && !(is_ordinary(before) && is_ordinary(kinds)))
      return true;
    before = kinds;
  }
  return false;
}

}  // namespace pratique::columns::internal
