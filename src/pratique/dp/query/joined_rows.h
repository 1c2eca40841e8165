// Rows of several tables, joined by the person.
//
// Definition. A joined row is one row of each table, all of one person, under any spelling; rows
// that do not say whose they are join nothing. Of each table at most kMostRowsToJoin rows of a
// person are joined, and of the joined rows at most `most_joined` are kept; which ones is drawn at
// random from the person's own.
//
// So what a person adds to the joined rows follows from that person's rows alone, and is bounded:
// without the person, everybody else's joined rows are the same.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/dp/mechanism/noise.h"

namespace pratique::dp {

inline constexpr std::uint64_t kMostRowsToJoin = 256;

struct TableToJoin {
  GroupedTable rows;            // by the columns that are looked at, and the person's
  std::size_t person = 0;       // which of these says whose a row is
  bool person_asked = false;    // it is looked at, too
  bool unmatched_stay = false;  // rows of the tables before it stay without a partner here
};

struct JoinedTable {
  GroupedTable rows;  // by the columns that are looked at, of all tables one after the other
  Column person;
};
// At least one table.
[[nodiscard]] JoinedTable joined_by_person(const std::vector<TableToJoin>& tables,
                                           std::uint64_t most_joined, RandomBits& random);

}  // namespace pratique::dp
