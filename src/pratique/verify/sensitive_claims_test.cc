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

namespace pratique::verify::sensitive_claims_test {
namespace {

using Codes = std::set<std::string>;
using Records = std::vector<Codes>;
using Labels = std::map<std::string, std::vector<std::string>>;

class SensitiveClaimTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});

  ClaimResult check(const Records& records, Json claim, const Labels& labels = {}) {
    const std::string path = folder.path() + "/release.dat";
    std::ofstream file(path);
    for (const auto& record : records) {
      for (const auto& item : record) file << item << ' ';
      file << '\n';
    }
    file.close();
    claim["labels"] = Json::object();
    for (const auto& [label, codes] : labels) claim["labels"][label] = codes;
    return verify_claim(*engine, engine->open_sets(path, Progress::silent()), claim,
                        Progress::silent());
  }

  ClaimResult check_long(const std::string& csv, const Json& claim) {
    const std::string path = folder.path() + "/release.csv";
    std::ofstream(path) << csv;
    return verify_claim(*engine, engine->open(path, {}, Progress::silent()), claim,
                        Progress::silent());
  }
};

Json coherence(double h, int k, int p, const std::vector<std::string>& sensitive) {
  return {{"model", "hkp-coherence"}, {"h", h}, {"k", k}, {"p", p}, {"sensitive", sensitive}};
}

Json uncertainty(double rho, const std::vector<std::string>& sensitive) {
  return {{"model", "rho-uncertainty"}, {"rho", rho}, {"sensitive", sensitive}};
}

Json rules(int k, double c, const std::vector<std::pair<Codes, Codes>>& given) {
  Json claim = {{"model", "ps-rules"}, {"k", k}, {"c", c}, {"rules", Json::array()}};
  for (const auto& [known, inferred] : given) {
    claim["rules"].push_back({{"known", known}, {"inferred", inferred}});
  }
  return claim;
}

int count(const Records& records, const Codes& codes) {
  int matches = 0;
  for (const auto& record : records) {
    matches += std::includes(record.begin(), record.end(), codes.begin(), codes.end()) ? 1 : 0;
  }
  return matches;
}

// Every set of codes of at most `most` that some record has.
void for_each_known(const Records& records, std::size_t most,
                    const std::function<void(const Codes&)>& visit) {
  std::set<Codes> seen;
  for (const auto& record : records) {
    const std::vector<std::string> items(record.begin(), record.end());
    for (std::size_t bits = 0; bits < (std::size_t{1} << items.size()); ++bits) {
      Codes known;
      for (std::size_t i = 0; i < items.size(); ++i) {
        if ((bits >> i & 1U) != 0) known.insert(items[i]);
      }
      if (known.size() <= most && seen.insert(known).second) visit(known);
    }
  }
}

bool is_coherent(const Records& records, double h, int k, int p, const Codes& sensitive) {
  bool fine = true;
  for_each_known(records, static_cast<std::size_t>(p), [&](const Codes& known) {
    if (known.empty() || std::any_of(known.begin(), known.end(),
                                     [&](const auto& code) { return sensitive.contains(code); })) {
      return;
    }
    const int matches = count(records, known);
    fine = fine && matches >= k;
    for (const auto& code : sensitive) {
      Codes both = known;
      both.insert(code);
      fine = fine && count(records, both) * h <= matches;
    }
  });
  return fine;
}

bool is_uncertain(const Records& records, double rho, const Codes& sensitive) {
  bool fine = true;
  for_each_known(records, 99, [&](const Codes& known) {
    for (const auto& code : sensitive) {
      if (known.contains(code)) continue;
      Codes both = known;
      both.insert(code);
      const int having = count(records, both);
      fine = fine && (having == 0 || having < rho * count(records, known));
    }
  });
  return fine;
}

