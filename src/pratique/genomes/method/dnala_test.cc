#include "pratique/genomes/method/dnala.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/genomes/attack/sequence_match.h"
#include "pratique/genomes/format/fasta.h"

namespace pratique::genomes::dnala_test {
namespace {

std::vector<Sequence> letters(const std::vector<std::string>& texts) {
  std::vector<Sequence> sequences;
  for (const auto& text : texts) {
    sequences.emplace_back();
    for (const char c : text) sequences.back().push_back(letter_from(c).value());
  }
  return sequences;
}

LatticePlanes planes_of(const std::vector<Sequence>& aligned) {
  return {aligned, variable_regions(aligned)};
}

std::vector<std::string> released(const std::vector<Sequence>& aligned, std::uint64_t k,
                                  Pairing pairing) {
  const auto groups = group_sequences(planes_of(aligned), k, pairing, Progress::silent());
  const auto united = generalise(aligned, groups);
  std::vector<std::string> texts(aligned.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    EXPECT_GE(groups[g].size(), k);
    for (const auto member : groups[g]) texts[member] = to_text(without_gaps(united[g]));
  }
  return texts;
}

std::vector<Sequence> random_sequences(std::uint64_t seed, std::size_t count, std::size_t length) {
  SeededRandom random(seed);
  std::vector<Sequence> sequences(count);
  for (auto& sequence : sequences) {
    for (std::size_t c = 0; c < length; ++c)
      sequence.push_back(letter_from("ACGT-"[random.below(5)]).value());
  }
  return sequences;
}

// What a group loses, from the definition.
std::int64_t loss_by_definition(const std::vector<Sequence>& aligned,
                                const std::vector<std::uint32_t>& group) {
  std::int64_t sum = 0;
  for (std::size_t c = 0; c < aligned.front().size(); ++c) {
    std::set<char> bases;
    bool gap = false;
    for (const auto member : group) {
      const char letter = to_character(aligned[member][c]);
      if (letter == '-') gap = true;
      if (letter != '-') bases.insert(letter);
    }
    std::int64_t level = static_cast<std::int64_t>(bases.size()) - 1;
    if (gap && !bases.empty()) level = 3;
    if (bases.empty()) level = 0;
    sum += level * static_cast<std::int64_t>(group.size());  // originals are bases: level 0
  }
  return sum;
}

// The least loss of any pairs and, of an odd number, one three.
std::int64_t least_loss(const std::vector<Sequence>& aligned, std::vector<std::uint32_t> left) {
  if (left.empty()) return 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  const auto without = [&](std::vector<std::uint32_t> members) {
    std::vector<std::uint32_t> rest;
    for (const auto s : left) {
      if (std::find(members.begin(), members.end(), s) == members.end()) rest.push_back(s);
    }
    return loss_by_definition(aligned, members) + least_loss(aligned, rest);
  };
  for (std::size_t a = 1; a < left.size(); ++a) {
    if (left.size() != 3) least = std::min(least, without({left[0], left[a]}));
    if (left.size() % 2 == 0) continue;
    for (std::size_t b = a + 1; b < left.size(); ++b)
      least = std::min(least, without({left[0], left[a], left[b]}));
  }
  return least;
}

TEST(Dnala, TheExampleOfTheTutorial) {
  // S1 AATTA, S2 AATGA, S3 ATTCA, S4 AATGA: columns 2 and 4 vary. S2 and S4 are equal; S1 and S3
  // become AWTYA, at a distance of 2 + 2.
  const auto aligned = letters({"AATTA", "AATGA", "ATTCA", "AATGA"});
  EXPECT_EQ(variable_regions(aligned), (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(released(aligned, 2, Pairing::optimal),
            (std::vector<std::string>{"AWTYA", "AATGA", "AWTYA", "AATGA"}));
  const auto groups = group_sequences(planes_of(aligned), 2, Pairing::optimal, Progress::silent());
  EXPECT_EQ(distance_of(planes_of(aligned), groups), 4);
  const auto loss = loss_of(aligned, groups, generalise(aligned, groups));
  EXPECT_EQ(loss.distance, 4);
  EXPECT_DOUBLE_EQ(loss.bits, 4);  // four cells, each one of two bases now
}

TEST(Dnala, ABaseAgainstAGapIsAnythingAndGapsOfAllGo) {
  // Third column: a gap in both, which goes. Fourth: C against a gap.
  EXPECT_EQ(released(letters({"AG-C", "AA--", "TT-T", "TT-T"}), 2, Pairing::optimal),
            (std::vector<std::string>{"ARN", "ARN", "TTT", "TTT"}));
}

TEST(Dnala, OptimalPairsLoseTheLeastThereIs) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto aligned = random_sequences(seed, 2 + 2 * (seed % 4), 6);
    const auto planes = planes_of(aligned);
    std::vector<std::uint32_t> all;
    for (std::uint32_t s = 0; s < aligned.size(); ++s) all.push_back(s);
    const auto optimal = group_sequences(planes, 2, Pairing::optimal, Progress::silent());
    const auto greedy = group_sequences(planes, 2, Pairing::greedy, Progress::silent());
    std::int64_t defined = 0;
    for (const auto& group : optimal) defined += loss_by_definition(aligned, group);
    ASSERT_EQ(distance_of(planes, optimal), defined);
    ASSERT_EQ(defined, least_loss(aligned, all)) << seed;
    ASSERT_GE(distance_of(planes, greedy), defined);
  }
}

TEST(Dnala, OfAnOddNumberOneGroupHasThree) {
  double excess = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto aligned = random_sequences(seed, 7, 8);
    const auto groups =
        group_sequences(planes_of(aligned), 2, Pairing::optimal, Progress::silent());
    std::multiset<std::size_t> sizes;
    for (const auto& group : groups) sizes.insert(group.size());
    ASSERT_EQ(sizes, (std::multiset<std::size_t>{2, 2, 3}));
    const auto least = least_loss(aligned, {0, 1, 2, 3, 4, 5, 6});
    const auto found = distance_of(planes_of(aligned), groups);
    ASSERT_GE(found, least);
    excess += static_cast<double>(found - least) / static_cast<double>(least);
  }
  // The third member is chosen by an estimate; on average it costs a few per cent.
  EXPECT_LT(excess / 100, 0.06);
}

TEST(Dnala, EverybodyFitsAtLeastKEntries) {
  for (const std::uint64_t k : {2U, 3U, 4U, 5U, 10U}) {
    for (const std::size_t count : {10U, 11U, 23U}) {
      const auto aligned = random_sequences(k * 100 + count, count, 12);
      for (const auto pairing : {Pairing::greedy, Pairing::optimal}) {
        const auto planes = planes_of(aligned);
        const auto groups = group_sequences(planes, k, pairing, Progress::silent());
        std::set<std::uint32_t> seen;
        for (const auto& group : groups) {
          EXPECT_GE(group.size(), k);
          seen.insert(group.begin(), group.end());
        }
        EXPECT_EQ(seen.size(), count);
        const auto after = match_groups(planes, groups, Progress::silent());
        EXPECT_GE(after.fewest, k);
        EXPECT_EQ(after.unique, 0U);
        EXPECT_EQ(match_originals(planes, Progress::silent()).unique, count);  // all different
      }
    }
  }
}

TEST(Dnala, FewerThanKAreRefused) {
  EXPECT_THROW((void)group_sequences(planes_of(letters({"A", "C"})), 3, Pairing::optimal,
                                     Progress::silent()),
               Error);
}

TEST(Dnala, AKnownSequenceFitsWhatStandsForIt) {
  // A fits A, R and N; before, the two A are each other's only company.
  const auto aligned = letters({"A", "A", "G", "N"});
  const auto before = match_originals(planes_of(aligned), Progress::silent());
  EXPECT_EQ(before.unique, 1U);  // N: only N stands for it
  EXPECT_DOUBLE_EQ(before.mean_candidates, (3 + 3 + 2 + 1) / 4.0);
}

TEST(RecoveredByRest, WhoKnowsTheOthersTakesTheirsOff) {
  const auto share = [](const std::vector<Sequence>& people) {
    std::vector<std::uint32_t> all(people.size());
    std::iota(all.begin(), all.end(), 0U);
    return recovered_by_rest(people, {all}, generalise(people, {all}), {0});
  };
  EXPECT_EQ(share({{1}, {4}}), 1.0);           // A, G as R: each tells the other
  EXPECT_EQ(share({{1}, {1}, {4}}), 1.0 / 3);  // of A and A the one G is told, of A and G neither
  EXPECT_EQ(share({{1}, {kGap}}), 0.5);        // beside a gap any base fits; beside A only a gap
  EXPECT_EQ(share({{1}, {1}}), std::nullopt);  // nothing was hidden
}

}  // namespace
}  // namespace pratique::genomes::dnala_test
