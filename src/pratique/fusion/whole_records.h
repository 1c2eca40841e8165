// Releases of the same people compared by whole records: not only the sensitive values of a class,
// but all that stands beside them and left as it was. Where a column says whose each row is, a
// record is all rows of a person, so how many there are tells, too.
//
//   subtract  differencing.h with records in the place of values. Whoever changed something (a
//   ward)
//             between two releases is in `gained` and `lost` as if somebody had left and another
//             come, and is hidden among those alone. Records are compared by the sensitive column
//             and each other column by itself, and by all of them together; as they are written,
//             and as they are read (tables/model/spelling.h). Over other sets of columns a
//             difference may tell more: what is found is a lower bound.
//   narrow    composition.h with records in the place of values: a record that is in a person's
//             candidates of one release and not in those of the other is not the person's. Columns
//             in which more than a tenth of the people would have no record left change from
//             release to release, and are not used; nor is how many rows somebody has, then.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/fusion/composition_location.h"
#include "pratique/fusion/differencing.h"

namespace pratique::fusion {

// What left as it was, by class.
struct ReleasedRows {
  GroupedTable rows = {};  // the sensitive column, and others; with `whose`, by person
  std::vector<tables::ClassId> class_of = {};  // by row
  std::vector<Code> whose = {};                // by row; empty: each is somebody else's
  const LocatedTargets* located = nullptr;     // where people are, in the classes of class_of
};

// The most people of any of these differences.
[[nodiscard]] Differencing subtract_records(const ReleasedRows& earlier, const ReleasedRows& later,
                                            const std::string& sensitive,
                                            const DifferencingLimits& limits);

// Whose sensitive value is certain, as more and more releases are compared with one.
class NarrowedRecords {
 public:
  NarrowedRecords(const ReleasedRows& added, std::string sensitive);

  // Nothing changes where neither has more than the sensitive column.
  void narrow(const ReleasedRows& earlier);
  [[nodiscard]] bool is_certain(std::size_t person) const;

 private:
  using Secret = std::vector<std::string>;     // what one record says, each value once
  using Secrets = std::vector<std::uint32_t>;  // ascending, in secrets_

  std::uint32_t number_of(const Secret& secret);

  const ReleasedRows& added_;
  std::string sensitive_;
  std::map<Secret, std::uint32_t> numbers_;
  std::vector<Secret> secrets_;
  std::vector<Secrets> left_;  // by person: of their records; empty where nothing is known
};

}  // namespace pratique::fusion
