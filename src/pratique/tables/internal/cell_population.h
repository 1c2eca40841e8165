// How many people of the population the cells of a class contain: what a reader of the release, and
// the verifier, count, whoever the class was made of.
//
// A cell over some values of an attribute (recoding.h) contains
//   one value           that value alone
//   labels              every value under the lowest node over them
//   free, numbers       every number or date between the lowest and the highest
//   free, categories    these values; also where a number is missing among them
// and a text that is the label of several nodes means the highest of them.
//
// A count looks up the people who have the values of the most selective cell, and tests the other
// cells for these only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/tables/recoding.h"

namespace pratique::tables {

class CellPopulation {
 public:
  // The input has a population.
  CellPopulation(const ProtectionInput& input, CellStyle style);

  // Cells beside the attributes: by code, whether a cell contains the value.
  using Cells = std::vector<std::vector<char>>;
  // Over the values of these groups. All of this may be called from many threads.
  [[nodiscard]] Cells over(std::span<const std::uint32_t> groups) const;
  // Of these nodes, beside the attributes.
  [[nodiscard]] Cells under(std::span<const Hierarchy::Node> nodes) const;

  [[nodiscard]] std::uint64_t count(const Cells& cells) const;
  [[nodiscard]] bool contain(const Cells& cells, std::uint32_t group) const;

  [[nodiscard]] std::uint64_t total() const { return total_; }
  // The groups that stand for people.
  [[nodiscard]] const std::vector<std::uint32_t>& people() const { return people_; }

 private:
  [[nodiscard]] std::vector<char> cell_over(std::size_t attribute,
                                            std::span<const std::uint32_t> groups) const;
  void add_under(std::size_t attribute, Hierarchy::Node node, std::vector<char>& cell) const;

  const ProtectionInput& input_;
  CellStyle style_;
  std::vector<std::uint32_t> people_;
  std::uint64_t total_ = 0;
  struct ByCode {
    std::vector<std::uint32_t> begin;  // and one more
    std::vector<std::uint32_t> groups;
  };
  std::vector<ByCode> by_code_;                        // by attribute
  std::vector<std::vector<Hierarchy::Node>> highest_;  // by attribute, node: of the same label
};

}  // namespace pratique::tables
