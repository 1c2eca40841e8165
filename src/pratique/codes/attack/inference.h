// What an adversary infers from a release who knows codes of a patient but not the sensitive ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/codes/attack/attack.h"
#include "pratique/data/code_rules.h"

namespace pratique::codes {

struct Inference {
  std::uint64_t targets = 0;   // patients with a sensitive code
  std::uint64_t inferred = 0;  // of them, those of whose candidates too large a share has it
};

// Known are the `most` rarest public codes of a patient; those that no record covers say nothing. A
// share above `limit` is too large.
[[nodiscard]] Inference infer(const SearchableRelease& release, const CodeSets& sets,
                              const std::vector<std::string>& sensitive, std::size_t most,
                              double limit, Progress& progress);

// The same over rules: who knows the left of one. Codes of the left that no record covers say
// nothing.
struct RuleInference {
  std::uint64_t rules = 0;            // those whose left some patient matches
  std::uint64_t matched_under_k = 0;  // by fewer than k
  std::uint64_t inferred = 0;         // the right is true of a larger share than c
};
[[nodiscard]] RuleInference infer(const SearchableRelease& release, const Dictionary& codes,
                                  const std::vector<CodeRule>& rules, std::uint64_t k, double c);

}  // namespace pratique::codes
