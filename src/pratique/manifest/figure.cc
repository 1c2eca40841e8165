#include "pratique/manifest/figure.h"

#include <algorithm>

namespace pratique {

FigureWords figure(std::span<const Figure> declared, std::string_view key) {
  const auto found = std::find_if(declared.begin(), declared.end(),
                                  [&](const Figure& one) { return one.key == key; });
  if (found != declared.end()) return {found->unit, std::string(found->words), found->meaning};
  std::string words(key);
  std::replace(words.begin(), words.end(), '_', ' ');
  return {key.ends_with("_share") ? Unit::share : Unit::number, std::move(words), {}};
}

}  // namespace pratique
