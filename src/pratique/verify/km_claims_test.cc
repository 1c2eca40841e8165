#include <gtest/gtest.h>

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

// From the definition: every set of at most m codes against every record.
bool holds_by_definition(const Records& records, int k, int m, const Labels& labels) {
  std::set<std::string> universe;
  const auto codes_of = [&](const std::string& item) {
    const auto label = labels.find(item);
    return label == labels.end() ? std::vector<std::string>{item} : label->second;
  };
  std::vector<std::set<std::string>> covered;
  for (const auto& record : records) {
    covered.emplace_back();
    for (const auto& item : record) {
      for (const auto& code : codes_of(item)) covered.back().insert(code);
    }
    universe.insert(covered.back().begin(), covered.back().end());
  }
  const std::vector<std::string> codes(universe.begin(), universe.end());
  std::function<bool(std::size_t, int, std::vector<std::string>&)> all_fine =
      [&](std::size_t from, int more, std::vector<std::string>& known) {
        if (!known.empty()) {
          int matches = 0;
          for (const auto& record : covered) {
            matches += std::all_of(known.begin(), known.end(),
                                   [&](const auto& code) { return record.contains(code); })
                           ? 1
                           : 0;
          }
          if (matches > 0 && matches < k) return false;
        }
        for (std::size_t i = from; more > 0 && i < codes.size(); ++i) {
          known.push_back(codes[i]);
          const bool fine = all_fine(i + 1, more - 1, known);
          known.pop_back();
          if (!fine) return false;
        }
        return true;
      };
  std::vector<std::string> known;
  return all_fine(0, m, known);
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
  EXPECT_FALSE(check(tutorial_release(), 8, 3, kTutorialLabels).holds);
  EXPECT_TRUE(check(tutorial_release(), 8, 1, kTutorialLabels).holds);  // abc 8, defgh 9
}

TEST_F(KmClaimTest, ABreachIsNamed) {
  const auto verdict = check({{"a", "b"}, {"a", "b"}, {"a", "c"}, {"a", "c"}, {"b", "c"}}, 2, 2);
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.achieved, 1);
  EXPECT_NE(verdict.explanation.find("b, c"), std::string::npos) << verdict.explanation;
}

// A label in some records beside its codes in others. {L} is in one record only, yet every single
// code under it is in two; the pair of them is in that record alone.
TEST_F(KmClaimTest, AWiderLabelHidesAmongExactCodes) {
  const Labels labels = {{"L", {"x", "y"}}};
  EXPECT_TRUE(check({{"L"}, {"x"}, {"y"}}, 2, 1, labels).holds);
  const auto pair = check({{"L"}, {"x"}, {"y"}}, 2, 2, labels);
  EXPECT_FALSE(pair.holds);
  EXPECT_NE(pair.explanation.find("x, y"), std::string::npos) << pair.explanation;
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
    const bool expected = holds_by_definition(records, k, m, labels);
    breaches += expected ? 0 : 1;
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
