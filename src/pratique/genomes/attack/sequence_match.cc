#include "pratique/genomes/attack/sequence_match.h"

#include <algorithm>

#include "pratique/core/parallel.h"

namespace pratique::genomes {

SequenceMatches match_originals(const LatticePlanes& planes, Progress& progress) {
  SequenceGroups alone(planes.size());
  for (std::uint32_t s = 0; s < planes.size(); ++s) alone[s] = {s};
  return match_groups(planes, alone, progress);
}

SequenceMatches match_groups(const LatticePlanes& planes, const SequenceGroups& groups,
                             Progress& progress) {
  std::vector<PlaneRow> united;
  std::vector<std::uint64_t> entries;
  united.reserve(groups.size());
  for (const auto& group : groups) {
    united.push_back(planes.row(group.front()));
    for (const std::uint32_t member : group) planes.unite(united.back(), member);
    entries.push_back(group.size());
  }
  return match_rows(planes, united, entries, progress);
}

SequenceMatches match_rows(const LatticePlanes& planes, const std::vector<PlaneRow>& rows,
                           const std::vector<std::uint64_t>& entries, Progress& progress) {
  progress.begin("looking for people by their sequence", planes.size());
  std::vector<std::uint64_t> candidates(planes.size(), 0);
  constexpr std::size_t kPeoplePerBlock = 16;
  parallel_blocks(planes.size(), kPeoplePerBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t person = begin; person < end; ++person) {
      for (std::size_t r = 0; r < rows.size(); ++r) {
        if (planes.covers(rows[r], person)) candidates[person] += entries[r];
      }
      progress.advance(1);
    }
  });
  SequenceMatches matches;
  matches.people = planes.size();
  if (candidates.empty()) return matches;
  matches.fewest = *std::min_element(candidates.begin(), candidates.end());
  for (const std::uint64_t count : candidates) {
    matches.unique += count == 1 ? 1 : 0;
    matches.mean_candidates += static_cast<double>(count);
  }
  matches.mean_candidates /= static_cast<double>(matches.people);
  return matches;
}

}  // namespace pratique::genomes
