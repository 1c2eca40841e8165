// How the values of a column are spread, in the original and in the release, told so that nobody
// is told of.
//
// A cell that counts fewer than k records (k of the release itself) is not shown, and neither is
// its value. What is left when shown cells are taken from the total, which everybody knows, must
// not be such a cell either, so small cells go together until what they hold counts k records and
// two values at least.
//
// The release can be taken from the original as easily, which leaves the records that were left
// out. A released cell that stands for many values ties these: only for all of them together is
// the difference a count. Where it is of 1 to k - 1 records, values or ranges go together with
// others until it is not, or until all that were left out are among the others. Where that leaves
// nothing to show, the release is shown alone.
//
// Numbers and dates of many values are shown in ranges, the outer ones without an end (so that
// nobody's extreme shows, nor the ends of a released range); small ranges join their neighbours.
// Other values: the twelve most frequent, and all others as one.
//
// A released cell that stands for many values (a range, a set, a label of the hierarchy) counts in
// equal parts for each. That is a guess at the recipient's picture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/bar_chart.h"
#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"
#include "pratique/kind/group_sizes.h"

namespace pratique::release {

struct ValueCount {
  std::string value;
  std::uint64_t count = 0;
};
using ValueCounts = std::vector<ValueCount>;

// Of one column of a table, every value once.
[[nodiscard]] ValueCounts value_counts(const CountedTable& table, const Column& column);

struct DistributionCell {
  std::string label;
  std::uint64_t original = 0;
  std::uint64_t released = 0;
};

struct Distribution {
  std::string column;
  bool has_original = false;
  std::vector<DistributionCell> cells = {};  // none: there is nothing that may be shown
};

// `original` may be null, and so may `hierarchy`, which explains the labels of the release. With
// `moved`, released cells are others' or nobody's values (chance, class means), so that what is
// left by subtraction counts nobody.
[[nodiscard]] Distribution compare_distributions(const std::string& column,
                                                 const ValueCounts* original,
                                                 const ValueCounts& released, std::uint64_t k,
                                                 const Hierarchy* hierarchy = nullptr,
                                                 bool moved = false);

[[nodiscard]] BarChart to_chart(const Distribution& distribution);

// How many records are in groups of these sizes, by step.
[[nodiscard]] std::vector<std::uint64_t> records_by_group_size(
    const std::vector<std::uint64_t>& sizes, std::uint64_t k);
// Records by the size of the group they are in, by step; either may be null. Steps with 1 to k - 1
// records go together with others.
[[nodiscard]] BarChart group_size_chart(const std::string& title, const std::string& group_name,
                                        const std::vector<std::uint64_t>* original,
                                        const std::vector<std::uint64_t>* released,
                                        std::uint64_t k);

}  // namespace pratique::release
