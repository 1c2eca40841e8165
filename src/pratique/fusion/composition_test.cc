#include "pratique/fusion/composition.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/data/generalised.h"
#include "pratique/data/number.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::fusion::composition_test {
namespace {

using tables::Rows;
using tables::table_of;

CompositionOptions options_of(std::vector<std::string> columns) {
  CompositionOptions options;
  options.quasi_identifiers = std::move(columns);
  options.sensitive = "condition";
  return options;
}

// Tables 3.2 and 3.4 of the thesis.
Table first_hospital() {
  Rows rows;
  for (const char* condition : {"AIDS", "Heart Disease", "Viral Infection", "Viral Infection"}) {
    rows.push_back({"130**", "<30", "*", condition});
  }
  for (const char* condition : {"Cancer", "Heart Disease", "Viral Infection", "Viral Infection"}) {
    rows.push_back({"130**", ">=40", "*", condition});
  }
  for (int i = 0; i < 4; ++i) rows.push_back({"130**", "3*", "*", "Cancer"});
  return table_of({"zip", "age", "nationality", "condition"}, rows);
}

Table second_hospital() {
  Rows rows;
  for (const char* condition :
       {"AIDS", "Tuberculosis", "Flu", "Tuberculosis", "Cancer", "Cancer"}) {
    rows.push_back({"130**", "<35", "*", condition});
  }
  for (const char* condition :
       {"Cancer", "Cancer", "Cancer", "Tuberculosis", "Viral Infection", "Viral Infection"}) {
    rows.push_back({"130**", ">=35", "*", condition});
  }
  return table_of({"zip", "age", "nationality", "condition"}, rows);
}

// "the only possibility of sensitive attribute value for Alice is AIDS" (section 3.1)
TEST(Composition, AliceOfTheThesis) {
  const Table first = first_hospital();
  const Table second = second_hospital();
  const Table targets = table_of({"zip", "age", "truth"}, {{"13012", "28", "AIDS"}});
  auto options = options_of({"zip", "age"});
  options.truth = "truth";
  const std::vector<ComposedRelease> releases = {{"H1", first}, {"H2", second}};
  const Composition composition = compose(releases, targets, options);
  EXPECT_EQ(composition.located, 1);
  EXPECT_EQ(composition.perfect_breach, 1);
  EXPECT_EQ(composition.releases[0].prior, 3);
  EXPECT_EQ(composition.releases[1].prior, 4);
  EXPECT_EQ(composition.releases[0].k, 4U);
  EXPECT_EQ(composition.releases[1].k, 6U);
  EXPECT_EQ(composition.posterior, 1);
  EXPECT_EQ(composition.mean_drop, 2);   // min(3, 4) - 1
  EXPECT_EQ(composition.ideal_drop, 3);  // min(4, 6) - 1
  EXPECT_EQ(composition.vulnerable, 1);
  EXPECT_EQ(composition.correct, 1);
  EXPECT_EQ(composition.bayes.confidence, 1);
  // 2 AIDS, 2 heart disease, 6 viral infections, 10 cancers, 3 tuberculoses, 1 flu.
  double bits = 0;
  for (const double rows : {2, 2, 6, 10, 3, 1}) bits -= rows / 24 * std::log2(rows / 24);
  EXPECT_NEAR(composition.entropy_of_sensitive, bits, 1e-12);

  const Json json = to_json(composition);
  EXPECT_EQ(json["breach_at"].dump(), R"({"1":1.0,"0.5":1.0,"0.333":1.0,"0.25":1.0})");
  EXPECT_EQ(json["effective_anonymity"]["prior"].dump(), "[3.0,4.0]");
  EXPECT_EQ(json["releases"], 2);
}

// One release alone leaves Alice three values, the other two.
TEST(Composition, OfOneReleaseDropsNothing) {
  const Table release = first_hospital();
  const Table targets = table_of({"zip", "age"}, {{"13012", "28"}, {"13012", "35"}});
  const std::vector<ComposedRelease> releases = {{"H1", release}};
  const Composition composition = compose(releases, targets, options_of({"zip", "age"}));
  EXPECT_EQ(composition.mean_drop, 0);
  EXPECT_EQ(composition.perfect_breach, 0.5);  // the thirties all have cancer
  EXPECT_EQ(composition.breach_at[2], 1);      // three values: a third
  EXPECT_EQ(composition.breach_at[1], 0.5);
}

TEST(Composition, ReleasesMayHaveDifferentColumnsAndGranularity) {
  const Table first = table_of({"age", "condition"}, {{"20..29", "20..29"}, {"20..29", "30..39"}});
  const Table second = table_of({"sex", "condition"}, {{"F", "25"}, {"F", "70"}, {"M", "33"}});
  const Table targets = table_of({"age", "sex"}, {{"21", "F"}, {"22", "M"}, {"50", "M"}});
  const std::vector<ComposedRelease> releases = {{"R1", first}, {"R2", second}};
  const Composition composition = compose(releases, targets, options_of({"age", "sex"}));
  EXPECT_EQ(composition.releases[0].columns, std::vector<std::string>{"age"});
  EXPECT_NEAR(composition.located, 2.0 / 3, 1e-12);
  EXPECT_NEAR(composition.perfect_breach, 2.0 / 3, 1e-12);  // 25, and 33
  EXPECT_EQ(composition.of(2).located, false);
}

TEST(Composition, SuppressedRowsAreTheLastResort) {
  const Table release = table_of({"age", "condition"}, {{"20..29", "flu"}, {"*", "cancer"}});
  const Table targets = table_of({"age"}, {{"21"}, {"70"}});
  const std::vector<ComposedRelease> releases = {{"R1", release}};
  const Composition composition = compose(releases, targets, options_of({"age"}));
  EXPECT_EQ(composition.perfect_breach, 1);
  EXPECT_NE(composition.of(0).only, composition.of(1).only);
}

TEST(Composition, AHiddenSensitiveValueIsNoBreach) {
  const Table release = table_of({"age", "condition"}, {{"1", "*"}});
  const Table targets = table_of({"age"}, {{"1"}});
  const std::vector<ComposedRelease> releases = {{"R1", release}, {"R2", release}};
  const Composition composition = compose(releases, targets, options_of({"age"}));
  EXPECT_EQ(composition.located, 1);
  EXPECT_EQ(composition.perfect_breach, 0);
  EXPECT_EQ(composition.bayes.breach_at[0], 0);
}

TEST(Composition, ValuesThatDifferContradict) {
  const Table first = table_of({"age", "condition"}, {{"1", "flu"}});
  const Table second = table_of({"age", "condition"}, {{"1", "cancer"}});
  const Table targets = table_of({"age"}, {{"1"}});
  std::vector<ComposedRelease> releases = {{"R1", first}, {"R2", second}};
  Composition composition = compose(releases, targets, options_of({"age"}));
  EXPECT_EQ(composition.contradicted, 1);
  EXPECT_EQ(composition.perfect_breach, 0);
  EXPECT_EQ(composition.bayes.believed, 0);
  // Unless the target may be missing from one: then it is the other's value, mostly.
  releases[1].presence = 0.1;
  composition = compose(releases, targets, options_of({"age"}));
  EXPECT_EQ(composition.bayes.believed, 1);
  EXPECT_GT(composition.bayes.confidence, 0.5);
}

TEST(Composition, BadInputIsNamed) {
  const Table hospital = first_hospital();
  const Table bare = table_of({"zip", "condition"}, {{"1", "flu"}});
  const Table targets = table_of({"age"}, {{"28"}});
  const auto message = [&](const std::vector<ComposedRelease>& releases,
                           const CompositionOptions& options) {
    try {
      (void)compose(releases, targets, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
      EXPECT_FALSE(error.hint().empty() && error.place().empty() && error.message().empty());
      return error.message() + " " + error.place();
    }
    return std::string();
  };
  auto options = options_of({"age"});
  EXPECT_NE(message({{"R1", hospital}, {"bare.csv", bare}}, options).find("bare.csv"),
            std::string::npos);
  options.sensitive = "income";
  EXPECT_NE(message({{"R1", hospital}}, options).find("income"), std::string::npos);
  EXPECT_FALSE(message({}, options).empty());
  EXPECT_FALSE(message({{"R1", hospital}}, options_of({"agee"})).empty());
}

// Random releases whose cells are ranges, sets and '*', against the definition row by row.
struct RandomWorld {
  explicit RandomWorld(SeededRandom& random) {
    const std::size_t count = 1 + random.below(3);
    for (std::size_t r = 0; r < count; ++r) {
      Rows rows;
      std::vector<std::string> names = {"a", "b", "condition"};
      const bool drops_first = r > 0 && random.chance(0.3);
      if (drops_first) names.erase(names.begin());
      for (std::size_t i = 0; i < 1 + random.below(8); ++i) {
        std::vector<std::string> row = {number_cell(random), letter_cell(random),
                                        "s" + std::to_string(random.below(4))};
        if (random.chance(0.1)) row = {"*", "*", row[2]};
        if (drops_first) row.erase(row.begin());
        rows.push_back(row);
      }
      tables.push_back(table_of(names, rows));
    }
    Rows people;
    for (std::size_t i = 0; i < 1 + random.below(6); ++i) {
      people.push_back({std::to_string(random.below(8)),
                        std::string(1, static_cast<char>('x' + random.below(3))),
                        "s" + std::to_string(random.below(5))});
    }
    targets = table_of({"a", "b", "truth"}, people);
  }
  static std::string number_cell(SeededRandom& random) {
    const auto low = random.below(8);
    if (random.chance(0.3)) return std::to_string(low);
    return std::to_string(low) + ".." + std::to_string(low + random.below(4));
  }
  static std::string letter_cell(SeededRandom& random) {
    static const std::vector<std::string> cells = {"x", "y", "z", "{x|y}", "{x|y|z}", "*"};
    return cells[random.below(cells.size())];
  }
  std::vector<Table> tables;
  Table targets;
};

bool has(const Table& table, const std::string& name) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const Column& column) { return column.name == name; });
}

