#include "pratique/genomes/attack/internal/letter_case.h"

#include <array>
#include <cstdint>

namespace pratique::genomes {
namespace {

bool is_within(std::uint32_t letter, std::uint32_t first, std::uint32_t last) {
  return letter >= first && letter <= last;
}

std::uint32_t small_letter_of(std::uint32_t letter) {
  const bool is_even = letter % 2 == 0;
  if (is_within(letter, 'A', 'Z')) return letter + 32;
  if (is_within(letter, 0xC0, 0xDE) && letter != 0xD7) return letter + 32;
  // Latin with other accents: capitals and small letters by turns.
  if (is_within(letter, 0x100, 0x12F) || is_within(letter, 0x132, 0x137) ||
      is_within(letter, 0x14A, 0x177))
    return is_even ? letter + 1 : letter;
  if (is_within(letter, 0x139, 0x148) || is_within(letter, 0x179, 0x17E))
    return is_even ? letter : letter + 1;
  if (letter == 0x178) return 0xFF;
  // Greek.
  if (is_within(letter, 0x391, 0x3AB) && letter != 0x3A2) return letter + 32;
  if (letter == 0x386) return 0x3AC;
  if (is_within(letter, 0x388, 0x38A)) return letter + 37;
  if (letter == 0x38C) return 0x3CC;
  if (is_within(letter, 0x38E, 0x38F)) return letter + 63;
  // Cyrillic.
  if (is_within(letter, 0x410, 0x42F)) return letter + 32;
  if (is_within(letter, 0x400, 0x40F)) return letter + 80;
  return letter;
}

std::uint32_t capital_of(std::uint32_t letter) {
  // How far capitals stand before their small letters.
  constexpr std::array<std::uint32_t, 7> kDistances = {32, 1, 80, 37, 38, 63, 64};
  for (const std::uint32_t distance : kDistances) {
    if (letter > distance && small_letter_of(letter - distance) == letter) return letter - distance;
  }
  return letter == 0xFF ? 0x178 : letter;
}

template <class Change>
std::string with_letters(std::string_view text, const Change& change) {
  std::string changed;
  changed.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      changed += static_cast<char>(change(byte));
      continue;
    }
    const bool of_two = (byte & 0xE0U) == 0xC0 && at + 1 < text.size() &&
                        (static_cast<unsigned char>(text[at + 1]) & 0xC0U) == 0x80;
    if (!of_two) {
      changed += text[at];
      continue;
    }
    const std::uint32_t letter =
        change((byte & 0x1FU) << 6U | (static_cast<unsigned char>(text[at + 1]) & 0x3FU));
    changed += static_cast<char>(0xC0U | letter >> 6U);
    changed += static_cast<char>(0x80U | (letter & 0x3FU));
    ++at;
  }
  return changed;
}

}  // namespace

std::string small_letters_of(std::string_view text) { return with_letters(text, small_letter_of); }

std::string capitals_of(std::string_view text) {
  std::string capitals = with_letters(text, capital_of);
  constexpr std::string_view kSharpS = "\xC3\x9F";
  for (auto at = capitals.find(kSharpS); at != std::string::npos; at = capitals.find(kSharpS, at))
    capitals.replace(at, kSharpS.size(), "SS");
  return capitals;
}

}  // namespace pratique::genomes
