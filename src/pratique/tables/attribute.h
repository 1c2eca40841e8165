// A quasi-identifier as methods see it: its values in an order, its hierarchy, and how many leaves
// lie between two values.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"

namespace pratique::tables {

// By column.
using Hierarchies = std::map<std::string, const Hierarchy*, std::less<>>;

// The leaves of a hierarchy in the order of an attribute: of numbers, of dates, or of the tree
// (depth first, so that the leaves under a node are neighbours). The missing value of numbers and
// dates stands last.
struct LeafOrder {
  std::vector<std::uint32_t> rank;       // by leaf
  std::vector<Hierarchy::Node> leaf_at;  // by rank
  // Of numbers and dates, by rank, ascending; the missing value is left out.
  std::vector<double> position_at;
};

struct Attribute {
  enum class Kind { number, date, category };

  std::string name;
  const Column* column = nullptr;        // of the grouped table
  const Hierarchy* hierarchy = nullptr;  // columns/default_hierarchy.h where none was given
  // Category unless every value but the missing is a number or a date, and the hierarchy does not
  // hide characters of it (1300*).
  Kind kind = Kind::category;
  std::vector<Hierarchy::Node> leaf;  // by code (Hierarchy::bind)
  std::shared_ptr<const LeafOrder> leaves;
  std::vector<std::uint32_t> rank;  // by code: where the value stands among all leaves
  // By code: the number, the day, or the rank. Missing: not a number.
  std::vector<double> position;
  // How many leaves a cell may stand for, at most: a limit on what it loses.
  double most_leaves = std::numeric_limits<double>::infinity();
  // The highest level that a cell may show; most_leaves is no more than the widest cell there then.
  int most_level = std::numeric_limits<int>::max();
  // How much its cells count in LM, NCP and UM (metric/metrics.h). The mean over all attributes is
  // 1, so that a suppressed record loses as much as it has cells.
  double weight = 1;

  [[nodiscard]] std::size_t distinct() const { return leaf.size(); }
  // From one value to another that does not stand before it, both counted.
  [[nodiscard]] std::uint32_t leaves_between(Code low, Code high) const {
    return rank[high] - rank[low] + 1;
  }
};

// Throws the Error of Hierarchy::bind when the hierarchy lacks values of the column.
[[nodiscard]] Attribute make_attribute(const Column& column, const Hierarchy& hierarchy,
                                       const std::vector<std::uint64_t>& counts);

// Limits the cells to these levels.
void limit_level(Attribute& attribute, int most_level);

// The highest level at which no value's cell stands for more leaves than it may.
[[nodiscard]] int highest_level(const Attribute& attribute);

// In the order of an attribute of this kind.
[[nodiscard]] LeafOrder order_leaves(const Hierarchy& hierarchy, Attribute::Kind kind);

// Where a number or a date stands on its axis; not a number for the missing value.
[[nodiscard]] double position_of(std::string_view text, Attribute::Kind kind);

// What a method is given. Rows of the columns are groups: counts says how many records each stands
// for.
struct ProtectionInput {
  std::vector<Attribute> attributes;
  // Columns that models look at; those in `respelled` come after all others.
  std::vector<const Column*> sensitive;
  // Of columns with values that differ in spelling alone (model/spelling.h): with one for all.
  std::vector<std::shared_ptr<const Column>> respelled = {};
  const std::vector<std::uint64_t>* counts = nullptr;
  // How many people of the population share the group's quasi-identifiers; null without a
  // population. A group may stand for people of the population only (count 0).
  const std::vector<std::uint64_t>* population = nullptr;

  [[nodiscard]] std::size_t groups() const { return counts->size(); }
};

[[nodiscard]] std::uint64_t records_of(const ProtectionInput& input);

// Scales the weights to a mean of 1 and returns their sum before; where all are 0 nothing changes.
double scale_weights(std::vector<Attribute>& attributes);

}  // namespace pratique::tables
