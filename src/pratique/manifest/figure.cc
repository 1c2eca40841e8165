#include "pratique/manifest/figure.h"

#include <algorithm>

namespace pratique {

FigureWords figure(std::span<const Figure> declared, std::string_view key) {
  const auto match = std::find_if(declared.begin(), declared.end(),
                                  [&](const Figure& candidate) { return candidate.key == key; });
  if (match != declared.end()) return {match->unit, std::string(match->words), match->meaning};
  std::string words(key);
  std::replace(words.begin(), words.end(), '_', ' ');
  return {key.ends_with("_share") ? Unit::share : Unit::number, std::move(words), {}};
}

}  // namespace pratique
