#include "pratique/tables/method/value_suppression.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::value_suppression_test {
namespace {

// At least `least` sensitive values in a class: a model that looks into classes.
class Distinct final : public Model {
 public:
  explicit Distinct(std::size_t least) : least_(least) {}
  std::string name() const override { return "distinct"; }
  bool monotone() const override { return true; }
  bool holds(const ClassView& view) const override {
    return view.sensitive[0].values.size() >= least_;
  }
  double measure(const ClassView& view) const override {
    return static_cast<double>(view.sensitive[0].values.size());
  }
  double required() const override { return static_cast<double>(least_); }
  bool larger_is_safer() const override { return true; }
  Json claim(const std::vector<std::string>&) const override { return {}; }

 private:
  std::size_t least_;
};

// At least `least` people of the population behind a class.
class Mapped final : public Model {
 public:
  explicit Mapped(std::uint64_t least) : least_(least) {}
  std::string name() const override { return "mapped"; }
  bool monotone() const override { return true; }
  bool needs_sensitive() const override { return false; }
  bool holds(const ClassView& view) const override { return view.population >= least_; }
  double measure(const ClassView& view) const override {
    return static_cast<double>(view.population);
  }
  double required() const override { return static_cast<double>(least_); }
  bool larger_is_safer() const override { return true; }
  Json claim(const std::vector<std::string>&) const override { return {}; }

 private:
  std::uint64_t least_;
};

// Not monotone: two good classes may be too large together.
class Between final : public Model {
 public:
  Between(std::uint64_t least, std::uint64_t most) : least_(least), most_(most) {}
  std::string name() const override { return "between"; }
  bool monotone() const override { return false; }
  bool needs_sensitive() const override { return false; }
  bool holds(const ClassView& view) const override {
    return view.records >= least_ && view.records <= most_;
  }
  double measure(const ClassView& view) const override { return static_cast<double>(view.records); }
  double required() const override { return static_cast<double>(least_); }
  bool larger_is_safer() const override { return true; }
  Json claim(const std::vector<std::string>&) const override { return {}; }

 private:
  std::uint64_t least_;
  std::uint64_t most_;
};

Models at_least(std::uint64_t k) {
  Models models;
  models.push_back(k_anonymity(k));
  return models;
}

// The last `sensitive` columns are sensitive.
struct World {
  Table table;
  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> population;
  std::vector<Hierarchy> hierarchies;
  ProtectionInput input;

  explicit World(const Rows& rows, std::vector<std::uint64_t> weights = {},
                 std::size_t sensitive = 0)
      : counts(std::move(weights)) {
    if (counts.empty()) counts.assign(rows.size(), 1);
    std::vector<std::string> names;
    for (std::size_t c = 0; c < rows.front().size(); ++c) names.push_back("c" + std::to_string(c));
    table = table_of(names, rows);
    const std::size_t attributes = names.size() - sensitive;
    hierarchies.reserve(attributes);
    for (std::size_t c = 0; c < names.size(); ++c) {
      const Column& column = table.columns[c];
      if (c >= attributes) {
        input.sensitive.push_back(&column);
        continue;
      }
      hierarchies.push_back(
          make_hierarchy("flat", column.dictionary, column.counts(), column.name));
      input.attributes.push_back(make_attribute(column, hierarchies.back(), column.counts()));
    }
    input.counts = &counts;
  }
};

std::vector<std::string> cells(const Recoding& recoding, std::size_t entry) {
  std::vector<std::string> texts;
  for (const auto& column : recoding.columns) texts.push_back(column.values[column.codes[entry]]);
  return texts;
}

// What value_suppression.h promises, from the texts alone. Says what is wrong.
std::string fault(const World& world, const ValueSuppression& result, std::uint64_t k,
                  std::size_t distinct = 0) {
  const Recoding& recoding = result.recoding;
  std::map<std::vector<std::string>, std::uint64_t> records;
  std::map<std::vector<std::string>, std::set<std::string>> sensitive;
  std::map<std::vector<std::string>, std::set<ClassId>> ids;
  std::vector<std::uint64_t> left(world.counts.size(), 0);
  std::uint64_t stars = 0;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    const auto group = recoding.groups[i];
    const auto shown = cells(recoding, i);
    records[shown] += recoding.counts[i];
    ids[shown].insert(recoding.class_of[i]);
    left[group] += recoding.counts[i];
    for (std::size_t a = 0; a < shown.size(); ++a) {
      all += recoding.counts[i];
      if (shown[a] == "*") {
        stars += recoding.counts[i];
      } else if (shown[a] != world.table.columns[a].text(group)) {
        return "a cell is neither exact nor suppressed";
      }
    }
    for (const auto* column : world.input.sensitive) {
      sensitive[shown].insert(std::string(column->text(group)));
    }
  }
  if (left != world.counts) return "records were lost or made up";
  if (stars != result.suppressed_cells || all != result.cells) return "the cells are miscounted";
  if (ids.size() != recoding.class_count) return "two classes show the same";
  for (const auto& [shown, members] : ids) {
    if (members.size() != 1) return "a class shows two things";
    if (records[shown] < k) return "a class is too small";
    if (distinct > 0 && sensitive[shown].size() < distinct) return "a class is not diverse";
  }
  return "";
}

