#include "pratique/genomes/attack/sequence_match.h"

#include <algorithm>
#include <array>

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

std::optional<double> recovered_by_rest(const std::vector<Sequence>& aligned,
                                        const SequenceGroups& groups,
                                        const std::vector<Sequence>& released,
                                        const std::vector<std::uint32_t>& columns) {
  constexpr std::array<Letter, 5> kOfAPerson = {1, 2, 4, 8, kGap};
  std::uint64_t hidden = 0;
  std::uint64_t told = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t person : groups[g]) {
      for (const std::uint32_t column : columns) {
        const Letter shown = released[g][column];
        if (shown == aligned[person][column]) continue;
        ++hidden;
        std::optional<Letter> others;
        for (const std::uint32_t other : groups[g]) {
          if (other == person) continue;
          others = others ? join(*others, aligned[other][column]) : aligned[other][column];
        }
        const auto fitting =
            std::count_if(kOfAPerson.begin(), kOfAPerson.end(),
                          [&](Letter letter) { return !others || join(*others, letter) == shown; });
        told += fitting == 1 ? 1 : 0;
      }
    }
  }
  if (hidden == 0) return std::nullopt;
  return static_cast<double>(told) / static_cast<double>(hidden);
}

}  // namespace pratique::genomes
