#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::km_claims_test {
namespace {

using Records = std::vector<std::set<std::string>>;
using Labels = std::map<std::string, std::vector<std::string>>;

class KmClaimTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});

  ClaimResult check(const Records& records, int k, int m, const Labels& labels = {}) {
    const std::string path = folder.path() + "/release.dat";
    std::ofstream file(path);
    for (const auto& record : records) {
      for (const auto& item : record) file << item << ' ';
      file << '\n';
    }
    file.close();
    const Source source = engine->open_sets(path, Progress::silent());
    return verify_claim(*engine, source, claim_of(k, m, labels), Progress::silent());
  }

  static Json claim_of(int k, int m, const Labels& labels) {
    Json claim = {{"model", "km-anonymity"}, {"k", k}, {"m", m}, {"labels", Json::object()}};
    for (const auto& [label, codes] : labels) claim["labels"][label] = codes;
    return claim;
  }
};

// From the definition: all sets of at most m of the items there are, against every record.
bool holds_by_definition(const Records& records, int k, int m) {
  std::set<std::string> universe;
  for (const auto& record : records) universe.insert(record.begin(), record.end());
  const std::vector<std::string> items(universe.begin(), universe.end());
  for (std::uint64_t which = 1; which < std::uint64_t{1} << items.size(); ++which) {
    if (std::popcount(which) > m) continue;
    const auto shows_all = [&](const std::set<std::string>& record) {
      for (std::size_t i = 0; i < items.size(); ++i) {
        if ((which >> i & 1U) != 0 && !record.contains(items[i])) return false;
      }
      return true;
    };
    const auto showing = std::count_if(records.begin(), records.end(), shows_all);
    if (showing > 0 && showing < k) return false;
  }
  return true;
}

// What an adversary does who asks only which records cover what is known, not by which items: every
// set of at most m codes matches k records or none.
bool covers_k_or_none(const Records& records, int k, int m, const Labels& labels) {
  Records covered;
  for (const auto& record : records) {
    covered.emplace_back();
    for (const auto& item : record) {
      const auto label = labels.find(item);
      if (label == labels.end()) covered.back().insert(item);
      if (label != labels.end()) covered.back().insert(label->second.begin(), label->second.end());
    }
  }
  return holds_by_definition(covered, k, m);
}

// The release of the tutorial's 5^3-anonymity example.
const Labels kTutorialLabels = {{"abc", {"a", "b", "c"}}, {"defgh", {"d", "e", "f", "g", "h"}}};
Records tutorial_release() {
  Records records(7, {"abc", "defgh"});
  records.insert(records.end(), {{"defgh"}, {"defgh"}, {"abc"}});
  return records;
}

TEST_F(KmClaimTest, TheTutorialsReleaseIs5Anonymous) {
  const auto verdict = check(tutorial_release(), 5, 3, kTutorialLabels);
  EXPECT_TRUE(verdict.holds);
  EXPECT_EQ(verdict.achieved, 7);  // abc and defgh together
  EXPECT_EQ(check(tutorial_release(), 5, 2, kTutorialLabels).achieved, 7);
  EXPECT_EQ(check(tutorial_release(), 5, 1, kTutorialLabels).achieved, 8);
  EXPECT_FALSE(check(tutorial_release(), 8, 3, kTutorialLabels).holds);
  EXPECT_TRUE(check(tutorial_release(), 8, 1, kTutorialLabels).holds);  // abc 8, defgh 9
}

TEST_F(KmClaimTest, ABreachIsNamed) {
  const auto verdict = check({{"a", "b"}, {"a", "b"}, {"a", "c"}, {"a", "c"}, {"b", "c"}}, 2, 2);
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.achieved, 1);
  EXPECT_NE(verdict.explanation.find("b, c"), std::string::npos) << verdict.explanation;
}

// However many more items a breach might have: those that suffice, each once.
TEST_F(KmClaimTest, ABreachNamesEachItemOnce) {
  const Records records = {{"a", "b"}, {"a", "b"}, {"a", "c"}, {"a", "c"}, {"b", "c"}, {"a"}};
  for (const int m : {2, 3, 4}) {
    const auto verdict = check(records, 2, m);
    EXPECT_FALSE(verdict.holds);
    EXPECT_NE(verdict.explanation.find("{b, c} stand together in 1 record,"), std::string::npos)
        << verdict.explanation;
  }
}

// k records of the most general label cover whatever is known, and hide nobody: who has the codes
// of a raw record beside them is told by that record alone.
TEST_F(KmClaimTest, RecordsThatCoverEverythingHideNobody) {
  Labels labels;
  Records records(5, {"*"});
  for (int p = 0; p < 4995; ++p) {
    const auto first = "c" + std::to_string(p % 100);
    const auto second = "d" + std::to_string(p / 100);
    records.push_back({first, second});
    labels["*"].push_back(first);
    labels["*"].push_back(second);
  }
  const auto verdict = check(records, 5, 2, labels);
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.achieved, 1);
  EXPECT_TRUE(check(records, 5, 1, labels).holds);  // every item by itself is in 45 records or more
}

