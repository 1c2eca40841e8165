// Pseudonyms by the digits that they show, looked up as often as a dictionary is long.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/genomes/attack/dictionary.h"

namespace pratique::genomes {

[[nodiscard]] std::string in_small_letters(std::string_view text);
[[nodiscard]] bool is_hex(std::string_view text);
[[nodiscard]] std::optional<std::string> hex_of_base64(std::string_view text);

class PseudonymIndex {
 public:
  PseudonymIndex(const Column& column, DigestKind kind);

  // Calls take(code) for every pseudonym that shows a part of this digest, in hexadecimal.
  template <class Take>
  void look_up(const std::string& digest, const Take& take) const {
    for (const auto& [length, by_digits] : by_length_) {
      const auto codes = by_digits.find(digest.substr(0, length));
      if (codes == by_digits.end()) continue;
      for (const Code code : codes->second) take(code);
    }
  }
  // False: no pseudonym shows a digest that begins with these three bytes.
  [[nodiscard]] bool may_have(std::span<const std::uint8_t> digest) const {
    return begins_[first_bits(digest)];
  }
  // How many of so many digests would meet a pseudonym by chance.
  [[nodiscard]] double by_chance(double digests) const;
  // The fewest hexadecimal digits that a pseudonym shows; 0: there is none.
  [[nodiscard]] std::size_t fewest_digits() const {
    return by_length_.empty() ? 0 : by_length_.begin()->first;
  }

  std::uint64_t count = 0;
  std::uint64_t unreadable = 0;

 private:
  static constexpr std::size_t kFirstDigits = 5;  // of four bits each
  [[nodiscard]] static std::size_t first_bits(std::span<const std::uint8_t> digest) {
    return static_cast<std::size_t>(digest[0]) << 12U | static_cast<std::size_t>(digest[1]) << 4U |
           static_cast<std::size_t>(digest[2]) >> 4U;
  }

  std::map<std::size_t, std::unordered_map<std::string, std::vector<Code>>> by_length_;
  std::vector<bool> begins_;
};

}  // namespace pratique::genomes
