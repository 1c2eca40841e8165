#include "pratique/codes/attack/differencing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace pratique::codes::differencing_test {
namespace {

ComposedRelease release_of(const std::string& text, ReleasedLabels labels = {}) {
  return {parse_code_sets(text, "test"), std::move(labels)};
}

const std::string kFour = "a b\na b\na c\na c\n";

TEST(CodeDifferencing, TellsTheRecordOfWhoJoined) {
  const CompositionQuestion question{.known = 2, .k = 2, .sensitive = {}};
  const auto compare = [&](const std::string& before, const std::string& after) {
    return subtract(release_of(before), release_of(after), question);
  };
  EXPECT_EQ(compare(kFour, kFour).patients(), 0U);
  EXPECT_EQ(compare(kFour, kFour + "a b\n").joined, 1U);
  EXPECT_EQ(compare(kFour + "a b\n", kFour).left, 1U);
  // Two who have the same codes hide each other; two who have not do not.
  EXPECT_EQ(compare(kFour, kFour + "a b\na b\n").patients(), 0U);
  EXPECT_EQ(compare(kFour, kFour + "a b\na c\n").joined, 2U);
  // Where others left, nobody knows whether the two joined; one alone is told all the same.
  EXPECT_EQ(compare(kFour + "a\na\n", kFour + "a b\na c\n").patients(), 0U);
  EXPECT_EQ(compare(kFour + "a\na\n", kFour + "a b\n").joined, 1U);
}

TEST(CodeDifferencing, SeesThroughOtherLabels) {
  const CompositionQuestion question{.known = 1, .k = 2, .sensitive = {}};
  // b and c are one code in the second release, so they are one for both.
  EXPECT_EQ(subtract(release_of(kFour),
                     release_of("a Q\na Q\na Q\na Q\na Q\n", {{"Q", {"b", "c"}}}), question)
                .joined,
            1U);
  EXPECT_EQ(
      subtract(release_of(kFour), release_of("a (b|c)\na (b|c)\na (b|c)\na (b|c)\n"), question)
          .patients(),
      0U);
  // d is suppressed in the second release.
  EXPECT_EQ(
      subtract(release_of("a b d\na b\na c d\na c\n"), release_of(kFour), question).patients(), 0U);
  // An item that may be any code leaves only how many records there are.
  EXPECT_EQ(subtract(release_of(kFour), release_of("*\n*\n*\n*\n*\n"), question).joined, 1U);
}

TEST(CodeDifferencing, KnowsTheFirstByNameOfEquallyRareCodes) {
  const CompositionQuestion question{.known = 2, .k = 2, .sensitive = {}};
  const auto joined = [&](const std::string& stayed, const std::string& who,
                          const ReleasedLabels& labels = {}) {
    const auto before = release_of(stayed, labels);
    const auto after = release_of(stayed + who, labels);
    EXPECT_EQ(subtract(after, before, question).left, subtract(before, after, question).joined);
    return subtract(before, after, question).joined;
  };
  // a, b and d have two of those who joined, c has three. So a and b are known of the last two, who
  // hide each other, in whatever order the records are; c and d are known of the second.
  EXPECT_EQ(joined("d\na\na\na b c d\n", "c\nc d\na b d\na b c\n"), 1U);
  EXPECT_EQ(joined("a b c d\na\na\nd\n", "c\nc d\na b d\na b c\n"), 1U);
  // Q is z or a, so it comes before b.
  EXPECT_EQ(joined("d\nQ\nQ b c d\n", "c\nc d\nQ b d\nQ b c\n", {{"Q", {"z", "a"}}}), 1U);
}

// Where every code becomes the same item for all patients, and people only join: those are exposed
// whose m rarest codes too few of those who joined have.
RC_GTEST_PROP(CodeDifferencing, LooksAmongThoseWhoJoined, ()) {
  using Set = std::set<char>;
  const auto draw = [](int most) {
    std::vector<Set> sets;
    for (int p = *rc::gen::inRange(0, most); p > 0; --p) {
      const auto bits = *rc::gen::inRange<unsigned>(1, 16);
      Set& set = sets.emplace_back();
      for (unsigned c = 0; c < 4; ++c) {
        if ((bits >> c & 1U) != 0) set.insert(static_cast<char>('a' + c));
      }
    }
    return sets;
  };
  std::vector<Set> stayed = draw(6);
  stayed.push_back({'a', 'b', 'c', 'd'});  // no code is suppressed
  const std::vector<Set> joined = draw(8);
  const auto text = [](const std::vector<Set>& sets) {
    std::string all;
    for (const auto& set : sets) {
      for (const char code : set) all += std::string(1, code) + " ";
      all += "\n";
    }
    return all;
  };
  const CompositionQuestion question{.known = *rc::gen::inRange<std::size_t>(1, 4),
                                     .k = *rc::gen::inRange<std::uint64_t>(2, 4),
                                     .sensitive = {}};
  std::uint64_t expected = 0;
  for (const auto& target : joined) {
    // Of all sets of m of the target's codes, the one whose codes are rarest: by code, as said.
    std::vector<std::pair<long, char>> rare;
    for (const char code : target)
      rare.emplace_back(std::count_if(joined.begin(), joined.end(),
                                      [&](const Set& set) { return set.contains(code); }),
                        code);
    std::sort(rare.begin(), rare.end());
    if (rare.size() > question.known) rare.resize(question.known);
    const auto fitting = std::count_if(joined.begin(), joined.end(), [&](const Set& set) {
      return std::all_of(rare.begin(), rare.end(),
                         [&](const auto& code) { return set.contains(code.second); });
    });
    expected += static_cast<std::uint64_t>(fitting) < question.k ? 1 : 0;
  }
  if (joined.size() < question.k) expected = joined.size();
  const auto before = release_of(text(stayed));
  std::vector<Set> all = stayed;
  all.insert(all.end(), joined.begin(), joined.end());
  RC_ASSERT(subtract(before, release_of(text(all)), question).joined == expected);
  RC_ASSERT(subtract(release_of(text(all)), before, question).left == expected);
}

}  // namespace
}  // namespace pratique::codes::differencing_test
