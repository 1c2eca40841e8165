// A sensitive column that left at random, as its release says: what it shows is not the truth.
//
// The operator of --rho and --growth is published (tables/method/randomised_release.h): over n
// values it keeps a value with probability gamma x and turns it into each other one with
// probability x, where x = 1 / (gamma + n - 1). So whatever a row shows, any value may be behind
// it, and no value can be ruled out. A row that shows w was v with probability
//
//   P(v | w) = g(v) P(w | v) / m(w),  m(w) = sum over u of g(u) P(w | u) = x + (gamma - 1) x g(w),
//
// where g is the distribution of the originals: the shown shares s solve s = x + (gamma - 1) x g.
// Rows then count in parts, as cells do that cover several values. People of a class are spread
// around g as composition_posterior.h says, Dirichlet(a g): for a class of n rows g is replaced by
// (a g + parts) / (a + n) and the parts are taken again, until they stay (expectation and
// maximisation). The shares that a class shows vary (gamma - 1)^2 x^2 times as much as those behind
// them, and a share p of Dirichlet(a g) has the variance p (1 - p) / (a + 1): so a follows from the
// strength that fits what is shown.
//
// Rows of a synthetic table (dp synthesize) are nobody's: what they show rules no value out for
// anybody, and only frequencies tell something. They are taken for rows of an operator that keeps
// nearly every value, kNobodys: frequencies as they are, and every value still possible.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pratique/manifest/manifest.h"

namespace pratique::fusion {

struct RandomisedColumn {
  // Infinite where the release does not publish an operator over values (--perturb): what is shown
  // is taken for the truth, as a reader would.
  double gamma = std::numeric_limits<double>::infinity();
  std::size_t values = 0;  // n
  bool synthetic = false;  // of a table whose rows are nobody's

  [[nodiscard]] bool has_operator() const {
    return gamma < std::numeric_limits<double>::infinity() && values > 0;
  }
  [[nodiscard]] double other() const { return 1 / (gamma + static_cast<double>(values) - 1); }
};

inline constexpr double kNobodys = 1e6;  // the gamma of synthetic rows

// None where the manifest says nothing about chance in this column.
[[nodiscard]] std::optional<RandomisedColumn> randomised_column(const Manifest& manifest,
                                                                const std::string& column);

// How many rows had each value, where `shown` rows show it. What chance alone would have shown more
// often is none.
[[nodiscard]] std::vector<double> originals_of(std::span<const double> shown,
                                               const RandomisedColumn& column);

// By value: the expected number of `shown` rows that had it, where g is the distribution of the
// originals. More than 0 for each.
[[nodiscard]] std::vector<double> parts_of(std::span<const double> shown, std::span<const double> g,
                                           const RandomisedColumn& column);
// The same for the rows of a class, whose people are spread around g with a strength.
[[nodiscard]] std::vector<double> parts_of(std::span<const double> shown, std::span<const double> g,
                                           double strength, const RandomisedColumn& column);

// The shares that are shown, and the strength behind one that was fitted to them.
[[nodiscard]] std::vector<double> shown_by(std::span<const double> g,
                                           const RandomisedColumn& column);
[[nodiscard]] double strength_behind(double fitted, std::span<const double> g,
                                     std::span<const double> shown, const RandomisedColumn& column);

}  // namespace pratique::fusion
