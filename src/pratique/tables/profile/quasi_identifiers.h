// The column sets by which people stick out: found by search, not by guess.
//
// A row is unique on a set of columns when no other row has the same cells there. Uniqueness only
// grows with the set, so what matters are the minimal sets on which more than a share of the rows
// is unique. How far a set identifies (Motwani and Xu 2007, "Efficient algorithms for masking and
// finding quasi-identifiers"):
//
//   distinction   distinct combinations / rows
//   separation    share of the pairs of rows that the set tells apart (1 when there is no pair)
//   unique_share  rows alone in their class / rows
//
// Exact, by a levelwise walk over sets of columns (Agrawal's Apriori order, with the stripped
// partitions of TANE, Huhtala et al. 1999): a partition holds only the rows that are not unique
// yet, and is refined column by column. No superset of a found set is looked at; nor is a set whose
// combinations or unique rows, bounded by those of its subsets, are too few. A column in which all
// rows but R have one value makes at most 2R more rows unique: in a class that was shared, only R
// rows have a value of their own, and with each at most one row of the common value is left alone.
// Partitions are kept for the prefix of
// the moment only, so memory is about 24 bytes per row and thread, whatever the number of sets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/table.h"

namespace pratique::tables {

struct QuasiIdentifier {
  std::vector<std::string> columns;  // in the order of the table
  double distinction = 0;
  double separation = 0;
  double unique_share = 0;
};

struct QuasiIdentifierSearch {
  double unique_above = 0.05;    // share of rows
  std::size_t most_columns = 4;  // per set, at most 4
  // The number of sets grows with the fourth power of the columns. A size whose sets are more than
  // this, or have more rows than this to look at, is left out, and the result says so.
  std::uint64_t most_sets = 4'000'000;
  double most_rows_looked_at = 4e9;  // some seconds on two cores
};

struct QuasiIdentifiers {
  std::vector<QuasiIdentifier> sets;  // fewest columns first, then the most unique first
  std::size_t searched_columns = 0;   // all sets of up to so many columns were looked at
};

[[nodiscard]] QuasiIdentifiers find_quasi_identifiers(const Table& table,
                                                      const QuasiIdentifierSearch& search = {},
                                                      Progress& progress = Progress::silent());

}  // namespace pratique::tables