// The release on the tutorial's slide.
TEST_F(SensitiveClaimTest, TheTutorialsCoherentRelease) {
  const Labels labels = {{"(401.2,401.4)", {"401.2", "401.4"}}};
  const Records release = {
      {"401.0", "401.1"}, {"(401.2,401.4)", "295"}, {"401.0", "401.1"}, {"(401.2,401.4)"}};
  EXPECT_TRUE(check(release, coherence(2, 2, 2, {"295"}), labels).holds);
  // Half of those with 401.2 have 295: more than one in three.
  const auto verdict = check(release, coherence(3, 2, 2, {"295"}), labels);
  EXPECT_FALSE(verdict.holds);
  EXPECT_NE(verdict.explanation.find("295"), std::string::npos) << verdict.explanation;
  // The original: 401.2 and 401.3 match one patient.
  const Records original = {
      {"401.0", "401.1"}, {"401.2", "401.3", "295"}, {"401.0", "401.1"}, {"401.4"}};
  EXPECT_FALSE(check(original, coherence(2, 2, 2, {"295"})).holds);
  // And PS-rules: 401.2 -> 295 for k = 2 and c = 0.5.
  EXPECT_TRUE(check(release, rules(2, 0.5, {{{"401.2"}, {"295"}}}), labels).holds);
  EXPECT_FALSE(check(release, rules(2, 0.4, {{{"401.2"}, {"295"}}}), labels).holds);
  EXPECT_FALSE(check(original, rules(2, 0.5, {{{"401.2"}, {"295"}}})).holds);
}

// The tutorial's RBAT example: cd -> hi with k = 5 and c = 0.2.
TEST_F(SensitiveClaimTest, TheTutorialsRuleRelease) {
  const Labels labels = {{"(c,d)", {"c", "d"}}, {"(e,f)", {"e", "f"}}};
  const Records release = {{"a", "b", "(c,d)", "g"},          {"a", "(c,d)", "(e,f)", "h", "i"},
                           {"b", "(c,d)", "g", "j"},          {"(e,f)", "g", "h"},
                           {"a", "b", "(c,d)", "(e,f)", "j"}, {"(c,d)", "(e,f)", "i"}};
  const auto verdict = check(release, rules(5, 0.2, {{{"c", "d"}, {"h", "i"}}}), labels);
  EXPECT_TRUE(verdict.holds) << verdict.explanation;
  EXPECT_DOUBLE_EQ(verdict.achieved, 0.2);
  EXPECT_FALSE(check(release, rules(6, 0.2, {{{"c", "d"}, {"h", "i"}}}), labels).holds);
  EXPECT_FALSE(check(release, rules(5, 0.19, {{{"c", "d"}, {"h", "i"}}}), labels).holds);
  // Of five with c, two have i.
  EXPECT_FALSE(check(release, rules(5, 0.2, {{{"c"}, {"i"}}}), labels).holds);
  // A code that was suppressed tells nothing, and who knows it looks for the others.
  EXPECT_TRUE(check(release, rules(5, 0.2, {{{"z"}, {"i"}}}), labels).holds);
  EXPECT_FALSE(check(release, rules(5, 0.2, {{{"c", "z"}, {"i"}}}), labels).holds);
}

// Labels L and M over two codes each, which may also be there by themselves.
const Labels kRandomLabels = {{"L", {"a", "b"}}, {"M", {"c", "d"}}};

Codes covered_by(const Codes& record) {
  Codes covered;
  for (const auto& item : record) {
    const auto label = kRandomLabels.find(item);
    if (label == kRandomLabels.end()) {
      covered.insert(item);
    } else {
      covered.insert(label->second.begin(), label->second.end());
    }
  }
  return covered;
}

TEST_F(SensitiveClaimTest, RulesAgreeWithTheDefinitionOnRandomReleases) {
  const std::vector<std::string> items = {"a", "b", "c", "d", "L", "M", "e", "s", "t"};
  const std::vector<std::string> open = {"a", "b", "c", "d", "e", "gone"};
  int protects = 0;
  constexpr int kRounds = 200;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    SeededRandom random(6, round);
    Records records;
    Records covered;
    for (std::uint64_t n = 8 + random.below(12); n > 0; --n) {
      Codes record;
      for (std::uint64_t size = 1 + random.below(4); size > 0; --size) {
        record.insert(items[random.below(items.size())]);
      }
      records.push_back(record);
      covered.push_back(covered_by(record));
    }
    Codes shown;
    for (const auto& record : covered) shown.insert(record.begin(), record.end());
    const int k = static_cast<int>(1 + random.below(3));
    const double c = random.chance(0.5) ? 0.4 : 0.75;
    std::vector<std::pair<Codes, Codes>> given;
    bool expected = true;
    for (std::uint64_t n = 1 + random.below(2); n > 0; --n) {
      Codes known = {open[random.below(open.size())], open[random.below(open.size())]};
      Codes inferred = {random.chance(0.5) ? "s" : "t"};
      if (random.chance(0.3)) inferred = {"s", "t"};
      given.emplace_back(known, inferred);
      std::erase_if(known, [&](const auto& code) { return !shown.contains(code); });
      if (known.empty()) continue;
      const int matches = count(covered, known);
      Codes both = known;
      both.insert(inferred.begin(), inferred.end());
      expected = expected && (matches == 0 || matches >= k) && count(covered, both) <= c * matches;
    }
    ASSERT_EQ(check(records, rules(k, c, given), kRandomLabels).holds, expected) << round;
    protects += expected ? 1 : 0;
  }
  EXPECT_GT(protects, 30);
  EXPECT_LT(protects, kRounds - 30);
}

