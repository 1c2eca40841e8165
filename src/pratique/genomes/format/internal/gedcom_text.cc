#include "pratique/genomes/format/internal/gedcom_text.h"

#include <array>
#include <cstdint>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"

namespace pratique::genomes {
namespace {

void append_letter(std::string& text, std::uint32_t letter) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (letter < 0x80) {
    add(letter);
  } else if (letter < 0x800) {
    add(0xC0 | letter >> 6U);
    add(0x80 | (letter & 0x3FU));
  } else if (letter < 0x10000) {
    add(0xE0 | letter >> 12U);
    add(0x80 | (letter >> 6U & 0x3FU));
    add(0x80 | (letter & 0x3FU));
  } else {
    add(0xF0 | letter >> 18U);
    add(0x80 | (letter >> 12U & 0x3FU));
    add(0x80 | (letter >> 6U & 0x3FU));
    add(0x80 | (letter & 0x3FU));
  }
}

std::string from_wide(const std::string& name, std::string_view bytes, bool little) {
  const auto cut_off = [&] {
    return Error::input("the file is UTF-16 and ends, or breaks, within a letter").at(name);
  };
  if (bytes.size() % 2 != 0) throw cut_off();
  std::string text;
  std::uint32_t high = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    const std::uint32_t first = static_cast<unsigned char>(bytes[at]);
    const std::uint32_t second = static_cast<unsigned char>(bytes[at + 1]);
    const std::uint32_t unit = little ? first | second << 8U : first << 8U | second;
    const bool is_low = unit >= 0xDC00 && unit < 0xE000;
    if (is_low != (high != 0)) throw cut_off();
    if (unit >= 0xD800 && unit < 0xDC00) {
      high = unit;
      continue;
    }
    constexpr std::uint32_t kMark = 0xFEFF;
    if (unit != kMark || at > 0)
      append_letter(text, is_low ? 0x10000 + ((high - 0xD800) << 10U) + (unit - 0xDC00) : unit);
    high = 0;
  }
  if (high != 0) throw cut_off();
  return text;
}

// From 0xA1 on; 0 where there is none.
constexpr std::array<std::uint16_t, 47> kAnselLetters = {
    0x0141, 0x00D8, 0x0110, 0x00DE, 0x00C6, 0x0152, 0x02B9, 0x00B7, 0x266D, 0x00AE, 0x00B1, 0x01A0,
    0x01AF, 0x02BC, 0,      0x02BB, 0x0142, 0x00F8, 0x0111, 0x00FE, 0x00E6, 0x0153, 0x02BA, 0x0131,
    0x00A3, 0x00F0, 0,      0x01A1, 0x01B0, 0,      0,      0x00B0, 0x2113, 0x2117, 0x00A9, 0x266F,
    0x00BF, 0x00A1, 0,      0,      0,      0,      0,      0,      0,      0,      0x00DF};
// From 0xE0 on: accents, which stand before their letter.
constexpr std::array<std::uint16_t, 31> kAnselAccents = {
    0x0309, 0x0300, 0x0301, 0x0302, 0x0303, 0x0304, 0x0306, 0x0307, 0x0308, 0x030C, 0x030A,
    0xFE20, 0xFE21, 0x0315, 0x030B, 0x0310, 0x0327, 0x0328, 0x0323, 0x0324, 0x0325, 0x0333,
    0x0332, 0x0326, 0x031C, 0x032E, 0xFE22, 0xFE23, 0,      0,      0x0313};

std::string from_ansel(std::string_view bytes) {
  std::string text;
  std::string accents;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr unsigned kFirstLetter = 0xA1;
    constexpr unsigned kFirstAccent = 0xE0;
    if (byte >= kFirstAccent && byte < kFirstAccent + kAnselAccents.size()) {
      if (const auto accent = kAnselAccents[byte - kFirstAccent]; accent != 0)
        append_letter(accents, accent);
      continue;
    }
    if (byte < 0x80) {
      text += c;
    } else if (byte >= kFirstLetter && byte < kFirstLetter + kAnselLetters.size() &&
               kAnselLetters[byte - kFirstLetter] != 0) {
      append_letter(text, kAnselLetters[byte - kFirstLetter]);
    }
    text += accents;
    accents.clear();
  }
  return text;
}

std::string from_latin(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) append_letter(text, static_cast<unsigned char>(c));
  return text;
}

// What stands behind `1 CHAR`, in small letters.
std::string encoding_named_in(std::string_view text) {
  constexpr std::string_view kChar = "\n1 CHAR ";
  constexpr std::size_t kHead = 4096;
  const std::string_view head = text.substr(0, kHead);
  const auto at = head.find(kChar);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = head.substr(at + kChar.size());
  return lower(std::string(rest.substr(0, rest.find_first_of(" \r\n"))));
}

}  // namespace

std::string gedcom_as_utf8(const std::string& name, std::string_view text) {
  using namespace std::string_view_literals;
  if (text.starts_with("\xFF\xFE"sv) || text.starts_with("0\0"sv))
    return from_wide(name, text, true);
  if (text.starts_with("\xFE\xFF"sv) || text.starts_with("\0"
                                                         "0"sv))
    return from_wide(name, text, false);
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) return std::string(text.substr(kMark.size()));
  const std::string encoding = encoding_named_in(text);
  if (encoding == "ansel") return from_ansel(text);
  if (encoding == "ansi" || encoding.starts_with("iso") || encoding.starts_with("windows") ||
      encoding.starts_with("cp125") || encoding.starts_with("latin"))
    return from_latin(text);
  return std::string(text);
}

}  // namespace pratique::genomes
