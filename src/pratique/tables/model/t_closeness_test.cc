// The three distances against the transport problem itself, solved by augmenting paths.
#include "pratique/tables/model/t_closeness.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/tables/testing/models_for_test.h"

namespace pratique::tables::t_closeness_test {
namespace {

using Masses = std::vector<int>;
using Cost = std::function<double(std::size_t, std::size_t)>;

// The least cost of moving `from` to `to`, unit by unit along the cheapest path that is left. Both
// have one sum.
double least_work(const Masses& from, const Masses& to, const Cost& cost) {
  const std::size_t n = from.size();
  std::vector<Masses> moved(n, Masses(n, 0));
  Masses supply = from;
  Masses demand = to;
  double total = 0;
  for (;;) {
    // Distances to suppliers (0..n-1) and receivers (n..2n-1), Bellman-Ford.
    std::vector<double> distance(2 * n, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> before(2 * n, 2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      if (supply[i] > 0) distance[i] = 0;
    }
    for (std::size_t round = 0; round < 2 * n; ++round) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          if (distance[i] + cost(i, j) < distance[n + j] - 1e-12) {
            distance[n + j] = distance[i] + cost(i, j);
            before[n + j] = i;
          }
          if (moved[i][j] > 0 && distance[n + j] - cost(i, j) < distance[i] - 1e-12) {
            distance[i] = distance[n + j] - cost(i, j);
            before[i] = n + j;
          }
        }
      }
    }
    std::size_t best = 2 * n;
    for (std::size_t j = 0; j < n; ++j) {
      if (demand[j] > 0 && (best == 2 * n || distance[n + j] < distance[best])) best = n + j;
    }
    if (best == 2 * n) return total;
    total += distance[best];
    --demand[best - n];
    std::size_t at = best;
    while (before[at] != 2 * n) {
      const std::size_t previous = before[at];
      if (at >= n) {
        ++moved[previous][at - n];
      } else {
        --moved[at][previous - n];
      }
      at = previous;
    }
    --supply[at];
  }
}

constexpr std::size_t kValues = 6;

// A tree of height 3 or 4 over a, b, ... with random parents.
struct AnyTree {
  std::vector<std::vector<std::string>> paths;
  Hierarchy hierarchy;

  explicit AnyTree(SeededRandom& random) : hierarchy(grow(random, paths)) {}

  static Hierarchy grow(SeededRandom& random, std::vector<std::vector<std::string>>& paths) {
    const bool high = random.chance(0.5);
    std::vector<int> upper(3);
    for (int& parent : upper) parent = static_cast<int>(random.between(0, 1));
    Hierarchy::Builder builder("tree");
    for (std::size_t i = 0; i < kValues; ++i) {
      const int parent = static_cast<int>(random.between(0, 2));
      std::vector<std::string> path = {std::string(1, static_cast<char>('a' + i)),
                                       "p" + std::to_string(parent)};
      if (high) path.push_back("u" + std::to_string(upper[static_cast<std::size_t>(parent)]));
      path.emplace_back("*");
      paths.push_back(path);
      const std::vector<std::string_view> views(path.begin(), path.end());
      builder.add(views);
    }
    return builder.build();
  }

  // From the paths alone: how far up two values meet, over how far it is to the top.
  [[nodiscard]] double distance(std::size_t i, std::size_t j) const {
    std::size_t level = 0;
    while (paths[i][level] != paths[j][level]) ++level;
    return static_cast<double>(level) / static_cast<double>(paths[i].size() - 1);
  }
};

