// Why a class shows what it shows: what would break if one of its cells were one level lower.
//
// One level lower: a node of the hierarchy gives way to its children; a range or a set that is no
// node is cut in two so that the smaller part is as large as it can be (for models that larger
// classes satisfy more easily no other cut does better). The records of the class stay together in
// all other columns. In a full-domain release a column has one level for the whole table, so what
// lowering does to all other classes is said too.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

struct LoweredPart {
  std::string cell;
  std::uint64_t records = 0;
  std::vector<std::string> broken;  // names of the models it breaks
};

// What a model bounds, at the part that is worst by it.
struct BrokenModel {
  std::string model;
  double required = 0;
  double achieved = 0;
};

struct LoweredCell {
  std::size_t attribute = 0;
  std::string cell;
  std::vector<LoweredPart> parts;  // smallest first; empty where the cell is exact already
  std::vector<BrokenModel> broken;
  std::uint64_t records_broken = 0;  // in parts that break a model
};

struct LoweredLevel {
  int level = 0;  // the lower one
  std::uint64_t suppressed = 0;
  std::uint64_t allowed = 0;
  double lm = 0;  // were they suppressed
};

struct ExplainedClass {
  std::uint64_t records = 0;
  std::vector<std::string> cells;  // by attribute
  std::vector<LoweredCell> lowered;
  std::vector<BrokenModel> achieved;  // every model, at the class as it is
};

// Reads a recoding by class.
class Explainer {
 public:
  Explainer(const ProtectionInput& input, const Models& models, const Recoding& recoding);

  [[nodiscard]] std::size_t class_count() const { return members_.size(); }
  [[nodiscard]] std::vector<std::string> cells(ClassId id) const;
  [[nodiscard]] std::uint64_t records(ClassId id) const;
  [[nodiscard]] ExplainedClass explain(ClassId id) const;
  [[nodiscard]] LoweredCell lower(ClassId id, std::size_t attribute) const;

 private:
  struct Part {
    std::string cell;
    std::vector<std::size_t> entries;
    std::uint64_t records = 0;
  };
  [[nodiscard]] std::vector<Part> parts_of(ClassId id, std::size_t attribute) const;
  [[nodiscard]] std::vector<Part> by_children(ClassId id, std::size_t attribute,
                                              Hierarchy::Node node) const;
  [[nodiscard]] std::vector<Part> in_two(ClassId id, std::size_t attribute) const;
  // Of the population: whom the class's cells contain, one of them replaced by a part's.
  [[nodiscard]] std::uint64_t people(ClassId id, std::size_t attribute = 0,
                                     const Part* part = nullptr) const;
  [[nodiscard]] const std::vector<char>& values_in(std::size_t attribute,
                                                   const std::string& cell) const;

  const ProtectionInput& input_;
  const Models& models_;
  const Recoding& recoding_;
  std::vector<std::vector<std::size_t>> members_;  // by class: entries of the recoding
  // By attribute and cell, as they are asked for: by code, whether the cell contains the value.
  mutable std::map<std::pair<std::size_t, std::string>, std::vector<char>> values_in_;
};

// A full-domain release with one column a level lower. Nothing where it is at level 0.
[[nodiscard]] std::optional<LoweredLevel> lower_level(const ProtectionInput& input,
                                                      const Models& models,
                                                      const std::vector<int>& levels,
                                                      std::size_t attribute, double suppression);

// In plain words, one sentence for the column.
[[nodiscard]] std::string sentence(const std::string& column, const LoweredCell& lowered,
                                   const std::optional<LoweredLevel>& whole_table);

[[nodiscard]] Json to_json(const std::string& column, const LoweredCell& lowered,
                           const std::optional<LoweredLevel>& whole_table);

}  // namespace pratique::tables
