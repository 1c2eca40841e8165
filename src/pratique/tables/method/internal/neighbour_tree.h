// A k-d tree over the groups of a table in which records can be taken out, asked for the record
// farthest from a place and for records in the order of their distance. Distances are those of
// StandardSpace.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "pratique/tables/method/internal/mdav.h"

namespace pratique::tables {

class NeighbourTree {
 public:
  NeighbourTree(const ProtectionInput& input, const StandardSpace& space, const Items& items);

  // All records are there again.
  void restore();
  [[nodiscard]] std::uint64_t records() const { return nodes_.empty() ? 0 : nodes_[0].records; }
  // The average of the records that are there; there must be one.
  [[nodiscard]] StandardSpace::Centre centre() const;
  // Of several, the first group.
  [[nodiscard]] std::uint32_t farthest(const StandardSpace::Centre& from) const;
  // Takes out the `records` records nearest to the place, which must be there, and lists them.
  [[nodiscard]] Items take_nearest(const StandardSpace::Centre& to, std::uint64_t records);
  // What is left, by group.
  [[nodiscard]] Items rest() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr Code kMixed = 0xfffffffeU;
  struct Node {
    std::uint32_t begin = 0;  // of order_
    std::uint32_t end = 0;
    std::uint32_t left = kNone;
    std::uint32_t right = kNone;
    std::uint32_t parent = kNone;
    std::uint64_t records = 0;
  };
  // What the records of every node span that are still there: by number the ends and whether one is
  // missing, by category the only value. Flat, since looking at them is most of the work.
  struct Boxes {
    std::vector<double> low;  // by node, number
    std::vector<double> high;
    std::vector<char> missing;
    std::vector<Code> code;  // by node, category; kMixed, or kNone without records
  };

  std::uint32_t build(std::uint32_t begin, std::uint32_t end, std::uint32_t parent);
  void clear_box(std::uint32_t node);
  void add_item_to_box(std::uint32_t node, std::uint32_t item);
  void add_child_to_box(std::uint32_t node, std::uint32_t child);
  // Of the leaf whose record was the last of its group, and of the nodes above it.
  void shrink_boxes(std::uint32_t leaf);
  [[nodiscard]] double least(std::uint32_t node, const StandardSpace::Centre& place) const;
  [[nodiscard]] double most(std::uint32_t node, const StandardSpace::Centre& place) const;
  void take(std::uint32_t item, std::uint64_t records);

  const StandardSpace& space_;
  Items items_;
  std::vector<StandardSpace::Centre> places_;  // by item
  std::vector<std::uint64_t> left_;            // records, by item
  std::vector<std::uint32_t> order_;           // items, in the order of leaves
  std::vector<std::uint32_t> leaf_;            // by item
  std::vector<Node> nodes_;
  Boxes boxes_;
  Boxes full_;  // with all records
  std::size_t numbers_ = 0;
  std::size_t categories_ = 0;
  // Sums over the records that are there, for the average.
  std::vector<double> sums_;
  std::vector<double> known_;
  std::vector<std::vector<std::uint64_t>> frequencies_;  // by category, code
};

}  // namespace pratique::tables