// s_ij, by the definition.
std::multiset<std::string> candidates_of(const Table& release, const Table& targets,
                                         std::size_t target) {
  std::multiset<std::string> values;
  std::multiset<std::string> suppressed;
  for (std::size_t row = 0; row < release.rows(); ++row) {
    bool fits = true;
    bool all_any = true;
    for (const auto* name : {"a", "b"}) {
      if (!has(release, name)) continue;
      const auto cell = GeneralisedValue::parse(release.column(name).text(row));
      fits = fits && cell.contains(targets.column(name).text(target));
      all_any = all_any && cell.kind() == GeneralisedValue::Kind::any;
    }
    if (!fits) continue;
    (all_any ? suppressed : values).emplace(release.column("condition").text(row));
  }
  return values.empty() ? suppressed : values;
}

RC_GTEST_PROP(Composition, IsTheDefinition, ()) {
  auto random = tables::any_random();
  const RandomWorld world(random);
  std::vector<ComposedRelease> releases;
  for (const auto& table : world.tables) {
    releases.push_back({"R", table, Locating::containing});
  }
  auto options = options_of({"a", "b"});
  options.truth = "truth";
  const Composition composition = compose(releases, world.targets, options);
  double located = 0, perfect = 0, half = 0, quarter = 0, right = 0, measured = 0, posterior = 0,
         drop = 0, vulnerable = 0, contradicted = 0;
  std::vector<double> prior(releases.size(), 0);
  std::vector<double> rows(releases.size(), 0);
  for (std::size_t target = 0; target < world.targets.rows(); ++target) {
    std::vector<std::multiset<std::string>> sets;
    for (const auto& table : world.tables) {
      sets.push_back(candidates_of(table, world.targets, target));
    }
    bool everywhere = true;
    std::set<std::string> left(sets.front().begin(), sets.front().end());
    std::size_t smallest = left.size();
    for (const auto& set : sets) {
      everywhere = everywhere && !set.empty();
      std::set<std::string> kept;
      for (const auto& value : left) {
        if (set.contains(value)) kept.insert(value);
      }
      left = kept;
      smallest = std::min(smallest, std::set<std::string>(set.begin(), set.end()).size());
    }
    RC_ASSERT(composition.of(target).located == everywhere);
    RC_ASSERT(composition.of(target).left == (everywhere ? left.size() : 0));
    if (!everywhere) continue;
    located += 1;
    if (left.empty()) {
      contradicted += 1;
      continue;
    }
    measured += 1;
    posterior += static_cast<double>(left.size());
    drop += static_cast<double>(smallest) - static_cast<double>(left.size());
    vulnerable += smallest > left.size() ? 1 : 0;
    for (std::size_t r = 0; r < sets.size(); ++r) {
      prior[r] += static_cast<double>(std::set<std::string>(sets[r].begin(), sets[r].end()).size());
      rows[r] += static_cast<double>(sets[r].size());
    }
    perfect += left.size() == 1 ? 1 : 0;
    half += left.size() <= 2 ? 1 : 0;
    quarter += left.size() <= 4 ? 1 : 0;
    right += left.size() == 1 && *left.begin() == world.targets.column("truth").text(target);
  }
  const auto same = [](double a, double b) { return std::abs(a - b) < 1e-12; };
  const auto people = static_cast<double>(world.targets.rows());
  RC_ASSERT(same(composition.located, located / people));
  RC_ASSERT(same(composition.contradicted, contradicted / people));
  RC_ASSERT(same(composition.perfect_breach, perfect / people));
  RC_ASSERT(same(composition.breach_at[1], half / people));
  RC_ASSERT(same(composition.breach_at[3], quarter / people));
  RC_ASSERT(same(composition.vulnerable, vulnerable / people));
  if (measured > 0) {
    RC_ASSERT(same(composition.posterior, posterior / measured));
    RC_ASSERT(same(composition.mean_drop, drop / measured));
    for (std::size_t r = 0; r < releases.size(); ++r) {
      RC_ASSERT(same(composition.releases[r].prior, prior[r] / measured));
      RC_ASSERT(same(composition.releases[r].candidates, rows[r] / measured));
    }
  }
  RC_ASSERT(composition.correct.has_value() == (perfect > 0));
  if (perfect > 0) RC_ASSERT(same(*composition.correct, right / perfect));

  const ThreadLimit one_thread(1);
  RC_ASSERT(to_json(compose(releases, world.targets, options)) == to_json(composition));
}

