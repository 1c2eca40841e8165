#include "pratique/words/words.h"

#include <bit>
#include <cstring>

extern "C" {
extern const char pratique_words[];      // NOLINT(readability-identifier-naming): of words.S
extern const char pratique_words_end[];  // NOLINT(readability-identifier-naming)
}

namespace pratique::words {
namespace {

static_assert(std::endian::native == std::endian::little, "words.bin is little endian");

constexpr std::size_t kLists = 12;

struct WordTable {
  std::uint32_t letters = 0;
  std::uint64_t mask = 0;
  const std::uint16_t* fold = nullptr;
  const std::uint64_t* cells = nullptr;
  std::size_t lists = 0;  // where they are listed
};

std::uint32_t number_at(std::size_t offset) {
  std::uint32_t number = 0;
  std::memcpy(&number, pratique_words + offset, sizeof number);
  return number;
}

WordTable open_table() {
  WordTable table;
  table.letters = number_at(8);
  const std::uint64_t size = std::uint64_t{1} << number_at(12);
  table.mask = size - 1;
  // words.S aligns the file; both arrays begin at a multiple of eight in it.
  table.fold = reinterpret_cast<const std::uint16_t*>(pratique_words + 24);
  table.cells =
      reinterpret_cast<const std::uint64_t*>(pratique_words + 24 + 2 * std::size_t{table.letters});
  table.lists = 24 + 2 * std::size_t{table.letters} + 8 * size;
  return table;
}

const WordTable& word_table() {
  static const WordTable table = open_table();
  return table;
}

// Most of what is asked is about single words.
std::vector<std::vector<std::string_view>> read_lists() {
  std::vector<std::vector<std::string_view>> lists(number_at(16));
  std::size_t place = word_table().lists;
  for (auto& words : lists) {
    std::string_view text(pratique_words + number_at(place), number_at(place + 4));
    place += 8;
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size());
      words.push_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  return lists;
}

const std::vector<std::vector<std::string_view>>& all_lists() {
  static const auto lists = read_lists();
  return lists;
}

bool is_combining(std::uint32_t character) { return character >= 0x300 && character < 0x370; }

// Gives `take` the bytes of the folded word one by one.
template <class Take>
void fold_into(std::string_view word, const Take& take) {
  const WordTable& table = word_table();
  for (std::size_t at = 0; at < word.size();) {
    const auto byte = static_cast<unsigned char>(word[at]);
    if (byte < 0x80) {
      take(static_cast<unsigned char>(table.fold[byte]));
      ++at;
      continue;
    }
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    if (byte < 0xC2 || at + length > word.size()) {
      take(byte);
      ++at;
      continue;
    }
    std::uint32_t character = byte & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i)
      character = (character << 6U) | (static_cast<unsigned char>(word[at + i]) & 0x3FU);
    if (is_combining(character)) {
      at += length;
      continue;
    }
    if (character >= table.letters) {
      for (std::size_t i = 0; i < length; ++i) take(static_cast<unsigned char>(word[at + i]));
      at += length;
      continue;
    }
    const std::uint32_t to = table.fold[character];
    at += length;
    if (to < 0x80) {
      take(static_cast<unsigned char>(to));
    } else if (to < 0x800) {
      take(static_cast<unsigned char>(0xC0U | (to >> 6U)));
      take(static_cast<unsigned char>(0x80U | (to & 0x3FU)));
    } else {
      take(static_cast<unsigned char>(0xE0U | (to >> 12U)));
      take(static_cast<unsigned char>(0x80U | ((to >> 6U) & 0x3FU)));
      take(static_cast<unsigned char>(0x80U | (to & 0x3FU)));
    }
  }
}

}  // namespace

std::string folded(std::string_view word) {
  std::string result;
  result.reserve(word.size());
  fold_into(word, [&](unsigned char byte) { result.push_back(static_cast<char>(byte)); });
  return result;
}

std::uint64_t hash_of(std::string_view word) {
  std::uint64_t hash = 0xCBF29CE484222325;
  fold_into(word, [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001B3; });
  return hash;
}

std::uint16_t kinds_of_hash(std::uint64_t hash) {
  const WordTable& table = word_table();
  for (std::uint64_t place = hash & table.mask;; place = (place + 1) & table.mask) {
    const std::uint64_t cell = table.cells[place];
    if (cell == 0) return 0;
    if (cell >> 16U == hash >> 16U) return static_cast<std::uint16_t>(cell & 0xFFFFU);
  }
}

std::uint16_t kinds_of(std::string_view word) { return kinds_of_hash(hash_of(word)); }

const std::vector<std::string_view>& list(List list) {
  return all_lists()[static_cast<std::size_t>(list)];
}

std::size_t origins() { return (all_lists().size() - kLists) / 3; }

const std::vector<std::string_view>& names_of_origin(std::size_t origin, List list) {
  return all_lists()[kLists + 3 * origin + static_cast<std::size_t>(list)];
}

}  // namespace pratique::words
