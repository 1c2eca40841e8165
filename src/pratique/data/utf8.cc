#include "pratique/data/utf8.h"

namespace pratique {
namespace {

constexpr std::size_t kLongestQuote = 40;

unsigned byte(char c) { return static_cast<unsigned char>(c); }

// 0 where no character starts: a stray or missing continuation byte, an overlong form, a surrogate,
// beyond U+10FFFF.
std::size_t valid_character(std::string_view text) {
  const unsigned lead = byte(text[0]);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned smallest = 0;
  unsigned code = 0;
  if ((lead & 0xe0U) == 0xc0U) {
    length = 2, smallest = 0x80, code = lead & 0x1fU;
  } else if ((lead & 0xf0U) == 0xe0U) {
    length = 3, smallest = 0x800, code = lead & 0x0fU;
  } else if ((lead & 0xf8U) == 0xf0U) {
    length = 4, smallest = 0x10000, code = lead & 0x07U;
  }
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(text[i]) & 0xc0U) != 0x80U) return 0;
    code = (code << 6U) | (byte(text[i]) & 0x3fU);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < smallest || surrogate || code > 0x10ffff ? 0 : length;
}

}  // namespace

std::size_t first_character(std::string_view text) {
  const std::size_t length = valid_character(text);
  return length == 0 ? 1 : length;
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_character(text));
  return count;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = valid_character(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string latin1_to_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const unsigned code = byte(c);
    if (code < 0x80) {
      result += c;
    } else {
      result += static_cast<char>(0xc0U | (code >> 6U));
      result += static_cast<char>(0x80U | (code & 0x3fU));
    }
  }
  return result;
}

std::string in_quotes(std::string_view value) {
  if (value.empty()) return "(empty)";
  std::string result = "'";
  for (std::size_t shown = 0; !value.empty(); ++shown) {
    if (shown == kLongestQuote) {
      result += "...";
      break;
    }
    const std::size_t length = valid_character(value);
    const bool printable =
        length > 1 || (length == 1 && byte(value[0]) >= 0x20 && value[0] != 0x7f);
    if (printable) {
      result += value.substr(0, length);
    } else {
      result += '?';
    }
    value.remove_prefix(length == 0 ? 1 : length);
  }
  return result + "'";
}

}  // namespace pratique