TEST_F(SensitiveClaimTest, OnePlantedRuleBreachInALargeFileIsFoundAndNamed) {
  Records records;
  for (int i = 0; i < 20000; ++i) {
    records.push_back({"a" + std::to_string(i % 50), "b" + std::to_string(i / 50 % 40)});
    if (i % 9 == 0) records.back().insert("s");
  }
  std::vector<std::pair<Codes, Codes>> given;
  for (int i = 0; i < 40; ++i) {
    given.push_back({{"a" + std::to_string(i), "b" + std::to_string(i)}, {"s"}});
  }
  EXPECT_TRUE(check(records, rules(10, 0.5, given)).holds);
  // Ten patients have a7 and b7; as many more with s make more than half of them infected.
  for (int i = 0; i < 12; ++i) records.push_back({"a7", "b7", "s"});
  const auto verdict = check(records, rules(10, 0.5, given));
  EXPECT_FALSE(verdict.holds);
  EXPECT_NE(verdict.explanation.find("{a7, b7}"), std::string::npos) << verdict.explanation;
}

TEST_F(SensitiveClaimTest, AgreeWithTheDefinitionsOnRandomReleases) {
  const std::vector<std::string> items = {"a", "b", "c", "d", "s", "t"};
  int coherent = 0;
  int uncertain = 0;
  constexpr int kRounds = 400;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    SeededRandom random(5, round);
    Records records;
    while (records.size() < 14) {
      Codes record;
      record.insert(items[random.below(4)]);
      if (random.chance(0.4)) record.insert(items[random.below(4)]);
      if (random.chance(0.3)) record.insert(items[4 + random.below(2)]);
      for (std::uint64_t copies = 1 + random.below(4); copies > 0; --copies) {
        records.push_back(record);
        if (random.chance(0.6)) {
          records.back().erase("s");
          records.back().erase("t");
        }
      }
    }
    const int k = static_cast<int>(1 + random.below(3));
    const int p = static_cast<int>(1 + random.below(2));
    const double h = random.chance(0.5) ? 1.25 : 2;
    const double rho = random.chance(0.5) ? 0.5 : 0.9;
    const bool first = is_coherent(records, h, k, p, {"s", "t"});
    ASSERT_EQ(check(records, coherence(h, k, p, {"s", "t"})).holds, first) << round;
    const bool second = is_uncertain(records, rho, {"s", "t"});
    ASSERT_EQ(check(records, uncertainty(rho, {"s", "t"})).holds, second) << round;
    coherent += first ? 1 : 0;
    uncertain += second ? 1 : 0;
  }
  EXPECT_GT(coherent, 40);
  EXPECT_LT(coherent, kRounds - 40);
  EXPECT_GT(uncertain, 40);
  EXPECT_LT(uncertain, kRounds - 40);
}

// Three codes that say it together, though no two of them do.
TEST_F(SensitiveClaimTest, OnePlantedInferenceInALargeFileIsFoundAndNamed) {
  Records records;
  for (int i = 0; i < 3000; ++i) {
    const std::string a = "a" + std::to_string(i % 10);
    const std::string b = "b" + std::to_string(i / 10 % 10);
    records.push_back({a, b});
    if (i % 7 == 0) records.back().insert("s");
  }
  for (int i = 0; i < 10; ++i) {
    records.insert(records.end(), {{"p", "q"}, {"q", "r"}, {"p", "r"}});
  }
  // 30 patients have the same a and b, and at most 5 of them s.
  EXPECT_TRUE(check(records, uncertainty(0.9, {"s", "t"})).holds);
  records.push_back({"p", "q", "r", "t"});
  const auto verdict = check(records, uncertainty(0.9, {"s", "t"}));
  EXPECT_FALSE(verdict.holds);
  for (const auto* name : {"p", "q", "r", "t"}) {
    EXPECT_NE(verdict.explanation.find(name), std::string::npos) << verdict.explanation;
  }
}

