// DiffGen (Mohammed, Chen, Fung and Yu 2011): a generalised table with noisy counts.
//
// Definition. Every attribute has a tree of values that was declared, not looked up. At first all
// values are the root. So often as was agreed, one node of the tables' cuts is chosen and replaced
// by its children, everywhere: the one with the highest score
//
//   Max(v) = sum over children c of v of max over classes y of |rows under c of class y|,
//
// chosen by the noisy maximum (mechanism/selection.h). Then every cell, a combination of nodes of
// the cuts and a class, is counted with discrete Laplace noise, whether somebody is in it or not.
//
// Theorem. With half of epsilon shared equally by the h choices and half for the counts, the whole
// is epsilon-differentially private. A row changes Max(v) of one node per attribute by at most 1,
// so a person's R rows change each score by at most R: each choice costs epsilon / (2 h). A row is
// in one cell: rate epsilon / (2 R). Which nodes may be chosen next follows from earlier choices
// and the trees. A choice that would make more than kMostGeneralisedCells is not offered, which
// follows from these, too.
// (The paper also splits numbers at points drawn by the exponential mechanism; here numbers have
// trees of intervals.)
//
// What follows costs nothing: counts are moved to the nearest ones that are at least 0 and add up
// to their noisy total, for cells of nobody would else add what noise lifts them by.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/data/hierarchy.h"
#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/mechanism/noise.h"

namespace pratique::dp {

inline constexpr std::uint64_t kMostGeneralisedCells = std::uint64_t{1} << 20U;

// Rows: the leaf of each attribute, the class, and how many rows are like that.
struct ClassifiedRows {
  std::vector<std::vector<Hierarchy::Node>> leaves;  // by attribute
  std::vector<std::uint32_t> classes;
  std::vector<std::uint64_t> counts;
};

struct DiffgenSettings {
  std::uint64_t max_rows = 1;
  Epsilon epsilon;
  std::uint64_t specialisations = 10;
};

struct GeneralisedCounts {
  std::vector<std::vector<Hierarchy::Node>> cuts;  // by attribute, ascending
  // Over the nodes of the cuts, the last attribute running faster than those before, and the class
  // fastest of all.
  std::vector<double> counts;
};

// Max(v), of the rows under `node` of this attribute.
[[nodiscard]] std::int64_t max_score(const Hierarchy& tree, Hierarchy::Node node,
                                     const std::vector<Hierarchy::Node>& leaves,
                                     const ClassifiedRows& rows, std::uint32_t classes);

[[nodiscard]] GeneralisedCounts diffgen(const std::vector<Hierarchy>& trees,
                                        const ClassifiedRows& rows, std::uint32_t classes,
                                        const DiffgenSettings& settings, Noise& noise);

}  // namespace pratique::dp
