#include "pratique/dp/synthesis/mst.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/dp/accounting/zcdp.h"
#include "pratique/dp/synthesis/evaluation.h"
#include "pratique/dp/synthesis/generate.h"
#include "pratique/dp/tester/tester.h"

namespace pratique::dp::mst_test {
namespace {

// A chain: each column follows the one before in three rows of four. The last cell of each is
// empty: it is the stray one.
EncodedRows chain(std::size_t columns, std::uint64_t rows, std::uint32_t values) {
  SeededRandom random(11);
  EncodedRows made{.cells = std::vector<std::vector<std::uint32_t>>(columns),
                   .counts = std::vector<std::uint64_t>(rows, 1)};
  for (std::uint64_t row = 0; row < rows; ++row) {
    auto value = static_cast<std::uint32_t>(random.below(values));
    for (auto& column : made.cells) {
      if (random.below(4) == 0) value = static_cast<std::uint32_t>(random.below(values));
      column.push_back(value);
    }
  }
  return made;
}

std::vector<SynthesisColumn> columns_of(std::size_t columns, std::size_t values,
                                        bool ordered = false) {
  return std::vector<SynthesisColumn>(columns, {values + 1, ordered});
}

EncodedRows generated(const SyntheticModel& synthetic, std::uint64_t rows, Noise& noise) {
  RandomBits random = noise.phase("rows");
  EncodedRows made{.cells = generate(synthetic, rows, random),
                   .counts = std::vector<std::uint64_t>(rows, 1)};
  return made;
}

TEST(Nonnegative, MovesAllByTheirVarianceUntilTheSumIsRight) {
  // 3 - 1 and nothing of -1: 2 in all.
  const auto even = nonnegative({3, -1}, {1, 1}, 2);
  EXPECT_NEAR(even[0], 2, 1e-9);
  EXPECT_EQ(even[1], 0);
  // 4 - 2 by and 6 - by are 7 in all with by = 1.
  const auto uneven = nonnegative({4, 6}, {2, 1}, 7);
  EXPECT_NEAR(uneven[0], 2, 1e-9);
  EXPECT_NEAR(uneven[1], 5, 1e-9);
}

TEST(Grouping, NeighboursAndRareValues) {
  const auto ages = grouped(
      {.counts = {5, 6, 20, 3, 4, 1, 0}, .variance = 1, .ordered = true, .stray = 6}, 39, 10, 10);
  EXPECT_EQ(ages.group_of, (std::vector<std::uint32_t>{0, 0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(ages.groups, 2);
  EXPECT_NEAR(ages.shares[0] + ages.shares[1], 1, 1e-6);
  EXPECT_EQ(ages.shares[6], 0);
  const auto words = grouped(
      {.counts = {50, 3, 20, 4, 0}, .variance = 1, .ordered = false, .stray = 4}, 77, 10, 10);
  EXPECT_EQ(words.group_of[0], 0U);
  EXPECT_EQ(words.group_of[2], 1U);
  EXPECT_EQ(words.group_of[1], words.group_of[3]);
  EXPECT_EQ(words.groups, 3);
  EXPECT_NEAR(std::accumulate(words.counts.begin(), words.counts.end(), 0.0), 77, 1e-6);
  // Strays that noise cannot explain are told apart.
  const auto strays =
      grouped({.counts = {50, 50, 40}, .variance = 1, .ordered = true, .stray = 2}, 140, 10, 10);
  EXPECT_EQ(strays.groups, 3);
  EXPECT_NEAR(strays.shares[2], 1, 1e-6);
}

TEST(Apportioned, IsExactInAllAndWithinOneInEach) {
  SeededNoise source(3);
  RandomBits random(std::make_unique<SeededNoise>(3));
  const std::vector<double> weights = {0.5, 2.25, 0, 7, 0.01, 3, 0};
  const double sum = 12.76;
  std::vector<double> mean(weights.size());
  constexpr int kRuns = 4000;
  for (int run = 0; run < kRuns; ++run) {
    const auto counts = apportioned(weights, 37, random);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), 37U);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      EXPECT_LT(std::abs(static_cast<double>(counts[i]) - 37 * weights[i] / sum), 1);
      mean[i] += static_cast<double>(counts[i]) / kRuns;
    }
  }
  for (std::size_t i = 0; i < weights.size(); ++i)
    EXPECT_NEAR(mean[i], 37 * weights[i] / sum, 0.05);
}

TEST(Mst, ReproducesAllPairsWhereNoiseIsNone) {
  const auto rows = chain(3, 3000, 4);
  for (const bool ordered : {false, true}) {
    const auto columns = columns_of(3, 4, ordered);
    const std::vector<std::size_t> sizes(3, 5);
    Noise noise(1);
    const auto synthetic = fit_mst(rows, columns, {.rho = 1e6, .marginals = {}}, noise);
    EXPECT_EQ(synthetic.measured.size(), 3U);
    EXPECT_NEAR(synthetic.rows(), 3000, 1);
    const auto made = generated(synthetic, 3000, noise);
    EXPECT_LT(marginal_errors(rows, made, sizes, 2).worst, 0.01);
  }
}

TEST(Mst, ChoosesTheChainAndSpendsNoMoreThanItHas) {
  const auto rows = chain(5, 20'000, 3);
  for (const double rho : {0.01, 1.0}) {
    Noise noise(2);
    const auto synthetic = fit_mst(rows, columns_of(5, 3), {.rho = rho, .marginals = {}}, noise);
    for (std::size_t c = 0; c + 1 < 5; ++c) {
      const ColumnSet pair = {c, c + 1};
      EXPECT_NE(std::find(synthetic.measured.begin(), synthetic.measured.end(), pair),
                synthetic.measured.end())
          << c;
    }
    EXPECT_LE(synthetic.spent, rho);
    EXPECT_GT(synthetic.spent, 0.9 * rho);
  }
}

TEST(Mst, NamedMarginalsAreMeasured) {
  const auto rows = chain(4, 5000, 3);
  Noise noise(3);
  const auto synthetic =
      fit_mst(rows, columns_of(4, 3), {.rho = 10, .marginals = {{0, 2, 3}}}, noise);
  EXPECT_EQ(synthetic.measured.front(), (ColumnSet{0, 2, 3}));
  const auto made = generated(synthetic, 5000, noise);
  EXPECT_LT(total_variation(rows, made, {0, 2, 3}, {4, 4, 4, 4}), 0.02);
}

TEST(Mst, WorksOnNobodyAndOnOneColumn) {
  Noise noise(4);
  EncodedRows nobody{.cells = {{}, {}}, .counts = {}};
  const auto synthetic = fit_mst(nobody, columns_of(2, 3), {.rho = 0.01, .marginals = {}}, noise);
  EXPECT_EQ(generated(synthetic, 10, noise).rows(), 10U);
  Noise other(5);
  const auto single =
      fit_mst(chain(1, 1000, 4), columns_of(1, 4), {.rho = 1e4, .marginals = {}}, other);
  EXPECT_LT(total_variation(chain(1, 1000, 4), generated(single, 1000, other), {0}, {5}), 0.01);
}

TEST(Mst, AModelThatDoesNotFitIsRefusedByWhatWasDeclared) {
  const std::vector<SynthesisColumn> columns(4, {1000, true});
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  EXPECT_NO_THROW(require_model_fits(columns, {.rho = 1, .marginals = {}, .memory = 1e8}, names));
  EXPECT_THROW(require_model_fits(columns, {.rho = 1, .marginals = {}, .memory = 1e7}, names),
               Error);
  try {
    require_model_fits(columns, {.rho = 1, .marginals = {{0, 2, 3}}, .memory = 1e9}, names);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("a, c, d"), std::string::npos) << error.message();
    EXPECT_NE(error.hint().find("--memory"), std::string::npos);
  }
}

// Told before anything is charged, not halfway through.
TEST(Mst, NoiseThatIsTooLargeForNumbersIsRefused) {
  const auto columns = columns_of(3, 3);
  const std::vector<std::string> names = {"a", "b", "c"};
  for (const std::uint64_t max_rows : {1U, 50U}) {
    for (const double rho : {1e-16, 1e-13, 1e-10, 1e-7, 1e-4}) {
      const SynthesisSettings settings{.rho = rho, .max_rows = max_rows, .marginals = {}};
      bool refused = false;
      try {
        require_model_fits(columns, settings, names);
      } catch (const Error&) {
        refused = true;
      }
      // Gaussian noise is drawn below a deviation of 2^20, so with a variance N^2 / (2 rho) below
      // 2^40; a marginal has only a part of rho.
      const double whole = static_cast<double>(max_rows * max_rows) / (2 * rho);
      if (whole >= 0x1.0p40) {
        EXPECT_TRUE(refused) << rho;
      }
      if (whole < 0x1.0p40 / 1000) {
        EXPECT_FALSE(refused) << rho;
      }
      Noise noise(8);
      if (!refused) {
        EXPECT_NO_THROW((void)fit_mst(chain(3, 50, 3), columns, settings, noise)) << rho;
      }
    }
  }
}

// Column 0 tells as much of column 1 as of column 2: one person decides which pair is first.
EncodedRows tie(bool with) {
  EncodedRows rows{.cells = std::vector<std::vector<std::uint32_t>>(3), .counts = {}};
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint64_t count) {
    rows.cells[0].push_back(a);
    rows.cells[1].push_back(b);
    rows.cells[2].push_back(c);
    rows.counts.push_back(count);
  };
  for (const std::uint32_t a : {0U, 1U}) {
    add(a, a, a, 40);
    add(a, a, 1 - a, 30);
    add(a, 1 - a, a, 30);
    add(a, 1 - a, 1 - a, 10);
  }
  if (with) add(0, 0, 1, 1);
  return rows;
}

std::string chosen(const SyntheticModel& synthetic) {
  std::string text;
  for (const auto& pair : synthetic.measured) text += fmt::format("{} ", fmt::join(pair, "+"));
  return text;
}

constexpr double kDelta = 0.01;
constexpr std::uint64_t kPrivacyRuns = 300;

Sampler honest(bool with) {
  return [with](std::uint64_t run) {
    const std::vector<SynthesisColumn> columns(3, {3, false});
    Noise noise(2 * run + (with ? 1 : 0));
    const auto synthetic = fit_mst(
        tie(with), columns,
        {.rho = zcdp_within(Epsilon::from(1), kDelta), .marginals = {}, .fit_steps = 0}, noise);
    const auto first = std::clamp<std::int64_t>(
        std::llround(synthetic.groupings[0].counts.front()) - 110, -20, 20);
    return chosen(synthetic) + std::to_string(first);
  };
}

// Noise of parameter s^2 costs N^2 / (2 s^2), and a column has a cell's noise in each of its cells.
TEST(MstPrivacy, NoiseIsThatOfAllRowsOfAPerson) {
  for (const std::uint64_t max_rows : {1U, 3U}) {
    Noise noise(6);
    const double rho = 0.2;
    const auto synthetic = fit_mst(chain(3, 5000, 3), columns_of(3, 3),
                                   {.rho = rho, .max_rows = max_rows, .marginals = {}}, noise);
    double cost = 0;
    for (const auto& grouping : synthetic.groupings) {
      ASSERT_EQ(grouping.groups, 3U);  // a cell each
      cost += static_cast<double>(max_rows * max_rows) / (2 * grouping.variances[0]);
    }
    EXPECT_LE(cost, 0.25 * rho);
    EXPECT_GT(cost, 0.24 * rho);
    EXPECT_LE(synthetic.spent, rho);
  }
}

TEST(MstPrivacy, HoldsOnNeighbours) {
  const auto verdict =
      test_privacy({{"a tie", honest(true), honest(false)}}, 1, kDelta, kPrivacyRuns);
  EXPECT_TRUE(verdict.holds) << verdict.epsilon_bound;
}

// The same choice by true scores: who is in the data decides it.
TEST(MstPrivacy, ChoosingByTrueScoresIsCaught) {
  const auto liar = [](bool with) {
    return [with](std::uint64_t) {
      const EncodedRows rows = tie(with);
      std::string best;
      std::int64_t highest = -1;
      for (const ColumnSet& pair : {ColumnSet{0, 2}, ColumnSet{0, 1}}) {
        const auto counts = count_over(rows, pair, {3, 3, 3});
        std::int64_t score = 0;
        for (const std::size_t cell : {0U, 1U, 3U, 4U}) score += std::abs(counts[cell] - 55);
        if (score > highest) best = fmt::format("{}", fmt::join(pair, "+"));
        highest = std::max(highest, score);
      }
      return best;
    };
  };
  const auto verdict = test_privacy({{"a tie", liar(true), liar(false)}}, 1, kDelta, kPrivacyRuns);
  EXPECT_FALSE(verdict.holds);
}

}  // namespace
}  // namespace pratique::dp::mst_test
