#include "pratique/tables/method/anatomy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "pratique/core/error.h"
#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::anatomy_test {
namespace {

// Of n people with these values, everybody somebody else.
ProtectionWorld world_of(const std::string& values) {
  Rows rows;
  for (std::size_t i = 0; i < values.size(); ++i)
    rows.push_back({std::to_string(i), std::string(1, values[i])});
  return {rows, {"flat"}};
}

TEST(Anatomy, EveryGroupHasDifferentValuesAndEverybodyIsInOne) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SeededRandom random(seed);
    const std::uint64_t l = 1 + random.below(4);
    std::string values;
    for (std::size_t i = 1 + random.below(40); i > 0; --i)
      values += static_cast<char>('a' + random.below(6));
    const auto world = world_of(values);
    std::map<char, std::uint64_t> counts;
    for (const char value : values) ++counts[value];
    const auto most = std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) {
                        return a.second < b.second;
                      })->second;
    const auto draw = [&](std::uint64_t bound) { return random.below(bound); };
    if (most * l > values.size()) {
      EXPECT_THROW((void)anatomy(world.input, l, draw), Error);
      continue;
    }
    const auto recoding = anatomy(world.input, l, draw);
    std::vector<std::map<Code, int>> groups(recoding.class_count);
    std::vector<std::uint64_t> seen(values.size(), 0);
    for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
      seen[recoding.groups[i]] += recoding.counts[i];
      ++groups[recoding.class_of[i]][world.table.columns[1].codes[recoding.groups[i]]];
      EXPECT_EQ(recoding.columns[0].values[recoding.columns[0].codes[i]],
                world.table.columns[0].text(recoding.groups[i]));
    }
    EXPECT_EQ(seen, std::vector<std::uint64_t>(values.size(), 1));
    for (const auto& group : groups) {
      EXPECT_GE(group.size(), l);
      for (const auto& [value, count] : group) EXPECT_EQ(count, 1);
    }
  }
}

TEST(Anatomy, EqualRecordsStayApart) {
  const ProtectionWorld world({{"1", "a"}, {"1", "b"}}, {"flat"}, {3, 3});
  SeededRandom random(1);
  const auto recoding =
      anatomy(world.input, 2, [&](std::uint64_t bound) { return random.below(bound); });
  EXPECT_EQ(recoding.class_count, 3U);
  EXPECT_EQ(recoding.counts, std::vector<std::uint64_t>(6, 1));
}

TEST(Anatomy, SaysWhichLItCouldHold) {
  const auto world = world_of("aaabc");
  try {
    (void)anatomy(world.input, 2, [](std::uint64_t) { return 0U; });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::check_failed);
    EXPECT_NE(error.message().find("3 of 5 records"), std::string::npos);
    // l = 1 is no promise, so it is not proposed.
    EXPECT_NE(error.hint().find("can hold no l here"), std::string::npos) << error.hint();
  }
  const auto more = world_of("aabc");
  try {
    (void)anatomy(more.input, 3, [](std::uint64_t) { return 0U; });
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("--l 2"), std::string::npos) << error.hint();
  }
}

// All draws there are, each with its chance: to who knows the method, every way to deal the values
// of each group to its people is equally likely.
TEST(Anatomy, NobodyWhoKnowsTheMethodKnowsMoreThanTheGroups) {
  using Groups = std::vector<std::vector<int>>;  // of people, in no order of groups
  for (const std::string values : {"aabb", "aabbc", "aabbcc", "aabbcd", "aabcd"}) {
    // For every world with the same values: the chance of each grouping.
    std::map<Groups, std::map<std::string, double>> chances;
    std::string dealt = values;
    std::sort(dealt.begin(), dealt.end());
    do {
      const auto world = world_of(dealt);
      std::vector<std::uint64_t> script;
      std::vector<std::uint64_t> bounds;
      for (;;) {
        std::size_t step = 0;
        double chance = 1;
        const auto recoding = anatomy(world.input, 2, [&](std::uint64_t bound) {
          if (step == script.size()) {
            script.push_back(0);
            bounds.push_back(bound);
          }
          bounds[step] = bound;
          chance /= static_cast<double>(bound);
          return script[step++];
        });
        Groups groups(recoding.class_count);
        for (std::size_t i = 0; i < recoding.groups.size(); ++i)
          groups[recoding.class_of[i]].push_back(
              std::stoi(std::string(world.table.columns[0].text(recoding.groups[i]))));
        for (auto& group : groups) std::sort(group.begin(), group.end());
        std::sort(groups.begin(), groups.end());
        chances[groups][dealt] += chance;
        script.resize(step);
        bounds.resize(step);
        while (!script.empty() && script.back() + 1 == bounds.back()) {
          script.pop_back();
          bounds.pop_back();
        }
        if (script.empty()) break;
        ++script.back();
      }
    } while (std::next_permutation(dealt.begin(), dealt.end()));
    for (const auto& [groups, worlds] : chances) {
      // Worlds that give every group the same values are told from each other by nothing.
      std::map<std::vector<std::string>, std::vector<double>> of_published;
      for (const auto& [world, chance] : worlds) {
        std::vector<std::string> published;
        for (const auto& group : groups) {
          std::string in_group;
          for (const int person : group) in_group += world[static_cast<std::size_t>(person)];
          std::sort(in_group.begin(), in_group.end());
          published.push_back(in_group);
        }
        of_published[published].push_back(chance);
      }
      for (const auto& [published, likely] : of_published) {
        double ways = 1;
        for (const auto& in_group : published) {
          for (std::size_t i = 2; i <= in_group.size(); ++i) ways *= static_cast<double>(i);
        }
        EXPECT_EQ(static_cast<double>(likely.size()), ways);  // every deal, since values differ
        for (const double chance : likely) EXPECT_NEAR(chance, likely.front(), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace pratique::tables::anatomy_test
