// The best classes that can be made of neighbours in an order of classes.
//
// Classes of all records stand in an order in which near ones are neighbours: they are united, two
// by two, up to one class of all, and stand as in that tree. A release takes runs of them, none
// sharing any, each run one class; the records of the others are suppressed. Runs have up to 12
// members, or some larger numbers of them, or all. A run may also leave out some of its own
// records, in one of these ways:
//   the groups that cost the others most, one after the other, while that gains
//   a record of the value that most of the others have, again and again, for each sensitive column
// Neither the order nor the runs nor these ways depend on what is asked of the release. Of all
// releases that can be made so, the one that loses least among those that satisfy the models and
// suppress no more than is allowed is found exactly: what the first members lose at least, for each
// number of records that stay out, follows from the same of fewer. So fewer models, weaker ones, or
// more suppression never give a worse one: all that was possible still is.
//
// Models must be monotone: classes of equal cells are one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/tables/method/internal/class_cost.h"
#include "pratique/tables/method/internal/loss_space.h"
#include "pratique/tables/method/internal/partition.h"

namespace pratique::tables::internal {

struct RunsOfClasses {
  std::vector<Items> classes;
  std::vector<std::vector<Items>> members = {};  // of each: what it was made of, in order
  std::uint64_t suppressed = 0;
  double loss = 0;  // of all cells, added up; 1 for each of a suppressed record
};

class ClassOrder {
 public:
  // `secrets`: columns by whose values records may stay out, beside the groups. Another `variant`
  // gives another order.
  ClassOrder(const ProtectionInput& input, std::vector<const Column*> secrets,
             const LossSpace& space, std::vector<Items> members, std::uint64_t variant);

  // Nothing where no release that can be made of it satisfies the models.
  [[nodiscard]] std::optional<RunsOfClasses> best(const Models& models, std::uint64_t allowed,
                                                  ClassCost& cost) const;

 private:
  class Reader;

  const ProtectionInput& input_;
  std::vector<const Column*> secrets_;
  std::vector<Items> members_;
};

}  // namespace pratique::tables::internal
