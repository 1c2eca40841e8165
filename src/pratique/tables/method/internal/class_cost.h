// What a record of a class loses, exactly as the metrics will say of the cells that are written
// (recoding.h, metrics.h), while groups come and go.
//
// LossSpace is for searches that ask billions of times, and it estimates. Here one group more or
// less costs a few operations for each attribute, and nothing is estimated.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/tables/method/local_recoding.h"

namespace pratique::tables::internal {

class ClassCost {
 public:
  // `centres`: numbers and dates show a mean or a median (microaggregate.h).
  ClassCost(const ProtectionInput& input, CellStyle style, Loss loss, bool centres);

  void clear();
  void add(std::uint32_t group);
  void remove(std::uint32_t group);  // that was added
  // The sum over attributes.
  [[nodiscard]] double cost() const;
  [[nodiscard]] double cost_without(std::uint32_t group);

 private:
  enum class Shown { label, set, range, centre };
  struct Column {
    const Attribute* attribute = nullptr;
    Shown shown = Shown::set;
    Loss loss = Loss::lm;
    double leaves = 1;                        // of the hierarchy
    double length = 0;                        // from the least number to the largest
    std::vector<double> of_node = {};         // of labels
    std::vector<Code> code_at = {};           // by place: codes in the order of their values
    std::vector<std::uint32_t> place = {};    // by code
    std::size_t known = 0;                    // places before those of missing values
    std::vector<std::uint32_t> groups = {};   // by place: that were added
    std::vector<std::uint64_t> present = {};  // a bit for each place
    std::size_t distinct = 0;
  };

  [[nodiscard]] static double cost_of(const Column& column);

  std::vector<Column> columns_;
};

}  // namespace pratique::tables::internal
