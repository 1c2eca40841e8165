#include "pratique/codes/inference.h"

#include <algorithm>

namespace pratique::codes {

Inference infer(const SearchableRelease& release, const CodeSets& sets,
                const std::vector<std::string>& sensitive, std::size_t most, double limit,
                Progress& progress) {
  std::vector<bool> hidden(sets.codes.size(), false);
  for (const auto& text : sensitive) {
    if (const auto code = sets.codes.find(text)) hidden[*code] = true;
  }
  const auto supports = sets.supports();
  Inference result;
  progress.begin("inferring sensitive codes", sets.size());
  for (std::size_t s = 0; s < sets.size(); ++s) {
    progress.advance(1);
    std::vector<Code> known;
    std::vector<Code> wanted;
    for (const Code code : sets.set(s)) {
      if (hidden[code]) {
        wanted.push_back(code);
      } else if (release.shows(code)) {
        known.push_back(code);
      }
    }
    if (wanted.empty()) continue;
    result.targets += sets.counts[s];
    std::sort(known.begin(), known.end(), [&](Code a, Code b) {
      return supports[a] != supports[b] ? supports[a] < supports[b] : a < b;
    });
    known.resize(std::min(known.size(), most));
    if (known.empty()) continue;
    const auto candidates = static_cast<double>(release.count(known));
    const bool told = std::any_of(wanted.begin(), wanted.end(), [&](Code code) {
      if (!release.shows(code)) return false;
      auto both = known;
      both.push_back(code);
      return static_cast<double>(release.count(both)) > limit * candidates;
    });
    if (told) result.inferred += sets.counts[s];
  }
  return result;
}

}  // namespace pratique::codes
