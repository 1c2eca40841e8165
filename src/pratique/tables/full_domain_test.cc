#include "pratique/tables/full_domain.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "pratique/tables/table_for_test.h"

namespace pratique::tables {
namespace {

struct World {
  Table table;
  std::vector<Hierarchy> hierarchies;
  std::vector<GeneralisedAttribute> attributes;

  World(const Rows& rows, const std::vector<std::string>& specs, const std::vector<int>& levels) {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < specs.size(); ++c) names.push_back("c" + std::to_string(c));
    table = table_of(names, rows);
    for (std::size_t c = 0; c < specs.size(); ++c) {
      const Column& column = table.columns[c];
      hierarchies.push_back(
          make_hierarchy(specs[c], column.dictionary, column.counts(), column.name));
    }
    for (std::size_t c = 0; c < specs.size(); ++c) {
      const Column& column = table.columns[c];
      attributes.push_back({&column, &hierarchies[c],
                            hierarchies[c].bind(column.dictionary, column.counts(), column.name),
                            levels[c]});
    }
  }

  [[nodiscard]] std::vector<std::string> cells(const FullDomainRelease& release,
                                               std::uint32_t row) const {
    std::vector<std::string> texts;
    for (const auto& column : release.columns) texts.push_back(column.values[column.codes[row]]);
    return texts;
  }
};

const Rows kPeople = {{"21", "F"}, {"23", "F"}, {"24", "M"}, {"31", "M"}, {"38", "F"}, {"39", "M"}};

const std::vector<std::uint64_t> kOnce(6, 1);

TEST(FullDomain, ReplacesEveryValueByItsAncestor) {
  const World world(kPeople, {"interval:10", "flat"}, {1, 0});
  const auto release = apply_levels(world.attributes, kOnce, 1);
  EXPECT_EQ(world.cells(release, 0), (std::vector<std::string>{"20..29", "F"}));
  EXPECT_EQ(world.cells(release, 5), (std::vector<std::string>{"30..39", "M"}));
  EXPECT_EQ(release.suppressed, 0U);
  EXPECT_EQ(release.classes, 4U);
}

TEST(FullDomain, SuppressesWhatStandsInSmallClasses) {
  // 20..29: F twice, M once; 30..39: M twice, F once.
  const World world(kPeople, {"interval:10", "flat"}, {1, 0});
  const auto release = apply_levels(world.attributes, kOnce, 2);
  EXPECT_EQ(release.groups, (std::vector<std::uint32_t>{0, 1, 3, 5}));
  EXPECT_EQ(release.suppressed, 2U);
  EXPECT_EQ(release.classes, 2U);
}

TEST(FullDomain, LossIsTheMeanOverCells) {
  // Six ages are six leaves; under 20..29 stand three: (3 - 1) / (6 - 1). Sex keeps its value: 0.
  const World world(kPeople, {"interval:10", "flat"}, {1, 0});
  EXPECT_DOUBLE_EQ(apply_levels(world.attributes, kOnce, 1).loss, (6 * 0.4 + 6 * 0) / 12);
  // Two suppressed records count 1 in both cells.
  EXPECT_DOUBLE_EQ(apply_levels(world.attributes, kOnce, 2).loss, (2 * 2 + 4 * 0.4) / 12);
}

TEST(FullDomain, GroupsCountAsTheRowsTheyStandFor) {
  const World world({{"21", "F"}, {"24", "M"}, {"31", "M"}}, {"interval:10", "flat"}, {1, 0});
  const auto release = apply_levels(world.attributes, {5, 1, 2}, 2);
  EXPECT_EQ(release.groups, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(release.suppressed, 1U);
  EXPECT_EQ(release.smallest, 2U);
  // Ages: 5 rows at (2 - 1) / (3 - 1), 2 rows at 0, one suppressed; sexes: one suppressed.
  EXPECT_DOUBLE_EQ(release.loss, (5 * 0.5 + 2 * 0 + 1 + 1) / 16);
}

TEST(FullDomain, AValueThatReadsLikeAGeneralisedOneIsEscaped) {
  const World world({{"*"}, {"1..2"}, {"plain"}}, {"flat"}, {0});
  const auto release = apply_levels(world.attributes, {1, 1, 1}, 1);
  EXPECT_NE(world.cells(release, 0)[0], "*");
  EXPECT_NE(world.cells(release, 1)[0], "1..2");
  EXPECT_EQ(world.cells(release, 2)[0], "plain");
}

}  // namespace
}  // namespace pratique::tables
