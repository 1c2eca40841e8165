#include "pratique/dp/synthesis/evaluation.h"

#include <gtest/gtest.h>

namespace pratique::dp::evaluation_test {
namespace {

EncodedRows rows_of(const std::vector<std::vector<std::uint32_t>>& rows) {
  EncodedRows made{.cells = std::vector<std::vector<std::uint32_t>>(rows.front().size()),
                   .counts = std::vector<std::uint64_t>(rows.size(), 1)};
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) made.cells[c].push_back(row[c]);
  }
  return made;
}

TEST(TotalVariation, IsHalfTheSumOfDifferences) {
  const auto a = rows_of({{0, 0}, {0, 1}, {1, 1}, {1, 1}});
  const auto b = rows_of({{0, 0}, {1, 0}});
  // Shares 1/4, 1/4, 0, 1/2 against 1/2, 0, 1/2, 0.
  EXPECT_DOUBLE_EQ(total_variation(a, b, {0, 1}, {2, 2}), 0.75);
  EXPECT_DOUBLE_EQ(total_variation(a, b, {0}, {2, 2}), 0);
  EXPECT_DOUBLE_EQ(total_variation(a, b, {1}, {2, 2}), 0.75);
  EXPECT_DOUBLE_EQ(total_variation(a, a, {0, 1}, {2, 2}), 0);
}

TEST(MarginalErrors, AreOverAllSetsOfColumns) {
  const auto a = rows_of({{0, 0, 0, 0}, {1, 1, 1, 1}});
  const auto b = rows_of({{0, 0, 0, 1}, {1, 1, 1, 0}});
  const auto pairs = marginal_errors(a, b, {2, 2, 2, 2}, 2);
  EXPECT_EQ(pairs.columns.size(), 6U);
  EXPECT_DOUBLE_EQ(pairs.worst, 1);
  EXPECT_DOUBLE_EQ(pairs.mean, 0.5);  // the three with the last column
  const auto triples = marginal_errors(a, b, {2, 2, 2, 2}, 3);
  EXPECT_EQ(triples.columns.size(), 4U);
  EXPECT_DOUBLE_EQ(triples.mean, 0.75);
}

TEST(Classifier, LearnsWhatTheSyntheticRowsSay) {
  std::vector<std::vector<std::uint32_t>> truth;
  std::vector<std::vector<std::uint32_t>> opposite;
  for (std::uint32_t i = 0; i < 300; ++i) {
    truth.push_back({i % 2, i % 3, i % 2});
    opposite.push_back({i % 2, i % 3, 1 - i % 2});
  }
  const auto original = rows_of(truth);
  const auto right = classifier_accuracy(original, original, {2, 3, 2}, 2);
  EXPECT_DOUBLE_EQ(right.synthetic, 1);
  EXPECT_DOUBLE_EQ(right.original, 1);
  EXPECT_NEAR(right.most_frequent, 0.5, 0.15);
  EXPECT_DOUBLE_EQ(classifier_accuracy(original, rows_of(opposite), {2, 3, 2}, 2).synthetic, 0);
}

TEST(Membership, IsTotalWhereRowsAreCopiedAndNoneWhereTheyAreNot) {
  const auto members = rows_of({{0, 0, 0}, {1, 1, 1}});
  const auto others = rows_of({{2, 2, 2}, {3, 3, 3}});
  EXPECT_DOUBLE_EQ(membership_attack(members, others, members).advantage, 1);
  EXPECT_DOUBLE_EQ(membership_attack(members, others, rows_of({{4, 4, 4}})).advantage, 0);
  // Half of the members are copied.
  const auto half = membership_attack(members, others, rows_of({{0, 0, 0}}));
  EXPECT_DOUBLE_EQ(half.advantage, 0.5);
  EXPECT_EQ(half.members, 2U);
}

TEST(Linkage, GuessesThoseAloneByTheRowsLikeThem) {
  // Two are alike in the first column; (1, .) and (2, .) and (3, .) are alone.
  const auto original = rows_of({{0, 0}, {0, 1}, {1, 1}, {2, 0}, {3, 0}});
  const auto synthetic = rows_of({{0, 0}, {1, 1}, {2, 1}, {2, 1}, {2, 0}});
  const auto attack = linkage_attack(original, synthetic, {4, 2}, 1);
  EXPECT_EQ(attack.targets, 3U);
  EXPECT_EQ(attack.linked, 2U);
  EXPECT_EQ(attack.right, 1U);          // (1, 1); for 2 the rows say 1
  EXPECT_EQ(attack.right_without, 1U);  // 0 is most frequent, and right for 2
}

}  // namespace
}  // namespace pratique::dp::evaluation_test
