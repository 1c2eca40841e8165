#include "pratique/tables/model/spelling.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "pratique/core/ascii.h"
#include "pratique/data/date.h"
#include "pratique/data/missing_word.h"
#include "pratique/data/utf8.h"

namespace pratique::tables {
namespace {

// Unicode's numbers of characters, and two that mean something here.
using Point = std::uint32_t;
constexpr Point kBlank = ' ';
constexpr Point kNothing = 0;

bool between(Point point, Point first, Point last) { return point >= first && point <= last; }
// Of letters that alternate, capital first: where capitals are even, or odd.
Point after_even(Point point) { return point | 1U; }
Point after_odd(Point point) { return point + (point & 1U); }

Point small_latin(Point point) {
  if (between(point, 0xC0, 0xDE)) return point == 0xD7 ? point : point + 0x20;
  if (between(point, 0x139, 0x148) || between(point, 0x179, 0x17E)) return after_odd(point);
  if (point == 0x178) return 0xFF;
  if (point == 0x130) return 'i';
  if (point == 0x17F) return 's';
  if (between(point, 0x100, 0x137) || between(point, 0x14A, 0x177))
    return point == 0x131 ? point : after_even(point);
  if (point == 0x1E9E) return 0xDF;
  if (between(point, 0x1E00, 0x1E95) || between(point, 0x1EA0, 0x1EFF)) return after_even(point);
  return point;
}

Point small_greek(Point point) {
  if (point == 0xB5) return 0x3BC;  // the sign for micro
  if (point == 0x386) return 0x3AC;
  if (between(point, 0x388, 0x38A)) return point + 0x25;
  if (point == 0x38C) return 0x3CC;
  if (between(point, 0x38E, 0x38F)) return point + 0x3F;
  if (between(point, 0x391, 0x3AB)) return point == 0x3A2 ? point : point + 0x20;
  if (point == 0x3C2) return 0x3C3;  // at the end of a word
  return point;
}

Point small_cyrillic(Point point) {
  if (between(point, 0x400, 0x40F)) return point + 0x50;
  if (between(point, 0x410, 0x42F)) return point + 0x20;
  if (point == 0x4C0) return 0x4CF;
  if (between(point, 0x4C1, 0x4CE)) return after_odd(point);
  if (between(point, 0x460, 0x481) || between(point, 0x48A, 0x4BF) || between(point, 0x4D0, 0x52F))
    return after_even(point);
  return point;
}

bool has_no_width(Point point) {
  return point == 0xAD || point == 0x34F || point == 0x61C || point == 0x180E ||
         between(point, 0x200B, 0x200F) || between(point, 0x202A, 0x202E) ||
         between(point, 0x2060, 0x206F) || between(point, 0xFE00, 0xFE0F) || point == 0xFEFF;
}

bool is_blank(Point point) {
  return between(point, 0x09, 0x0D) || point == ' ' || point == 0x85 || point == 0xA0 ||
         point == 0x1680 || between(point, 0x2000, 0x200A) || between(point, 0x2028, 0x2029) ||
         point == 0x202F || point == 0x205F || point == 0x3000;
}

// Where ten digits begin that are written otherwise: of other scripts, raised, lowered, of
// formulas.
constexpr Point kZeros[] = {0x660,   0x6F0,   0x7C0,   0x966,  0x9E6,  0xA66,  0xAE6,
                            0xB66,   0xBE6,   0xC66,   0xCE6,  0xD66,  0xE50,  0xED0,
                            0xF20,   0x1040,  0x17E0,  0x1810, 0x2070, 0x2080, 0x1D7CE,
                            0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6};

Point plain_sign(Point point) {
  for (const Point zero : kZeros) {
    if (between(point, zero, zero + 9) && point != 0x2071) return '0' + (point - zero);
  }
  if (point == 0xB9) return '1';
  if (between(point, 0xB2, 0xB3)) return '2' + (point - 0xB2);
  if (between(point, 0x2010, 0x2015) || point == 0x2212 || point == 0xFE63) return '-';
  if (between(point, 0x2018, 0x201B) || point == 0x2BC || point == 0x2032) return '\'';
  return point;
}

// Letters that are written as one: the ligature of fi, Roman numbers. Empty where it is none.
std::string_view written_out(Point point) {
  constexpr std::string_view kLigatures[] = {"ff", "fi", "fl", "ffi", "ffl", "st", "st"};
  constexpr std::string_view kRoman[] = {"i",   "ii",   "iii", "iv", "v",  "vi",
                                         "vii", "viii", "ix",  "x",  "xi", "xii"};
  if (between(point, 0xFB00, 0xFB06)) return kLigatures[point - 0xFB00];
  if (between(point, 0x2160, 0x216B)) return kRoman[point - 0x2160];
  if (between(point, 0x2170, 0x217B)) return kRoman[point - 0x2170];
  switch (point) {
    case 0xDF:
      return "ss";
    case 0xE6:
      return "ae";
    case 0x133:
      return "ij";
    case 0x153:
      return "oe";
    default:
      return {};
  }
}

Point plain(Point point) {
  point = plain_sign(point);
  if (between(point, 0xFF01, 0xFF5E)) point -= 0xFEE0;  // of full width
  if (point < 0x80 && !is_blank(point)) {
    return between(point, 'A', 'Z') ? point + ('a' - 'A') : point;
  }
  if (is_blank(point)) return kBlank;
  if (has_no_width(point)) return kNothing;
  if (between(point, 0x370, 0x3FF) || point == 0xB5) return small_greek(point);
  if (between(point, 0x400, 0x52F)) return small_cyrillic(point);
  return small_latin(point);
}

// Small letters and the marks that may follow them: written as one character or as two.
struct Accented {
  Point mark;
  std::string_view letters;
  std::array<Point, 12> as_one;
};
constexpr Accented kAccented[] = {
    {0x300, "aeiou", {0xE0, 0xE8, 0xEC, 0xF2, 0xF9}},
    {0x301,
     "aeiouyclnrsz",
     {0xE1, 0xE9, 0xED, 0xF3, 0xFA, 0xFD, 0x107, 0x13A, 0x144, 0x155, 0x15B, 0x17A}},
    {0x302,
     "aeioucghjswy",
     {0xE2, 0xEA, 0xEE, 0xF4, 0xFB, 0x109, 0x11D, 0x125, 0x135, 0x15D, 0x175, 0x177}},
    {0x303, "anoiu", {0xE3, 0xF1, 0xF5, 0x129, 0x169}},
    {0x304, "aeiou", {0x101, 0x113, 0x12B, 0x14D, 0x16B}},
    {0x306, "aegiou", {0x103, 0x115, 0x11F, 0x12D, 0x14F, 0x16D}},
    {0x307, "cegz", {0x10B, 0x117, 0x121, 0x17C}},
    {0x308, "aeiouy", {0xE4, 0xEB, 0xEF, 0xF6, 0xFC, 0xFF}},
    {0x30A, "au", {0xE5, 0x16F}},
    {0x30B, "ou", {0x151, 0x171}},
    {0x30C, "cdelnrstz", {0x10D, 0x10F, 0x11B, 0x13E, 0x148, 0x159, 0x161, 0x165, 0x17E}},
    {0x327, "cgklnrst", {0xE7, 0x123, 0x137, 0x13C, 0x146, 0x157, 0x15F, 0x163}},
    {0x328, "aeiu", {0x105, 0x119, 0x12F, 0x173}},
};

// The letter with the mark, or nothing where there is none.
Point with_mark(Point letter, Point mark) {
  for (const auto& accented : kAccented) {
    if (accented.mark != mark || letter >= 0x80) continue;
    const auto place = accented.letters.find(static_cast<char>(letter));
    return place == std::string_view::npos ? kNothing : accented.as_one[place];
  }
  return kNothing;
}

// The character at the front of UTF-8 text, which is not empty; a byte that is none stays a byte.
Point point_of(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return lead < 0x80 ? lead : 0x110000U + lead;
  Point point = lead & (0xFFU >> (character.size() + 1));
  for (const char c : character.substr(1))
    point = (point << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
  return point;
}

void append(std::string& text, Point point) {
  const auto byte = [&](Point value) { text += static_cast<char>(value); };
  if (point >= 0x110000U) {
    byte(point - 0x110000U);
  } else if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xC0U | (point >> 6U));
    byte(0x80U | (point & 0x3FU));
  } else {
    if (point < 0x10000) {
      byte(0xE0U | (point >> 12U));
    } else {
      byte(0xF0U | (point >> 18U));
      byte(0x80U | ((point >> 12U) & 0x3FU));
    }
    byte(0x80U | ((point >> 6U) & 0x3FU));
    byte(0x80U | (point & 0x3FU));
  }
}

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

// What stands between the parts of a code: E11.9, E11-9, E11 9. Beside points, only where each part
// behind is short and has a digit, or it would be words.
constexpr std::string_view kBetweenParts = ".-_/ ";

bool is_code(std::string_view word) {
  if (word.size() < 3 || !is_letter(word[0]) || !is_digit(word[1])) return false;
  bool points = true;
  bool parts = true;
  std::size_t length = 0;
  bool digit = true;  // in the part so far
  for (std::size_t i = 0; i <= word.size(); ++i) {
    const bool ends = i == word.size() || kBetweenParts.find(word[i]) != std::string_view::npos;
    if (ends) {
      parts = parts && digit && length <= 4;
      points = points && (i == word.size() || word[i] == '.');
      length = 0;
      digit = false;
      continue;
    }
    if (!is_letter(word[i]) && !is_digit(word[i])) return false;
    ++length;
    digit = digit || is_digit(word[i]);
  }
  return points || parts;
}

// +05.0 is 5. A comma before three digits may stand between thousands, and is left alone.
void write_number_plainly(std::string& word) {
  std::string_view rest = word;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  std::string_view whole = rest.substr(0, digits);
  std::string_view part = rest.substr(digits);
  if (!part.empty()) {
    const bool comma = part.front() == ',';
    if (part.front() != '.' && !comma) return;
    part.remove_prefix(1);
    if (part.find_first_not_of("0123456789") != std::string_view::npos) return;
    if (comma && (part.empty() || part.size() == 3)) return;
  }
  if (whole.empty() && part.empty()) return;
  while (!whole.empty() && whole.front() == '0') whole.remove_prefix(1);
  while (!part.empty() && part.back() == '0') part.remove_suffix(1);
  std::string plain(whole.empty() ? "0" : whole);
  if (!part.empty()) plain.append(".").append(part);
  word = (negative && plain != "0" ? "-" : "") + plain;
}

// The day of a date in whatever form, without a time of day. 03/05/1970 may be two days, and is
// left alone; with points the day goes first.
std::optional<std::string> day_of(std::string_view text) {
  if (const auto end = text.find_first_of(" t"); end != std::string_view::npos) {
    const auto time = text.substr(end + 1);
    if (time.empty() || !is_digit(time[0]) || time.find(':') == std::string_view::npos)
      return std::nullopt;
    text = text.substr(0, end);
  }
  if (const auto date = parse_iso_date(text); date && date->day > 0) return to_string(*date);
  const auto written = parse_foreign_date(text);
  if (!written) return std::nullopt;
  auto day = written->day_first();
  if (written->year_first || (!day && text.find('.') == std::string_view::npos)) {
    day = written->month_first();
  } else if (const auto other = written->month_first();
             other && day && !(*other == *day) && text.find('.') == std::string_view::npos) {
    return std::nullopt;
  }
  return day ? std::optional(to_string(*day)) : std::nullopt;
}

bool is_of_word(char c) {
  return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

// (flu) and "flu" are flu; (flu|cold) is a set.
void drop_what_is_around(std::string& words) {
  constexpr std::string_view kOpening = "(\"'";
  constexpr std::string_view kClosing = ")\"'";
  while (words.size() > 2 && words.find_first_of("|,") == std::string::npos) {
    const auto pair = kOpening.find(words.front());
    if (pair == std::string_view::npos || words.back() != kClosing[pair]) return;
    words = words.substr(1, words.size() - 2);
    while (!words.empty() && words.front() == ' ') words.erase(0, 1);
    while (!words.empty() && words.back() == ' ') words.pop_back();
  }
}

// In words, points but between digits are dropped, and hyphens and strokes within them are blanks:
// H.I.V., type-2 diabetes. Before a sign of percent is no blank.
void write_words_plainly(std::string& words) {
  const auto percent = words.find_last_not_of('%');
  if (words.ends_with('%') && percent != std::string::npos) {
    std::string number = words.substr(0, percent + 1);
    while (number.ends_with(' ')) number.pop_back();
    write_number_plainly(number);
    words = number + words.substr(percent + 1);
  }
  const bool letters =
      std::any_of(words.begin(), words.end(), [](char c) { return is_of_word(c) && !is_digit(c); });
  if (!letters) return;
  std::string plain;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const char before = i == 0 ? ' ' : words[i - 1];
    const char after = i + 1 == words.size() ? ' ' : words[i + 1];
    char c = words[i];
    if (c == '.' && !(is_digit(before) && is_digit(after))) continue;
    if ((c == '-' || c == '_' || c == '/') && is_of_word(before) && is_of_word(after)) c = ' ';
    if (c == ' ' && (plain.empty() || plain.back() == ' ')) continue;
    plain += c;
  }
  while (plain.ends_with(' ')) plain.pop_back();
  if (!plain.empty()) words = std::move(plain);
}

}  // namespace