// Grouped tables, which is how files are read, say the same as their rows.
TEST(Composition, GroupedRowsCountAsMany) {
  const Table plain = table_of({"age", "condition"}, {{"1", "flu"}, {"1", "flu"}, {"1", "cold"}});
  GroupedTable grouped{table_of({"age", "condition"}, {{"1", "flu"}, {"1", "cold"}}), {2, 1}};
  const Table targets = table_of({"age"}, {{"1"}});
  const std::vector<ComposedRelease> a = {{"R", plain}};
  const std::vector<ComposedRelease> b = {{"R", grouped}};
  EXPECT_EQ(to_json(compose(a, targets, options_of({"age"}))),
            to_json(compose(b, targets, options_of({"age"}))));
}

// Centroids: the definition of the distance, class by class.
RC_GTEST_PROP(Composition, LocatesByTheNearestCentroid, ()) {
  auto random = tables::any_random();
  const bool categories = random.chance(0.7);
  Rows rows;
  for (std::size_t i = 0; i < 1 + random.below(7); ++i) {
    rows.push_back({random.chance(0.1) ? "" : std::to_string(random.below(9)) + ".5",
                    std::to_string(random.below(100)), RandomWorld::letter_cell(random),
                    "s" + std::to_string(i)});
  }
  Rows people;
  for (std::size_t i = 0; i < 1 + random.below(5); ++i) {
    people.push_back({random.chance(0.1) ? "" : std::to_string(random.below(10)),
                      std::to_string(random.below(100)),
                      std::string(1, static_cast<char>('x' + random.below(3)))});
  }
  const Table release = table_of({"p", "q", "c", "condition"}, rows);
  const Table targets = table_of({"p", "q", "c"}, people);
  std::vector<std::string> columns = {"p", "q"};
  if (categories) columns.emplace_back("c");
  const std::vector<ComposedRelease> releases = {{"R", release, Locating::nearest}};
  const Composition composition = compose(releases, targets, options_of(columns));
  Rows believed = people;

  const auto place = [](std::string_view text) {
    return text.empty() ? std::nan("") : to_double(text);
  };
  std::map<std::string, double> deviation;
  for (const auto* name : {"p", "q"}) {
    double n = 0, sum = 0, squares = 0;
    for (std::size_t row = 0; row < release.rows(); ++row) {
      const double x = place(release.column(name).text(row));
      if (std::isnan(x)) continue;
      n += 1;
      sum += x;
    }
    for (std::size_t row = 0; row < release.rows(); ++row) {
      const double x = place(release.column(name).text(row));
      if (!std::isnan(x)) squares += (x - sum / n) * (x - sum / n);
    }
    deviation[name] = squares > 0 ? std::sqrt(squares / n) : 1;
  }
  const bool p_known =
      std::any_of(rows.begin(), rows.end(), [](const auto& r) { return !r[0].empty(); }) &&
      std::any_of(people.begin(), people.end(), [](const auto& r) { return !r[0].empty(); });
  RC_PRE(p_known);  // else the column is no number but a category
  double alone = 0;
  for (std::size_t target = 0; target < targets.rows(); ++target) {
    std::vector<double> distances;
    for (std::size_t row = 0; row < release.rows(); ++row) {
      double sum = 0;
      for (const auto* name : {"p", "q"}) {
        const double x = place(release.column(name).text(row));
        const double y = place(targets.column(name).text(target));
        if (std::isnan(x) || std::isnan(y)) {
          sum += std::isnan(x) == std::isnan(y) ? 0 : 4;
        } else {
          sum += (x - y) * (x - y) / deviation[name] / deviation[name];
        }
      }
      if (categories) {
        const auto cell = GeneralisedValue::parse(release.column("c").text(row));
        if (!cell.contains(targets.column("c").text(target))) sum += 4;
      }
      distances.push_back(sum);
    }
    const double least = *std::min_element(distances.begin(), distances.end());
    const auto near = std::count_if(distances.begin(), distances.end(),
                                    [&](double d) { return d <= least + 1e-9; });
    RC_ASSERT(composition.of(target).left >= 1U);
    RC_ASSERT(composition.of(target).left <= static_cast<std::uint32_t>(near));
    // Each row has a value of its own: a single nearest row is found by it.
    if (near == 1) RC_ASSERT(composition.of(target).left == 1U);
    const auto nearest = std::min_element(distances.begin(), distances.end()) - distances.begin();
    believed[target].push_back(near == 1 ? "s" + std::to_string(nearest) : "none");
    alone += near == 1 ? 1 : 0;
  }
  auto judged = options_of(columns);
  judged.truth = "row";
  const Table known = table_of({"p", "q", "c", "row"}, believed);
  const Composition again = compose(releases, known, judged);
  const double breaches = again.perfect_breach * static_cast<double>(people.size());
  RC_ASSERT(std::abs(again.correct.value_or(0) * breaches - alone) < 1e-9);
}

