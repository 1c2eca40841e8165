// The records of a group, or some of them, and classes in the making as lists of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/tables/class_counts.h"
#include "pratique/tables/local_recoding.h"

namespace pratique::tables {

struct Item {
  std::uint32_t group;
  std::uint64_t count;
};
using Items = std::vector<Item>;

// All records. Groups that stand for people of the population only are left out: a class's cells
// need not cover them.
[[nodiscard]] Items all_items(const ProtectionInput& input);

[[nodiscard]] std::uint64_t records_in(std::span<const Item> items);

class ModelCheck {
 public:
  ModelCheck(const ProtectionInput& input, const Models& models)
      : counter_(input), models_(models) {}

  [[nodiscard]] bool holds(std::span<const Item> items) {
    counter_.clear();
    for (const Item& item : items) counter_.add(item.group, item.count);
    return holds();
  }
  // For sweeps: add to the counter, then ask.
  [[nodiscard]] ClassCounter& counter() { return counter_; }
  [[nodiscard]] bool holds() { return all_hold(models_, counter_.view()); }

 private:
  ClassCounter counter_;
  const Models& models_;
};

// What k-anonymity asks for, where it is among the models; else 1. The other models may ask for
// more.
[[nodiscard]] std::uint64_t smallest_class(const Models& models);

// Throws Error::check that names the models that even one class of all records breaks.
void require_feasible(const ProtectionInput& input, const Models& models,
                      std::span<const Item> items);

// Classes whose cells are all equal are one class: nobody could tell them apart in the release. A
// group that stands in a class twice becomes one entry.
[[nodiscard]] Recoding recoding_of(const ProtectionInput& input, std::span<const Items> classes,
                                   CellStyle style);

// The classes of a recoding, as lists again.
[[nodiscard]] std::vector<Items> classes_in(const Recoding& recoding);

}  // namespace pratique::tables
