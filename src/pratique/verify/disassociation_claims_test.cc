#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::disassociation_claims_test {
namespace {

using Part = std::set<char>;
using Chunk = std::vector<Part>;
struct Cluster {
  int records = 0;
  std::vector<Chunk> chunks = {};
  Part items = {};
};
struct JointOf {
  std::vector<Cluster> clusters;
  std::vector<Chunk> shared = {};
};
using Release = std::vector<JointOf>;

std::string text_of(const Part& part) {
  std::string text;
  for (const char code : part) text += std::string(" ") + code;
  return text;
}

std::string lines_of(const Release& release) {
  std::string text = "joint cluster records chunk codes\n";
  for (std::size_t j = 0; j < release.size(); ++j) {
    const auto write = [&](const std::string& cluster, const std::vector<Chunk>& chunks) {
      for (std::size_t c = 0; c < chunks.size(); ++c) {
        for (const auto& part : chunks[c]) {
          text +=
              std::to_string(j) + " " + cluster + " " + std::to_string(c) + text_of(part) + "\n";
        }
      }
    };
    for (std::size_t c = 0; c < release[j].clusters.size(); ++c) {
      const Cluster& cluster = release[j].clusters[c];
      const std::string name = std::to_string(c) + " " + std::to_string(cluster.records);
      if (!cluster.items.empty()) {
        text += std::to_string(j) + " " + name + " items" + text_of(cluster.items) + "\n";
      }
      write(name, cluster.chunks);
    }
    write("- -", release[j].shared);
  }
  return text;
}

// All reconstructions of one joint cluster, one after the other.
class Reconstructions {
 public:
  Reconstructions(const JointOf& joint, std::function<void(const std::vector<Part>&)> see)
      : see_(std::move(see)) {
    std::size_t first = 0;
    for (const auto& cluster : joint.clusters) {
      const std::size_t last = first + static_cast<std::size_t>(cluster.records);
      for (const auto& chunk : cluster.chunks) chunks_.push_back({&chunk, first, last});
      for (const char item : cluster.items) items_.push_back({item, first, last});
      first = last;
    }
    for (const auto& chunk : joint.shared) chunks_.push_back({&chunk, 0, first});
    records_.resize(first);
    place_part(0, 0, std::vector<bool>(first, false));
  }

 private:
  struct PlacedChunk {
    const Chunk* parts;
    std::size_t first;
    std::size_t last;
  };
  struct PlacedItem {
    char code;
    std::size_t first;
    std::size_t last;
  };

  void place_part(std::size_t chunk, std::size_t part, std::vector<bool> taken) {
    if (chunk == chunks_.size()) return place_item(0);
    const auto& [parts, first, last] = chunks_[chunk];
    if (part == parts->size()) {
      return place_part(chunk + 1, 0, std::vector<bool>(records_.size(), false));
    }
    for (std::size_t r = first; r < last; ++r) {
      if (taken[r]) continue;
      const Part before = records_[r];
      records_[r].insert((*parts)[part].begin(), (*parts)[part].end());
      taken[r] = true;
      place_part(chunk, part + 1, taken);
      taken[r] = false;
      records_[r] = before;
    }
  }

  void place_item(std::size_t item) {
    if (item == items_.size()) {
      const bool none_empty = std::none_of(records_.begin(), records_.end(),
                                           [](const Part& record) { return record.empty(); });
      if (none_empty) see_(records_);
      return;
    }
    const auto [code, first, last] = items_[item];
    const auto before = records_;
    for (unsigned choice = 1; choice < 1U << (last - first); ++choice) {
      for (std::size_t r = first; r < last; ++r) {
        if ((choice >> (r - first) & 1U) != 0) records_[r].insert(code);
      }
      place_item(item + 1);
      records_ = before;
    }
  }

  std::function<void(const std::vector<Part>&)> see_;
  std::vector<PlacedChunk> chunks_;
  std::vector<PlacedItem> items_;
  std::vector<Part> records_;
};

// Any at most m codes that a record of some reconstruction has are in k records of one of them.
bool holds_by_definition(const Release& release, int k, int m, bool& possible) {
  possible = true;
  std::map<Part, int> most;  // joint clusters are put together independently of each other
  for (const auto& joint : release) {
    std::map<Part, int> here;
    bool any = false;
    const Reconstructions all(joint, [&](const std::vector<Part>& records) {
      any = true;
      std::map<Part, int> counts;
      for (const auto& record : records) {
        const std::vector<char> codes(record.begin(), record.end());
        for (unsigned choice = 1; choice < 1U << codes.size(); ++choice) {
          Part known;
          for (std::size_t i = 0; i < codes.size(); ++i) {
            if ((choice >> i & 1U) != 0) known.insert(codes[i]);
          }
          if (known.size() <= static_cast<std::size_t>(m)) ++counts[known];
        }
      }
      for (const auto& [known, count] : counts) here[known] = std::max(here[known], count);
    });
    possible = possible && any;
    for (const auto& [known, count] : here) most[known] += count;
  }
  return std::all_of(most.begin(), most.end(),
                     [&](const auto& entry) { return entry.second >= k; });
}

class DisassociationClaimTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});

  ClaimResult check_text(const std::string& text, int k, int m) {
    const std::string path = folder.path() + "/release.dat";
    std::ofstream(path) << text;
    const Json claim = {{"model", "km-disassociation"}, {"k", k}, {"m", m}};
    return verify_claim(*engine, engine->open_sets(path, Progress::silent()), claim,
                        Progress::silent());
  }
  ClaimResult check(const Release& release, int k, int m) {
    return check_text(lines_of(release), k, m);
  }
};

