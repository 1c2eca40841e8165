// Decisions on lists that are compared a part at a time.
#include "pratique/consortium/decision.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pratique/consortium/message.h"
#include "pratique/crypto/random.h"
#include "pratique/trails/method/protection.h"

namespace pratique::consortium::decision_test {
namespace {

Token random_token(SeededRandom& random) {
  Token token{};
  for (auto& byte : token) byte = static_cast<std::uint8_t>(random.below(256));
  return token;
}

// Two sites: so many records at the first alone, the second alone, and both. Person i has sample i.
struct Lists {
  Lists(std::array<std::size_t, 3> sizes, SeededRandom& random) : submitted(2) {
    for (std::size_t where = 0; where < 3; ++where)
      for (std::size_t i = 0; i < sizes[where]; ++i)
        for (auto* side : {&submitted.people, &submitted.samples}) {
          const Token token = random_token(random);
          for (std::size_t site = 0; site < 2; ++site)
            if (where == 2 || where == site) (*side)[site].add(std::span(&token, 1));
        }
  }
  SubmittedLists submitted;
};

Configuration two_sites(std::uint64_t k) {
  Configuration configuration;
  configuration.sites = {"H1", "H2"};
  configuration.k = k;
  return configuration;
}

TEST(Decision, OfManyRecordsIsThatOfTheirTrails) {
  SeededRandom random(3);
  // More than are compared at once.
  constexpr std::size_t kFirst = 90'000;
  constexpr std::size_t kSecond = 80'000;
  constexpr std::size_t kBoth = 60'000;
  const Lists lists({kFirst, kSecond, kBoth}, random);
  const auto engine = Engine::duckdb();
  const Decision decision = decide(two_sites(5), lists.submitted, 11, *engine, Progress::silent());
  // The same in the clear: trails {H1} come before {H1, H2} and {H2}.
  const auto range = [](std::size_t from, std::size_t to) {
    std::vector<trails::Id> ids;
    for (std::size_t id = from; id < to; ++id) ids.push_back(static_cast<trails::Id>(id));
    return ids;
  };
  constexpr std::size_t kAll = kFirst + kBoth + kSecond;
  const trails::LocationLists at = {range(0, kFirst + kBoth), range(kFirst, kAll)};
  const auto clear =
      trails::protect({kAll, kAll, at, at},
                      {.k = 5, .method = "greedy", .secure = true, .seed = 11}, Progress::silent());
  // Places: those at one site alone come first in its list.
  const std::size_t alone[] = {kFirst, kSecond};
  std::size_t total = 0;
  for (std::size_t site = 0; site < 2; ++site) {
    const auto& bits = decision.disclosed[site];
    ASSERT_EQ(bits.size(), alone[site] + kBoth);
    const auto middle = bits.begin() + static_cast<std::ptrdiff_t>(alone[site]);
    const auto shared =
        static_cast<std::size_t>(std::ranges::count_if(clear.allocation[site], [&](trails::Id id) {
          return id >= kFirst && id < kFirst + kBoth;
        }));
    EXPECT_EQ(static_cast<std::size_t>(std::count(middle, bits.end(), true)), shared);
    EXPECT_EQ(static_cast<std::size_t>(std::count(bits.begin(), middle, true)),
              clear.allocation[site].size() - shared);
    total += clear.allocation[site].size();
  }
  EXPECT_EQ(decision.total, total);
  EXPECT_GT(total, kAll / 2);
}

TEST(Decision, ARecordTwiceIsFoundWhereverItIs) {
  SeededRandom random(4);
  const auto engine = Engine::duckdb();
  for (const bool of_people : {true, false}) {
    for (const std::size_t site : {0U, 1U}) {
      Lists lists({140'000, 150'000, 20}, random);
      auto& list = (of_people ? lists.submitted.people : lists.submitted.samples)[site];
      Token again{};
      list.for_each([&](std::uint64_t place, const Token& token) {
        if (place == 70'000) again = token;
      });
      list.add(std::span(&again, 1));
      try {
        (void)decide(two_sites(2), lists.submitted, 1, *engine, Progress::silent());
        FAIL();
      } catch (const CheckFailed& error) {
        EXPECT_EQ(error.check(), "no record twice");
        EXPECT_EQ(error.culprit(), site == 0 ? "H1" : "H2");
      }
    }
  }
}

TEST(TokenFile, GivesBackWhatWasAdded) {
  SeededRandom random(5);
  TokenFile file;
  std::vector<Token> added;
  file.for_each([](std::uint64_t, const Token&) { FAIL(); });
  for (const std::size_t count : {1U, 0U, 4095U, 1U, 9000U}) {
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < count; ++i) tokens.push_back(random_token(random));
    file.add(tokens);
    added.insert(added.end(), tokens.begin(), tokens.end());
    ASSERT_EQ(file.size(), added.size());
    std::size_t next = 0;
    file.for_each([&](std::uint64_t place, const Token& token) {
      ASSERT_EQ(place, next);
      ASSERT_EQ(token, added[next++]);
    });
    ASSERT_EQ(next, added.size());
  }
}

}  // namespace
}  // namespace pratique::consortium::decision_test
