#include "pratique/genomes/attack/dictionary.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/genomes/attack/internal/digest.h"
#include "pratique/genomes/attack/internal/spellings.h"

namespace pratique::genomes {
namespace {

// Fewer hexadecimal digits tell nobody anything.
constexpr std::size_t kFewestDigits = 4;

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

// Pseudonyms by the digits they show, by how many these are.
class PseudonymIndex {
 public:
  PseudonymIndex(const Column& column, DigestKind kind) {
    for (Code code = 0; code < column.dictionary.size(); ++code) {
      const std::string_view text = column.dictionary.value(code);
      if (text.empty()) continue;
      ++count;
      const auto readings = readings_of(text, kind);
      if (readings.empty()) ++unreadable;
      for (const auto& digits : readings) by_length_[digits.size()][digits].push_back(code);
    }
  }

  // Calls take(code) for every pseudonym that shows a part of this digest.
  template <class Take>
  void look_up(const std::string& digest, const Take& take) const {
    for (const auto& [length, by_digits] : by_length_) {
      const auto found = by_digits.find(digest.substr(0, length));
      if (found == by_digits.end()) continue;
      for (const Code code : found->second) take(code);
    }
  }
  // How many of so many digests would meet a pseudonym by chance.
  [[nodiscard]] double by_chance(double digests) const {
    double expected = 0;
    for (const auto& [length, by_digits] : by_length_)
      expected += static_cast<double>(by_digits.size()) * digests *
                  std::pow(2.0, -4.0 * static_cast<double>(length));
    return expected;
  }

  std::uint64_t count = 0;
  std::uint64_t unreadable = 0;

 private:
  std::map<std::size_t, std::unordered_map<std::string, std::vector<Code>>> by_length_;
};

std::string bytes_of_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

// A key's file may hold the bytes themselves, with or without a line end, or write them down.
std::vector<std::string> readings_of_key(const std::string& path) {
  const std::string whole = read_key_file(path);
  std::string line = whole;
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0)
    line.pop_back();
  std::vector<std::string> keys = {line};
  if (whole != line) keys.push_back(whole);
  const std::string small = in_small_letters(line);
  const auto blank = small.rfind(' ');
  const std::string last = blank == std::string::npos ? small : small.substr(blank + 1);
  if (is_hex(last) && last.size() % 2 == 0) keys.push_back(bytes_of_hex(last));
  if (const auto hex = hex_of_base64(line)) keys.push_back(bytes_of_hex(*hex));
  return keys;
}

std::vector<std::string_view> values_in_row(const Table& people, std::size_t row) {
  std::vector<std::string_view> values;
  for (const auto& column : people.columns) values.push_back(column.text(row));
  return values;
}

std::vector<DictionaryMatch> try_composition(const PseudonymIndex& index, const Table& people,
                                             DigestKind kind, const Composition& way) {
  constexpr std::size_t kPeoplePerTask = 4096;
  std::vector<DictionaryMatch> matches;
  std::mutex mutex;
  parallel_blocks(people.rows(), kPeoplePerTask, [&](std::size_t begin, std::size_t end) {
    Digester digester(kind, way.key);
    std::vector<DictionaryMatch> mine;
    for (std::size_t row = begin; row < end; ++row) {
      index.look_up(digester.hex_of(way.of(values_in_row(people, row))), [&](Code code) {
        mine.push_back({code, static_cast<std::uint32_t>(row)});
      });
    }
    const std::lock_guard lock(mutex);
    matches.insert(matches.end(), mine.begin(), mine.end());
  });
  std::sort(matches.begin(), matches.end(), [](const auto& a, const auto& b) {
    return std::pair(a.pseudonym, a.person) < std::pair(b.pseudonym, b.person);
  });
  return matches;
}

std::uint64_t different_pseudonyms(const std::vector<DictionaryMatch>& matches) {
  std::set<std::uint32_t> codes;
  for (const auto& match : matches) codes.insert(match.pseudonym);
  return codes.size();
}

}  // namespace

std::string_view name_of(DigestKind digest) {
  switch (digest) {
    case DigestKind::sha1:
      return "sha1";
    case DigestKind::md5:
      return "md5";
    case DigestKind::crc32:
      return "crc32";
    case DigestKind::hmac:
      return "hmac";
    case DigestKind::sha256:
      break;
  }
  return "sha256";
}

PseudonymScheme parse_scheme(const std::string& text) {
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  for (const DigestKind digest :
       {DigestKind::sha256, DigestKind::sha1, DigestKind::md5, DigestKind::crc32}) {
    if (name == name_of(digest)) return {.digest = digest, .salt = rest};
  }
  if (name == name_of(DigestKind::hmac) && !rest.empty())
    return {.digest = DigestKind::hmac, .key_file = rest};
  throw Error::input("--scheme is no way to make pseudonyms that is known here")
      .hint(
          "It is sha256, sha256:SALT, md5, sha1, crc32 or hmac:FILE with the key's file; md5, sha1 "
          "and crc32 take a salt, too.");
}

DictionaryFinding attack_dictionary(const Column& pseudonyms, const Table& people,
                                    const PseudonymScheme& scheme, Progress& progress) {
  const auto began = std::chrono::steady_clock::now();
  const PseudonymIndex index(pseudonyms, scheme.digest);
  DictionaryFinding finding;
  finding.of = index.count;
  finding.unreadable = index.unreadable;
  const auto keys = scheme.digest == DigestKind::hmac ? readings_of_key(scheme.key_file)
                                                      : std::vector<std::string>();
  const auto ways = compositions(people.columns.size(), scheme.salt, keys);
  std::vector<std::string> names;
  for (const auto& column : people.columns) names.push_back(column.name);
  progress.begin("trying spellings", ways.size());
  if (index.count > 0 && people.rows() > 0) {
    for (const auto& way : ways) {
      auto matches = try_composition(index, people, scheme.digest, way);
      finding.tries += people.rows();
      const std::uint64_t broken = different_pseudonyms(matches);
      if (broken > finding.broken) {
        finding.broken = broken;
        finding.matches = std::move(matches);
        finding.made_as = way.in_words(names);
      }
      progress.advance(1);
      if (finding.broken == index.count) break;
    }
  }
  std::map<std::uint32_t, std::uint64_t> owners;
  for (const auto& match : finding.matches) ++owners[match.pseudonym];
  for (const auto& [pseudonym, count] : owners) finding.ambiguous += count > 1 ? 1 : 0;
  finding.by_chance = index.by_chance(static_cast<double>(people.rows()));
  finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return finding;
}

}  // namespace pratique::genomes