// The fewest cells by trying every partition of the records into classes.
std::uint64_t fewest_cells(const Rows& rows, std::size_t k) {
  std::uint64_t best = ~std::uint64_t{0};
  std::vector<std::vector<std::size_t>> blocks;
  const std::function<void(std::size_t)> place = [&](std::size_t row) {
    if (row == rows.size()) {
      std::uint64_t cost = 0;
      for (const auto& block : blocks) {
        if (block.size() < k) return;
        for (std::size_t a = 0; a < rows.front().size(); ++a) {
          const bool alike = std::all_of(block.begin(), block.end(), [&](std::size_t r) {
            return rows[r][a] == rows[block.front()][a];
          });
          cost += alike ? 0 : block.size();
        }
      }
      best = std::min(best, cost);
      return;
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      blocks[b].push_back(row);
      place(row + 1);
      blocks[b].pop_back();
    }
    blocks.push_back({row});
    place(row + 1);
    blocks.pop_back();
  };
  place(0);
  return best;
}

Rows any_rows(SeededRandom& random, std::size_t rows, std::size_t columns, std::uint64_t values) {
  Rows out(rows);
  for (auto& row : out) {
    for (std::size_t c = 0; c < columns; ++c) {
      row.push_back(std::string(1, static_cast<char>('a' + random.below(values))));
    }
  }
  return out;
}

TEST(ValueSuppression, HidesOnlyWhereRecordsDiffer) {
  const World world({{"21", "F", "x"}, {"21", "F", "y"}, {"30", "M", "z"}, {"30", "M", "z"}});
  const auto result = suppress_values(world.input, at_least(2));
  EXPECT_EQ(fault(world, result, 2), "");
  EXPECT_EQ(result.suppressed_cells, 2U);
  EXPECT_EQ(result.cells, 12U);
  EXPECT_FALSE(result.whole_columns);
  // Two of twelve cells are fully generalised.
  EXPECT_DOUBLE_EQ(loss_metric(world.input, result.recoding), 2.0 / 12);
}

TEST(ValueSuppression, ALargeClassLendsRecordsInsteadOfLosingAllItsCells) {
  // One record differs from a hundred in one attribute: two come along to make three.
  const World world({{"21", "F"}, {"22", "F"}}, {100, 1});
  const auto result = suppress_values(world.input, at_least(3));
  EXPECT_EQ(fault(world, result, 3), "");
  EXPECT_EQ(result.suppressed_cells, 3U);
  EXPECT_EQ(result.recoding.class_count, 2U);
}

TEST(ValueSuppression, AClassThatCannotLendComesWhole) {
  const World world({{"21", "F"}, {"22", "F"}}, {3, 1});
  const auto result = suppress_values(world.input, at_least(3));
  EXPECT_EQ(fault(world, result, 3), "");
  EXPECT_EQ(result.suppressed_cells, 4U);
  EXPECT_EQ(result.recoding.class_count, 1U);
}

TEST(ValueSuppression, NothingLeavesWhereNothingIsEnough) {
  const World world(Rows{{"21", "F"}, {"22", "F"}});
  for (const auto& result :
       {suppress_values(world.input, at_least(3)), suppress_columns(world.input, at_least(3))}) {
    EXPECT_EQ(result.recoding.suppressed, 2U);
    EXPECT_EQ(result.recoding.class_count, 0U);
    EXPECT_TRUE(result.recoding.groups.empty());
    EXPECT_EQ(result.recoding.columns.size(), 2U);
  }
}

TEST(ValueSuppression, ManyAttributesAreRefused) {
  const World world(Rows{std::vector<std::string>(65, "a")});
  EXPECT_THROW((void)suppress_values(world.input, at_least(1)), Error);
}

TEST(ValueSuppression, SixtyFourAttributesAreNot) {
  SeededRandom random(4);
  const World world(any_rows(random, 12, 64, 2));
  EXPECT_EQ(fault(world, suppress_values(world.input, at_least(3)), 3), "");
}

RC_GTEST_PROP(ValueSuppression, KeepsItsPromiseAndIsNeverWorseThanWholeColumns, ()) {
  auto random = any_random();
  const std::size_t columns = 1 + random.below(6);
  const auto rows = any_rows(random, 1 + random.below(60), columns, 2 + random.below(4));
  std::vector<std::uint64_t> counts;
  std::uint64_t records = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    counts.push_back(1 + (random.chance(0.3) ? random.below(10) : 0));
    records += counts.back();
  }
  const World world(rows, counts);
  const std::uint64_t k = 1 + random.below(6);
  RC_PRE(records >= k);
  const auto result = suppress_values(world.input, at_least(k));
  const auto whole = suppress_columns(world.input, at_least(k));
  RC_ASSERT(fault(world, result, k) == "");
  RC_ASSERT(fault(world, whole, k) == "");
  RC_ASSERT(result.suppressed_cells <= whole.suppressed_cells);
}

