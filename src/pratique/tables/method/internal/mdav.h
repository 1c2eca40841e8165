// The classes of microaggregate.h.
#pragma once

#include "pratique/tables/method/internal/partition.h"

namespace pratique::tables {

// Standardised coordinates of the groups.
class StandardSpace {
 public:
  // Another category, or a missing value beside a known one: two standard deviations, squared.
  static constexpr double kUnlike = 4;

  explicit StandardSpace(const ProtectionInput& input);

  struct Centre {
    std::vector<double> place;  // by number or date; not a number: all missing
    std::vector<Code> code;     // by category: the most frequent
  };
  [[nodiscard]] Centre centre(std::span<const Item> items) const;
  [[nodiscard]] Centre at(std::uint32_t group) const;
  [[nodiscard]] double squared_distance(std::uint32_t group, const Centre& centre) const;

 private:
  std::vector<std::vector<double>> places_;  // by number or date, then group
  std::vector<const Column*> categories_;
};

// All items together must satisfy the models.
[[nodiscard]] std::vector<Items> mdav(const ProtectionInput& input, const Models& models,
                                      const StandardSpace& space, Items items);

// Of the input's only attribute, a number or a date.
[[nodiscard]] std::vector<Items> least_squares_classes(const ProtectionInput& input,
                                                       const Models& models, const Items& items);

}  // namespace pratique::tables
