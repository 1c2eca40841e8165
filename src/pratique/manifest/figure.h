// What the figures of a manifest's results are: each kind of data declares its own (kind/kind.h),
// by the key they have in the JSON, and the report takes unit and words from there. K_share is the
// share that K is of all, for any key K.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pratique {

enum class Unit {
  number,
  share,   // from 0 to 1
  people,  // whom an attack finds (records, patients, samples): a few of them are not told by
           // number
};

struct Figure {
  std::string_view key;
  std::string_view words;
  Unit unit = Unit::number;
  std::string_view meaning = {};  // where the words need one
};

// Units and words of a key; words are the key itself, with blanks, where none are declared.
struct FigureWords {
  Unit unit = Unit::number;
  std::string words;
  std::string_view meaning = {};
};
[[nodiscard]] FigureWords figure(std::span<const Figure> declared, std::string_view key);

}  // namespace pratique