RC_GTEST_PROP(ValueSuppression, TakesModelsThatLookIntoClasses, ()) {
  auto random = any_random();
  const auto rows = any_rows(random, 4 + random.below(40), 4, 2 + random.below(3));
  std::vector<std::uint64_t> counts;
  std::set<std::string> diagnoses;
  for (const auto& row : rows) {
    counts.push_back(1 + random.below(4));
    diagnoses.insert(row.back());
  }
  const World world(rows, counts, 1);
  Models models = at_least(3);
  models.push_back(std::make_unique<Distinct>(2));
  RC_PRE(diagnoses.size() >= 2);
  const auto result = suppress_values(world.input, models);
  RC_ASSERT(fault(world, result, 3, 2) == "");
  RC_ASSERT(result.suppressed_cells <= suppress_columns(world.input, models).suppressed_cells);
}

RC_GTEST_PROP(ValueSuppression, PeopleOfThePopulationCountOnlyWhereTheyMatch, ()) {
  auto random = any_random();
  auto rows = any_rows(random, 3 + random.below(30), 3, 3);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> people;
  std::uint64_t everybody = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    counts.push_back(random.below(3));
    people.push_back(counts.back() + random.below(3));
    everybody += people.back();
  }
  World world(rows, counts);
  world.population = people;
  world.input.population = &world.population;
  Models models;
  models.push_back(std::make_unique<Mapped>(5));
  RC_PRE(everybody >= 5);
  const auto result = suppress_values(world.input, models);
  RC_ASSERT(fault(world, result, 1) == "");
  for (std::size_t i = 0; i < result.recoding.groups.size(); ++i) {
    const auto shown = cells(result.recoding, i);
    std::uint64_t matching = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      bool match = true;
      for (std::size_t a = 0; a < shown.size(); ++a) {
        match = match && (shown[a] == "*" || shown[a] == rows[row][a]);
      }
      matching += match ? people[row] : 0;
    }
    RC_ASSERT(matching >= 5U);
  }
}

RC_GTEST_PROP(ValueSuppression, ModelsThatAreNotMonotoneHoldOrNothingLeaves, ()) {
  auto random = any_random();
  const auto rows = any_rows(random, 2 + random.below(40), 1 + random.below(4), 3);
  const World world(rows);
  Models models;
  models.push_back(std::make_unique<Between>(2, 9));
  const auto result = suppress_values(world.input, models);
  RC_CLASSIFY(result.recoding.suppressed > 0, "nothing leaves");
  if (result.recoding.suppressed > 0) {
    RC_ASSERT(result.recoding.suppressed == rows.size());
    RC_ASSERT(result.recoding.groups.empty());
    return;
  }
  RC_ASSERT(fault(world, result, 2) == "");
  std::vector<std::uint64_t> sizes(result.recoding.class_count, 0);
  for (std::size_t i = 0; i < result.recoding.groups.size(); ++i) {
    sizes[result.recoding.class_of[i]] += result.recoding.counts[i];
  }
  for (const auto size : sizes) RC_ASSERT(size <= 9U);
}

TEST(ValueSuppression, IsNearTheFewestCellsOnSmallTables) {
  SeededRandom random(20);
  std::uint64_t suppressed = 0;
  std::uint64_t fewest = 0;
  int exact = 0;
  int tables = 0;
  double worst = 1;
  for (; tables < 300; ++tables) {
    const std::size_t k = 2 + random.below(2);
    const auto rows =
        any_rows(random, 4 + random.below(5), 2 + random.below(3), 2 + random.below(2));
    const World world(rows);
    const auto result = suppress_values(world.input, at_least(k));
    ASSERT_EQ(fault(world, result, k), "");
    const std::uint64_t optimum = fewest_cells(rows, k);
    ASSERT_GE(result.suppressed_cells, optimum);
    suppressed += result.suppressed_cells;
    fewest += optimum;
    exact += result.suppressed_cells == optimum ? 1 : 0;
    if (optimum > 0) {
      worst = std::max(worst,
                       static_cast<double>(result.suppressed_cells) / static_cast<double>(optimum));
    }
  }
  const double ratio = static_cast<double>(suppressed) / static_cast<double>(fewest);
  RecordProperty("ratio", std::to_string(ratio));
  RecordProperty("worst", std::to_string(worst));
  RecordProperty("exact", exact);
  EXPECT_LE(ratio, 1.15);
  EXPECT_GE(exact, tables / 2);
}

}  // namespace
}  // namespace pratique::tables::value_suppression_test
