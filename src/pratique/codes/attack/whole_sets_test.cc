#include "pratique/codes/attack/whole_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "pratique/crypto/random.h"
#include "pratique/data/hierarchy_csv.h"

namespace pratique::codes::whole_sets_test {
namespace {

CodeTree tree_of(std::string_view csv, const CodeSets& sets) {
  return {parse_hierarchy_csv(csv, "h.csv"), sets, "h.csv"};
}

TEST(WholeSets, BeforeAnythingIsDoneWhoeverIsAloneIsNamed) {
  const CodeSets sets = parse_code_sets("a b\na b\na c\nb\n", "t.dat");
  const auto exposure = expose_whole_sets(sets, unchanged(sets, nullptr), 2, Progress::silent());
  EXPECT_EQ(exposure.targets, 4U);
  EXPECT_EQ(exposure.matched_under_k, 2U);  // {a,c}; {b}, which two others have and more
  EXPECT_EQ(exposure.reidentified, 2U);
  EXPECT_EQ(exposure.named, 2U);
  EXPECT_EQ(exposure.named_rightly, 2U);
}

// As classes of demographics tell them apart: the insider does not know these.
TEST(WholeSets, EqualSetsAreOneHoweverTheyAreHeld) {
  CodeSets sets = parse_code_sets("a b\na b\nc\n", "t.dat");
  sets.items = {0, 1, 0, 1, 2};
  sets.first = {0, 2, 4, 5};
  sets.counts = {1, 1, 1};
  sets.set_of = {0, 1, 2};
  const auto exposure = expose_whole_sets(sets, unchanged(sets, nullptr), 2, Progress::silent());
  EXPECT_EQ(exposure.targets, 3U);
  EXPECT_EQ(exposure.matched_under_k, 1U);
  EXPECT_EQ(exposure.named, 1U);
}

TEST(WholeSets, ByHand) {
  const CodeSets sets = parse_code_sets("a x\na y\nb x\n", "t.dat");
  const CodeTree tree = tree_of("a;A;*\nb;A;*\nx;X;*\ny;X;*\n", sets);
  // Released: {a, X}, {A, X}, {A, X}.
  const Recoding recoding = recode_by_tree(sets, tree, [&](std::size_t set, Code code) {
    const auto text = sets.codes.value(code);
    return set == 0 && text == "a" ? static_cast<CodeTree::Node>(code) : tree.parent(code);
  });
  const auto exposure = expose_whole_sets(sets, recoding, 3, Progress::silent());
  // {a, X} fits the first two patients, {A, X} all three. Those with a: 1/2 against 1/3 twice, so
  // the belief in {a, X} is (1/2) / (1/2 + 2/3); b: the two of A alone.
  EXPECT_EQ(exposure.targets, 3U);
  EXPECT_EQ(exposure.matched_under_k, 1U);
  EXPECT_EQ(exposure.reidentified, 0U);
  EXPECT_EQ(exposure.named, 0U);
}

// One has a and b; the others fit * but not {a, b}.
TEST(WholeSets, ARecordThatNobodyElseFitsNamesWithoutBeingTheOnlyOne) {
  std::string text = "a b\n";
  for (int p = 0; p < 30; ++p) text += "a\n";
  const CodeSets sets = parse_code_sets(text, "t.dat");
  const CodeTree tree = tree_of("a;*\nb;*\n", sets);
  // Released: {a, b} and thirty times *; the patient with a and b fits all of them.
  const Recoding recoding = recode_by_tree(sets, tree, [&](std::size_t set, Code code) {
    return set == 0 ? static_cast<CodeTree::Node>(code) : tree.root();
  });
  const auto exposure = expose_whole_sets(sets, recoding, 5, Progress::silent());
  EXPECT_EQ(exposure.matched_under_k, 0U);  // 31 records fit
  // 1 against 30 records of 1/31 each: the belief is 31/61.
  EXPECT_EQ(exposure.named, 0U);
  std::string two = text;
  for (int p = 0; p < 300; ++p) two += "b\n";
  const CodeSets more = parse_code_sets(two, "t.dat");
  const CodeTree other = tree_of("a;*\nb;*\n", more);
  const Recoding hidden = recode_by_tree(more, other, [&](std::size_t set, Code code) {
    return more.set(set).size() == 2 || more.codes.value(code) == "b"
               ? static_cast<CodeTree::Node>(code)
               : other.root();
  });
  // Released: {a, b}, thirty times *, 300 times {b}. * fits all 331 patients: 1 against 30/331, so
  // the belief is 331/361, more than nine tenths.
  const auto named = expose_whole_sets(more, hidden, 5, Progress::silent());
  EXPECT_EQ(named.matched_under_k, 0U);
  EXPECT_EQ(named.named, 1U);
  EXPECT_EQ(named.named_rightly, 1U);
}

// Codes removed from one record only: nothing fits, and the record with the fewest missing is
// taken.
TEST(WholeSets, ACodeThatOneRecordLostDoesNotHideIt) {
  const CodeSets sets = parse_code_sets("a b c\na\nb\nc d\nd\n", "t.dat");
  Recoding recoding = unchanged(sets, nullptr);
  // The first record loses c.
  ASSERT_EQ(recoding.labels[recoding.items[2]].text, "c");
  recoding.items.erase(recoding.items.begin() + 2);
  for (std::size_t s = 1; s < recoding.first.size(); ++s) --recoding.first[s];
  const auto exposure = expose_whole_sets(sets, recoding, 2, Progress::silent());
  EXPECT_EQ(exposure.reidentified, 5U);
  EXPECT_EQ(exposure.named_rightly, 5U);
  // From a file nobody knows that the patient is in it.
  const SearchableRelease release(sets, recoding);
  const auto outside = expose_whole_sets(release, sets, 2, Progress::silent());
  EXPECT_EQ(outside.targets, 5U);
  EXPECT_EQ(outside.reidentified, 4U);
  EXPECT_EQ(outside.named_rightly, 0U);
}

// Everything from the definition, on random releases with labels in some records only.
TEST(WholeSets, AgreesWithBruteForce) {
  for (std::uint64_t round = 0; round < 60; ++round) {
    SeededRandom random(17, round);
    std::string text;
    for (std::uint64_t p = 0, patients = 5 + random.below(40); p < patients; ++p) {
      std::set<std::uint64_t> set;
      for (std::uint64_t i = 0, size = 1 + random.below(3); i < size; ++i) {
        set.insert(random.below(8));
      }
      for (const auto code : set) text += std::to_string(code) + " ";
      text += "\n";
    }
    const CodeSets sets = parse_code_sets(text, "t.dat");
    std::string csv;
    for (int code = 0; code < 8; ++code) {
      csv += std::to_string(code) + ";L" + std::to_string(code / 2) + ";*\n";
    }
    const CodeTree tree = tree_of(csv, sets);
    const Recoding recoding = recode_by_tree(sets, tree, [&](std::size_t set, Code code) {
      if ((set + round) % 7 == 0) return tree.root();
      // In every other round no record has a label beside a code under it.
      if (round % 2 == 0)
        return (set * round + tree.parent(code)) % 3 == 0 ? tree.parent(code)
                                                          : static_cast<CodeTree::Node>(code);
      return (set * round + code) % 3 == 0 ? tree.parent(code) : static_cast<CodeTree::Node>(code);
    });
    const std::size_t patients = sets.patients();
    const auto fits = [&](std::size_t patient, std::size_t record) {
      const auto codes = sets.set(sets.set_of[patient]);
      const auto items = recoding.set(sets.set_of[record]);
      const auto stands_for = [&](std::uint32_t item, Code code) {
        const auto& covers = recoding.labels[item].covers;
        return std::find(covers.begin(), covers.end(), code) != covers.end();
      };
      for (const Code code : codes) {
        if (std::none_of(items.begin(), items.end(),
                         [&](auto item) { return stands_for(item, code); })) {
          return false;
        }
      }
      for (const auto item : items) {
        if (std::none_of(codes.begin(), codes.end(),
                         [&](Code code) { return stands_for(item, code); })) {
          return false;
        }
      }
      return true;
    };
    std::vector<double> fitted_by(patients, 0);
    for (std::size_t p = 0; p < patients; ++p) {
      for (std::size_t r = 0; r < patients; ++r) fitted_by[r] += fits(p, r) ? 1 : 0;
    }
    WholeSetExposure expected;
    expected.targets = patients;
    for (std::size_t p = 0; p < patients; ++p) {
      std::uint64_t matched = 0;
      double total = 0;
      double most = 0;
      std::size_t best = 0;
      for (std::size_t r = 0; r < patients; ++r) {
        if (!fits(p, r)) continue;
        ++matched;
        total += 1 / fitted_by[r];
        if (1 / fitted_by[r] > most) best = r;
        most = std::max(most, 1 / fitted_by[r]);
      }
      expected.matched_under_k += matched < 4 ? 1 : 0;
      expected.reidentified += matched == 1 ? 1 : 0;
      expected.named += most >= 0.9 * total ? 1 : 0;
      expected.named_rightly += most >= 0.9 * total && best == p ? 1 : 0;
    }
    const auto exposure = expose_whole_sets(sets, recoding, 4, Progress::silent());
    EXPECT_EQ(exposure.targets, expected.targets);
    EXPECT_EQ(exposure.matched_under_k, expected.matched_under_k) << round;
    EXPECT_EQ(exposure.reidentified, expected.reidentified) << round;
    EXPECT_EQ(exposure.named, expected.named) << round;
    EXPECT_EQ(exposure.named_rightly, expected.named_rightly) << round;
  }
}

}  // namespace
}  // namespace pratique::codes::whole_sets_test
