// What the figures of a manifest's results are: each kind of data declares its own (kind/kind.h),
// by the key they have in the JSON, and manifest and report take unit and words from there. K_share
// is the share that K is of all, for any key K.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/json.h"

namespace pratique {

enum class Unit {
  number,
  share,   // from 0 to 1
  people,  // whom an attack finds (records, patients, samples): a few of them are not told by
           // number
};
[[nodiscard]] std::string_view to_text(Unit unit);
[[nodiscard]] std::optional<Unit> unit_from_text(std::string_view text);

struct Figure {
  std::string_view key;
  std::string_view words;
  Unit unit = Unit::number;
  std::string_view meaning = {};  // where the words need one
  bool by_column = false;         // one for each column: its members have the columns' names
};

// Units and words of a key; words are the key itself, with blanks, where none are declared.
struct FigureWords {
  Unit unit = Unit::number;
  std::string words;
  std::string_view meaning = {};
};
[[nodiscard]] FigureWords figure(std::span<const Figure> declared, std::string_view key);

// A number of the results, by its key and those of the objects around it: before.unique. Members of
// a list share one.
struct ResultFigure {
  std::string key;
  Unit unit = Unit::number;
  std::string words;

  bool operator==(const ResultFigure&) const = default;
};
// Those that are declared, or are part of an object that is, in the order of the results.
[[nodiscard]] std::vector<ResultFigure> figures_in(const Json& results,
                                                   std::span<const Figure> declared);

}  // namespace pratique