// Every code under L is in two records, by L in one of them only.
TEST_F(KmClaimTest, ALabelBesideItsCodesNeedsCompanyOfItsOwn) {
  const Labels labels = {{"L", {"x", "y"}}};
  ASSERT_TRUE(covers_k_or_none({{"L"}, {"x"}, {"y"}}, 2, 1, labels));
  const auto verdict = check({{"L"}, {"x"}, {"y"}}, 2, 1, labels);
  EXPECT_FALSE(verdict.holds);
  EXPECT_TRUE(check({{"L"}, {"L"}, {"x"}, {"x"}}, 2, 2, labels).holds);
}

TEST_F(KmClaimTest, AgreesWithTheDefinitionOnRandomReleases) {
  const Labels labels = {
      {"A", {"a1", "a2"}}, {"B", {"b1", "b2", "b3"}}, {"*", {"a1", "a2", "b1", "b2", "b3", "c"}}};
  const std::vector<std::string> items = {"a1", "a2", "b1", "b2", "b3", "c", "A", "B", "*"};
  int breaches = 0;
  for (std::uint64_t round = 0; round < 600; ++round) {
    SeededRandom random(3, round);
    // Few kinds of items and many copies, so that both answers come up.
    const std::size_t kinds = 3 + random.below(items.size() - 2);
    Records records;
    while (records.size() < 12) {
      std::set<std::string> record;
      for (std::uint64_t i = 0, size = 1 + random.below(3); i < size; ++i) {
        record.insert(items[(round + random.below(kinds)) % items.size()]);
      }
      for (std::uint64_t copies = 1 + random.below(3); copies > 0; --copies)
        records.push_back(record);
    }
    const int k = static_cast<int>(2 + random.below(2));
    const int m = static_cast<int>(1 + random.below(3));
    const bool expected = holds_by_definition(records, k, m);
    breaches += expected ? 0 : 1;
    // The weaker adversary is stopped, too.
    ASSERT_TRUE(!expected || covers_k_or_none(records, k, m, labels)) << "round " << round;
    ASSERT_EQ(check(records, k, m, labels).holds, expected) << "round " << round;
  }
  EXPECT_GT(breaches, 100);
  EXPECT_LT(breaches, 500);
}

// 20,000 records in which every three codes of a record are shared by at least 5, and one triple
// that a single record has, though each of its pairs is frequent.
TEST_F(KmClaimTest, OnePlantedTripleInALargeCleanFileIsFoundAndNamed) {
  Records records;
  SeededRandom random(8);
  const auto code = [](std::uint64_t i) { return "c" + std::to_string(i); };
  while (records.size() < 20000) {
    std::set<std::string> record;
    while (record.size() < 6) record.insert(code(random.below(300)));
    for (int copies = 0; copies < 5; ++copies) records.push_back(record);
  }
  for (int copies = 0; copies < 5; ++copies) {
    records.insert(records.end(), {{"p1", "p2"}, {"p2", "p3"}, {"p1", "p3"}});
  }
  EXPECT_TRUE(check(records, 5, 3).holds);
  records.push_back({"p1", "p2", "p3"});
  EXPECT_TRUE(check(records, 5, 2).holds);
  const auto verdict = check(records, 5, 3);
  EXPECT_FALSE(verdict.holds);
  for (const auto* name : {"p1", "p2", "p3"}) {
    EXPECT_NE(verdict.explanation.find(name), std::string::npos) << verdict.explanation;
  }
  EXPECT_EQ(verdict.achieved, 1);
}

// However many codes somebody may know: no code is known twice.
TEST_F(KmClaimTest, ARareSetIsNamedWithoutRepeatingACode) {
  Records records;
  for (int copies = 0; copies < 5; ++copies)
    records.insert(records.end(), {{"rare"}, {"rash"}, {"other"}});
  records.push_back({"rare", "rash"});
  for (const int m : {2, 3, 4}) {
    const auto verdict = check(records, 5, m);
    EXPECT_FALSE(verdict.holds);
    EXPECT_EQ(verdict.achieved, 1);
    for (const auto* name : {"rare", "rash"}) {
      const auto first = verdict.explanation.find(name);
      ASSERT_NE(first, std::string::npos) << verdict.explanation;
      EXPECT_EQ(verdict.explanation.find(name, first + 1), std::string::npos)
          << verdict.explanation;
    }
  }
}

TEST_F(KmClaimTest, ALongFileIsReadByItsColumns) {
  const std::string path = folder.path() + "/release.csv";
  std::ofstream(path) << "who,what\n1,a\n2,a\n1,b\n2,b\n3,a\n";
  const Source source = engine->open(path, {}, Progress::silent());
  Json claim = claim_of(2, 2, {});
  claim["patient"] = "who";
  claim["code"] = "what";
  EXPECT_TRUE(verify_claim(*engine, source, claim, Progress::silent()).holds);
  claim["k"] = 3;
  EXPECT_FALSE(verify_claim(*engine, source, claim, Progress::silent()).holds);
}

TEST_F(KmClaimTest, AClaimThatSaysNothingIsRefused) {
  EXPECT_THROW((void)check({{"a"}}, 0, 2), Error);
  EXPECT_THROW((void)check({{"a"}}, 1, 0), Error);
  EXPECT_THROW((void)check({{"a"}}, 1, 1, {{"a", {}}}), Error);
}

}  // namespace
}  // namespace pratique::verify::km_claims_test
