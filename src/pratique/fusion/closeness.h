// How near estimates come to the private values.
//
// Dissimilarity is definition 1 of Ganta and Acharya 2008 (definition 10 of Ganta 2009): the mean
// square distance (1/m) Tr((D1 - D2)^T (D1 - D2)), here over the one attribute that is estimated,
// in its own units squared.
#pragma once

#include <cstddef>
#include <vector>

namespace pratique::fusion {

struct Closeness {
  std::size_t scored = 0;  // rows whose private value is known
  double dissimilarity = 0;
  double within_5_percent = 0;  // the share whose estimate is off by at most 5 % of the value
  double within_10_percent = 0;
  double rank_correlation = 0;  // Spearman's, ties share their mean rank; 0 where one side is flat
};

// `truth` is not a number where it is not known.
[[nodiscard]] Closeness closeness(const std::vector<double>& truth,
                                  const std::vector<double>& estimates);

// Of an adversary who takes for everybody the mean of the others in the same group, and of all
// others where there are none: whoever knows everybody else, and sees the groups.
[[nodiscard]] double dissimilarity_by_groups(const std::vector<double>& truth,
                                             const std::vector<std::size_t>& group_of);

// Of the known values; 0 without any.
[[nodiscard]] double variance_of_known(const std::vector<double>& truth);

}  // namespace pratique::fusion
