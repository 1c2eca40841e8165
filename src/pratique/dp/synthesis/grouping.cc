#include "pratique/dp/synthesis/grouping.h"

#include <algorithm>
#include <cmath>

namespace pratique::dp {
namespace {

constexpr double kSurelySomebody = 3;  // deviations

void group_neighbours(Grouping& grouping, const std::vector<double>& counts, double least) {
  double open = 0;
  std::uint32_t group = 0;
  bool empty = true;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    grouping.group_of[cell] = group;
    open += counts[cell];
    empty = false;
    if (open >= least) {
      ++group;
      open = 0;
      empty = true;
    }
  }
  // What is left at the end joins the last group.
  if (!empty && group > 0) {
    for (auto& of_cell : grouping.group_of) of_cell = std::min(of_cell, group - 1);
  } else if (!empty) {
    ++group;
  }
  grouping.groups = group;
}

void group_rare(Grouping& grouping, const std::vector<double>& counts, double least) {
  std::uint32_t group = 0;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    if (counts[cell] >= least) grouping.group_of[cell] = group++;
  }
  bool rare = false;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    if (counts[cell] >= least) continue;
    grouping.group_of[cell] = group;
    rare = true;
  }
  grouping.groups = group + (rare ? 1 : 0);
}

}  // namespace

std::vector<double> nonnegative(const std::vector<double>& values,
                                const std::vector<double>& variances, double total) {
  const auto moved = [&](double by) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += std::max(0.0, values[i] - by * variances[i]);
    }
    return sum;
  };
  // The sum falls as `by` grows.
  double low = -1;
  double high = 1;
  while (moved(low) < total && low > -1e300) low *= 2;
  while (moved(high) > total && high < 1e300) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (moved(middle) > total ? low : high) = middle;
  }
  std::vector<double> clear(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    clear[i] = std::max(0.0, values[i] - high * variances[i]);
  }
  return clear;
}

Grouping grouped(const NoisyColumn& column, double total, double least, double least_ordered) {
  Grouping grouping;
  grouping.group_of.resize(column.counts.size());
  std::vector<double> counts = column.counts;
  const bool strays = counts[column.stray] >= kSurelySomebody * std::sqrt(column.variance) &&
                      counts[column.stray] > 0;
  if (!strays) counts[column.stray] = 0;
  if (column.ordered) {
    const double own = counts.back();
    counts.pop_back();
    group_neighbours(grouping, counts, least_ordered);
    counts.push_back(own);
    grouping.group_of[column.stray] =
        static_cast<std::uint32_t>(strays ? grouping.groups++ : grouping.groups - 1);
  } else {
    group_rare(grouping, counts, least);
    // A group of nothing but what is not there.
    const auto rare = static_cast<std::uint32_t>(grouping.groups - 1);
    const bool only_stray =
        !strays && grouping.groups > 1 &&
        std::count(grouping.group_of.begin(), grouping.group_of.end(), rare) == 1 &&
        grouping.group_of[column.stray] == rare;
    if (only_stray) {
      grouping.group_of[column.stray] = rare - 1;
      --grouping.groups;
    }
  }
  grouping.variances.assign(grouping.groups, 0);
  std::vector<double> sums(grouping.groups);
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    if (cell == column.stray && !strays) continue;
    sums[grouping.group_of[cell]] += counts[cell];
    grouping.variances[grouping.group_of[cell]] += column.variance;
  }
  grouping.counts = nonnegative(sums, grouping.variances, total);
  grouping.shares.assign(counts.size(), 0);
  for (std::size_t group = 0; group < grouping.groups; ++group) {
    std::vector<std::size_t> cells;
    std::vector<double> own;
    for (std::size_t cell = 0; cell < counts.size(); ++cell) {
      if (grouping.group_of[cell] != group || (cell == column.stray && !strays)) continue;
      cells.push_back(cell);
      own.push_back(counts[cell]);
    }
    const double sum = grouping.counts[group];
    const auto fitted = nonnegative(own, std::vector<double>(own.size(), 1), std::max(sum, 1e-9));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      grouping.shares[cells[i]] = fitted[i] / std::max(sum, 1e-9);
    }
  }
  return grouping;
}

}  // namespace pratique::dp
