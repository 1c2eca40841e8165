#include "pratique/data/person_spelling.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "pratique/core/ascii.h"
#include "pratique/data/date.h"
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

bool is_blank_point(Point point) {
  return point == ' ' || (point >= 0x09 && point <= 0x0D) || point == 0xA0 ||
         (point >= 0x2000 && point <= 0x200A) || point == 0x202F || point == 0x205F ||
         point == 0x3000;
}

// Soft hyphens, joiners, marks of direction and of bytes, and accents that stand for themselves.
bool has_no_width(Point point) {
  return point == 0xAD || (point >= 0x200B && point <= 0x200F) ||
         (point >= 0x202A && point <= 0x202E) || (point >= 0x2060 && point <= 0x206F) ||
         point == 0xFEFF || (point >= 0x300 && point <= 0x36F);
}

void append(std::string& text, std::string_view character) {
  Point point = point_of(character);
  if (has_no_width(point)) return;
  if (is_blank_point(point)) {
    if (!text.empty() && text.back() != ' ') text += ' ';
    return;
  }
  if (point >= 0xFF01 && point <= 0xFF5E) point -= 0xFEE0;
  if (character.size() == 1 || point < 0x80) {
    text += static_cast<char>(point >= 'A' && point <= 'Z' ? point + 0x20 : point);
    return;
  }
  if (point >= 0xC0 && point <= 0x17F) {
    const char letter = kWithoutMarks[point - 0xC0];
    if (letter != ' ') {
      text += letter;
      if (point == 0xDF) text += 's';
      return;
    }
  }
  const bool greek = point >= 0x391 && point <= 0x3A9;
  const bool cyrillic = point >= 0x410 && point <= 0x42F;
  if (greek || cyrillic) point += 0x20;
  if (point >= 0x400 && point <= 0x40F) point += 0x50;
  if (point >= 0x370 && point <= 0x4FF) {  // two bytes
    text += static_cast<char>(0xC0U | (point >> 6U));
    text += static_cast<char>(0x80U | (point & 0x3FU));
    return;
  }
  text += character;
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

}  // namespace

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
