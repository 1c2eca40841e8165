// Who is who in a family that was found again by its shape (family_structure.h). A person is known
// where everything that maps the one family to the other maps them to the same relative: twins that
// nothing tells apart are not. People who are known already, by another attack, are marked in both,
// and tell families and relatives apart that are alike without them.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/attack/family_structure.h"

namespace pratique::genomes {

struct RelativePlace {
  std::size_t family = 0;
  std::size_t person = 0;

  friend auto operator<=>(const RelativePlace&, const RelativePlace&) = default;
};

struct MemberLink {
  RelativePlace here;
  RelativePlace there;
};

// By family and person; 0 marks nobody, and equal marks are the same person.
using FamilyMarks = std::vector<std::vector<std::uint64_t>>;

// Of families with the shape of exactly one of `named`, which is like no other family here. `both`
// is what both tell (told_by_both).
[[nodiscard]] std::vector<MemberLink> match_members(const std::vector<Pedigree>& pedigrees,
                                                    const FamilyMarks& marks,
                                                    const std::vector<Pedigree>& named,
                                                    const FamilyMarks& named_marks,
                                                    const FamilyKnowledge& both,
                                                    Progress& progress);

}  // namespace pratique::genomes
