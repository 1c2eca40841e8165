#include "pratique/codes/method/disassociation.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/codes/metric/disassociation_metrics.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/verify/claims.h"

namespace pratique::codes::disassociation_test {
namespace {

Disassociation run(const CodeSets& sets, std::uint64_t k, int m) {
  return disassociate({sets, nullptr, {k, m}}, Progress::silent());
}

using Parts = std::vector<std::string>;

std::string text_of(const DisassociatedSets& release, const std::vector<Code>& codes) {
  std::string text;
  for (const Code code : codes) text += std::string(release.codes.value(code)) + " ";
  return text;
}

Parts parts_of(const DisassociatedSets& release, const CodeChunk& chunk) {
  Parts parts;
  for (const auto& part : chunk.parts) parts.push_back(text_of(release, part));
  return parts;
}

std::string lines_of(const DisassociatedSets& release) {
  std::string text = std::string(kDisassociatedHeader) + "\n";
  std::size_t number = 0;
  for (std::size_t j = 0; j < release.joints.size(); ++j) {
    const auto write = [&](const std::string& cluster, const std::vector<CodeChunk>& chunks) {
      for (std::size_t c = 0; c < chunks.size(); ++c) {
        for (const auto& part : parts_of(release, chunks[c])) {
          text += std::to_string(j) + " " + cluster + " " + std::to_string(c) + " " + part + "\n";
        }
      }
    };
    for (const auto& cluster : release.joints[j].clusters) {
      const std::string name = std::to_string(++number) + " " + std::to_string(cluster.records);
      if (!cluster.items.empty()) {
        text += std::to_string(j) + " " + name + " items " + text_of(release, cluster.items) + "\n";
      }
      write(name, cluster.chunks);
    }
    write("- -", release.joints[j].shared);
  }
  return text;
}

// a 3, b 3, c 2, x 1 records. {a,b} are in two and make a chunk; {a,c} are in one, so c stands
// apart; x is rare.
TEST(Disassociation, ACaseByHand) {
  const CodeSets sets = parse_code_sets("a b x\na b\na c\nc\nb\n", "t.dat");
  const Disassociation disassociation = run(sets, 2, 2);
  ASSERT_EQ(disassociation.release.joints.size(), 1U);
  ASSERT_EQ(disassociation.release.joints[0].clusters.size(), 1U);
  EXPECT_TRUE(disassociation.release.joints[0].shared.empty());
  const CodeCluster& cluster = disassociation.release.joints[0].clusters[0];
  EXPECT_EQ(cluster.records, 5U);
  ASSERT_EQ(cluster.chunks.size(), 2U);
  EXPECT_EQ(parts_of(disassociation.release, cluster.chunks[0]),
            (Parts{"a ", "a b ", "a b ", "b "}));
  EXPECT_EQ(parts_of(disassociation.release, cluster.chunks[1]), (Parts{"c ", "c "}));
  EXPECT_EQ(text_of(disassociation.release, cluster.items), "x ");

  const auto expected = [&](const char* first, const char* second) {
    return expected_count(disassociation.release, *disassociation.release.codes.find(first),
                          *disassociation.release.codes.find(second));
  };
  EXPECT_DOUBLE_EQ(expected("a", "a"), 3);
  EXPECT_DOUBLE_EQ(expected("a", "b"), 2);
  EXPECT_DOUBLE_EQ(expected("a", "c"), 5 * 3.0 / 5 * 2 / 5);
  EXPECT_DOUBLE_EQ(expected("x", "a"), 5 * 1.0 / 5 * 3 / 5);
  const auto metrics = measure(sets, disassociation, Progress::silent());
  EXPECT_DOUBLE_EQ(metrics.occurrences_counted, 8.0 / 9);
  EXPECT_DOUBLE_EQ(metrics.pairs_kept, 2.0 / 5);

  // Of abx all three known: {a,b} is in two parts, x in any record. Of {a,c}: a in three, c in two.
  const Exposure exposed = expose(disassociation, sets, 3, 9, Progress::silent());
  EXPECT_EQ(exposed.targets, 5U);
  EXPECT_EQ(exposed.matched_under_k, 4U);  // all but b alone
  EXPECT_EQ(exposed.reidentified, 0U);
}

// Both chunks on the same two records would leave the third empty, which nobody is.
TEST(Disassociation, ACodeBecomesAnItemWhereChunksDoNotFillTheRecords) {
  const Disassociation disassociation = run(parse_code_sets("a b\na\nb\n", "t.dat"), 2, 2);
  const CodeCluster& cluster = disassociation.release.joints.at(0).clusters.at(0);
  EXPECT_EQ(text_of(disassociation.release, cluster.items), "a ");
  ASSERT_EQ(cluster.chunks.size(), 1U);
  EXPECT_EQ(parts_of(disassociation.release, cluster.chunks[0]), (Parts{"b ", "b "}));
  // With m = 1 they need not meet.
  const Disassociation single = run(parse_code_sets("a b\na\nb\n", "t.dat"), 2, 1);
  EXPECT_TRUE(single.release.joints.at(0).clusters.at(0).items.empty());
}

// Fifteen records with p, fifteen with q, and x once in each: rare in both clusters, not in both
// together.
TEST(Disassociation, ARareCodeOfTwoClustersIsShared) {
  std::string text = "p x\nq x\n";
  for (int i = 0; i < 14; ++i) text += "p\nq\n";
  const Disassociation disassociation = run(parse_code_sets(text, "t.dat"), 2, 2);
  ASSERT_EQ(disassociation.release.joints.size(), 1U);
  const JointCluster& joint = disassociation.release.joints[0];
  ASSERT_EQ(joint.clusters.size(), 2U);
  for (const auto& cluster : joint.clusters) {
    EXPECT_EQ(cluster.records, 15U);
    EXPECT_TRUE(cluster.items.empty());
  }
  ASSERT_EQ(joint.shared.size(), 1U);
  EXPECT_EQ(parts_of(disassociation.release, joint.shared[0]), (Parts{"x ", "x "}));
}

std::string random_text(std::uint64_t round) {
  SeededRandom random(17, round);
  const std::uint64_t codes = 6 + random.below(25);
  std::string text;
  for (std::uint64_t p = 0, patients = 30 + random.below(150); p < patients; ++p) {
    std::set<std::uint64_t> set;
    for (std::uint64_t i = 0, size = 1 + random.below(6); i < size; ++i) {
      set.insert(random.below(1 + random.below(codes)));
    }
    for (const auto code : set) text += "c" + std::to_string(code) + " ";
    text += "\n";
  }
  return text;
}

using Texts = std::set<std::string>;

Texts texts_of(const CodeSets& sets, std::uint32_t set) {
  Texts texts;
  for (const Code code : sets.set(set)) texts.emplace(sets.codes.value(code));
  return texts;
}

// The chunk says of these records what is true of them. Returns its codes.
Texts expect_true(const DisassociatedSets& release, const CodeChunk& chunk, const CodeSets& sets,
                  const std::vector<std::uint32_t>& members) {
  Texts domain;
  std::multiset<Texts> parts;
  for (const auto& part : chunk.parts) {
    Texts texts;
    for (const Code code : part) texts.emplace(release.codes.value(code));
    domain.insert(texts.begin(), texts.end());
    parts.insert(texts);
  }
  std::multiset<Texts> truth;
  for (const auto s : members) {
    Texts both;
    std::ranges::set_intersection(texts_of(sets, s), domain, std::inserter(both, both.end()));
    if (!both.empty()) truth.insert(both);
  }
  EXPECT_EQ(parts, truth);
  return domain;
}

TEST(Disassociation, RandomReleasesAreTrueAndVerified) {
  const PrivateFolder folder;
  const auto engine = Engine::duckdb({.threads = 1});
  std::size_t shared = 0;
  for (std::uint64_t round = 0; round < 120; ++round) {
    const CodeSets sets = parse_code_sets(random_text(round), "r.dat");
    const std::uint64_t k = 2 + round % 3;
    const int m = static_cast<int>(1 + round / 3 % 3);
    const Disassociation disassociation = run(sets, k, m);

    std::map<std::uint32_t, std::uint32_t> counts;
    for (std::size_t j = 0; j < disassociation.members.size(); ++j) {
      const JointCluster& joint = disassociation.release.joints[j];
      std::vector<std::uint32_t> everyone;
      for (const auto& members : disassociation.members[j]) {
        everyone.insert(everyone.end(), members.begin(), members.end());
      }
      for (const auto s : everyone) ++counts[s];
      Texts in_shared;
      for (const auto& chunk : joint.shared) {
        in_shared.merge(expect_true(disassociation.release, chunk, sets, everyone));
        ++shared;
      }
      for (std::size_t c = 0; c < joint.clusters.size(); ++c) {
        const auto& members = disassociation.members[j][c];
        EXPECT_EQ(joint.clusters[c].records, members.size());
        Texts told = in_shared;
        for (const auto& chunk : joint.clusters[c].chunks) {
          told.merge(expect_true(disassociation.release, chunk, sets, members));
        }
        Texts untold;
        for (const auto s : members) {
          for (const auto& code : texts_of(sets, s)) {
            if (!told.contains(code)) untold.insert(code);
          }
        }
        Texts items;
        for (const Code code : joint.clusters[c].items) {
          items.emplace(disassociation.release.codes.value(code));
        }
        EXPECT_EQ(items, untold);
      }
    }
    for (std::uint32_t s = 0; s < sets.size(); ++s) ASSERT_EQ(counts[s], sets.counts[s]);

    const std::string path = folder.path() + "/release.dat";
    std::ofstream(path) << lines_of(disassociation.release);
    const auto verdict = verify::verify_claim(*engine, engine->open_sets(path, Progress::silent()),
                                              {{"model", "km-disassociation"}, {"k", k}, {"m", m}},
                                              Progress::silent());
    ASSERT_TRUE(verdict.holds) << round << verdict.explanation;
    const auto after =
        expose(disassociation, sets, k, static_cast<std::size_t>(m), Progress::silent());
    ASSERT_EQ(after.matched_under_k, 0U) << round;
    ASSERT_EQ(after.targets, sets.patients());
  }
  EXPECT_GT(shared, 100U);
}

TEST(Disassociation, TheOrderOfTheInputDoesNotLeave) {
  const std::string text = random_text(3);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    lines.push_back(text.substr(at, text.find('\n', at) + 1 - at));
  }
  std::string turned;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) turned += *line;
  EXPECT_EQ(lines_of(run(parse_code_sets(text, "t"), 3, 2).release),
            lines_of(run(parse_code_sets(turned, "t"), 3, 2).release));
}

}  // namespace
}  // namespace pratique::codes::disassociation_test
