// Links original records to the classes of a release whose every cell contains them.
//
// A class is a tuple of cells (exact values, ranges, sets, labels, '*', or what other tools write);
// an original is a tuple of raw values. An original may fall into many classes, and does where
// recoding is local. Cells are read by GeneralisedValue::parse_foreign, unless it is known that
// they are ours or values alone.
//
// How: per column, every distinct raw value gets the sorted list of the cells that contain it (see
// internal/column_matches.h: look-ups and sorted intervals, not all pairs). The classes, sorted by
// their tuples, form a trie; originals, sorted too, walk down it by intersecting the children of a
// node with the list of their value, and originals that share a prefix share that part of the walk.
// The columns that let the fewest classes through come first, so that the walk stays narrow.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/table.h"
#include "pratique/tables/attack/internal/column_matches.h"
#include "pratique/tables/equivalence_classes.h"

namespace pratique {
class Hierarchy;
}  // namespace pratique

namespace pratique::tables {

class ContainmentIndex {
 public:
  // A column of the release, and the column of the originals that it generalises.
  struct LinkedColumn {
    const Column* cells = nullptr;
    const Column* originals = nullptr;
    const Hierarchy* hierarchy = nullptr;  // when cells may be its labels
    CellsAre cells_are = CellsAre::anything;
  };

  // Class i has the cells of row class_rows[i] of the release; original i of a walk has the values
  // of row original_rows[i]. Both are usually the representatives of EquivalenceClasses, and kept
  // by reference, as are the columns.
  ContainmentIndex(std::vector<LinkedColumn> columns, std::span<const std::uint32_t> class_rows,
                   std::span<const std::uint32_t> original_rows,
                   Progress& progress = Progress::silent());

  // The cells of a column that contain no original's value.
  [[nodiscard]] std::vector<Code> cells_of_nobody(const Column& cells) const;

  // Calls visit(original, classes that contain it) once for every original, in no order, from many
  // threads. Originals without a class are visited too. Classes come in no order, each once; the
  // span is good during the call.
  using Visit = std::function<void(std::size_t original, std::span<const ClassId> classes)>;
  void for_each_original(const Visit& visit, Progress& progress = Progress::silent()) const;

 private:
  struct Level {
    std::vector<Code> codes;           // of the nodes, ascending among siblings
    std::vector<std::uint32_t> begin;  // node i: children [begin[i], begin[i + 1]) one level down
  };
  // Consecutive nodes of a level; below the last level, consecutive entries of classes_.
  struct NodeRange {
    std::uint32_t begin;
    std::uint32_t end;
  };

  void order_columns();
  void build_trie();
  void step(std::size_t level, Code value, const std::vector<NodeRange>& from,
            std::vector<NodeRange>& to) const;

  std::vector<LinkedColumn> columns_;
  std::vector<internal::ColumnMatches> matches_;  // beside columns_
  std::span<const std::uint32_t> class_rows_;
  std::span<const std::uint32_t> original_rows_;
  std::vector<Level> levels_;     // beside columns_
  std::vector<ClassId> classes_;  // by tuple
};

}  // namespace pratique::tables
