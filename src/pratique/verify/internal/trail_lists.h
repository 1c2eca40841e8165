// What the verifier read: both sides, the lists that were submitted before, and whose sample each
// is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/verify/internal/seen_at.h"
#include "pratique/verify/unlinkability.h"

namespace pratique::verify {

struct TrailLists {
  TrailLists(Engine& engine, const UnlinkabilityQuestion& question, Progress& progress);

  Dictionary locations;
  SeenAt identified;
  SeenAt deidentified;
  std::optional<SeenAt> submitted;
  std::optional<SeenAt> submitted_people;
  DistinctSets people;
  DistinctSets samples;

  // For each submitted sample the group of `samples` it was published in, if it was.
  [[nodiscard]] std::vector<std::optional<std::uint32_t>> published_group() const;
  // Names of locations, sorted.
  [[nodiscard]] std::vector<std::string> names_of(const std::vector<Code>& trail) const;
};

// The side whose lists are nowhere longer than the other's.
[[nodiscard]] ReservedSide find_reserved(const TrailLists& lists);

// For each submitted sample, the person whose it is. Throws Error where the lists contradict it: a
// sample was seen where its owner was not.
[[nodiscard]] std::vector<Code> read_truth(Engine& engine, const std::string& path,
                                           const TrailLists& lists, Progress& progress);

}  // namespace pratique::verify
