// The records of a group, or some of them, and classes in the making as lists of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/tables/internal/cell_population.h"
#include "pratique/tables/method/local_recoding.h"
#include "pratique/tables/model/class_counts.h"

namespace pratique::tables {

struct Item {
  std::uint32_t group;
  std::uint64_t count;
};
using Items = std::vector<Item>;

// All records. Groups that stand for people of the population only are left out.
[[nodiscard]] Items all_items(const ProtectionInput& input);
// All records and all people: items of no records.
[[nodiscard]] Items everybody(const ProtectionInput& input);

[[nodiscard]] std::uint64_t records_in(std::span<const Item> items);

// Of an input without a population, models that count one are not asked (class_mending.h sees to
// them).
class ModelCheck {
 public:
  // With `people`, a class has the population that its cells contain, else that of its items.
  ModelCheck(const ProtectionInput& input, const Models& models,
             const CellPopulation* people = nullptr)
      : counter_(input), people_(people) {
    for (const auto& model : models) {
      if (input.population != nullptr || !model->needs_population()) models_.push_back(model.get());
    }
  }

  [[nodiscard]] bool holds(std::span<const Item> items);
  // With another population than they have.
  [[nodiscard]] bool holds(std::span<const Item> items, std::uint64_t population);
  // For sweeps: add to the counter, then ask. The population is that of the items.
  [[nodiscard]] ClassCounter& counter() { return counter_; }
  [[nodiscard]] bool holds() { return all_hold(counter_.view()); }

 private:
  [[nodiscard]] bool all_hold(const ClassView& view) const {
    for (const Model* model : models_) {
      if (!model->holds(view)) return false;
    }
    return true;
  }

  ClassCounter counter_;
  std::vector<const Model*> models_;
  const CellPopulation* people_;
};

// What k-anonymity asks for, where it is among the models; else 1. The other models may ask for
// more.
[[nodiscard]] std::uint64_t smallest_class(const Models& models);

// Throws Error::check that names the models that even one class of all items breaks.
void require_feasible(const ProtectionInput& input, const Models& models,
                      std::span<const Item> items);

[[nodiscard]] std::vector<std::uint32_t> groups_in(std::span<const Item> items);

// Classes whose cells are all equal are one class: nobody could tell them apart in the release.
[[nodiscard]] std::vector<Items> distinct_classes(const ProtectionInput& input,
                                                  std::vector<Items> classes, CellStyle style);

// Of the distinct classes. Cells also cover items of no records, which are no entries. A group that
// stands in a class twice becomes one entry.
[[nodiscard]] Recoding recoding_of(const ProtectionInput& input, std::span<const Items> classes,
                                   CellStyle style);

// Of the classes as they are, equal cells or not.
[[nodiscard]] Recoding recoding_of_each(const ProtectionInput& input,
                                        std::span<const Items> classes, CellStyle style);

// The classes of a recoding, as lists again.
[[nodiscard]] std::vector<Items> classes_in(const Recoding& recoding);

}  // namespace pratique::tables
