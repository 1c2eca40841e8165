// The classes with the nearest centroids (composition_location.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/tables/attack/containment_index.h"
#include "pratique/tables/equivalence_classes.h"

namespace pratique::fusion::internal {

// Whether some column shows numbers or days and nothing else (beside '*' and missing).
[[nodiscard]] bool shows_centroids(
    const std::vector<tables::ContainmentIndex::LinkedColumn>& columns);

class NearestClasses {
 public:
  NearestClasses(const std::vector<tables::ContainmentIndex::LinkedColumn>& columns,
                 const tables::EquivalenceClasses& classes, std::vector<std::uint64_t> records);

  // candidates[i]: the nearest classes to the target in row rows[i], ascending.
  void find(std::span<const std::uint32_t> rows,
            std::vector<std::vector<tables::ClassId>>& candidates, Progress& progress) const;

 private:
  struct Axis {
    std::vector<double> of_class;   // standardised; not a number: missing, or anything
    std::vector<double> of_target;  // by code of the targets' column
    const Column* targets = nullptr;
  };
  struct Category {
    tables::ContainmentIndex::LinkedColumn column;
    std::vector<std::vector<Code>> cells_of;  // by code of the targets' column: cells that contain
  };
  // The nearest so far, and those that are as near.
  struct Nearest;

  void add_axis(const tables::ContainmentIndex::LinkedColumn& column, bool days,
                std::span<const std::uint64_t> records);
  [[nodiscard]] double numbers_apart(std::uint32_t row, tables::ClassId id, double at_most) const;
  void measure(std::uint32_t row, tables::ClassId id, Nearest& nearest) const;
  void search_outwards(std::uint32_t row, Nearest& nearest) const;

  const tables::EquivalenceClasses& classes_;
  std::vector<Axis> axes_;
  std::vector<Category> categories_;
  std::vector<tables::ContainmentIndex::LinkedColumn> linked_;  // of the categories
  std::size_t widest_ = 0;                                      // axis to search along
  std::vector<tables::ClassId> order_;                          // along it; missing ones last
  std::size_t placed_ = 0;                                      // how many are not missing
};

}  // namespace pratique::fusion::internal
