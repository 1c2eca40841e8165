// What an adversary could do with a released table, in the figures of the literature.
//
// The rows that share their quasi-identifying cells form a class. Let f be the number of rows of a
// class, and with a population F the number of its people whose original values the class's cells
// contain.
//
//   k                smallest f (Sweeney 2002, k-anonymity)
//   unique           rows that are alone in their class
//   class_sizes      how many classes, and how many rows in them, hold from .. to rows; only ranges
//                    that occur: 1, 2, 3..4, 5..9, then 10, 20 and 50 times powers of ten and so on
//   population_uniques   of the unique rows, how many are expected to be unique among all people
//                    (population_uniques.h); with a population, how many are: F = 1
//   k_map            smallest F over the classes of the release (Sweeney 2002, k-map); 0 says that
//                    some class matches nobody, so the population is not the whole one
//
// Risks of re-identification, after El Emam, Guide to the De-Identification of Personal Health
// Information (2013), chapters 16 and 17, and Dankar and El Emam 2010:
//   prosecutor       the adversary knows that the target is in the release: 1/f per row. Largest
//                    over the rows, and their mean, which is classes / rows.
//   journalist       the adversary does not know it, and looks the row up in the population: 1/F.
//                    Largest over the rows.
//   marketer         the share of rows that linking all of them at random within their matches
//                    gets right: the mean over rows of 1/F.
// Without a population the release is taken for it: F = f. The people of a class exist whether the
// given population holds them or not, so risks count F as at least f.
//
// What a class gives away about a sensitive attribute, with p its distribution inside the class and
// q the one in the whole table:
//   l_distinct       fewest distinct values in a class (Machanavajjhala et al. 2007)
//   l_entropy        exp of the smallest entropy of p: the largest l for which the table is entropy
//                    l-diverse (same paper, definition 4.1)
//   t                largest distance between p and q, earth mover's with equal ground distance:
//                    half the sum of |p - q| (Li, Li and Venkatasubramanian 2007, section 5)
//   alpha            largest p of one value in a class (Wong et al. 2006)
// A missing cell is a value like others.
//
// Suppressed rows, all of whose quasi-identifying cells are '*', are also counted apart. They are a
// class like any other: who knows that a target is in the table and in no other class finds it
// among them, so a few of them are no safer than a small class. The verifier counts them the same
// way. A table without rows has k, risks, l, t and alpha of 0. Without quasi-identifiers the
// adversary knows nothing: one class.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/table.h"
#include "pratique/tables/attack/population_uniques.h"
#include "pratique/tables/attribute.h"
#include "pratique/tables/equivalence_classes.h"

namespace pratique::tables {

struct ReidentificationRisk {
  double prosecutor_max = 0;
  double prosecutor_mean = 0;
  double journalist_max = 0;
  double marketer = 0;
};

struct AttributeDisclosure {
  std::string column;
  std::uint64_t l_distinct = 0;
  double l_entropy = 0;
  double t = 0;
  double alpha = 0;
};

struct ClassSizes {
  std::uint64_t from = 0;
  std::uint64_t to = 0;  // included
  std::uint64_t classes = 0;
  std::uint64_t rows = 0;
};

struct Assessment {
  std::uint64_t rows = 0;
  std::uint64_t suppressed = 0;
  std::uint64_t classes = 0;
  std::uint64_t k = 0;
  std::uint64_t unique = 0;
  std::vector<ClassSizes> class_sizes;  // ascending
  ReidentificationRisk risk;
  std::vector<AttributeDisclosure> sensitive;  // as the columns were named
  struct KMap {
    std::uint64_t k = 0;
    std::uint64_t unmatched = 0;  // rows whose class matches nobody of the population
    std::uint64_t unique = 0;     // rows that are alone, and match one person of it
  };
  std::optional<KMap> k_map;
  std::optional<PopulationUniques> population_uniques;  // where the population's size is known
};

// Original records under the release's names of the quasi-identifiers.
struct Population {
  CountedTable table;
  Hierarchies hierarchies;  // needed only where cells are labels
};

// Of whom the table is a random sample: neither, or one of the two.
struct PopulationSize {
  std::optional<std::uint64_t> people = {};
  std::optional<double> sampling_fraction = {};  // above 0
};

// Throws Error::input for a population smaller than the table.
[[nodiscard]] Assessment assess(const CountedTable& table,
                                const std::vector<std::string>& quasi_identifiers,
                                const std::vector<std::string>& sensitive,
                                const std::optional<Population>& population = std::nullopt,
                                Progress& progress = Progress::silent(),
                                PopulationSize people = {});

// The class whose cells in these columns are all '*', if there is one (there is none without
// columns).
[[nodiscard]] std::optional<ClassId> suppressed_class(const Table& table,
                                                      std::span<const std::size_t> columns,
                                                      const EquivalenceClasses& classes);

// Where the named columns stand. Throws an Error that offers the nearest names.
[[nodiscard]] std::vector<std::size_t> column_indices(const Table& table,
                                                      const std::vector<std::string>& names);

}  // namespace pratique::tables
