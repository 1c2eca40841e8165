// Adds up what models see of classes (model.h) from the groups in them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/tables/attribute.h"
#include "pratique/tables/equivalence_classes.h"
#include "pratique/tables/model/model.h"

namespace pratique::tables {

// A class in the making. add() groups, then view(); clear() costs what was added.
class ClassCounter {
 public:
  explicit ClassCounter(const ProtectionInput& input);

  void clear();
  void add(std::uint32_t group) { add(group, (*input_.counts)[group]); }
  // Only some of the group's records (a method may split a group).
  void add(std::uint32_t group, std::uint64_t records);
  // Of what was added. Whom the population has there stays.
  void remove(std::uint32_t group, std::uint64_t records);
  // Good until the next change.
  [[nodiscard]] ClassView view();

 private:
  struct Tally {
    std::vector<std::uint64_t> count;  // by code
    std::vector<Code> present;
    std::vector<std::uint64_t> present_counts;
  };
  const ProtectionInput& input_;
  std::uint64_t records_ = 0;
  std::uint64_t population_ = 0;
  std::vector<Tally> tallies_;  // beside the sensitive attributes
  std::vector<SensitiveCounts> views_;
};

}  // namespace pratique::tables
