// Where the targets of an attack are in one release.
//
//   containing  the candidates are the rows whose every cell contains the target's values
//               (tables/attack/containment_index.h). Where recoding is local a target falls into
//               several classes, and the candidates are the rows of all of them.
//   nearest     the candidates are the rows of the class that shows the nearest centroid (Ganta
//               2009, section 3.3: "the simplest heuristic"), for microaggregated releases. The
//               distance is the one of microaggregation (tables/method/microaggregate.h): numbers
//               and dates by the standard deviation of the release's rows, and two of them for a
//               category that the cell does not contain, as for a missing number beside a known
//               one. Classes at the same distance are all candidates.
//   automatic   containing; but nearest when that finds fewer than half of the targets and some
//               column shows nothing but plain numbers or days, as centroids do.
//
// Suppressed rows, '*' in every column, contain everybody; they are the candidates of targets that
// no other row contains, and of nobody else (tables/attack/linkage_attack.h).
//
// Neither way scans the classes for each target: containing walks a trie of cells. Nearest walks
// the trie of the categories and measures only the classes that it reaches; when the nearest of
// them is farther than two deviations, one that differs in a category may be nearer, and classes
// are tried from the target outwards along the number that spreads most.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/table.h"
#include "pratique/tables/attack/assess.h"
#include "pratique/tables/equivalence_classes.h"

namespace pratique::fusion {

enum class Locating { automatic, containing, nearest };

// Candidates of targets: a class, or several together.
struct LocatedTargets {
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

  Locating by = Locating::containing;
  // By target: its candidate set. Set i is class i as long as there are classes; then come the sets
  // of several classes.
  std::vector<std::uint32_t> set_of;
  std::size_t class_count = 0;
  std::vector<std::vector<tables::ClassId>> joined;

  [[nodiscard]] std::size_t sets() const { return class_count + joined.size(); }
};

// `columns` stand in both tables. `classes` are those of the release by these columns.
[[nodiscard]] LocatedTargets locate(const CountedTable& release,
                                    const tables::EquivalenceClasses& classes, const Table& targets,
                                    const std::vector<std::string>& columns,
                                    const tables::Hierarchies& hierarchies, Locating how,
                                    Progress& progress = Progress::silent());

}  // namespace pratique::fusion
