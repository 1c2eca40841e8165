#include "pratique/data/dictionary.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

namespace pratique::dictionary_test {
namespace {

TEST(Dictionary, NumbersValuesInOrderOfFirstAppearance) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.intern("b"), 0U);
  EXPECT_EQ(dictionary.intern("a"), 1U);
  EXPECT_EQ(dictionary.intern("b"), 0U);
  EXPECT_EQ(dictionary.intern(""), 2U);
  EXPECT_EQ(dictionary.intern(std::string_view("\0", 1)), 3U);
  EXPECT_EQ(dictionary.size(), 4U);
  EXPECT_EQ(dictionary.value(2), "");
  EXPECT_EQ(dictionary.find("a"), 1U);
  EXPECT_FALSE(dictionary.find("c"));
}

TEST(Dictionary, EmptyFindsNothing) {
  const Dictionary dictionary;
  EXPECT_EQ(dictionary.size(), 0U);
  EXPECT_FALSE(dictionary.find(""));
}

RC_GTEST_PROP(Dictionary, AgreesWithAMap, (const std::vector<std::string>& values)) {
  Dictionary dictionary;
  std::map<std::string, Code> expected;
  for (const auto& value : values) {
    const auto [at, is_new] = expected.emplace(value, static_cast<Code>(expected.size()));
    RC_ASSERT(dictionary.intern(value) == at->second);
  }
  RC_ASSERT(dictionary.size() == expected.size());
  for (const auto& [value, code] : expected) {
    RC_ASSERT(dictionary.value(code) == value);
    RC_ASSERT(dictionary.find(value) == code);
  }
}

// Values keep their place in memory while the dictionary grows and moves.
TEST(Dictionary, ViewsStayValid) {
  Dictionary dictionary;
  std::vector<std::string_view> views;
  for (int i = 0; i < 200000; ++i) {
    const Code code = dictionary.intern(std::to_string(i));
    ASSERT_EQ(code, static_cast<Code>(i));
    views.push_back(dictionary.value(code));
  }
  const std::string large(3 << 20, 'x');
  dictionary.intern(large);
  const Dictionary moved = std::move(dictionary);
  for (int i = 0; i < 200000; i += 999) EXPECT_EQ(views[i], std::to_string(i));
  EXPECT_EQ(moved.find("199999"), 199999U);
  EXPECT_EQ(moved.value(200000), large);
  EXPECT_GT(moved.memory_bytes(), large.size());
}

}  // namespace
}  // namespace pratique::dictionary_test
