#include "pratique/genomes/sequence/nucleotide.h"

#include <array>
#include <string_view>

namespace pratique::genomes {
namespace {

// By the bits of a letter.
constexpr std::string_view kLetters = "?ACMGRSVTWYHKDBN";

constexpr std::array<Letter, 256> letter_table() {
  std::array<Letter, 256> table{};
  const auto set = [&](char upper, Letter letter) {
    table[static_cast<unsigned char>(upper)] = letter;
    if (upper >= 'A' && upper <= 'Z') table[static_cast<unsigned char>(upper - 'A' + 'a')] = letter;
  };
  for (std::size_t bits = 1; bits < kLetters.size(); ++bits)
    set(kLetters[bits], static_cast<Letter>(bits));
  set('U', 8);
  set('X', kAnyBase);
  set('?', kAnyBase);
  set('-', kGap);
  set('.', kGap);
  return table;
}

constexpr std::array<Letter, 256> kLetterOf = letter_table();

}  // namespace

std::optional<Letter> letter_from(char character) {
  const Letter letter = kLetterOf[static_cast<unsigned char>(character)];
  return letter == 0 ? std::nullopt : std::optional(letter);
}

char to_character(Letter letter) { return letter == kGap ? '-' : kLetters[letter & kAnyBase]; }

}  // namespace pratique::genomes
