#include "pratique/tables/model/spelling.h"

#include <algorithm>

#include "pratique/core/ascii.h"

namespace pratique::tables {
namespace {

bool is_code(std::string_view word) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return word.size() > 2 && is_letter(word[0]) && is_digit(word[1]) &&
         std::all_of(word.begin(), word.end(),
                     [&](char c) { return is_letter(c) || is_digit(c) || c == '.'; });
}

}  // namespace

std::string without_spelling(std::string_view value) {
  std::string words;
  while (true) {
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    if (value.empty()) break;
    const auto end = std::min(value.find_first_of(" \t"), value.size());
    if (!words.empty()) words += ' ';
    words += lower(std::string(value.substr(0, end)));
    value.remove_prefix(end);
  }
  if (is_code(words)) std::erase(words, '.');
  return words;
}

std::optional<Column> joined_spellings(const Column& column) {
  Column joined;
  joined.name = column.name;
  std::vector<Code> joined_code;
  for (const auto value : column.dictionary.values())
    joined_code.push_back(joined.dictionary.intern(without_spelling(value)));
  if (joined.dictionary.size() == column.dictionary.size()) return std::nullopt;
  joined.codes.reserve(column.codes.size());
  for (const Code code : column.codes) joined.codes.push_back(joined_code[code]);
  return joined;
}

}  // namespace pratique::tables
