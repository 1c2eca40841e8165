#include "pratique/core/terminal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace pratique {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};
template <std::size_t size>
bool is_in(const std::array<Range, size>& ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(), [code](const Range& range) {
    return range.first <= code && code <= range.last;
  });
}

// C0 without the line end, DEL and C1; the marks of Unicode's bidirectional algorithm; separators
// of lines and paragraphs; the byte-order mark.
constexpr std::array<Range, 8> kEscaped = {{{0x00, 0x09},
                                            {0x0b, 0x1f},
                                            {0x7f, 0x9f},
                                            {0x61c, 0x61c},
                                            {0x200e, 0x200f},
                                            {0x2028, 0x202e},
                                            {0x2066, 0x2069},
                                            {0xfeff, 0xfeff}}};
// Accents that stand on the letter before them, and joiners.
constexpr std::array<Range, 3> kNoColumn = {{{0x300, 0x36f}, {0x200b, 0x200d}, {0xfe00, 0xfe0f}}};
// Unicode's East Asian Width, in blocks.
constexpr std::array<Range, 9> kTwoColumns = {{{0x1100, 0x115f},
                                               {0x2e80, 0xa4cf},
                                               {0xac00, 0xd7a3},
                                               {0xf900, 0xfaff},
                                               {0xfe30, 0xfe6f},
                                               {0xff00, 0xff60},
                                               {0xffe0, 0xffe6},
                                               {0x1f300, 0x1faff},
                                               {0x20000, 0x3fffd}}};

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

// The first character of a text that is not empty; none where its bytes are not UTF-8.
std::optional<Character> first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80U) return Character{lead, 1};
  const std::size_t bytes = lead >= 0xf0U ? 4 : lead >= 0xe0U ? 3 : 2;
  if (lead < 0xc2U || lead > 0xf4U || text.size() < bytes) return std::nullopt;
  char32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return std::nullopt;
    code = code << 6U | (byte(i) & 0x3fU);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff) return std::nullopt;
  return Character{code, bytes};
}

std::size_t columns_of(char32_t code) {
  if (is_in(kNoColumn, code)) return 0;
  return is_in(kTwoColumns, code) ? 2 : 1;
}

// How many bytes of it take at most `width` columns.
std::size_t bytes_within(std::string_view line, std::size_t width) {
  std::size_t taken = 0;
  std::size_t bytes = 0;
  while (bytes < line.size()) {
    const Character next = first_character(line.substr(bytes)).value_or(Character{0xfffd, 1});
    if (taken + columns_of(next.code) > width) break;
    taken += columns_of(next.code);
    bytes += next.bytes;
  }
  return bytes;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const auto next = first_character(text);
    if (!next) {
      clean += "\xef\xbf\xbd";
      text.remove_prefix(1);
      continue;
    }
    if (is_in(kEscaped, next->code)) {
      clean += fmt::format("\\u{:04x}", static_cast<unsigned>(next->code));
    } else {
      clean += text.substr(0, next->bytes);
    }
    text.remove_prefix(next->bytes);
  }
  return clean;
}

std::string in_one_line(std::string_view text) {
  constexpr std::string_view kLineEnd = "\\u000a";
  std::string line = printable(text);
  for (std::size_t end = line.find('\n'); end != std::string::npos; end = line.find('\n', end)) {
    line.replace(end, 1, kLineEnd);
  }
  return line;
}

std::size_t columns_taken(std::string_view line) {
  std::size_t taken = 0;
  while (!line.empty()) {
    const Character next = first_character(line).value_or(Character{0xfffd, 1});
    taken += columns_of(next.code);
    line.remove_prefix(next.bytes);
  }
  return taken;
}

std::vector<std::string> wrapped(std::string_view line, std::size_t width) {
  std::vector<std::string> lines;
  while (columns_taken(line) > width) {
    // A character of two columns fits no line of one.
    const std::size_t most =
        std::max(bytes_within(line, width), first_character(line).value_or(Character{0, 1}).bytes);
    const std::size_t blank = line.substr(0, most + 1).rfind(' ');
    const bool between_words =
        blank != std::string_view::npos && line.find_first_not_of(' ') < blank;
    const std::size_t end = between_words ? blank : most;
    std::string_view first = line.substr(0, end);
    first = first.substr(0, first.find_last_not_of(' ') + 1);
    lines.emplace_back(first);
    line.remove_prefix(end);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  }
  if (!line.empty() || lines.empty()) lines.emplace_back(line);
  return lines;
}

std::string shortened(std::string_view line, std::size_t width) {
  if (columns_taken(line) <= width) return std::string(line);
  if (width == 0) return {};
  return std::string(line.substr(0, bytes_within(line, width - 1))) + "…";
}

}  // namespace pratique
