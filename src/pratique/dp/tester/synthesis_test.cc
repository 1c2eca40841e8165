#include "pratique/dp/tester/synthesis.h"

#include <gtest/gtest.h>

#include "pratique/dp/synthesis/generate.h"

namespace pratique::dp::synthesis_test {
namespace {

constexpr double kDelta = 0.01;
constexpr std::uint64_t kRuns = 1000;

using Rows = std::vector<std::vector<std::uint32_t>>;

TestVerdict judged(const Synthesiser& synthesiser) {
  return test_privacy(pairs_of_tables(synthesiser, Epsilon::from(1), kDelta), 1, kDelta, kRuns);
}

TEST(SynthesisUnderTest, TheSynthesiserHolds) {
  const auto verdict = judged(synthesised);
  EXPECT_TRUE(verdict.holds) << verdict.epsilon_bound;
  EXPECT_EQ(verdict.pairs.size(), 4U);
}

// As many synthetic rows as there are true ones.
TEST(SynthesisUnderTest, TheTrueNumberOfRowsIsCaught) {
  const auto verdict =
      judged([](const EncodedRows& rows, const auto& columns, double rho, Noise& noise) -> Rows {
        const auto model =
            fit_mst(rows, columns, {.rho = rho, .marginals = {}, .fit_steps = 5}, noise);
        RandomBits of_rows = noise.phase("synthetic rows");
        return generate(model, rows.rows(), of_rows);
      });
  EXPECT_FALSE(verdict.holds);
}

// A fiftieth of the noise: 2,500 times the rho that is claimed.
TEST(SynthesisUnderTest, NoiseThatIsTooSmallIsCaught) {
  const auto verdict =
      judged([](const EncodedRows& rows, const auto& columns, double rho, Noise& noise) {
        return synthesised(rows, columns, 2500 * rho, noise);
      });
  EXPECT_FALSE(verdict.holds);
}

// A value that somebody has, but nobody declared, is told where it occurs.
TEST(SynthesisUnderTest, AStrayValueThatIsToldAsItIsIsCaught) {
  const auto verdict =
      judged([](const EncodedRows& rows, const auto& columns, double rho, Noise& noise) {
        Rows cells = synthesised(rows, columns, rho, noise);
        for (std::size_t row = 0; row < rows.counts.size(); ++row) {
          if (rows.cells[0][row] + 1 < columns[0].cells) continue;
          cells[0].push_back(rows.cells[0][row]);
          cells[1].push_back(rows.cells[1][row]);
        }
        return cells;
      });
  EXPECT_FALSE(verdict.holds);
}

}  // namespace
}  // namespace pratique::dp::synthesis_test
