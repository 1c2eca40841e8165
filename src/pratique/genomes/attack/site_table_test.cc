#include "pratique/genomes/attack/site_table.h"

#include <gtest/gtest.h>

#include <map>

#include "pratique/crypto/random.h"

namespace pratique::genomes::site_table_test {
namespace {

TEST(SiteTable, IsAMap) {
  SeededRandom random(3);
  SiteTable table;
  std::map<std::uint64_t, float> map;
  EXPECT_EQ(table.find(0), nullptr);
  EXPECT_TRUE(table.begin() == table.end());
  for (int i = 0; i < 5000; ++i) {
    // Keys that crowd, 0 among them.
    const std::uint64_t key = random.below(3000) << (random.chance(0.5) ? 40U : 0U);
    const auto value = static_cast<float>(random.uniform());
    if (random.chance(0.7)) {
      table[key] = value;
      map[key] = value;
    }
    const auto known = map.find(key);
    const float* found = table.find(key);
    ASSERT_EQ(found != nullptr, known != map.end());
    if (found != nullptr) {
      EXPECT_EQ(*found, known->second);
    }
  }
  EXPECT_EQ(table.size(), map.size());
  std::map<std::uint64_t, float> listed;
  for (const auto& [key, value] : table) EXPECT_TRUE(listed.emplace(key, value).second);
  EXPECT_EQ(listed, map);
  // What is only asked for by place is there with 0.
  SiteTable other;
  EXPECT_EQ(other[7], 0);
  EXPECT_EQ(other.size(), 1U);
}

}  // namespace
}  // namespace pratique::genomes::site_table_test
