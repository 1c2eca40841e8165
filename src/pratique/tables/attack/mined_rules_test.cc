#include "pratique/tables/attack/mined_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::mined_rules_test {
namespace {

// Entries of one record each, in the classes given; cells of labels.
Recoding classes_of(const ProtectionWorld& world, const std::vector<ClassId>& class_of) {
  Recoding recoding;
  for (std::uint32_t i = 0; i < class_of.size(); ++i) {
    recoding.groups.push_back(i);
    recoding.counts.push_back(world.counts[i]);
    recoding.class_of.push_back(class_of[i]);
    recoding.class_count = std::max<std::size_t>(recoding.class_count, class_of[i] + 1);
  }
  write_cells(world.input, CellStyle::labels, recoding);
  return recoding;
}

// A class of men, one of women, and one of a man and a woman that hides their sex.
struct Sexes {
  ProtectionWorld world{{{"M", "flu"},
                         {"M", "cold"},
                         {"F", "flu"},
                         {"F", "ovarian cancer"},
                         {"M", "flu"},
                         {"F", "ovarian cancer"}},
                        {"flat"},
                        {30, 30, 30, 30, 1, 1}};
  Recoding recoding = classes_of(world, {0, 0, 1, 1, 2, 2});
};

TEST(MinedRules, NoManHasOvarianCancer) {
  const Sexes sexes;
  EXPECT_EQ(exposure_after(sexes.world.input, sexes.recoding).believed, 0U);
  const auto attack = attack_by_rules(sexes.world.input, sexes.recoding, {});
  EXPECT_EQ(attack.records, 122U);
  EXPECT_EQ(attack.believed, 2U);
  EXPECT_EQ(attack.mistaken, 0U);
  EXPECT_EQ(attack.positive_rules, 0U);
  EXPECT_EQ(attack.negative_rules, 2U);  // no man has that cancer, no woman has a cold
}

TEST(MinedRules, NeedSupport) {
  const Sexes sexes;
  const auto attack = attack_by_rules(sexes.world.input, sexes.recoding, {.support = 61});
  EXPECT_EQ(attack.believed, 0U);
  EXPECT_EQ(attack.negative_rules, 0U);
}

TEST(MinedRules, OfAPublicTableTellPeopleApartWhoseClassHidesAll) {
  // All in one class: the release itself has no subgroup but everybody.
  const ProtectionWorld world({{"M", "flu"}, {"F", "ovarian cancer"}}, {"flat"});
  const Recoding recoding = classes_of(world, {0, 0});
  EXPECT_EQ(attack_by_rules(world.input, recoding, {.support = 2}).believed, 0U);
  GroupedTable known;
  known.groups =
      table_of({"c1", "c0"},
               {{"flu", "M"}, {"flu", "F"}, {"ovarian cancer", "F"}, {"of no record here", "M"}});
  known.counts = {60, 30, 30, 7};
  const auto attack = attack_by_rules(world.input, recoding, {.known = &known});
  EXPECT_EQ(attack.believed, 2U);
  EXPECT_EQ(attack.positive_rules, 1U);  // men have flu, of what there is here
  EXPECT_EQ(attack.negative_rules, 1U);
}

TEST(MinedRules, SeeThroughTheSpelling) {
  const ProtectionWorld world({{"M", "flu"}, {"F", "ovarian cancer"}}, {"flat"});
  const Recoding recoding = classes_of(world, {0, 0});
  GroupedTable known;
  known.groups = table_of({"c1", "c0"}, {{"Flu", "M"}, {"flu ", "F"}, {"Ovarian Cancer", "F"}});
  known.counts = {60, 30, 30};
  EXPECT_EQ(attack_by_rules(world.input, recoding, {.known = &known}).believed, 2U);
  // Of the men of the release nine in ten and more have flu, however it is written.
  const ProtectionWorld respelled(
      {{"M", "flu"}, {"M", "Flu"}, {"M", "FLU"}, {"F", "gout"}, {"M", "flu."}}, {"flat"},
      {40, 40, 40, 100, 1});
  const Recoding of_each = classes_of(respelled, {0, 0, 0, 1, 0});
  EXPECT_EQ(attack_by_rules(respelled.input, of_each, {}).believed, 221U);
}

TEST(MinedRules, ThatContradictAClassAreTakenForUnlikely) {
  // The class of two men has the cancer that no man has.
  const ProtectionWorld world(
      {{"M", "flu"}, {"F", "ovarian cancer"}, {"M", "ovarian cancer"}, {"X", "flu"}}, {"flat"},
      {60, 60, 1, 1});
  const Recoding recoding = classes_of(world, {0, 1, 2, 2});
  // Of 122 records half have each value, and X is in no subgroup. Flu for M by (60 + 1/2) / 61 /
  // (1/2) against (0 + 1/2) / 61 / (1/2): 121 to 1, and for X 1 to 1: that M has flu is believed,
  // wrongly.
  const auto attack = attack_by_rules(world.input, recoding, {});
  EXPECT_EQ(attack.believed, 120U);
  EXPECT_EQ(attack.mistaken, 2U);
}

// By the definition: every world of a class, weighed by what the people's subgroups say, for two
// columns and classes whose cells are leaves or '*'.
TEST(MinedRules, BelieveWhatAllWorldsSay) {
  std::size_t sharpened = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SeededRandom random(seed);
    Rows rows;
    std::vector<ClassId> class_of;
    const std::size_t people = 8 + random.below(20);
    std::map<std::vector<std::string>, ClassId> ids;
    for (std::size_t i = 0; i < people; ++i) {
      const auto a = std::to_string(random.below(3));
      const auto b = std::to_string(random.below(2));
      rows.push_back(
          {a, b, "s" + std::to_string(random.chance(0.7) ? random.below(3) % 2 : random.below(3))});
      const std::size_t hides = random.below(3);  // one column, both or none
      const auto cells =
          std::vector<std::string>{hides == 1 || hides == 2 ? "*" : a, hides == 2 ? "*" : b};
      class_of.push_back(ids.try_emplace(cells, static_cast<ClassId>(ids.size())).first->second);
    }
    const ProtectionWorld world(rows, {"flat", "flat"});
    const Recoding recoding = classes_of(world, class_of);
    // The cells as they were written: a class of one value shows it.
    const auto cell = [&](std::size_t row, std::size_t column) {
      return recoding.columns[column].values[recoding.columns[column].codes[row]];
    };
    constexpr std::size_t kSupport = 3;
    const auto contains = [](const std::string& shown, const std::string& value) {
      return shown == value || shown == "*";
    };
    // By person and column: the narrowest cell with support.
    const auto narrowest = [&](std::size_t person, std::size_t column) -> std::string {
      for (const std::string& shown : {rows[person][column], std::string("*")}) {
        std::size_t records = 0;
        for (std::size_t row = 0; row < people; ++row)
          records += cell(row, column) == shown ? 1U : 0U;
        if (records >= kSupport && contains(shown, rows[person][column])) return shown;
      }
      return "";
    };
    std::map<std::string, double> shares;
    for (const auto& row : rows) shares[row[2]] += 1 / static_cast<double>(people);
    // What the smallest subgroup with support says of each value.
    const auto weights = [&](std::size_t person, bool negative) {
      const std::string a = narrowest(person, 0);
      const std::string b = narrowest(person, 1);
      std::vector<std::size_t> best;
      bool any = false;
      for (const auto& [first, second] :
           {std::pair{a, std::string()}, {std::string(), b}, {a, b}}) {
        if (first.empty() && second.empty()) continue;
        std::vector<std::size_t> members;
        for (std::size_t row = 0; row < people; ++row) {
          if ((first.empty() || cell(row, 0) == first) &&
              (second.empty() || cell(row, 1) == second))
            members.push_back(row);
        }
        if (members.size() < kSupport) continue;
        if (!any || members.size() < best.size()) best = members;
        any = true;
      }
      std::map<std::string, double> weight;
      for (const auto& [value, share] : shares) {
        double there = 0;
        for (const auto row : best) there += rows[row][2] == value ? 1 : 0;
        const auto size = static_cast<double>(best.size());
        weight[value] = !any ? 1
                        : negative && there == 0 && size * share >= kNotable
                            ? 0
                            : (there + share) / (size + 1) / share;
      }
      return weight;
    };
    std::uint64_t believed = 0;
    std::uint64_t mistaken = 0;
    std::uint64_t by_class = 0;
    bool small = true;
    for (ClassId id = 0; id < recoding.class_count; ++id) {
      std::vector<std::size_t> members;
      for (std::size_t row = 0; row < people; ++row) {
        if (class_of[row] == id) members.push_back(row);
      }
      if (members.size() > 8) small = false;
      if (!small) break;
      std::vector<std::string> values;
      for (const auto row : members) values.push_back(rows[row][2]);
      for (const auto row : members) {
        const auto same = std::count(values.begin(), values.end(), rows[row][2]);
        if (static_cast<double>(same) >= 0.9 * static_cast<double>(values.size())) ++by_class;
      }
      std::sort(values.begin(), values.end());
      for (const bool negative : {true, false}) {
        std::vector<std::map<std::string, double>> weight;
        for (const auto row : members) weight.push_back(weights(row, negative));
        double all = 0;
        std::vector<std::map<std::string, double>> having(members.size());
        auto world_values = values;
        do {
          double chance = 1;
          for (std::size_t i = 0; i < members.size(); ++i) chance *= weight[i][world_values[i]];
          all += chance;
          for (std::size_t i = 0; i < members.size(); ++i) having[i][world_values[i]] += chance;
        } while (std::next_permutation(world_values.begin(), world_values.end()));
        if (all <= 0) continue;
        for (std::size_t i = 0; i < members.size(); ++i) {
          for (const auto& [value, chance] : having[i]) {
            if (chance / all < kBelieved - 1e-9) continue;
            ++(value == rows[members[i]][2] ? believed : mistaken);
          }
        }
        break;
      }
    }
    if (!small) continue;
    const auto attack = attack_by_rules(world.input, recoding, {.support = kSupport});
    EXPECT_EQ(attack.believed, believed) << seed;
    EXPECT_EQ(attack.mistaken, mistaken) << seed;
    if (attack.believed > by_class) ++sharpened;
  }
  EXPECT_GT(sharpened, 5U);
}

