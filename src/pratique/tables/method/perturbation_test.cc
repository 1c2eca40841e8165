#include "pratique/tables/method/perturbation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::perturbation_test {
namespace {

Column column_of(const std::vector<std::string>& cells) {
  Column column;
  column.name = "c";
  for (const auto& cell : cells) column.codes.push_back(column.dictionary.intern(cell));
  return column;
}

std::vector<std::string> texts(const Column& column) {
  std::vector<std::string> cells;
  for (std::size_t row = 0; row < column.codes.size(); ++row) cells.emplace_back(column.text(row));
  return cells;
}

Column apply(const std::string& text, const Column& column, std::uint64_t seed = 1) {
  SeededNoise noise(seed);
  return perturb(column, parse_perturbation(text), noise);
}

std::string message_of(const std::string& text) {
  try {
    (void)parse_perturbation(text);
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty()) << text;
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    return error.message();
  }
  return "";
}

TEST(Perturbation, ReadsItsOwnText) {
  for (const std::string text :
       {"noise:0.1", "noise:abs:5", "noise:0.1:clamp", "noise:abs:2.5:clamp", "round:10",
        "round:0.50:random", "swap:5", "pram:0.8", "pram:0", "pram:0.8:2"}) {
    EXPECT_EQ(to_string(parse_perturbation(text)), text);
  }
}

TEST(Perturbation, SaysWhatIsWrongWithAText) {
  EXPECT_NE(message_of("blur:3").find("no operator 'blur'"), std::string::npos);
  EXPECT_NE(message_of("").find("no operator ''"), std::string::npos);
  EXPECT_NE(message_of("noise").find("the deviation is missing"), std::string::npos);
  EXPECT_NE(message_of("noise:-1").find("the deviation must be above 0"), std::string::npos);
  EXPECT_NE(message_of("noise:abs").find("the deviation is missing"), std::string::npos);
  EXPECT_NE(message_of("noise:1:clamped").find("'clamped' is not expected"), std::string::npos);
  EXPECT_NE(message_of("round:0").find("the base must be above 0"), std::string::npos);
  EXPECT_NE(message_of("round:ten").find("the base is missing"), std::string::npos);
  EXPECT_NE(message_of("swap:101").find("above 100"), std::string::npos);
  EXPECT_NE(message_of("pram:1").find("below 1"), std::string::npos);
  EXPECT_NE(message_of("pram:0.8:0").find("whole number of 1"), std::string::npos);
  EXPECT_NE(message_of("pram:0.8:1:2").find("'2' is not expected"), std::string::npos);
}

RC_GTEST_PROP(Perturbation, AnyTextIsRefusedOrReadTheSameAgain, ()) {
  static const std::vector<std::string> kPieces = {"noise", "round", "swap",  "pram",   ":",
                                                   ":",     "abs",   "clamp", "random", "0.5",
                                                   "10",    "-3",    "0",     "1e5",    "x"};
  std::string text;
  for (int i = *rc::gen::inRange(0, 8); i > 0; --i) text += *rc::gen::elementOf(kPieces);
  try {
    const std::string again = to_string(parse_perturbation(text));
    RC_ASSERT(to_string(parse_perturbation(again)) == again);
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::bad_input);
    RC_ASSERT(!error.hint().empty());
  }
}

TEST(Perturbation, RefusesAColumnThatDoesNotSuitWithoutShowingItsValues) {
  const Column names = column_of({"smith", "12", ""});
  for (const std::string text : {"noise:0.1", "round:10", "round:10:random", "swap:50"}) {
    try {
      (void)apply(text, names);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ((error.message() + error.hint()).find("smith"), std::string::npos);
      EXPECT_FALSE(error.hint().empty());
    }
  }
  EXPECT_THROW((void)apply("pram:0.5:1", names), Error);
}

TEST(AdditiveNoise, HasTheDeviationThatWasAskedFor) {
  std::vector<std::string> cells(20000, "100.0");
  std::fill(cells.begin(), cells.begin() + 10000, "140.0");
  cells.emplace_back("");
  const Column column = column_of(cells);
  // The column's own deviation is 20.
  for (const auto& [text, deviation] :
       std::map<std::string, double>{{"noise:0.5", 10}, {"noise:abs:3", 3}}) {
    const auto noisy = texts(apply(text, column));
    EXPECT_EQ(noisy.back(), "");
    double sum = 0;
    double squares = 0;
    double within = 0;
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
      EXPECT_EQ(decimals(noisy[i]), 1U);
      const double step = to_double(noisy[i]) - to_double(cells[i]);
      sum += step;
      squares += step * step;
      within += std::abs(step) <= deviation ? 1 : 0;
    }
    const double n = 20000;
    // Five standard errors: deviation / sqrt(n) of the mean, deviation / sqrt(2n) of the deviation.
    EXPECT_NEAR(sum / n, 0, 5 * deviation / std::sqrt(n));
    EXPECT_NEAR(std::sqrt(squares / n), deviation, 5 * deviation / std::sqrt(2 * n) + 0.01);
    // Gauss: 68.27 % lie within one deviation; the slack is for the rounding to tenths.
    EXPECT_NEAR(within / n, 0.6827, 0.025);
  }
}

TEST(AdditiveNoise, ClampsToTheRangeAndWritesNoNegativeZero) {
  const Column column = column_of({"0", "1", "2", "3"});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const auto& cell : texts(apply("noise:abs:4:clamp", column, seed))) {
      EXPECT_TRUE(cell == "0" || cell == "1" || cell == "2" || cell == "3") << cell;
    }
    for (const auto& cell : texts(apply("noise:abs:0.4", column, seed))) EXPECT_NE(cell, "-0");
  }
}

