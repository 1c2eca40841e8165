#include "pratique/fusion/randomised_column.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "pratique/fusion/composition.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::fusion::randomised_column_test {
namespace {

const RandomisedColumn kNine{.gamma = 9, .values = 3};  // keeps with 9/11, else 1/11 each

double probability(std::size_t shown, std::size_t original) {
  return shown == original ? 9.0 / 11 : 1.0 / 11;
}

TEST(RandomisedColumn, OriginalsAreFoundBackFromTheirShares) {
  const std::vector<double> originals = {60, 30, 10};
  std::vector<double> shown(3, 0);
  for (std::size_t w = 0; w < 3; ++w) {
    for (std::size_t v = 0; v < 3; ++v) shown[w] += originals[v] * probability(w, v);
  }
  const auto back = originals_of(shown, kNine);
  for (std::size_t v = 0; v < 3; ++v) EXPECT_NEAR(back[v], originals[v], 1e-9);
}

TEST(RandomisedColumn, PartsAreBayes) {
  const std::vector<double> g = {0.6, 0.3, 0.1};
  const std::vector<double> shown = {4, 0, 1};
  const auto parts = parts_of(shown, g, kNine);
  for (std::size_t v = 0; v < 3; ++v) {
    double expected = 0;
    for (std::size_t w = 0; w < 3; ++w) {
      double all = 0;
      for (std::size_t u = 0; u < 3; ++u) all += g[u] * probability(w, u);
      expected += shown[w] * g[v] * probability(w, v) / all;
    }
    EXPECT_NEAR(parts[v], expected, 1e-12);
  }
}

TEST(RandomisedColumn, IsReadFromTheManifest) {
  Manifest manifest;
  manifest.claims = Json::array(
      {{{"model", "rho1-to-rho2"}, {"sensitive", "s"}, {"gamma", 9}, {"values", {"a", "b", "c"}}}});
  manifest.results = Json{{"randomised", {{{"column", "s"}}, {{"column", "t"}}}}};
  ASSERT_TRUE(randomised_column(manifest, "s"));
  EXPECT_EQ(randomised_column(manifest, "s")->gamma, 9);
  EXPECT_EQ(randomised_column(manifest, "s")->values, 3U);
  EXPECT_FALSE(randomised_column(manifest, "t")->has_operator());
  EXPECT_FALSE(randomised_column(manifest, "u"));
}

TEST(RandomisedColumn, RowsOfASyntheticTableAreNobodys) {
  Manifest manifest;
  manifest.kind = "dp";
  manifest.verb = "synthesize";
  manifest.claims = Json::array();
  manifest.results = Json::object();
  manifest.parameters = Json{{"columns", {{{"column", "s"}, {"labels", {"a", "b", "other"}}}}}};
  ASSERT_TRUE(randomised_column(manifest, "s"));
  EXPECT_TRUE(randomised_column(manifest, "s")->synthetic);
  EXPECT_TRUE(randomised_column(manifest, "s")->has_operator());
  EXPECT_EQ(randomised_column(manifest, "s")->values, 3U);
  EXPECT_FALSE(randomised_column(manifest, "u"));
  // Frequencies stay, and nothing is impossible.
  const auto parts = parts_of(std::vector<double>{9, 1, 0}, std::vector<double>{0.4, 0.3, 0.3},
                              *randomised_column(manifest, "s"));
  EXPECT_NEAR(parts[0], 9, 0.001);
  EXPECT_NEAR(parts[1], 1, 0.001);
  EXPECT_GT(parts[2], 0);
  manifest.verb = "histogram";
  EXPECT_FALSE(randomised_column(manifest, "s"));
}

// People of 400 towns, whose values depend on the town; both releases show the town, and the
// values after chance. Taken for the truth they would tell many people's values, wrongly; read with
// their operator, what is believed is as often right as it is believed.
TEST(RandomisedColumn, NothingIsCertainAndBeliefsAreRight) {
  std::mt19937 chance(2003);
  std::uniform_int_distribution<std::size_t> any(0, 2);
  std::bernoulli_distribution keeps(8.0 / 11);
  tables::Rows truth;
  std::vector<tables::Rows> rows(2);
  for (int p = 0; p < 4000; ++p) {
    const int town = p % 400;
    const std::size_t value = std::bernoulli_distribution(0.7)(chance) ? town % 3U : any(chance);
    truth.push_back({std::to_string(town), std::to_string(value)});
    for (auto& release : rows)
      release.push_back(
          {std::to_string(town), std::to_string(keeps(chance) ? value : any(chance))});
  }
  const Table people = tables::table_of({"town", "s"}, truth);
  const Table first = tables::table_of({"town", "s"}, rows[0]);
  const Table second = tables::table_of({"town", "s"}, rows[1]);
  const CompositionOptions options{.quasi_identifiers = {"town"}, .sensitive = "s", .truth = "s"};
  const auto attack = [&](const std::optional<RandomisedColumn>& randomised) {
    const std::vector<ComposedRelease> releases = {
        {.name = "1", .table = first, .randomised = randomised},
        {.name = "2", .table = second, .randomised = randomised}};
    return compose(releases, people, options);
  };
  const auto as_truth = attack(std::nullopt);
  EXPECT_GT(as_truth.perfect_breach, 0.01);
  EXPECT_LT(*as_truth.correct, 1);
  const auto found = attack(kNine);
  EXPECT_EQ(found.perfect_breach, 0);
  EXPECT_EQ(found.contradicted, 0);
  EXPECT_EQ(found.posterior, 3);
  EXPECT_NEAR(found.bayes.confidence, *found.bayes.correct, 0.1);
}

}  // namespace
}  // namespace pratique::fusion::randomised_column_test
