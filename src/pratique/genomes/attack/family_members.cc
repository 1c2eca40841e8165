#include "pratique/genomes/attack/family_members.h"

#include <limits>
#include <map>
#include <string>

namespace pratique::genomes {
namespace {

using FamiliesByShape = std::map<std::string, std::vector<std::size_t>>;

FamiliesByShape families_by_shape(const std::vector<Pedigree>& pedigrees, const FamilyMarks& marks,
                                  const FamilyKnowledge& knowledge, Progress& progress) {
  FamiliesByShape families;
  for (std::size_t f = 0; f < pedigrees.size(); ++f) {
    families[canonical_structure(pedigrees[f], knowledge, marks[f])].push_back(f);
    progress.advance(1);
  }
  return families;
}

// Of people whom nobody knows yet, who make the same shape when they are marked.
std::map<std::string, std::vector<std::size_t>> people_by_shape(const Pedigree& pedigree,
                                                                std::vector<std::uint64_t> marks,
                                                                const FamilyKnowledge& knowledge) {
  constexpr std::uint64_t kThisOne = std::numeric_limits<std::uint32_t>::max();
  std::map<std::string, std::vector<std::size_t>> people;
  for (std::size_t p = 0; p < marks.size(); ++p) {
    if (marks[p] != 0) continue;
    marks[p] = kThisOne;
    people[canonical_structure(pedigree, knowledge, marks)].push_back(p);
    marks[p] = 0;
  }
  return people;
}

}  // namespace

std::vector<MemberLink> match_members(const std::vector<Pedigree>& pedigrees,
                                      const FamilyMarks& marks, const std::vector<Pedigree>& named,
                                      const FamilyMarks& named_marks, const FamilyKnowledge& both,
                                      Progress& progress) {
  progress.begin("comparing families", pedigrees.size() + named.size());
  const auto here = families_by_shape(pedigrees, marks, both, progress);
  const auto there = families_by_shape(named, named_marks, both, progress);
  std::vector<MemberLink> links;
  for (const auto& [shape, families] : here) {
    const auto match = there.find(shape);
    if (match == there.end() || families.size() != 1 || match->second.size() != 1) continue;
    const std::size_t family = families.front();
    const std::size_t other = match->second.front();
    const auto relatives = people_by_shape(named[other], named_marks[other], both);
    for (const auto& [own_shape, people] :
         people_by_shape(pedigrees[family], marks[family], both)) {
      const auto same = relatives.find(own_shape);
      if (same == relatives.end() || people.size() != 1 || same->second.size() != 1) continue;
      links.push_back({{family, people.front()}, {other, same->second.front()}});
    }
  }
  return links;
}

}  // namespace pratique::genomes