TEST(AdditiveNoise, RecordsOfOneGroupGetTheirOwnNoise) {
  const std::vector<std::uint64_t> counts = {3, 0, 2};
  const Column records = by_record(column_of({"5.000", "6.000", "7.000"}), counts);
  EXPECT_EQ(texts(records),
            (std::vector<std::string>{"5.000", "5.000", "5.000", "7.000", "7.000"}));
  const auto noisy = texts(apply("noise:abs:10", records));
  EXPECT_NE(noisy[0], noisy[1]);
  EXPECT_NE(noisy[1], noisy[2]);
}

TEST(Rounding, GoesToTheNearestMultiple) {
  EXPECT_EQ(
      texts(apply("round:10", column_of({"14", "15", "-14", "-15", "-16", "", "20", "4.99"}))),
      (std::vector<std::string>{"10", "20", "-10", "-20", "-20", "", "20", "0"}));
  EXPECT_EQ(texts(apply("round:0.25", column_of({"1.1", "1.125", "-1.125", "2"}))),
            (std::vector<std::string>{"1.00", "1.25", "-1.25", "2.00"}));
  EXPECT_THROW((void)apply("round:10", column_of({"12345678901234567890"})), Error);
}

RC_GTEST_PROP(Rounding, AtRandomKeepsTheTotalAndMovesNoValueByTheBase, ()) {
  auto random = any_random();
  const auto base = static_cast<std::int64_t>(1 + random.below(20));
  std::vector<std::string> cells;
  std::int64_t total = 0;
  for (std::size_t i = 0; i < 1 + random.below(40); ++i) {
    const std::int64_t value = random.between(-100, 100);
    total += value;
    cells.push_back(std::to_string(value));
  }
  const auto rounded =
      texts(apply("round:" + std::to_string(base) + ":random", column_of(cells), random.next()));
  std::int64_t after = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::int64_t value = std::stoll(rounded[i]);
    after += value;
    RC_ASSERT(value % base == 0);
    RC_ASSERT(std::abs(value - std::stoll(cells[i])) < base);
  }
  RC_ASSERT(std::abs(after - total) < base);
}

TEST(Rounding, AtRandomHasTheValueAsItsExpectation) {
  const std::vector<std::string> cells = {"3", "7", "10", "-3", "25"};
  std::vector<double> sum(cells.size(), 0);
  constexpr int kRuns = 20000;
  SeededNoise noise(7);
  const Column column = column_of(cells);
  const auto how = parse_perturbation("round:10:random");
  for (int run = 0; run < kRuns; ++run) {
    const auto rounded = texts(perturb(column, how, noise));
    for (std::size_t i = 0; i < cells.size(); ++i) sum[i] += to_double(rounded[i]);
  }
  // A rounding has a deviation of at most 5; five standard errors.
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_NEAR(sum[i] / kRuns, to_double(cells[i]), 5 * 5 / std::sqrt(kRuns)) << cells[i];
  }
}

RC_GTEST_PROP(RankSwapping, PermutesTheValuesWithinTheReach, ()) {
  auto random = any_random();
  const std::size_t n = 20 + random.below(200);
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < n; ++i) {
    cells.push_back(random.chance(0.1) ? "" : std::to_string(random.below(1000)));
  }
  cells[0] = "1";
  const std::uint64_t percent = 20 + random.below(40);
  const auto swapped =
      texts(apply("swap:" + std::to_string(percent), column_of(cells), random.next()));
  auto before = cells;
  auto after = swapped;
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  RC_ASSERT(before == after);

  std::vector<int> sorted;
  for (const auto& cell : cells) {
    if (!cell.empty()) sorted.push_back(std::stoi(cell));
  }
  std::sort(sorted.begin(), sorted.end());
  // With ties a value has a run of ranks; the nearest ends of two runs are within the reach.
  const auto run = [&](int value) {
    const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), value);
    return std::pair(low - sorted.begin(), high - sorted.begin() - 1);
  };
  for (std::size_t i = 0; i < n; ++i) {
    RC_ASSERT(cells[i].empty() == swapped[i].empty());
    if (cells[i].empty()) continue;
    const auto a = run(std::stoi(cells[i]));
    const auto b = run(std::stoi(swapped[i]));
    const auto apart = std::max(b.first - a.second, a.first - b.second);
    RC_ASSERT(static_cast<double>(apart) * 100 <=
              static_cast<double>(percent) * static_cast<double>(sorted.size()));
  }
}

TEST(RankSwapping, MovesNearlyEveryRecordAndTakesDates) {
  std::vector<std::string> cells(1000);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = std::to_string(i);
  const auto swapped = texts(apply("swap:5", column_of(cells)));
  int same = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) same += cells[i] == swapped[i] ? 1 : 0;
  EXPECT_LT(same, 20);
  EXPECT_EQ(texts(apply("swap:50", column_of({"2001-05-01", "1999-12-31"}))),
            (std::vector<std::string>{"1999-12-31", "2001-05-01"}));
  EXPECT_THROW((void)apply("swap:5", column_of({"1", "2", "3"})), Error);
}

TEST(NoiseSource, OfTheSystemIsUniformAndNeverTheSame) {
  SystemNoise first;
  SystemNoise second;
  int equal = 0;
  std::vector<int> seen(10, 0);
  for (int i = 0; i < 5000; ++i) {
    equal += first.next() == second.next() ? 1 : 0;
    ++seen[first.below(10)];
  }
  EXPECT_EQ(equal, 0);
  // Binomial(5000, 0.1) has a deviation of 21.2; seven of them fail once in 10^10 runs.
  for (const int count : seen) EXPECT_NEAR(count, 500, 149);
}

}  // namespace
}  // namespace pratique::tables::perturbation_test