TEST(Composition, CentroidsAreFoundOut) {
  // Means of 20, 21, 22 and of 60, 62, 64: no target has them.
  const Table means =
      table_of({"age", "condition"}, {{"20.7", "flu"}, {"20.7", "cold"}, {"61.5", "cancer"}});
  const Table targets = table_of({"age"}, {{"20"}, {"22"}, {"64"}});
  const std::vector<ComposedRelease> releases = {{"R", means}};
  const Composition composition = compose(releases, targets, options_of({"age"}));
  EXPECT_EQ(composition.releases[0].by, Locating::nearest);
  EXPECT_EQ(composition.located, 1);
  EXPECT_NEAR(composition.perfect_breach, 1.0 / 3, 1e-12);
  const std::vector<ComposedRelease> contained = {{"R", means, Locating::containing}};
  EXPECT_EQ(compose(contained, targets, options_of({"age"})).located, 0);
  // Ranges are no centroids, however few targets they hold.
  const Table ranges = table_of({"age", "condition"}, {{"80..89", "flu"}});
  const std::vector<ComposedRelease> far = {{"R", ranges}};
  EXPECT_EQ(compose(far, targets, options_of({"age"})).releases[0].by, Locating::containing);
}

}  // namespace
}  // namespace pratique::fusion::composition_test
