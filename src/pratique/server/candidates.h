// Candidates: files that were made to be looked at and are no releases (`pratique keep` makes one a
// release). Each lies in a folder of its own, candidates/DIGEST/NAME, where DIGEST follows from all
// settings and inputs. They go by age and by number, with what was private about them.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "pratique/server/confined_path.h"

namespace pratique::server {

inline constexpr std::string_view kCandidates = "candidates/";

struct CandidateLimits {
  std::size_t most = 100;
  std::chrono::hours oldest{24 * 30};
  std::chrono::hours young{1};  // somebody may be looking at it: it stays
};

// Removes those that are too old or too many, the oldest first; never one that is in a ledger.
void tidy_candidates(const DataFolder& folder, const CandidateLimits& limits = {});

}  // namespace pratique::server
