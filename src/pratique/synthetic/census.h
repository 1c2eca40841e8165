// A census at any size: a table with the columns, the hierarchies and the joint shape of Adult (the
// 1994 US census extract that the anonymisation papers use), and nobody's record.
//
// Columns, in this order: sex, age, race, marital-status, education, native-country, workclass,
// occupation, salary-class. Rows come from a small generative model (internal/census_model.h), so
// they are independent of each other and a table may have as many as the disk holds: rows are made
// in blocks, each from its own stream of the seed, a fixed number of blocks at a time. The same
// seed and number of rows give the same bytes on any number of threads.
//
// Beside PATH.csv a folder PATH_hierarchies gets one COLUMN.csv per column: `;` between levels,
// leaf first, `*` last. Heights: sex 2, age 5, race 2, marital-status 3, education 4,
// native-country 3, workclass 3, occupation 3, salary-class 2. age.csv is the tree that the
// built-in interval:5,10,20 makes, for tools that have no such thing; ours name the built-in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/progress.h"

namespace pratique {

struct CensusOptions {
  std::uint64_t rows = 0;
  std::uint64_t seed = 0;
  std::string path;  // of the CSV; replaced if it is there
};

struct CensusSummary {
  struct HierarchyChoice {
    std::string column;
    std::string spec;  // as --hierarchy COLUMN=SPEC takes it: a path, or interval:5,10,20
  };
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::string hierarchy_folder;
  std::vector<HierarchyChoice> hierarchies;
};

// Writes the table whole or not at all; the hierarchies are there before the table is.
CensusSummary generate_census(const CensusOptions& options, Progress& progress);

}  // namespace pratique
