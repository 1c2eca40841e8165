// Somebody has a person's DNA (a hair, a cup, another database) and looks for the entries of a
// release that could be theirs: those whose every letter stands for the person's at that place. The
// adversary knows how the sequences were aligned, which is more than the release says.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/method/dnala.h"
#include "pratique/genomes/sequence/lattice_planes.h"

namespace pratique::genomes {

struct SequenceMatches {
  std::uint64_t people = 0;
  std::uint64_t unique = 0;    // people for whom one entry is left
  std::uint64_t fewest = 0;    // entries that are left to anybody
  double mean_candidates = 0;  // entries that are left
};

// Among the sequences as they are.
[[nodiscard]] SequenceMatches match_originals(const LatticePlanes& planes, Progress& progress);
// Among the groups, each with as many entries as members.
[[nodiscard]] SequenceMatches match_groups(const LatticePlanes& planes,
                                           const SequenceGroups& groups, Progress& progress);
// Among rows of the same columns, each with so many entries.
[[nodiscard]] SequenceMatches match_rows(const LatticePlanes& planes,
                                         const std::vector<PlaneRow>& rows,
                                         const std::vector<std::uint64_t>& entries,
                                         Progress& progress);

// Whoever knows all others of a group, and how the group leaves, takes theirs off: of A and R the
// other one was G. The share of the letters that were hidden (those that leave generalised) which
// this tells for certain, over all people; nothing where none was hidden. Among two it is nearly
// all of them: k sequences protect from those who know the person, not from those who know the
// rest.
[[nodiscard]] std::optional<double> recovered_by_rest(const std::vector<Sequence>& aligned,
                                                      const SequenceGroups& groups,
                                                      const std::vector<Sequence>& released,
                                                      const std::vector<std::uint32_t>& columns);

}  // namespace pratique::genomes
