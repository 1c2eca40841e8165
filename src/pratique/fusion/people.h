// The people of a release beside what was found about them elsewhere: two tables seen as one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/fusion/observations.h"

namespace pratique::fusion {

struct People {
  const Table* release = nullptr;
  const Table* auxiliary = nullptr;     // null: nothing was found about anybody
  std::vector<std::uint32_t> fact_row;  // by row of the release: a row of auxiliary, or kNotFound

  [[nodiscard]] std::size_t rows() const { return release->rows(); }
  [[nodiscard]] People without_facts() const { return {release, nullptr, {}}; }
};

// One column of both: the fact where there is one, else the release's cell.
class PeopleColumn {
 public:
  // `name` as fcl_identifier writes it.
  PeopleColumn(const People& people, std::string_view name);
  [[nodiscard]] bool exists() const { return released_ != nullptr || fact_ != nullptr; }
  // Empty where it is not known.
  [[nodiscard]] std::string_view text(std::size_t row) const;

 private:
  const People& people_;
  const Column* released_;
  const Column* fact_;
};

// The columns of either table as fcl_identifier writes them, each once.
[[nodiscard]] std::vector<std::string> column_names(const People& people);

// A sample's own columns, and those of the release that it lacks, for the people whose row of the
// release is known (rows[i] of row i of the sample, or kNotFound: empty cells).
[[nodiscard]] Table with_cells_of(const Table& sample, const Table& release,
                                  const std::vector<std::uint32_t>& rows);

// The number that a cell stands for: of an interval its middle, of a set the mean of its numbers;
// not a number where it has none.
[[nodiscard]] double middle_of(std::string_view cell);

}  // namespace pratique::fusion