// A man and three women in a class of two values, too large to count: by hand.
TEST(MinedRules, EstimateWhereThereAreTooManyWorlds) {
  const ProtectionWorld world(
      {{"M", "flu"}, {"F", "flu"}, {"F", "ovarian cancer"}, {"M", "flu"}, {"F", "ovarian cancer"}},
      {"flat"}, {60, 30, 30, 1, 3});
  const Recoding recoding = classes_of(world, {0, 1, 1, 2, 2});
  // The cancer is left to the three women, so the man has flu, and of the women each is believed to
  // have the cancer with w / (w + f), where w = 3 * 1 / 3 and f = 1 * r / (1 * 1 + 3 * r), r being
  // a woman's weight of flu beside one of the cancer less what it is for the man, whose weight of
  // flu is scaled to 1. 124 records: flu 91, cancer 33; of 60 women 30 have each.
  const double cancer = (30 + 33.0 / 124) / 61 / (33.0 / 124);
  const double flu = (30 + 91.0 / 124) / 61 / (91.0 / 124);
  const double r = flu / cancer;
  const double f = r / (1 + 3 * r);
  const double belief = 1 / (1 + f);
  ASSERT_LT(belief, kBelieved);
  const auto estimated = attack_by_rules(world.input, recoding, {.steps_of_class = 1});
  EXPECT_EQ(estimated.believed, 60U + 1U);
  // Exactly: the man cannot have the cancer.
  EXPECT_EQ(attack_by_rules(world.input, recoding, {}).believed, 60U + 4U);
}

// Groups of a man and a woman, all with flu and the cancer: what stands apart says half of each sex
// has each. Groups of two men with flu and a cold say that men have no cancer by a negative rule
// only where none of their groups has one.
TEST(MinedRules, OfValuesThatStandApartKnowOnlyShares) {
  const ProtectionWorld world({{"M", "flu"}, {"F", "ovarian cancer"}}, {"flat"}, {60, 60});
  Recoding groups;
  for (std::uint32_t i = 0; i < 60; ++i) {
    for (const std::uint32_t row : {0U, 1U}) {
      groups.groups.push_back(row);
      groups.counts.push_back(1);
      groups.class_of.push_back(i);
    }
  }
  groups.class_count = 60;
  write_cells(world.input, CellStyle::labels, groups);
  for (auto& column : groups.columns) {  // as anatomy shows them
    column = keep(world.table.columns[0], groups);
    column.leaves.assign(column.values.size(), 1);
  }
  EXPECT_EQ(attack_by_rules(world.input, groups, {.values_apart = true}).believed, 0U);
  EXPECT_EQ(attack_by_rules(world.input, groups, {}).believed, 120U);
}

}  // namespace
}  // namespace pratique::tables::mined_rules_test
