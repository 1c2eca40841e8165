#include "pratique/tables/method/internal/post_randomisation.h"

#include <fmt/format.h>

#include "pratique/core/error.h"

namespace pratique::tables {
namespace {

Column same_values(const Column& column) {
  Column out;
  out.name = column.name;
  for (const auto value : column.dictionary.values()) out.dictionary.intern(value);
  out.codes = column.codes;
  return out;
}

// group_of: by code. The missing value's group is not looked at.
Column within_groups(const Column& column, double keep, const std::vector<std::uint32_t>& group_of,
                     std::size_t groups, NoiseSource& noise) {
  const auto missing = column.dictionary.find("");
  std::vector<std::vector<Code>> records(groups);
  for (const Code code : column.codes) {
    if (code != missing) records[group_of[code]].push_back(code);
  }
  Column out = same_values(column);
  for (Code& code : out.codes) {
    if (code == missing || noise.chance(keep)) continue;
    const auto& others = records[group_of[code]];
    code = others[noise.below(others.size())];
  }
  return out;
}

}  // namespace

TransitionMatrix simple_invariant_matrix(std::span<const double> pi, double keep) {
  std::vector<std::vector<double>> rows(pi.size());
  for (std::size_t i = 0; i < pi.size(); ++i) {
    for (const double share : pi) rows[i].push_back((1 - keep) * share);
    rows[i][i] += keep;
  }
  return TransitionMatrix(std::move(rows));
}

TransitionMatrix two_step_invariant_matrix(const TransitionMatrix& transition,
                                           std::span<const double> pi) {
  const std::size_t n = transition.size();
  if (pi.size() != n) {
    throw Error::input(fmt::format("{} shares do not match a matrix of {} values", pi.size(), n));
  }
  const auto lambda = transition.released(pi);
  std::vector<std::vector<double>> rows(n, std::vector<double>(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const double step = transition.at(i, k);
      if (step == 0) continue;
      if (lambda[k] == 0) {
        rows[i][k] += step;
        continue;
      }
      for (std::size_t j = 0; j < n; ++j) {
        rows[i][j] += step * pi[j] * transition.at(j, k) / lambda[k];
      }
    }
  }
  return TransitionMatrix(std::move(rows));
}

std::vector<double> marginals(const Column& column) {
  auto counts = column.counts();
  if (const auto missing = column.dictionary.find("")) counts[*missing] = 0;
  double total = 0;
  for (const auto count : counts) total += static_cast<double>(count);
  std::vector<double> shares(counts.size(), 0);
  for (std::size_t i = 0; i < shares.size() && total > 0; ++i) {
    shares[i] = static_cast<double>(counts[i]) / total;
  }
  return shares;
}

Column post_randomise(const Column& column, double keep, NoiseSource& noise) {
  return within_groups(column, keep, std::vector<std::uint32_t>(column.dictionary.size(), 0), 1,
                       noise);
}

Column post_randomise_within(const Column& column, double keep, const Hierarchy& hierarchy,
                             int level, NoiseSource& noise) {
  if (level < 1 || level >= hierarchy.height()) {
    throw Error::input(
        fmt::format("the hierarchy of {} has no level {} above its values", column.name, level))
        .hint(fmt::format("its levels above the values are 1 to {}", hierarchy.height() - 1));
  }
  std::vector<std::uint32_t> group_of(column.dictionary.size(), 0);
  const auto& values = column.dictionary.values();
  const auto counts = column.counts();
  Dictionary present;  // the missing value needs no place in the tree
  std::vector<Code> codes;
  std::vector<std::uint64_t> present_counts;
  for (Code code = 0; code < values.size(); ++code) {
    if (values[code].empty()) continue;
    present.intern(values[code]);
    codes.push_back(code);
    present_counts.push_back(counts[code]);
  }
  const auto leaves = hierarchy.bind(present, present_counts, column.name);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    group_of[codes[i]] = hierarchy.ancestor(leaves[i], level);
  }
  return within_groups(column, keep, group_of, hierarchy.node_count(), noise);
}

Column post_randomise(const Column& column, const TransitionMatrix& matrix, NoiseSource& noise) {
  if (matrix.size() != column.dictionary.size()) {
    throw Error::input(fmt::format("{} has {} values, its transition matrix {}", column.name,
                                   column.dictionary.size(), matrix.size()))
        .hint("give one row and one column per value of the column, in their order");
  }
  const auto missing = column.dictionary.find("");
  if (missing) {
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      if (i != *missing && matrix.at(i, *missing) > 0) {
        throw Error::input(
            fmt::format("the transition matrix of {} makes values missing", column.name))
            .hint("set the missing value's column to 0 in all other rows");
      }
    }
  }
  Column out = same_values(column);
  const auto drawn = matrix.draw(column.codes, noise);
  for (std::size_t row = 0; row < drawn.size(); ++row) {
    if (out.codes[row] != missing) out.codes[row] = drawn[row];
  }
  return out;
}

}  // namespace pratique::tables
