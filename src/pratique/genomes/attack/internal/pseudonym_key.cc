#include "pratique/genomes/attack/internal/pseudonym_key.h"

#include <cctype>
#include <charconv>

#include "pratique/core/file.h"
#include "pratique/genomes/attack/internal/pseudonym_index.h"

namespace pratique::genomes {
namespace {

std::string bytes_of_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

}  // namespace

std::vector<std::string> keys_of(const PseudonymScheme& scheme) {
  if (scheme.digest != DigestKind::hmac) return {};
  const std::string whole = read_key_file(scheme.key_file);
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

}  // namespace pratique::genomes