TEST_F(DisassociationClaimTest, EveryConditionIsLookedAt) {
  const Cluster good{4, {{{'a', 'b'}, {'a', 'b'}, {'a'}}, {{'c'}, {'c'}}}, {'x'}};
  EXPECT_TRUE(check({{{good}}}, 2, 2).holds);
  EXPECT_EQ(check({{{good}}}, 2, 2).achieved, 2);

  Cluster rare = good;
  rare.chunks[0][1] = {'b'};
  const auto verdict = check({{{rare}}}, 2, 2);
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.explanation,
            "the codes {a, b} together are in 1 part of a chunk, fewer than 2");
  EXPECT_TRUE(check({{{rare}}}, 2, 1).holds);

  Cluster small = good;
  small.records = 1;
  EXPECT_FALSE(check({{{small}}}, 2, 2).holds);
  Cluster crowded = good;
  crowded.records = 2;
  EXPECT_NE(check({{{crowded}}}, 2, 2).explanation.find("3 parts"), std::string::npos);
  Cluster twice = good;
  twice.items.insert('c');
  EXPECT_NE(check({{{twice}}}, 2, 2).explanation.find("code c"), std::string::npos);
  // Were a and c on the same two records, the third record would be empty.
  const Cluster empty{3, {{{'a'}, {'a'}}, {{'c'}, {'c'}}}, {}};
  EXPECT_FALSE(check({{{empty}}}, 2, 2).holds);
  EXPECT_TRUE(check({{{empty}}}, 2, 1).holds);

  const Cluster other{3, {{{'d'}, {'d'}, {'d'}}}, {}};
  EXPECT_TRUE(check({{{good, other}, {{{'s'}, {'s'}}}}}, 2, 2).holds);
  EXPECT_FALSE(check({{{good, other}, {{{'s'}, {'t'}, {'t'}}}}}, 2, 2).holds);
  EXPECT_FALSE(check({{{good, other}, {{{'d'}, {'d'}}}}}, 2, 2).holds);
}

Release random_release(SeededRandom& random) {
  Release release;
  const auto chunk_over = [&](const std::string& codes, int records) {
    Chunk chunk;
    for (std::uint64_t parts = 1 + random.below(static_cast<std::uint64_t>(records)); parts > 0;
         --parts) {
      Part part = {codes[random.below(codes.size())]};
      part.insert(codes[random.below(codes.size())]);
      chunk.push_back(part);
    }
    return chunk;
  };
  JointOf joint;
  const bool two = random.below(2) == 0;
  for (int c = 0; c < (two ? 2 : 1); ++c) {
    Cluster cluster{two ? 2 : static_cast<int>(2 + random.below(2))};
    cluster.chunks.push_back(chunk_over(random.below(2) == 0 ? "a" : "ab", cluster.records));
    if (random.below(2) == 0) cluster.chunks.push_back(chunk_over("c", cluster.records));
    if (random.below(3) == 0) cluster.items = {'x'};
    if (random.below(12) == 0) cluster.items.insert('a');
    joint.clusters.push_back(cluster);
  }
  if (random.below(2) == 0) joint.shared = {chunk_over(random.below(2) == 0 ? "s" : "st", 2)};
  release.push_back(joint);
  return release;
}

// Every two codes are together in two parts, all three in one.
TEST_F(DisassociationClaimTest, NobodyIsSaidToKnowMoreThanMCodes) {
  const Chunk chunk = {{'a', 'b', 'c'}, {'a', 'b'}, {'a', 'c'}, {'b', 'c'}};
  EXPECT_TRUE(check({{{Cluster{4, {chunk}}}}}, 2, 2).holds);
  EXPECT_FALSE(check({{{Cluster{4, {chunk}}}}}, 2, 3).holds);
}

