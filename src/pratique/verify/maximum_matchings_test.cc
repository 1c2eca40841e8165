#include "pratique/verify/internal/maximum_matchings.h"

#include <gtest/gtest.h>

#include <numeric>

#include "pratique/crypto/random.h"

namespace pratique::verify::maximum_matchings_test {
namespace {

using Matrix = std::vector<std::vector<bool>>;  // links[left][right]

// Every matching is tried; `in_union` has the edges of those that are of the largest size.
class Enumeration {
 public:
  explicit Enumeration(const Matrix& links, std::size_t right)
      : links_(links), taken_(right, false), partner_(links.size(), -1) {
    in_union.assign(links.size(), std::vector<bool>(right, false));
    try_from(0, 0);
  }
  std::size_t largest = 0;
  std::size_t count = 0;
  Matrix in_union;

 private:
  void try_from(std::size_t left, std::size_t size) {
    if (left == links_.size()) {
      if (size < largest) return;
      if (size > largest) {
        for (auto& row : in_union) row.assign(row.size(), false);
        largest = size;
        count = 0;
      }
      ++count;
      for (std::size_t l = 0; l < links_.size(); ++l) {
        if (partner_[l] >= 0) in_union[l][static_cast<std::size_t>(partner_[l])] = true;
      }
      return;
    }
    try_from(left + 1, size);
    for (std::size_t right = 0; right < taken_.size(); ++right) {
      if (!links_[left][right] || taken_[right]) continue;
      taken_[right] = true;
      partner_[left] = static_cast<int>(right);
      try_from(left + 1, size + 1);
      partner_[left] = -1;
      taken_[right] = false;
    }
  }

