// Family structures (Malin 2006, B.2.1): a pedigree without names is its shape, with sex, disease
// status and birth order, and few families share theirs with another. Whoever has genealogies with
// names looks up the shape.
//
// A structure is written in a form that is equal for two pedigrees when, and only when, they are
// the same but for names: people are numbered from one of them on, by a walk that visits father,
// mother and children in birth order, and of all starting points the least text is taken. Where
// birth order is not known, children come in the order of their colours (all that can be seen of
// the family from where they stand, refined until nothing changes); of those who are alike one is
// taken, whichever, and the others are looked at again from there. Equal families may then count as
// different where people look alike and are not, which needs marriages among relatives in a circle,
// or more than 2,000 people; different ones are never equal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/format/pedigree.h"

namespace pratique::genomes {

// What of people is known beside who descends from whom.
struct FamilyKnowledge {
  bool sex = true;
  bool status = true;
  bool birth_order = true;
  bool affected_alone = false;  // of status: who is not said to be affected may be or not
};

// `marks`, by person, tell people apart who are known already; 0 marks nobody.
[[nodiscard]] std::string canonical_structure(const Pedigree& pedigree,
                                              const FamilyKnowledge& knowledge,
                                              const std::vector<std::uint64_t>& marks = {});

struct FamilyFinding {
  std::uint64_t structures = 0;  // families
  std::uint64_t distinct = 0;    // different structures
  std::uint64_t unique = 0;      // families whose structure nobody else has
  std::uint64_t people = 0;
  std::uint64_t people_unique = 0;  // in such families
  // Against genealogies with names, by what both tell.
  std::uint64_t registered = 0;    // families there
  std::uint64_t matched = 0;       // families with the structure of at least one of them
  std::uint64_t reidentified = 0;  // of exactly one, which is like no other family here
  double mean_candidates = 0;      // of those matched
  FamilyKnowledge compared_by = {};
  std::vector<std::pair<std::size_t, std::size_t>> links = {};  // here, there
};

// What both tell: what a register does not know is not compared. One that names the affected alone,
// as genealogies do, tells them from all others; one that says of some that they are not, and of
// others nothing, tells no status that could be compared.
[[nodiscard]] FamilyKnowledge told_by_both(const std::vector<Pedigree>& pedigrees,
                                           const std::vector<Pedigree>& named,
                                           const FamilyKnowledge& knowledge);

// `named` may be empty.
[[nodiscard]] FamilyFinding attack_families(const std::vector<Pedigree>& pedigrees,
                                            const std::vector<Pedigree>& named,
                                            const FamilyKnowledge& knowledge, Progress& progress);

}  // namespace pratique::genomes
