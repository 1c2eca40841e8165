// Private k-means: Lloyd's rounds on noisy counts and sums (Blum, Dwork, McSherry and Nissim 2005).
//
// Definition. Rows are points; each coordinate is clamped to declared bounds and put on a grid of
// 2^10 steps from the middle of its bounds to either end. A round gives every row to the nearest
// centre, counts the rows of each centre and adds up their coordinates, and moves each centre to
// the mean. Where centres begin follows from the number of columns and chance alone: far apart, as
// the best of several draws has them (Su et al. 2016).
//
// Theorem. With R rounds and d columns it is epsilon-differentially private for neighbours that
// differ by a person with at most N rows. In a round the centres are known, so a person's rows move
// all counts together by at most N, and all sums of one column together by at most 2^10 N: discrete
// Laplace noise of rates e / N and e / (2^10 N), with e = epsilon / (R (d + 1)), costs e for the
// counts and e for each column. Rounds, counts and columns add up to epsilon, however later centres
// depend on earlier answers.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/domain.h"
#include "pratique/dp/mechanism/noise.h"

namespace pratique::dp {

using Point = std::vector<double>;  // every coordinate from -1 to 1

struct WeightedPoint {
  Point at;
  std::uint64_t rows = 1;
};

struct Cluster {
  Point centre;
  double rows = 0;  // noisy, of the last round
};

struct KmeansSettings {
  std::size_t clusters = 2;
  std::size_t rounds = 5;
  std::uint64_t max_rows = 1;
  Epsilon epsilon;
};

// Where `value` lies between the bounds, from -1 to 1; beyond them, at the end.
[[nodiscard]] double scaled(double value, const NumberRange& bounds);
[[nodiscard]] double unscaled(double place, const NumberRange& bounds);

// Follows from nothing in the data.
[[nodiscard]] std::vector<Point> first_centres(std::size_t clusters, std::size_t columns,
                                               RandomBits& random);

[[nodiscard]] std::vector<Cluster> noisy_kmeans(const std::vector<WeightedPoint>& points,
                                                std::vector<Point> centres,
                                                const KmeansSettings& settings, Noise& noise);

}  // namespace pratique::dp
