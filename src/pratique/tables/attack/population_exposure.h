// What the records of a table are exposed to by an adversary who has the whole population and does
// not know who of it is in the table: a record is linked to one of the people whom its cells
// contain, each as likely as the others. A record that nobody fits is linked to nobody.
#pragma once

#include <cstdint>

#include "pratique/core/json.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

struct PopulationExposure {
  std::uint64_t records = 0;
  std::uint64_t unmatched = 0;      // records that nobody fits
  std::uint64_t unique = 0;         // records that one person fits
  std::uint64_t fewest_people = 0;  // that a record has, of those that somebody fits
  double risks = 0;                 // the sum over records of 1 / people

  void add(std::uint64_t more, std::uint64_t people);
};

// Both: the input has a population.
[[nodiscard]] PopulationExposure population_exposure_before(const ProtectionInput& input);
[[nodiscard]] PopulationExposure population_exposure_after(const ProtectionInput& input,
                                                           const Recoding& recoding);
// fewest_people, linkage_risk_max, linkage_risk_mean, unique, unique_share, unmatched
[[nodiscard]] Json to_json(const PopulationExposure& exposure);

}  // namespace pratique::tables
