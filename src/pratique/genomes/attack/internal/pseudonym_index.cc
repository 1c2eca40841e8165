#include "pratique/genomes/attack/internal/pseudonym_index.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>

#include "pratique/genomes/attack/internal/digest.h"

namespace pratique::genomes {
namespace {

// Fewer hexadecimal digits tell nobody anything.
constexpr std::size_t kFewestDigits = 4;

// The digits of a digest that a pseudonym shows; several where it can be read in several ways.
std::vector<std::string> readings_of(std::string_view pseudonym, DigestKind kind) {
  const std::size_t most = 2 * digest_bytes(kind);
  std::vector<std::string> readings;
  std::string text = in_small_letters(pseudonym);
  if (text.starts_with("0x")) text.erase(0, 2);
  std::string plain = text;
  std::erase(plain, '-');
  for (const auto& whole : {text, plain}) {
    if (is_hex(whole) && whole.size() >= kFewestDigits && whole.size() <= most) {
      readings.push_back(whole);
      break;
    }
  }
  if (kind == DigestKind::crc32) {
    std::uint32_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size())
      readings.push_back(fmt::format("{:08x}", number));
    if (is_hex(text) && text.size() < 8)
      readings.push_back(std::string(8 - text.size(), '0') + text);
  }
  if (const auto hex = hex_of_base64(pseudonym); hex && hex->size() == most)
    readings.push_back(*hex);
  if (readings.empty()) {
    // Behind a prefix: ID-3fa9c2.
    std::size_t begin = text.size();
    while (begin > 0 && is_hex(text.substr(begin - 1, 1))) --begin;
    const std::string tail = text.substr(begin);
    if (tail.size() >= kFewestDigits && tail.size() <= most) readings.push_back(tail);
  }
  return readings;
}

}  // namespace

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::optional<std::string> hex_of_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string hex;
  unsigned held = 0;
  int bits = 0;
  std::string bytes;
  for (const char c : text) {
    unsigned value = 0;
    if (c >= 'A' && c <= 'Z') {
      value = static_cast<unsigned>(c - 'A');
    } else if (c >= 'a' && c <= 'z') {
      value = static_cast<unsigned>(c - 'a') + 26;
    } else if (c >= '0' && c <= '9') {
      value = static_cast<unsigned>(c - '0') + 52;
    } else if (c == '+' || c == '-') {
      value = 62;
    } else if (c == '/' || c == '_') {
      value = 63;
    } else {
      return std::nullopt;
    }
    held = (held << 6U | value) & 0xFFFFU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> static_cast<unsigned>(bits) & 0xFFU);
  }
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex.empty() ? std::nullopt : std::optional(hex);
}

PseudonymIndex::PseudonymIndex(const Column& column, DigestKind kind)
    : begins_(std::size_t{1} << 4 * kFirstDigits, false) {
  for (Code code = 0; code < column.dictionary.size(); ++code) {
    const std::string_view text = column.dictionary.value(code);
    if (text.empty()) continue;
    ++count;
    const auto readings = readings_of(text, kind);
    if (readings.empty()) ++unreadable;
    for (const auto& digits : readings) {
      by_length_[digits.size()][digits].push_back(code);
      // Of fewer digits, all that go on from there.
      const std::size_t known = std::min(digits.size(), kFirstDigits);
      std::size_t first = 0;
      std::from_chars(digits.data(), digits.data() + known, first, 16);
      const std::size_t open = 4 * (kFirstDigits - known);
      for (std::size_t rest = 0; rest < std::size_t{1} << open; ++rest)
        begins_[first << open | rest] = true;
    }
  }
}

double PseudonymIndex::by_chance(double digests) const {
  double expected = 0;
  for (const auto& [length, by_digits] : by_length_)
    expected += static_cast<double>(by_digits.size()) * digests *
                std::pow(2.0, -4.0 * static_cast<double>(length));
  return expected;
}

}  // namespace pratique::genomes
