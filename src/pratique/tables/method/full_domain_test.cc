#include "pratique/tables/method/full_domain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::full_domain_test {
namespace {

struct World {
  Table table;
  std::vector<std::uint64_t> counts;
  std::vector<Hierarchy> hierarchies;
  ProtectionInput input;

  World(const Rows& rows, const std::vector<std::string>& specs,
        std::vector<std::uint64_t> weights = {})
      : counts(std::move(weights)) {
    if (counts.empty()) counts.assign(rows.size(), 1);
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
      input.attributes.push_back(make_attribute(column, hierarchies[c], column.counts()));
    }
    input.counts = &counts;
  }

  [[nodiscard]] Recoding at(const std::vector<int>& levels, std::uint64_t k) const {
    Models models;
    models.push_back(k_anonymity(k));
    return apply_levels(input, levels, models);
  }
};

std::vector<std::string> cells(const Recoding& recoding, std::uint32_t group) {
  const auto entry = static_cast<std::size_t>(
      std::find(recoding.groups.begin(), recoding.groups.end(), group) - recoding.groups.begin());
  std::vector<std::string> texts;
  for (const auto& column : recoding.columns) texts.push_back(column.values[column.codes[entry]]);
  return texts;
}

std::set<std::uint32_t> kept(const Recoding& recoding) {
  return {recoding.groups.begin(), recoding.groups.end()};
}

const Rows kPeople = {{"21", "F"}, {"23", "F"}, {"24", "M"}, {"31", "M"}, {"38", "F"}, {"39", "M"}};

TEST(FullDomain, ReplacesEveryValueByItsAncestor) {
  const World world(kPeople, {"interval:10", "flat"});
  const auto release = world.at({1, 0}, 1);
  EXPECT_EQ(cells(release, 0), (std::vector<std::string>{"20..29", "F"}));
  EXPECT_EQ(cells(release, 5), (std::vector<std::string>{"30..39", "M"}));
  EXPECT_EQ(release.suppressed, 0U);
  EXPECT_EQ(release.class_count, 4U);
}

TEST(FullDomain, SuppressesWhatStandsInSmallClasses) {
  // 20..29: F twice, M once; 30..39: M twice, F once.
  const World world(kPeople, {"interval:10", "flat"});
  const auto release = world.at({1, 0}, 2);
  EXPECT_EQ(kept(release), (std::set<std::uint32_t>{0, 1, 3, 5}));
  EXPECT_EQ(release.suppressed, 2U);
  EXPECT_EQ(release.class_count, 2U);
}

TEST(FullDomain, LossIsTheMeanOverCells) {
  // Six ages are six leaves; under 20..29 stand three: (3 - 1) / (6 - 1). Sex keeps its value: 0.
  const World world(kPeople, {"interval:10", "flat"});
  EXPECT_DOUBLE_EQ(loss_metric(world.input, world.at({1, 0}, 1)), (6 * 0.4 + 6 * 0) / 12);
  // Two suppressed records count 1 in both cells.
  EXPECT_DOUBLE_EQ(loss_metric(world.input, world.at({1, 0}, 2)), (2 * 2 + 4 * 0.4) / 12);
}

TEST(FullDomain, GroupsCountAsTheRecordsTheyStandFor) {
  const World world({{"21", "F"}, {"24", "M"}, {"31", "M"}}, {"interval:10", "flat"}, {5, 1, 2});
  const auto release = world.at({1, 0}, 2);
  EXPECT_EQ(kept(release), (std::set<std::uint32_t>{0, 2}));
  EXPECT_EQ(release.suppressed, 1U);
  // Ages: 5 records at (2 - 1) / (3 - 1), 2 at 0, one suppressed; sexes: one suppressed.
  EXPECT_DOUBLE_EQ(loss_metric(world.input, release), (5 * 0.5 + 2 * 0 + 1 + 1) / 16);
  EXPECT_DOUBLE_EQ(discernibility(release), 5 * 5 + 2 * 2 + 1 * 8);
  EXPECT_DOUBLE_EQ(average_class_size(release, 2), 7.0 / 2 / 2);
}

TEST(FullDomain, AValueThatReadsLikeAGeneralisedOneIsEscaped) {
  const World world({{"*"}, {"1..2"}, {"plain"}}, {"flat"});
  const auto release = world.at({0}, 1);
  EXPECT_EQ(cells(release, 0)[0], "\\*");
  EXPECT_EQ(cells(release, 1)[0], "\\1..2");
  EXPECT_EQ(cells(release, 2)[0], "plain");
}

TEST(Cells, LabelsAreTheLowestCommonNodeAndFreeCellsWhatIsThere) {
  const World world(kPeople, {"interval:10,20", "flat"});
  Recoding recoding;
  recoding.groups = {0, 1, 2, 3, 4, 5};
  recoding.counts = {1, 1, 1, 1, 1, 1};
  recoding.class_of = {0, 0, 1, 1, 2, 2};
  recoding.class_count = 3;
  write_cells(world.input, CellStyle::labels, recoding);
  EXPECT_EQ(cells(recoding, 0), (std::vector<std::string>{"20..29", "F"}));
  EXPECT_EQ(cells(recoding, 2), (std::vector<std::string>{"20..39", "M"}));
  EXPECT_EQ(cells(recoding, 4), (std::vector<std::string>{"30..39", "*"}));
  EXPECT_EQ(recoding.columns[0].leaves[recoding.columns[0].codes[2]], 6);
  write_cells(world.input, CellStyle::free, recoding);
  EXPECT_EQ(cells(recoding, 0), (std::vector<std::string>{"21..23", "F"}));
  EXPECT_EQ(cells(recoding, 2), (std::vector<std::string>{"24..31", "M"}));
  EXPECT_EQ(cells(recoding, 4), (std::vector<std::string>{"38..39", "{F|M}"}));
  EXPECT_EQ(recoding.columns[0].leaves[recoding.columns[0].codes[2]], 2);
}

TEST(Attributes, StandInTheOrderOfNumbersOfDatesOrOfTheTree) {
  const World world({{"9", "2001-12-31", "b"}, {"10", "2000-01-01", "a"}, {"", "", "c"}},
                    {"flat", "flat", "flat"});
  using Ranks = std::vector<std::uint32_t>;
  EXPECT_EQ(world.input.attributes[0].kind, Attribute::Kind::number);
  EXPECT_EQ(world.input.attributes[0].rank, (Ranks{0, 1, 2}));
  EXPECT_EQ(world.input.attributes[1].kind, Attribute::Kind::date);
  EXPECT_EQ(world.input.attributes[1].rank, (Ranks{1, 0, 2}));
  EXPECT_EQ(world.input.attributes[2].kind, Attribute::Kind::category);
}

TEST(Attributes, AHierarchyThatHidesCharactersSaysThatValuesAreCodes) {
  const World world({{"13001", "13001"}, {"13002", "13002"}}, {"prefix", "flat"});
  EXPECT_EQ(world.input.attributes[0].kind, Attribute::Kind::category);
  EXPECT_EQ(world.input.attributes[1].kind, Attribute::Kind::number);
}

}  // namespace
}  // namespace pratique::tables::full_domain_test