TEST_F(SensitiveClaimTest, WhatCannotBeSaidDoesNotHold) {
  const Records release = {{"L"}, {"L"}, {"a"}, {"a"}};
  EXPECT_FALSE(check(release, coherence(2, 2, 1, {"s"}), {{"L", {"a", "b"}}}).holds);
  EXPECT_FALSE(check(release, uncertainty(0.5, {"b"}), {{"L", {"b", "c"}}}).holds);
  EXPECT_TRUE(check(release, uncertainty(0.5, {"s"}), {{"L", {"b", "c"}}}).holds);
  EXPECT_THROW((void)check(release, coherence(0.5, 2, 1, {"s"})), Error);
  EXPECT_THROW((void)check(release, uncertainty(2, {"s"})), Error);
  EXPECT_THROW((void)check(release, uncertainty(0.5, {})), Error);
  EXPECT_THROW((void)check(release, rules(2, 1, {{{"a"}, {"s"}}})), Error);
  EXPECT_THROW((void)check(release, rules(2, 0.5, {})), Error);
}

// Labels that say what they stand for, and a list of sensitive codes as it was given.
TEST_F(SensitiveClaimTest, LabelsOfASystemAreReadByThemselves) {
  const auto said = [&](const Records& release, Json claim, const Json& labels) {
    const std::string path = folder.path() + "/labels.dat";
    std::ofstream file(path);
    for (const auto& record : release) {
      for (const auto& item : record) file << item << ' ';
      file << '\n';
    }
    file.close();
    claim["labels"] = labels;
    return verify_claim(*engine, engine->open_sets(path, Progress::silent()), claim,
                        Progress::silent());
  };
  const Json icd9 = {{"401", "icd9"}, {"390-392", "icd9"}};
  const auto holds = [&](const Records& release, const Json& claim) {
    return said(release, claim, icd9).holds;
  };
  const Json coherent = coherence(2, 2, 1, {"295*"});
  EXPECT_TRUE(holds({{"401"}, {"401"}, {"390-392"}, {"390-392"}}, coherent));
  // A code, or another label, under a label.
  EXPECT_FALSE(holds({{"401"}, {"401"}, {"401.9"}, {"401.9"}}, coherent));
  EXPECT_TRUE(holds({{"401"}, {"401"}, {"402.9"}, {"402.9"}}, coherent));
  const Json nested = {{"401", "icd9"}, {"401-405", "icd9"}};
  EXPECT_FALSE(said({{"401"}, {"401"}, {"401-405"}, {"401-405"}}, coherent, nested).holds);
  EXPECT_FALSE(
      said({{"401"}, {"401"}, {"*"}, {"*"}}, coherent, {{"401", "icd9"}, {"*", "icd9"}}).holds);
  // Of two with 401, both have what begins with 295: more than one in two.
  EXPECT_FALSE(holds({{"401", "295.1"}, {"401", "295.1"}}, coherent));
  EXPECT_TRUE(holds({{"401", "295.1"}, {"401", "295.2"}}, coherent));
  EXPECT_TRUE(holds({{"401", "296.1"}, {"401", "296.1"}}, coherent));
  // A label called like a sensitive code does not cover it.
  EXPECT_TRUE(said({{"295"}, {"295*"}, {"295*"}, {"295*"}, {"295*", "401.1"}, {"401.1"}},
                   uncertainty(0.5, {"295"}), {{"295*", "icd9"}})
                  .holds);
  EXPECT_THROW((void)said({{"401"}}, coherent, {{"401", "nonsense"}}), Error);
  // Rules count who shows the label for who has the code.
  EXPECT_TRUE(holds({{"401"}, {"401"}}, rules(2, 0.5, {{{"401.9"}, {"295.1"}}})));
  EXPECT_FALSE(holds({{"401"}, {"390-392"}}, rules(2, 0.5, {{{"401.9"}, {"295.1"}}})));
}

