// Holds what an adversary claims of the people of a register against the original records.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/tables/attack/internal/column_matches.h"
#include "pratique/tables/attack/linkage_attack.h"
#include "pratique/tables/equivalence_classes.h"

namespace pratique::tables::internal {

// Keeps references to the tables.
class Judge {
 public:
  // `on` are the linked columns; those that the truth does not have are not asked about.
  Judge(const Table& release, const Table& register_table, const std::vector<std::string>& on,
        const std::optional<std::string>& sensitive, const Truth& truth,
        const Hierarchies& hierarchies, const CellReadings& readings);

  // Whether the truth has a record of this row of the register.
  [[nodiscard]] bool knows(std::size_t target) const;
  // Whether a true record of theirs may stand behind this row of the release.
  [[nodiscard]] bool link_holds(std::size_t target, std::uint32_t release_row) const;
  // Whether this sensitive cell of the release is, or contains, the value of a true record.
  [[nodiscard]] bool value_holds(std::size_t target, Code cell) const;

 private:
  struct TrueColumn {
    TrueColumn(const Column& released, const Column& original, const Hierarchy* hierarchy,
               CellsAre cells_are)
        : cells(released),
          originals(original),
          matches(released.dictionary, original.dictionary, hierarchy, cells_are) {}
    [[nodiscard]] bool holds(Code cell, std::uint32_t record) const;
    const Column& cells;
    const Column& originals;
    ColumnMatches matches;
  };

  template <class Holds>
  [[nodiscard]] bool any_record(std::size_t target, const Holds& holds) const;

  const Column& register_key_;
  const Column& truth_key_;
  EquivalenceClasses by_key_;
  EquivalenceClasses::Members members_;
  std::vector<ClassId> key_class_;  // by code of the truth's key
  std::vector<TrueColumn> linked_;
  std::vector<TrueColumn> sensitive_;  // one or none
};

}  // namespace pratique::tables::internal
