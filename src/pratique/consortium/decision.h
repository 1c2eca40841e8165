// What the authority decides, on fully encrypted lists: which records each site may disclose.
//
// All it sees of a record is at which sites the same one is. It numbers records by their trails, so
// that the decision depends on nothing else, and anybody with the lists in the clear comes to the
// same one, up to records with equal trails (trails protect --secure with the authority's seed).
// The decision is then verified, independently of how it was made, for all three views
// (definitions 22, 24 and 25 of Malin 2006) on the encrypted lists.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "pratique/consortium/configuration.h"
#include "pratique/consortium/token_file.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"

namespace pratique::consortium {

struct SubmittedLists {
  explicit SubmittedLists(std::size_t sites) : people(sites), samples(sites) {}
  std::deque<TokenFile> people;  // by site
  std::deque<TokenFile> samples;
};

struct Decision {
  std::vector<std::vector<bool>> disclosed;  // by site, in the order of its samples
  std::uint64_t total = 0;
};

// Throws CheckFailed where lists cannot be true: a sample at sites where nobody is named at all of
// them (section 9.3), a record twice in a list, or a decision that does not verify.
[[nodiscard]] Decision decide(const Configuration& configuration, const SubmittedLists& lists,
                              std::uint64_t seed, Engine& engine, Progress& progress);

}  // namespace pratique::consortium