TEST_F(DisassociationClaimTest, WhatPassesHoldsInAllReconstructionsOfSmallReleases) {
  int passed = 0;
  int failed = 0;
  int single = 0;
  for (std::uint64_t round = 0; round < 150; ++round) {
    SeededRandom random(5, round);
    const Release release = random_release(random);
    const int m = static_cast<int>(1 + random.below(3));
    bool possible = false;
    const bool holds = holds_by_definition(release, 2, m, possible);
    const bool accepted = check(release, 2, m).holds;
    if (accepted) {
      ASSERT_TRUE(possible && holds) << lines_of(release) << "m " << m;
    }
    passed += accepted ? 1 : 0;
    failed += holds ? 0 : 1;
    // Where a code is in one chunk only, the conditions are also necessary in a single cluster.
    const JointOf& joint = release.front();
    if (joint.clusters.size() == 1 && joint.shared.empty() && possible &&
        !joint.clusters.front().items.contains('a')) {
      ++single;
      ASSERT_EQ(accepted, holds) << lines_of(release) << "m " << m;
    }
  }
  EXPECT_GT(passed, 15);
  EXPECT_GT(failed, 15);
  EXPECT_GT(single, 15);
}

TEST_F(DisassociationClaimTest, OnePlantedPairInALargeCleanFileIsFoundAndNamed) {
  Release release;
  for (int j = 0; j < 200; ++j) {
    JointOf joint;
    for (int c = 0; c < 10; ++c) {
      joint.clusters.push_back({20, {Chunk(12, {'a', 'b', 'c'}), Chunk(9, {'d'})}, {'x', 'y'}});
    }
    joint.shared = {Chunk(15, {'r', 's', 't'})};
    release.push_back(joint);
  }
  EXPECT_TRUE(check(release, 5, 3).holds);
  release[137].shared[0].push_back({'r', 'u'});
  for (int i = 0; i < 5; ++i) release[137].shared[0].push_back({'u'});
  EXPECT_TRUE(check(release, 5, 1).holds);
  const auto verdict = check(release, 5, 2);
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.achieved, 1);
  EXPECT_NE(verdict.explanation.find("r, u"), std::string::npos) << verdict.explanation;
}

TEST_F(DisassociationClaimTest, ATableIsReadByItsColumns) {
  const std::string path = folder.path() + "/release.csv";
  std::ofstream(path) << "joint,cluster,records,chunk,part,code\n1,1,3,1,1,a\n1,1,3,1,1,b\n"
                         "1,1,3,1,2,a\n1,1,3,1,2,b\n1,1,3,items,-,x\n1,-,-,1,1,s\n1,-,-,1,2,s\n";
  const Source source = engine->open(path, {}, Progress::silent());
  Json claim = {{"model", "km-disassociation"}, {"k", 2}, {"m", 2}};
  EXPECT_TRUE(verify_claim(*engine, source, claim, Progress::silent()).holds);
  claim["k"] = 3;
  EXPECT_FALSE(verify_claim(*engine, source, claim, Progress::silent()).holds);
}

TEST_F(DisassociationClaimTest, WhatIsNotOfTheFormIsRefused) {
  const std::string header = "joint cluster records chunk codes\n";
  for (const auto* line :
       {"1 1 x 1 a", "1 1 0 1 a", "1 1 3 1", "1 - 3 1 a", "1 1 - 1 a", "1 - - items a", "1 - - 1 a",
        "1 1 3 1 a a", "1 1 3 1 a\n1 1 4 1 a", "1 1 3 items a\n1 1 3 items a"}) {
    EXPECT_THROW((void)check_text(header + line + "\n", 2, 2), Error) << line;
  }
  EXPECT_THROW((void)check_text("1 1 3 1 a\n", 2, 2), Error);
}

class CompleteClaimTest : public DisassociationClaimTest {
 protected:
  ClaimResult complete(const std::string& text, int k) {
    const std::string path = folder.path() + "/complete.dat";
    std::ofstream(path) << text;
    return verify_claim(*engine, engine->open_sets(path, Progress::silent()),
                        {{"model", "complete-anonymity"}, {"k", k}}, Progress::silent());
  }
};

TEST_F(CompleteClaimTest, EverySetIsThatOfKPatients) {
  EXPECT_TRUE(complete("a b\nb a\nc\nc\nc\n", 2).holds);
  EXPECT_EQ(complete("a b\nb a\nc\nc\nc\n", 2).achieved, 2);
  const auto verdict = complete("a b\nb a\nc\nc\nc\na c\n", 2);
  EXPECT_FALSE(verdict.holds);
  EXPECT_NE(verdict.explanation.find("a, c"), std::string::npos) << verdict.explanation;
}

}  // namespace
}  // namespace pratique::verify::disassociation_claims_test
