// What the model sees of a token: the word, its shape, affixes and neighbours, the lists that have
// it (words/words.h), the first word of its line (its section), and what the other detectors found
// there, so that it learns when to believe them. Each is hashed to one of kFeatureRows rows.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pratique/notes/model/tagger.h"
#include "pratique/notes/note.h"

namespace pratique::notes {

inline constexpr std::size_t kFeatureRows = std::size_t{1} << 17U;
inline constexpr std::size_t kTokenFeatures = 18;

struct ModelToken {
  std::size_t start = 0, end = 0;
  std::array<std::uint32_t, kTokenFeatures> rows{};
  bool found = false;  // for sure, by another detector
};

// Tokens of a line that is not empty: runs of letters, runs of digits, single signs.
using ModelLine = std::vector<ModelToken>;

// Of an English or medical word, an eponym, a people: nothing that the default model may add.
[[nodiscard]] bool is_plain_kind(std::uint16_t kinds);

// `hits` in order and apart.
[[nodiscard]] std::vector<ModelLine> featured_lines(std::string_view text,
                                                    const std::vector<Span>& hits,
                                                    Lines which = Lines::all);

}  // namespace pratique::notes