RC_GTEST_PROP(TCloseness, IsTheLeastWork, ()) {
  SeededRandom random = any_random();
  const AnyTree tree(random);
  std::vector<std::string> names;
  std::vector<std::string> digits;
  std::vector<std::uint64_t> whole;
  TestClass eq_class(1);
  Masses of_class(kValues, 0);
  int records = 0;
  for (Code code = 0; code < kValues; ++code) {
    names.emplace_back(1, static_cast<char>('a' + code));
    digits.push_back(std::to_string(3 * code));
    of_class[code] = static_cast<int>(random.between(0, 2));
    // The reference has every value, so that the domain is all six.
    whole.push_back(
        static_cast<std::uint64_t>(of_class[code] + static_cast<int>(random.between(1, 3))));
    records += static_cast<int>(whole.back());
    for (int i = 0; i < of_class[code]; ++i) eq_class.add({code});
  }
  if (eq_class.records == 0) {
    of_class[0] = 1;
    eq_class.add({0});
  }
  // Both as whole units: shares times both totals.
  Masses from;
  Masses to;
  for (Code code = 0; code < kValues; ++code) {
    from.push_back(of_class[code] * records);
    to.push_back(static_cast<int>(whole[code] * eq_class.records));
  }
  const double units = static_cast<double>(eq_class.records) * records;
  const auto agrees = [&](GroundDistance distance, const Column& column, const Cost& cost) {
    const auto model = t_closeness(0, distance, {0, "s", false}, column, whole, &tree.hierarchy);
    return std::abs(model->measure(eq_class.view()) - least_work(from, to, cost) / units) < 1e-9;
  };
  const Column letters = column_of("s", names);
  const Column numbers = column_of("s", digits);
  RC_ASSERT(agrees(GroundDistance::equal, letters,
                   [](std::size_t i, std::size_t j) { return i == j ? 0.0 : 1.0; }));
  RC_ASSERT(agrees(GroundDistance::ordered, numbers, [](std::size_t i, std::size_t j) {
    return std::abs(static_cast<double>(i) - static_cast<double>(j)) / (kValues - 1);
  }));
  RC_ASSERT(agrees(GroundDistance::hierarchical, letters,
                   [&](std::size_t i, std::size_t j) { return tree.distance(i, j); }));
}

// Li et al. 2007, section 5.1: salaries 3k to 11k, each once.
TEST(TCloseness, ThePapersSalaries) {
  const Column salary = column_of("salary", {"3", "4", "5", "6", "7", "8", "9", "10", "11"});
  const auto model = t_closeness(0.2, GroundDistance::ordered, {0, "salary", false}, salary,
                                 std::vector<std::uint64_t>(9, 1), nullptr);
  TestClass low(1);
  for (const Code code : {0U, 1U, 2U}) low.add({code});
  EXPECT_NEAR(model->measure(low.view()), 0.375, 1e-12);
  TestClass spread(1);
  for (const Code code : {3U, 5U, 8U}) spread.add({code});
  EXPECT_NEAR(model->measure(spread.view()), 0.167, 0.0005);
}

TEST(TCloseness, NumbersAreOrderedAsNumbers) {
  // 2 < 10, 1.0 is 1, and missing stands last.
  const Column column = column_of("x", {"10", "2", "1", "", "1.0"});
  const auto model =
      t_closeness(0, GroundDistance::ordered, {0, "x", false}, column, {1, 1, 1, 1, 0}, nullptr);
  TestClass ten(1);
  ten.add({0});
  // 1 2 10 missing: moves 1/4 two places, 1/4 one place, 1/4 one place; of 3.
  EXPECT_NEAR(model->measure(ten.view()), (0.5 + 0.25 + 0.25) / 3, 1e-12);
  const auto doubled =
      t_closeness(0, GroundDistance::ordered, {0, "x", false}, column, {1, 1, 1, 1, 1}, nullptr);
  EXPECT_NEAR(doubled->measure(ten.view()), (2 * 0.4 + 0.2 + 0.2) / 3, 1e-12);
}

TEST(TCloseness, ValuesOutsideTheTableAreNoPartOfTheDomain) {
  const Column column = column_of("x", {"1", "2", "3"});
  const auto model =
      t_closeness(0, GroundDistance::ordered, {0, "x", false}, column, {1, 0, 1}, nullptr);
  TestClass eq_class(1);
  eq_class.add({0});
  EXPECT_NEAR(model->measure(eq_class.view()), 0.5, 1e-12);
  // Another table: 2 is there and 3 is not, so it is one place from 1 to 2; half as far is allowed.
  const auto other = model->about({1, 1, 0}, 0.5);
  eq_class.add({1});
  eq_class.add({1});
  EXPECT_NEAR(other->measure(eq_class.view()), 2.0 / 3 - 0.5, 1e-12);
  const auto strict =
      t_closeness(0.4, GroundDistance::ordered, {0, "x", false}, column, {1, 0, 1}, nullptr);
  EXPECT_DOUBLE_EQ(strict->about({1, 1, 0}, 0.5)->required(), 0.2);
}

TEST(TCloseness, AnOrderedCategoryCarriesItsOrder) {
  const Hierarchy tree = tree_of({{"low", "*"}, {"middle", "*"}, {"high", "*"}});
  const Column column = column_of("risk", {"high", "low", "middle"});
  const auto model =
      t_closeness(0, GroundDistance::ordered, {0, "risk", false}, column, {1, 1, 1}, &tree);
  EXPECT_EQ(model->claim({"age"})["order"], (Json{"low", "middle", "high"}));
}

}  // namespace
}  // namespace pratique::tables::t_closeness_test
