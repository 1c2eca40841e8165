#include "pratique/consortium/element_list.h"

#include <gtest/gtest.h>

namespace pratique::consortium::element_list_test {
namespace {

// Short and long texts, spelled as they are compared or otherwise: more than stay in memory.
TEST(ElementList, GivesBackWhatWasAddedInAnyOrder) {
  constexpr std::size_t kCount = 20'000;
  const auto element = [](std::size_t i) {
    return std::to_string(i) + std::string(i % 97 == 0 ? 5'000 : i % 7, 'x');
  };
  const auto spelled = [&](std::size_t i) { return i % 3 == 0 ? " " + element(i) : element(i); };
  ElementList list;
  EXPECT_TRUE(list.empty());
  for (std::size_t i = 0; i < kCount; ++i) {
    list.add(element(i), spelled(i));
    ASSERT_EQ(list[i / 2], element(i / 2));  // while it grows
  }
  ASSERT_EQ(list.size(), kCount);
  const ElementList copy = list;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t place = i * 7919 % kCount;
    ASSERT_EQ(copy[place], element(place));
    ASSERT_EQ(copy.spelled(place), spelled(place));
  }
}

TEST(ElementList, AnEmptyTextIsOneToo) {
  const ElementList list{"", "a", ""};
  EXPECT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0] + list[1] + list[2], "a");
  EXPECT_EQ(list.spelled(2), "");
}

TEST(DistinctElements, EachIsThereOnceAsItWasSpelledFirst) {
  DistinctElements distinct;
  constexpr std::size_t kCount = 30'000;
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < kCount; ++i)
      EXPECT_EQ(distinct.add(std::to_string(i), std::to_string(i) + (round == 0 ? " " : "")),
                round == 0);
  const ElementList list = distinct.take();
  ASSERT_EQ(list.size(), kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(list[i], std::to_string(i));
    ASSERT_EQ(list.spelled(i), std::to_string(i) + " ");
  }
  EXPECT_TRUE(distinct.add("0", "0"));  // of another list
  EXPECT_EQ(distinct.take().size(), 1U);
}

}  // namespace
}  // namespace pratique::consortium::element_list_test
