#include "pratique/server/answer_cache.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace pratique::server::answer_cache_test {
namespace {

TEST(AnswerCache, FindsOnceAndForgetsWhatWasNotUsedForLongest) {
  AnswerCache cache(20);
  int asked = 0;
  const auto get = [&](const std::string& key) {
    return cache.get(key, [&] {
      ++asked;
      return "answer " + key;  // 9 bytes with its key
    });
  };
  EXPECT_EQ(get("a"), "answer a");
  EXPECT_EQ(get("a"), "answer a");
  EXPECT_EQ(asked, 1);
  (void)get("b");
  (void)get("a");
  (void)get("c");  // room for two: b goes
  EXPECT_EQ(asked, 3);
  (void)get("a");
  EXPECT_EQ(asked, 3);
  (void)get("b");
  EXPECT_EQ(asked, 4);
}

TEST(AnswerCache, KeepsNoFailureAndNothingTooLarge) {
  AnswerCache cache(20);
  EXPECT_THROW((void)cache.get("a", []() -> std::string { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(cache.get("a", [] { return std::string(100, 'x'); }), std::string(100, 'x'));
  EXPECT_EQ(cache.get("a", [] { return std::string("y"); }), "y");
}

}  // namespace
}  // namespace pratique::server::answer_cache_test
