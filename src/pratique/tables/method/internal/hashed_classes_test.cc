#include "pratique/tables/method/internal/hashed_classes.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/model/l_diversity.h"
#include "pratique/tables/testing/protection_for_test.h"

namespace pratique::tables::hashed_classes_test {
namespace {

using internal::LevelCodes;

// By definition: classes of equal cells, with fewer than k records or l values suppressed.
internal::NodeOutcome counted(const ProtectionForTest& world, const std::vector<LevelCodes>& codes,
                              const Levels& levels, std::uint64_t k, std::size_t l) {
  struct Class {
    std::uint64_t records = 0;
    std::set<Code> values;
  };
  std::map<std::vector<Code>, Class> classes;
  for (std::uint32_t group = 0; group < world.counts.size(); ++group) {
    std::vector<Code> cells;
    for (std::size_t a = 0; a < codes.size(); ++a) {
      const Code lowest = codes[a].lowest()[world.input.attributes[a].column->codes[group]];
      cells.push_back(codes[a].raise(0, levels[a])[lowest]);
    }
    Class& its = classes[cells];
    its.records += world.counts[group];
    its.values.insert(world.input.sensitive[0]->codes[group]);
  }
  internal::NodeOutcome outcome;
  for (std::size_t a = 0; a < codes.size(); ++a)
    outcome.suppressed_by_code.emplace_back(codes[a].distinct(levels[a]), 0);
  for (const auto& [cells, its] : classes) {
    if (its.records >= k && its.values.size() >= l) {
      ++outcome.classes;
      outcome.squares += its.records * its.records;
      continue;
    }
    outcome.suppressed += its.records;
    for (std::size_t a = 0; a < codes.size(); ++a)
      outcome.suppressed_by_code[a][cells[a]] += its.records;
  }
  return outcome;
}

// Of many parts, one node after the other by the same worker.
TEST(HashedClasses, AreTheClassesByDefinition) {
  constexpr std::size_t kGroups = 60'000;
  constexpr int kTables = 6;
  constexpr int kNodes = 12;
  for (int table = 0; table < kTables; ++table) {
    SeededRandom random(static_cast<std::uint64_t>(table) + 1);
    const auto world = random_protection(7, kGroups, random);
    world->input.sensitive = {&world->table.columns.back()};
    std::vector<LevelCodes> codes(world->input.attributes.begin(), world->input.attributes.end());
    constexpr std::uint64_t kLeast = 5;
    const std::size_t l = table % 2 == 0 ? 0 : 2;
    Models models = {k_anonymity(kLeast)};
    if (l > 0) models.push_back(distinct_l_diversity(l, {.column = "s"}));
    const auto classes = internal::hashed_classes(world->input, codes, models);
    const std::uint64_t limit = world->records() / 50;
    for (int node = 0; node < kNodes; ++node) {
      Levels levels;
      for (const auto& attribute : codes)
        levels.push_back(
            static_cast<int>(random.below(static_cast<std::uint64_t>(attribute.height()))));
      const auto expected = counted(*world, codes, levels, kLeast, l);
      const auto all = classes->count(levels, [](std::uint64_t) { return false; });
      EXPECT_TRUE(all.complete);
      EXPECT_EQ(all.suppressed, expected.suppressed);
      EXPECT_EQ(all.surely_suppressed, expected.suppressed);
      EXPECT_EQ(all.classes, expected.classes);
      EXPECT_EQ(all.squares, expected.squares);
      EXPECT_EQ(all.suppressed_by_code, expected.suppressed_by_code);
      // Who gives up is told no more than is so, and enough to give up.
      const auto some = classes->count(levels, [&](std::uint64_t out) { return out > limit; });
      EXPECT_EQ(some.complete, expected.suppressed <= limit);
      EXPECT_LE(some.suppressed, expected.suppressed);
      EXPECT_EQ(some.complete, some.suppressed <= limit);
    }
  }
}

}  // namespace
}  // namespace pratique::tables::hashed_classes_test
