#include "pratique/tables/method/internal/post_randomisation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "pratique/core/error.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::post_randomisation_test {
namespace {

std::vector<double> any_distribution(SeededRandom& random, std::size_t n, bool with_zeros) {
  std::vector<double> shares(n);
  double sum = 0;
  for (double& share : shares) {
    share = with_zeros && random.chance(0.3) ? 0 : random.uniform();
    sum += share;
  }
  if (sum == 0) sum = shares[0] = 1;
  for (double& share : shares) share /= sum;
  return shares;
}

Column repeated(const std::vector<std::pair<std::string, int>>& values) {
  Column column;
  column.name = "c";
  for (const auto& [value, times] : values) {
    const Code code = column.dictionary.intern(value);
    column.codes.insert(column.codes.end(), static_cast<std::size_t>(times), code);
  }
  return column;
}

RC_GTEST_PROP(PostRandomisation, BothMatricesAreInvariant, ()) {
  auto random = any_random();
  const std::size_t n = 1 + random.below(6);
  const auto pi = any_distribution(random, n, true);
  const double keep = random.uniform();
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) rows.push_back(any_distribution(random, n, true));

  const auto simple = simple_invariant_matrix(pi, keep);
  const auto two_step = two_step_invariant_matrix(TransitionMatrix(rows), pi);
  for (const auto* matrix : {&simple, &two_step}) {
    for (std::size_t j = 0; j < n; ++j) {
      double released = 0;
      for (std::size_t i = 0; i < n; ++i) released += pi[i] * matrix->at(i, j);
      RC_ASSERT(std::abs(released - pi[j]) < 1e-12);
    }
  }
  for (std::size_t i = 0; i < n; ++i) RC_ASSERT(simple.at(i, i) >= keep - 1e-12);
}

TEST(PostRandomisation, TheTwoStepsByHand) {
  // pi = (1/2, 1/2), R = (1 0; 1/2 1/2): lambda = (3/4, 1/4), Q = (2/3 1/3; 0 1),
  // P = R Q = (2/3 1/3; 1/3 2/3).
  const std::vector<double> pi = {0.5, 0.5};
  const auto matrix = two_step_invariant_matrix(TransitionMatrix({{1, 0}, {0.5, 0.5}}), pi);
  EXPECT_NEAR(matrix.at(0, 0), 2.0 / 3, 1e-12);
  EXPECT_NEAR(matrix.at(0, 1), 1.0 / 3, 1e-12);
  EXPECT_NEAR(matrix.at(1, 0), 1.0 / 3, 1e-12);
  EXPECT_NEAR(matrix.at(1, 1), 2.0 / 3, 1e-12);
}

TEST(PostRandomisation, DrawsAsTheMatrixSays) {
  const Column column = repeated({{"a", 30000}, {"", 1000}, {"b", 15000}, {"c", 5000}});
  const auto pi = marginals(column);
  EXPECT_EQ(pi, (std::vector<double>{0.6, 0, 0.3, 0.1}));
  constexpr double kKeep = 0.7;
  const auto matrix = simple_invariant_matrix(pi, kKeep);
  SeededNoise noise(3);
  // Without the matrix and with it: the same transitions.
  for (const Column& out :
       {post_randomise(column, kKeep, noise), post_randomise(column, matrix, noise)}) {
    std::vector<std::vector<double>> moved(4, std::vector<double>(4, 0));
    for (std::size_t row = 0; row < column.codes.size(); ++row) {
      moved[column.codes[row]][out.codes[row]] += 1;
    }
    EXPECT_EQ(moved[1][1], 1000);  // missing stays missing
    const auto counts = column.counts();
    for (const Code i : {0U, 2U, 3U}) {
      const auto n = static_cast<double>(counts[i]);
      for (const Code j : {0U, 2U, 3U}) {
        const double p = matrix.at(i, j);
        EXPECT_NEAR(moved[i][j] / n, p, 5 * std::sqrt(p * (1 - p) / n)) << i << " to " << j;
      }
      EXPECT_EQ(moved[i][1], 0);
    }
  }
}

TEST(PostRandomisation, WithinNodesAValueStaysUnderItsNode) {
  Column column = repeated({{"21", 500}, {"25", 300}, {"38", 400}, {"39", 1}, {"", 7}});
  const Hierarchy hierarchy =
      make_hierarchy("interval:10", column.dictionary, column.counts(), column.name);
  SeededNoise noise(5);
  const Column out = post_randomise_within(column, 0, hierarchy, 1, noise);
  int changed = 0;
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    EXPECT_EQ(column.text(row).substr(0, 1), out.text(row).substr(0, 1));
    changed += column.codes[row] == out.codes[row] ? 0 : 1;
  }
  // 800 twenties: each becomes the other kind with probability 3/8 or 5/8; 375 in expectation.
  EXPECT_NEAR(changed, 375, 90);
  EXPECT_THROW((void)post_randomise_within(column, 0, hierarchy, 0, noise), Error);
  EXPECT_THROW((void)post_randomise_within(column, 0, hierarchy, hierarchy.height(), noise), Error);
}

TEST(PostRandomisation, RefusesMatricesThatAreNone) {
  using Matrix = std::vector<std::vector<double>>;
  EXPECT_THROW(TransitionMatrix(Matrix{}), Error);
  EXPECT_THROW(TransitionMatrix(Matrix{{0.5, 0.4}, {0, 1}}), Error);
  EXPECT_THROW(TransitionMatrix(Matrix{{1.5, -0.5}, {0, 1}}), Error);
  EXPECT_THROW(TransitionMatrix(Matrix{{1}, {1}}), Error);
  SeededNoise noise(1);
  const Column column = repeated({{"a", 1}, {"", 1}});
  EXPECT_THROW((void)post_randomise(column, TransitionMatrix(Matrix{{1}}), noise), Error);
  EXPECT_THROW((void)post_randomise(column, TransitionMatrix(Matrix{{0.5, 0.5}, {0, 1}}), noise),
               Error);
}

}  // namespace
}  // namespace pratique::tables::post_randomisation_test