std::string without_spelling(std::string_view value) {
  std::vector<Point> points;
  while (!value.empty()) {
    const std::size_t bytes = first_character(value);
    const Point point = plain(point_of(value.substr(0, bytes)));
    value.remove_prefix(bytes);
    if (const auto letters = written_out(point); !letters.empty()) {
      points.insert(points.end(), letters.begin(), letters.end());
      continue;
    }
    if (point == kNothing || (point == kBlank && (points.empty() || points.back() == kBlank)))
      continue;
    if (const Point one = points.empty() ? kNothing : with_mark(points.back(), point);
        one != kNothing) {
      points.back() = one;
    } else {
      points.push_back(point);
    }
  }
  if (!points.empty() && points.back() == kBlank) points.pop_back();
  std::string words;
  for (const Point point : points) append(words, point);
  drop_what_is_around(words);
  if (is_missing_word(words)) return "";
  if (auto day = day_of(words)) return std::move(*day);
  if (is_code(words)) {
    std::erase_if(words, [](char c) { return kBetweenParts.find(c) != std::string_view::npos; });
  } else {
    write_words_plainly(words);
  }
  write_number_plainly(words);
  return words;
}

Column without_spellings(const Column& column) {
  Column joined;
  joined.name = column.name;
  std::vector<Code> joined_code;
  for (const auto value : column.dictionary.values())
    joined_code.push_back(joined.dictionary.intern(without_spelling(value)));
  joined.codes.reserve(column.codes.size());
  for (const Code code : column.codes) joined.codes.push_back(joined_code[code]);
  return joined;
}

std::optional<Column> joined_spellings(const Column& column) {
  Column joined = without_spellings(column);
  if (joined.dictionary.size() == column.dictionary.size()) return std::nullopt;
  return joined;
}

}  // namespace pratique::tables
