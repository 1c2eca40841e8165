// Classes in the making of a local recoding: they grow, become one, and are printed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "pratique/tables/internal/cell_population.h"
#include "pratique/tables/model/class_counts.h"
#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables::internal {

class LocalClasses {
 public:
  struct Class {
    std::vector<std::uint32_t> groups;
    std::vector<Hierarchy::Node> cells;  // beside the attributes
    std::uint64_t records = 0;
  };

  LocalClasses(const ProtectionInput& input, const Models& models);

  [[nodiscard]] const std::vector<Class>& all() const { return classes_; }
  void add(Class eq_class) { classes_.push_back(std::move(eq_class)); }
  // A class of one group, exact in every cell.
  [[nodiscard]] Class single(std::uint32_t group) const;

  [[nodiscard]] Class united(const Class& first, const Class& second) const;
  [[nodiscard]] bool holds(const Class& eq_class);

  // Lets each leftover join the classes it fits with at least loss, and makes classes of equal
  // cells one, until no two are left. Returns what fits nowhere; nothing where `give_up` said so
  // before it was done.
  [[nodiscard]] std::optional<std::vector<Class>> settle(
      std::vector<Class> leftovers, const std::function<bool()>& give_up = [] { return false; });

  [[nodiscard]] Recoding print(std::uint64_t suppressed) const;

 private:
  // What all records of both lose more when they are one class, or a sum that is not below
  // `enough`.
  [[nodiscard]] double added_loss(const Class& first, const Class& second, double enough) const;
  // Changes nothing where it is false.
  [[nodiscard]] bool place(const Class& leftover, const std::function<bool()>& give_up);
  // Returns those that break a model once they are one; they are no longer among all().
  [[nodiscard]] std::vector<Class> unite_equal();
  [[nodiscard]] Hierarchy::Node meet(std::size_t attribute, Hierarchy::Node a,
                                     Hierarchy::Node b) const;
  [[nodiscard]] std::string text(std::size_t attribute, Hierarchy::Node node) const;

  const ProtectionInput& input_;
  const Models& models_;
  ClassCounter counter_;
  std::optional<CellPopulation> people_;   // where a model counts them
  std::vector<std::vector<double>> loss_;  // by attribute, node
  // By attribute, node: which text it prints.
  std::vector<std::vector<std::uint32_t>> text_;
  std::vector<Class> classes_;
};

}  // namespace pratique::tables::internal
