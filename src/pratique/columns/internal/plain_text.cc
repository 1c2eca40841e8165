#include "pratique/columns/internal/plain_text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>

#include "pratique/data/utf8.h"

namespace pratique::columns::internal {
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

// Where ten digits of a script begin.
constexpr Point kZeros[] = {0x660,  0x6F0,  0x7C0,  0x966,   0x9E6,   0xA66,   0xAE6,   0xB66,
                            0xBE6,  0xC66,  0xCE6,  0xD66,   0xE50,   0xED0,   0xF20,   0x1040,
                            0x17E0, 0x1810, 0xFF10, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6};

// The character of ASCII that is read in its place; 0 where there is none, 0x7F where nothing is.
char read_as(Point point) {
  const auto between = [&](Point first, Point last) { return point >= first && point <= last; };
  const auto* zero = std::find_if(std::begin(kZeros), std::end(kZeros),
                                  [&](Point first) { return between(first, first + 9); });
  if (zero != std::end(kZeros)) return static_cast<char>('0' + (point - *zero));
  if (between(0xFF01, 0xFF5E)) return static_cast<char>(point - 0xFEE0);
  if (between(0x2010, 0x2015) || point == 0x2212 || point == 0xFE63) return '-';
  if (between(0x2000, 0x200A) || point == 0xA0 || point == 0x202F || point == 0x205F ||
      point == 0x3000)
    return ' ';
  if (between(0x200B, 0x200F) || between(0x2060, 0x2064) || point == 0xAD || point == 0xFEFF)
    return 0x7F;
  if (point == 0x2044 || point == 0x2215) return '/';
  return 0;
}

// What stands between the marks of a spreadsheet, or the text as it is.
std::string_view between_marks(std::string_view text) {
  constexpr std::string_view kQuotes = "\"'`";
  std::string_view inner = text;
  if (inner.starts_with('=')) inner.remove_prefix(1);
  const bool quoted = inner.size() > 2 && kQuotes.find(inner.front()) != std::string_view::npos;
  if (quoted && inner.back() == inner.front()) return inner.substr(1, inner.size() - 2);
  const bool digits = quoted && std::isdigit(static_cast<unsigned char>(inner[1])) != 0;
  return digits ? inner.substr(1) : text;
}

}  // namespace

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; }) &&
         between_marks(text).size() == text.size();
}

std::string plain_text(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const auto character = text.substr(0, first_character(text));
    text.remove_prefix(character.size());
    const char ascii = character.size() == 1 ? '\0' : read_as(point_of(character));
    if (ascii == '\0') {
      plain += character;
    } else if (ascii != 0x7F) {
      plain += ascii;
    }
  }
  return std::string(between_marks(plain));
}

}  // namespace pratique::columns::internal
