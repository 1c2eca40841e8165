#include "pratique/data/missing_word.h"

#include <algorithm>
#include <array>
#include <string>

#include "pratique/core/ascii.h"

namespace pratique {
namespace {

constexpr std::array<std::string_view, 17> kWordsForMissing = {
    "na",        "n/a",          "n.a.",         "#n/a",    "nan", "null", "unk", "not available",
    "not known", "not recorded", "not reported", "unknown", "-",   "--",   "?",   ".",
    "missing"};

}  // namespace

bool is_missing_word(std::string_view text) {
  constexpr std::string_view kAround = " \t";
  const auto first = text.find_first_not_of(kAround);
  if (first == std::string_view::npos) return !text.empty();
  text = text.substr(first, text.find_last_not_of(kAround) - first + 1);
  constexpr std::size_t kLongest = 13;
  if (text.size() > kLongest) return false;
  return std::find(kWordsForMissing.begin(), kWordsForMissing.end(), lower(std::string(text))) !=
         kWordsForMissing.end();
}

bool has_missing_word(const Dictionary& values) {
  return std::any_of(values.values().begin(), values.values().end(), is_missing_word);
}

}  // namespace pratique