TEST_F(SensitiveClaimTest, DemographicsAndCodesTogether) {
  const Json claim = {{"model", "k-km-anonymity"},
                      {"k", 2},
                      {"m", 2},
                      {"patient", "who"},
                      {"code", "what"},
                      {"quasi_identifiers", {"age"}},
                      {"labels", {{"L", {"x", "y"}}}}};
  const std::string fine = "who,what,age\n1,a,40\n1,b,40\n2,a,40\n2,b,40\n3,L,50..59\n4,L,50..59\n";
  EXPECT_TRUE(check_long(fine, claim).holds) << check_long(fine, claim).explanation;
  // Four have a and each age has two, but one of 50 with a and b stands alone.
  const std::string hole =
      "who,what,age\n1,a,40\n1,b,40\n2,a,40\n2,b,40\n3,a,50\n3,b,50\n4,a,50\n4,c,50\n5,c,40\n6,c,"
      "40\n";
  const auto verdict = check_long(hole, claim);
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.achieved, 1);
  EXPECT_FALSE(check_long("who,what,age\n1,a,40\n2,a,41\n", claim).holds);
  EXPECT_FALSE(check_long("who,what,age\n1,a,40\n1,a,41\n2,a,40\n", claim).holds);
  // Items are counted: who shows x by itself is not hidden by those who show it as L.
  EXPECT_TRUE(check_long("who,what,age\n1,L,4\n2,L,4\n3,x,4\n4,x,4\n", claim).holds);
  EXPECT_FALSE(check_long("who,what,age\n1,L,4\n2,L,4\n3,L,4\n4,x,4\n", claim).holds);
}

// Whoever knows the class and up to m codes: every set of codes, in every class.
TEST_F(SensitiveClaimTest, DemographicsAndCodesAgreeWithTheDefinitionOnRandomReleases) {
  // In each class a code has one label: M over c and d, and a and b under L or by themselves.
  const std::vector<std::vector<std::string>> items_of = {{"a", "b", "M", "e"}, {"L", "M", "e"}};
  const std::vector<std::string> codes = {"a", "b", "c", "d", "e"};
  int anonymous = 0;
  constexpr int kRounds = 80;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    SeededRandom random(7, round);
    const int k = static_cast<int>(1 + random.below(3));
    const int m = static_cast<int>(1 + random.below(3));
    std::vector<Records> classes(2);
    std::string csv = "who,what,age,zip\n";
    int who = 0;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      for (std::uint64_t n = random.below(4); n > 0; --n) {
        Codes record;
        for (std::uint64_t size = 1 + random.below(3); size > 0; --size) {
          record.insert(items_of[c][random.below(items_of[c].size())]);
        }
        for (std::uint64_t copies = 1 + random.below(3); copies > 0; --copies) {
          ++who;
          classes[c].push_back(covered_by(record));
          for (const auto& item : record) {
            csv += std::to_string(who) + "," + item + ",40," + std::to_string(c) + "\n";
          }
        }
      }
    }
    if (who == 0) continue;
    bool expected = true;
    for (const auto& patients : classes) {
      if (patients.empty()) continue;
      expected = expected && static_cast<int>(patients.size()) >= k;
      for (std::size_t bits = 1; bits < (std::size_t{1} << codes.size()); ++bits) {
        Codes known;
        for (std::size_t i = 0; i < codes.size(); ++i) {
          if ((bits >> i & 1U) != 0) known.insert(codes[i]);
        }
        if (static_cast<int>(known.size()) > m) continue;
        const int matches = count(patients, known);
        expected = expected && (matches == 0 || matches >= k);
      }
    }
    Json claim = {
        {"model", "k-km-anonymity"}, {"k", k},         {"m", m},
        {"patient", "who"},          {"code", "what"}, {"quasi_identifiers", {"age", "zip"}},
        {"labels", Json::object()}};
    for (const auto& [label, under] : kRandomLabels) claim["labels"][label] = under;
    ASSERT_EQ(check_long(csv, claim).holds, expected) << round << "\n" << csv;
    anonymous += expected ? 1 : 0;
  }
  EXPECT_GT(anonymous, 12);
  EXPECT_LT(anonymous, kRounds - 12);
}

TEST_F(SensitiveClaimTest, OnePlantedPairInALargeClassIsFoundAndNamed) {
  std::string csv = "who,what,age\n";
  for (int i = 0; i < 3000; ++i) {
    const auto row = [&](const std::string& code) {
      return std::to_string(i) + "," + code + "," + std::to_string(i % 3) + "\n";
    };
    csv += row("a" + std::to_string(i / 3 % 10)) + row("b" + std::to_string(i / 30 % 10));
  }
  const Json claim = {{"model", "k-km-anonymity"}, {"k", 5},         {"m", 2},
                      {"patient", "who"},          {"code", "what"}, {"quasi_identifiers", {"age"}},
                      {"labels", Json::object()}};
  EXPECT_TRUE(check_long(csv, claim).holds);
  const auto verdict = check_long(csv + "p,a1,2\np,a2,2\n", claim);
  EXPECT_FALSE(verdict.holds);
  EXPECT_NE(verdict.explanation.find("a1, a2"), std::string::npos) << verdict.explanation;
}

}  // namespace
}  // namespace pratique::verify::sensitive_claims_test