  const Matrix& links_;
  std::vector<bool> taken_;
  std::vector<int> partner_;
};

GroupGraph graph_of(const Matrix& links, std::size_t right) {
  GroupGraph graph;
  graph.left_size.assign(links.size(), 1);
  graph.right_size.assign(right, 1);
  graph.first.push_back(0);
  for (const auto& row : links) {
    for (std::size_t r = 0; r < right; ++r) {
      if (row[r]) graph.linked.push_back(static_cast<std::uint32_t>(r));
    }
    graph.first.push_back(graph.linked.size());
  }
  return graph;
}

Matrix union_of(const GroupGraph& graph, const MaximumMatchings& matchings) {
  Matrix result(graph.left_size.size(), std::vector<bool>(graph.right_size.size(), false));
  for (std::size_t l = 0; l < graph.left_size.size(); ++l) {
    for (auto link = graph.first[l]; link < graph.first[l + 1]; ++link) {
      result[l][graph.linked[link]] = matchings.in_union[link] != 0;
    }
  }
  return result;
}

void expect_as_enumerated(const Matrix& links, std::size_t right) {
  const Enumeration expected(links, right);
  const GroupGraph graph = graph_of(links, right);
  const MaximumMatchings matchings = maximum_matchings(graph, Progress::silent());
  ASSERT_EQ(matchings.edges, expected.largest);
  ASSERT_EQ(union_of(graph, matchings), expected.in_union);
}

TEST(MaximumMatchings, EveryGraphUpToFourByFour) {
  for (std::size_t left = 1; left <= 4; ++left) {
    for (std::size_t right = 1; right <= 4; ++right) {
      for (unsigned bits = 0; bits < 1U << (left * right); ++bits) {
        Matrix links(left, std::vector<bool>(right));
        for (std::size_t cell = 0; cell < left * right; ++cell) {
          links[cell / right][cell % right] = ((bits >> cell) & 1U) != 0;
        }
        ASSERT_NO_FATAL_FAILURE(expect_as_enumerated(links, right)) << bits;
      }
    }
  }
}

TEST(MaximumMatchings, RandomGraphsUpToSevenBySeven) {
  SeededRandom random(7);
  for (int round = 0; round < 1500; ++round) {
    const auto left = 1 + random.below(7);
    const auto right = 1 + random.below(7);
    const double density = 0.15 + 0.6 * random.uniform();
    Matrix links(left, std::vector<bool>(right));
    for (auto& row : links) {
      for (std::size_t r = 0; r < right; ++r) row[r] = random.chance(density);
    }
    ASSERT_NO_FATAL_FAILURE(expect_as_enumerated(links, right)) << round;
  }
}

// A group of n is n vertices with the same links; a group of none is not there.
TEST(MaximumMatchings, GroupsAreTheirMembers) {
  SeededRandom random(8);
  for (int round = 0; round < 1500; ++round) {
    const auto left = 1 + random.below(4);
    const auto right = 1 + random.below(4);
    Matrix links(left, std::vector<bool>(right));
    for (auto& row : links) {
      for (std::size_t r = 0; r < right; ++r) row[r] = random.chance(0.5);
    }
    GroupGraph graph = graph_of(links, right);
    std::vector<std::size_t> left_of;
    std::vector<std::size_t> right_of;
    for (std::size_t l = 0; l < left; ++l) {
      graph.left_size[l] = static_cast<std::uint32_t>(random.below(4));
      left_of.insert(left_of.end(), graph.left_size[l], l);
    }
    for (std::size_t r = 0; r < right; ++r) {
      graph.right_size[r] = static_cast<std::uint32_t>(random.below(4));
      right_of.insert(right_of.end(), graph.right_size[r], r);
    }
    if (left_of.size() > 7 || right_of.size() > 7) continue;
    Matrix members(left_of.size(), std::vector<bool>(right_of.size()));
    for (std::size_t l = 0; l < left_of.size(); ++l) {
      for (std::size_t r = 0; r < right_of.size(); ++r) {
        members[l][r] = links[left_of[l]][right_of[r]];
      }
    }
    const Enumeration expected(members, right_of.size());
    const MaximumMatchings matchings = maximum_matchings(graph, Progress::silent());
    ASSERT_EQ(matchings.edges, expected.largest) << round;
    const Matrix groups = union_of(graph, matchings);
    Matrix expected_groups(left, std::vector<bool>(right));
    for (std::size_t l = 0; l < left_of.size(); ++l) {
      for (std::size_t r = 0; r < right_of.size(); ++r) {
        ASSERT_EQ(groups[left_of[l]][right_of[r]], expected.in_union[l][r]) << round;
        if (expected.in_union[l][r]) expected_groups[left_of[l]][right_of[r]] = true;
      }
    }
    ASSERT_EQ(groups, expected_groups) << round;
  }
}

// Figure 6.7 of Malin's thesis with row tgac as 1 0 1 1: nine maximum matchings, every edge in one.
TEST(MaximumMatchings, FigureSixSeven) {
  const Matrix links = {{true, true, true, false},
                        {true, true, false, true},
                        {true, false, true, true},
                        {false, true, true, true}};
  const Enumeration expected(links, 4);
  EXPECT_EQ(expected.count, 9U);
  EXPECT_EQ(expected.in_union, links);
  expect_as_enumerated(links, 4);
}

// A chain of n steps has one perfect matching; its search goes through all of it.
TEST(MaximumMatchings, LongChain) {
  const std::uint32_t n = 100'000;
  GroupGraph graph;
  graph.left_size.assign(n, 1);
  graph.right_size.assign(n, 1);
  graph.first.push_back(0);
  for (std::uint32_t l = 0; l < n; ++l) {
    if (l + 1 < n) graph.linked.push_back(l + 1);
    graph.linked.push_back(l);
    graph.first.push_back(graph.linked.size());
  }
  const MaximumMatchings matchings = maximum_matchings(graph, Progress::silent());
  EXPECT_EQ(matchings.edges, n);
  EXPECT_EQ(std::accumulate(matchings.in_union.begin(), matchings.in_union.end(), 0U), n);
}

}  // namespace
}  // namespace pratique::verify::maximum_matchings_test
