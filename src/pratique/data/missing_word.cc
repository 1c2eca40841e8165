#include "pratique/data/missing_word.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "pratique/core/ascii.h"

namespace pratique {
namespace {

constexpr std::string_view kWordsForMissing[] = {
    "na", "n/a", "n.a.", "#n/a", "nan", "null", "unk", "not available", "not known", "not recorded",
    "not reported", "unknown", "-", "--", "?", ".", "missing",
    // German, French, Spanish and Italian, Dutch
    "unbekannt", "k.a.", "k. a.", "keine angabe", "fehlt", "inconnu", "inconnue", "non renseigné",
    "desconocido", "desconocida", "sconosciuto", "onbekend"};

}  // namespace

bool is_missing_word(std::string_view text) {
  constexpr std::string_view kAround = " \t";
  const auto first = text.find_first_not_of(kAround);
  if (first == std::string_view::npos) return !text.empty();
  text = text.substr(first, text.find_last_not_of(kAround) - first + 1);
  constexpr std::size_t kLongest = 14;  // bytes
  if (text.size() > kLongest) return false;
  return std::find(std::begin(kWordsForMissing), std::end(kWordsForMissing),
                   lower(std::string(text))) != std::end(kWordsForMissing);
}

bool has_missing_word(const Dictionary& values) {
  return std::any_of(values.values().begin(), values.values().end(), is_missing_word);
}

}  // namespace pratique
