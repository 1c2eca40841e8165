// Columns that leave as they are and follow from a quasi-identifier, as an age does from a date of
// birth, or a district from a postcode: whoever knows the one knows the other, and beside it the
// quasi-identifier is not hidden by its class. A first part of the rows is enough to see it.
#pragma once

#include <string>
#include <vector>

#include "pratique/tables/flow/prepared_table.h"

namespace pratique::tables::flow {

struct FollowingColumn {
  std::string column;
  std::string from;  // the quasi-identifier
};

// Of the insensitive columns. Numbers and dates follow where their ranks nearly agree (Spearman's
// correlation of at least 0.98 either way), all else where rows with the same value of the
// quasi-identifier nearly always share that of the column, and other rows mostly do not.
[[nodiscard]] std::vector<FollowingColumn> following_columns(const PreparedTable& prepared,
                                                             const Run& run);

[[nodiscard]] std::vector<std::string> warnings_of(const std::vector<FollowingColumn>& columns);

// The rules, of two columns of a table.
[[nodiscard]] bool follows_from(const Column& column, const Column& quasi_identifier);

}  // namespace pratique::tables::flow
