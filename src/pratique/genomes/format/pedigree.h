// Pedigrees: people, their parents, sex, disease status and birth order.
//
// PED (PLINK and LINKAGE): a line per person with family, person, father, mother, sex and
// phenotype, separated by blanks or tabs; 0 is no parent; sex 1 is male, 2 female; phenotype 2 is
// affected, 1 not, 0 and -9 unknown (T/F, M/F and words are read, too). Further columns (genotypes)
// are skipped. Siblings are in birth order as they stand in the file, unless a header names a
// column birth_order.
//
// GEDCOM 5.5, in UTF-8, UTF-16, ANSEL or Latin-1: INDI records with NAME (the first), SEX and BIRT
// DATE, FAM records with HUSB, WIFE and CHIL. Children are in birth order by the year of birth
// where all of them have one, else as their family lists them. The status is read from EVEN or FACT
// records of TYPE "affected" or "unaffected". A family is what hangs together by marriage and
// descent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/progress.h"

namespace pratique::genomes {

enum class Sex : std::uint8_t { unknown, male, female };
enum class Affection : std::uint8_t { unknown, unaffected, affected };

inline constexpr std::int32_t kNoParent = -1;

struct Relative {
  std::string name;
  std::int32_t father = kNoParent;  // within the pedigree
  std::int32_t mother = kNoParent;
  Sex sex = Sex::unknown;
  Affection affection = Affection::unknown;
};

// People in birth order: siblings stand in the order in which they were born.
struct Pedigree {
  std::string family;
  std::vector<Relative> people;
};

// Throws Error::input with the line: too few fields, a parent who is not there or is their own
// descendant, a person twice, a mother who is male.
[[nodiscard]] std::vector<Pedigree> parse_ped(const std::string& name, std::string_view text);
[[nodiscard]] std::vector<Pedigree> parse_gedcom(const std::string& name, std::string_view text);
// By content: GEDCOM begins with "0 HEAD".
[[nodiscard]] std::vector<Pedigree> parse_pedigrees(const std::string& name,
                                                    std::string_view bytes);

}  // namespace pratique::genomes
