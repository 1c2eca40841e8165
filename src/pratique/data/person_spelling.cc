#include "pratique/data/person_spelling.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/date.h"
#include "pratique/data/missing_word.h"
#include "pratique/data/utf8.h"

namespace pratique {
namespace {

using Point = std::uint32_t;

Point point_of(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return lead;
  Point point = lead & (0xFFU >> (character.size() + 1));
  for (const char c : character.substr(1))
    point = (point << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
  return point;
}

// Letters of U+00C0 to U+017F without marks; what is no letter stays as it is.
constexpr std::string_view kWithoutMarks =
    "aaaaaaaceeeeiiiidnooooo ouuuuyts"
    "aaaaaaaceeeeiiiidnooooo ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssss"
    "ssss"
    "ttttttuuuuuuuuuuuuwwyyyzzzzzzs";

// Soft hyphens, joiners, marks of direction and of bytes, and accents that stand for themselves.
bool has_no_width(Point point) {
  return (point >= 0x300 && point <= 0x36F) ||
         u_hasBinaryProperty(static_cast<UChar32>(point), UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
}

// What word processors write for an apostrophe.
bool is_apostrophe(Point point) {
  return point == 0xB4 || point == 0x2BB || point == 0x2BC || point == 0x2032 ||
         u_hasBinaryProperty(static_cast<UChar32>(point), UCHAR_QUOTATION_MARK) != 0;
}

// What is not taken apart any more.
void append_simple(std::string& text, Point point) {
  if (has_no_width(point)) return;
  const UChar32 small = u_foldCase(static_cast<UChar32>(point), U_FOLD_CASE_DEFAULT);
  const bool in_table = small >= 0xC0 && small <= 0x17F;
  if (in_table && kWithoutMarks[static_cast<std::size_t>(small - 0xC0)] != ' ') {
    text += kWithoutMarks[static_cast<std::size_t>(small - 0xC0)];
    if (small == 0xDF) text += 's';
    return;
  }
  std::array<std::uint8_t, U8_MAX_LENGTH> bytes{};
  std::int32_t size = 0;
  U8_APPEND_UNSAFE(bytes.data(), size, small);
  text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(size));
}

// A letter without its marks, its width and its capital: Unicode's parts of it (NFKD).
void append_parts(std::string& text, Point point) {
  static const UNormalizer2* const kParts = [] {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* parts = unorm2_getNFKDInstance(&status);
    if (U_FAILURE(status) != 0) throw Error::machine("ICU cannot take letters apart");
    return parts;
  }();
  std::array<UChar, 32> parts{};  // the most are 18
  UErrorCode status = U_ZERO_ERROR;
  const std::int32_t size =
      unorm2_getDecomposition(kParts, static_cast<UChar32>(point), parts.data(),
                              static_cast<std::int32_t>(parts.size()), &status);
  if (size < 0 || U_FAILURE(status) != 0) {
    append_simple(text, point);
    return;
  }
  for (std::int32_t at = 0; at < size;) {
    UChar32 part = 0;
    U16_NEXT(parts.data(), at, size, part);
    append_simple(text, static_cast<Point>(part));
  }
}

void append(std::string& text, std::string_view character) {
  const Point point = point_of(character);
  if (character.size() == 1) {
    if (point == ' ' || (point >= 0x09 && point <= 0x0D)) {
      if (!text.empty() && text.back() != ' ') text += ' ';
    } else {
      text += static_cast<char>(point >= 'A' && point <= 'Z' ? point + 0x20 : point);
    }
    return;
  }
  if (u_isUWhiteSpace(static_cast<UChar32>(point)) != 0) {
    if (!text.empty() && text.back() != ' ') text += ' ';
    return;
  }
  if (is_apostrophe(point)) {
    text += '\'';
  } else if (u_hasBinaryProperty(static_cast<UChar32>(point), UCHAR_DASH) != 0) {
    text += '-';
  } else if (point >= 0xC0 && point <= 0x17F) {
    append_simple(text, point);
  } else {
    append_parts(text, point);
  }
}

// 05.03.1970 has the day first; 05/03/1970 may be two days.
std::optional<std::string> day_written(std::string_view text) {
  if (text.find_first_of("-/.") == std::string_view::npos) return std::nullopt;
  if (const auto date = parse_iso_date(text)) {
    if (date->day == 0) return std::nullopt;
    PartialDate day = *date;
    day.has_time = false;
    return to_string(day);
  }
  const auto written = parse_foreign_date(text);
  if (!written) return std::nullopt;
  auto day = written->year_first ? written->month_first() : written->day_first();
  if (!written->year_first && text.find('.') == std::string_view::npos) {
    const auto other = written->month_first();
    if (day && other && !(*day == *other)) return std::nullopt;
    if (!day) day = other;
  }
  return day ? std::optional(to_string(*day)) : std::nullopt;
}

// Quotes never say who it is; other signs and blanks only where digits stand beside them, or P1-23
// would be P12-3.
std::string without_signs(const std::string& text) {
  constexpr std::string_view kQuotes = "'\"`=";
  constexpr std::string_view kSigns = ".,;-_/";
  const auto among = [](char c, std::string_view signs) {
    return signs.find(c) != std::string_view::npos;
  };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool behind_digit = i > 0 && is_digit(text[i - 1]);
    const bool before_digit = i + 1 < text.size() && is_digit(text[i + 1]);
    const bool at_end = i == 0 || i + 1 == text.size();
    if (among(text[i], kQuotes)) continue;
    if (text[i] == ' ' && !(behind_digit && before_digit)) continue;
    if (among(text[i], kSigns) && (at_end || !(behind_digit || before_digit))) continue;
    plain += text[i];
  }
  return plain;
}

// 007, and 7.0 as a spreadsheet or a table of floats has it, are 7.
void write_number_plainly(std::string& text) {
  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0) return;
  const bool float_of_whole = text.size() > digits + 1 && text[digits] == '.' &&
                              text.find_first_not_of('0', digits + 1) == std::string::npos;
  if (digits != text.size() && !float_of_whole) return;
  text.resize(digits);
  text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
}

std::string part_as_read(std::string_view part) {
  std::string text;
  while (!part.empty()) {
    const std::size_t bytes = first_character(part);
    append(text, part.substr(0, bytes));
    part.remove_prefix(bytes);
  }
  if (text.ends_with(' ')) text.pop_back();
  if (auto day = day_written(text)) return std::move(*day);
  text = without_signs(text);
  write_number_plainly(text);
  return text;
}

// Runs of letters and digits.
std::vector<std::string> runs_of_letters(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  while (!text.empty()) {
    const std::size_t bytes = first_character(text);
    const std::string_view character = text.substr(0, bytes);
    const bool is_of_word = u_isalnum(static_cast<UChar32>(point_of(character))) != 0;
    if (is_of_word && !inside) words.emplace_back();
    if (is_of_word) words.back() += character;
    inside = is_of_word;
    text.remove_prefix(bytes);
  }
  return words;
}

// In a list of people; elsewhere "none" may be a value.
bool is_word_for_nobody(std::string_view word) {
  constexpr std::string_view kWords[] = {"none", "nil", "anonymous", "anonym", "xxx"};
  return is_missing_word(word) ||
         std::ranges::find(kWords, person_as_read(word)) != std::end(kWords);
}

}  // namespace

bool names_nobody(std::string_view person) {
  if (person.find_first_of("0123456789") != std::string_view::npos) return false;
  if (is_word_for_nobody(person)) return true;
  const auto words = runs_of_letters(person);
  std::string together;
  for (const auto& word : words) together += word;
  return std::ranges::all_of(words, is_word_for_nobody) || is_word_for_nobody(together);
}

std::string person_as_read(std::string_view person) {
  std::string read;
  while (true) {
    const auto end = person.find('|');
    read += part_as_read(person.substr(0, end));
    if (end == std::string_view::npos) return read;
    read += '|';
    person.remove_prefix(end + 1);
  }
}

bool join_people_as_read(Column& person) {
  Dictionary read;
  Dictionary spelt;
  std::vector<Code> one;
  one.reserve(person.dictionary.size());
  for (const auto value : person.dictionary.values()) {
    const Code code = read.intern(person_as_read(value));
    if (code == spelt.size()) (void)spelt.intern(value);
    one.push_back(code);
  }
  if (spelt.size() == person.dictionary.size()) return false;
  for (Code& code : person.codes) code = one[code];
  person.dictionary = std::move(spelt);
  return true;
}

}  // namespace pratique
