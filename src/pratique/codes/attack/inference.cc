#include "pratique/codes/attack/inference.h"

#include <algorithm>

#include "pratique/codes/attack/rarity.h"

namespace pratique::codes {

Inference infer(const SearchableRelease& release, const CodeSets& sets,
                const std::vector<std::string>& sensitive, std::size_t most, double limit,
                Progress& progress) {
  std::vector<bool> hidden(sets.codes.size(), false);
  for (const auto& text : sensitive) {
    if (const auto code = sets.codes.find(text)) hidden[*code] = true;
  }
  const auto rarity = rarity_of(sets);
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
    std::sort(known.begin(), known.end(), [&](Code a, Code b) { return rarity[a] < rarity[b]; });
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

RuleInference infer(const SearchableRelease& release, const Dictionary& codes,
                    const std::vector<CodeRule>& rules, std::uint64_t k, double c) {
  RuleInference result;
  for (const CodeRule& rule : rules) {
    std::vector<Code> known;
    for (const auto& text : rule.known) {
      const auto code = codes.find(text);
      if (code && release.shows(*code)) known.push_back(*code);
    }
    const std::uint64_t matched = known.empty() ? 0 : release.count(known);
    if (matched == 0) continue;
    ++result.rules;
    if (matched < k) ++result.matched_under_k;
    bool all_shown = true;
    for (const auto& text : rule.inferred) {
      const auto code = codes.find(text);
      all_shown = all_shown && code && release.shows(*code);
      if (code) known.push_back(*code);
    }
    if (all_shown &&
        static_cast<double>(release.count(known)) > c * static_cast<double>(matched) + 1e-9) {
      ++result.inferred;
    }
  }
  return result;
}

}  // namespace pratique::codes
