#include "pratique/codes/model/policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/codes/metric/diseases.h"
#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/data/code_constraints.h"

namespace pratique::codes::policy_test {
namespace {

using Lines = std::vector<std::string>;

Policy policy_of(const CodeSets& sets, const std::string& privacy, const std::string& utility) {
  Policy policy;
  policy.codes = &sets.codes;
  policy.privacy = bind_constraints(parse_code_constraints(privacy, "p"), sets.codes);
  if (!utility.empty()) {
    policy.utility = bind_constraints(parse_code_constraints(utility, "u"), sets.codes);
  }
  return policy;
}

Recoding make(const std::string& method, const CodeSets& sets, const Policy& policy,
              std::uint64_t k) {
  Parameters parameters;
  parameters.k = k;
  parameters.policy = std::make_shared<Policy>(policy);
  return protect(find_method("policy", method), {sets, nullptr, parameters}, Progress::silent());
}

// A line per patient.
Lines released(const CodeSets& sets, const Recoding& recoding) {
  Lines lines;
  for (const auto set : sets.set_of) {
    std::set<std::string> items;
    for (const auto label : recoding.set(set)) items.insert(recoding.labels[label].text);
    std::string line;
    for (const auto& item : items) line += (line.empty() ? "" : " ") + item;
    lines.push_back(line);
  }
  return lines;
}

// The tutorial's examples, k = 2.
constexpr const char* kPatients = "296.00 296.01 296.02\n295.00 295.01 295.02\n296.00 296.02\n";

TEST(Policy, TheTutorialsUgaclipExample) {
  const CodeSets sets = parse_code_sets(kPatients, "t");
  const Policy policy = policy_of(sets, "296.00 296.01 296.02", "296.00 296.01");
  const Recoding recoding = make("ugaclip", sets, policy, 2);
  EXPECT_EQ(released(sets, recoding),
            (Lines{"(296.00|296.01) 296.02", "295.00 295.01 295.02", "(296.00|296.01) 296.02"}));
  EXPECT_EQ(constraints_kept(sets, recoding, policy.utility), 1);
  EXPECT_EQ(gwas_supported(sets, unchanged(sets, nullptr)), 2);  // bipolar disorder, schizophrenia
  EXPECT_EQ(gwas_supported(sets, recoding), 2);
}

TEST(Policy, TheTutorialsCbaExample) {
  const CodeSets sets = parse_code_sets(kPatients, "t");
  const Policy policy = policy_of(sets, "296.00 296.01 296.02", "296.00 296.01 296.02");
  EXPECT_EQ(released(sets, make("cba", sets, policy, 2)),
            (Lines{"(296.00|296.01|296.02)", "295.00 295.01 295.02", "(296.00|296.01|296.02)"}));
}

TEST(Policy, WithoutRoomToGeneraliseCodesAreSuppressed) {
  // {a, b} is in one record, and neither may be put together with another code.
  const CodeSets sets = parse_code_sets("a b\na c\na c\nb c\nb c\nb c\n", "t");
  const Policy policy = policy_of(sets, "a b", "a\nb\nc\n");
  for (const std::string method : {"ugaclip", "cba"}) {
    // a has three patients and b four: a goes, and {b} has four.
    EXPECT_EQ(released(sets, make(method, sets, policy, 2)),
              (Lines{"b", "c", "c", "b c", "b c", "b c"}))
        << method;
  }
}

// By definition: of each constraint, the codes that some record covers, by k patients or none.
bool private_by_definition(const CodeSets& sets, const Recoding& recoding, const Policy& policy,
                           std::uint64_t k) {
  std::vector<std::set<Code>> covered;
  std::set<Code> shown;
  for (const auto set : sets.set_of) {
    covered.emplace_back();
    for (const auto label : recoding.set(set)) {
      for (const Code code : recoding.labels[label].covers) covered.back().insert(code);
    }
    shown.insert(covered.back().begin(), covered.back().end());
  }
  return std::all_of(policy.privacy.begin(), policy.privacy.end(), [&](const auto& constraint) {
    std::vector<Code> known;
    for (const Code code : constraint) {
      if (shown.contains(code)) known.push_back(code);
    }
    const auto matches = std::count_if(covered.begin(), covered.end(), [&](const auto& record) {
      return std::includes(record.begin(), record.end(), known.begin(), known.end());
    });
    return known.empty() || matches == 0 || static_cast<std::uint64_t>(matches) >= k;
  });
}

TEST(Policy, HoldsOnRandomDataAndNoSetCrosses) {
  std::uint64_t kept_with_utility = 0;
  std::uint64_t kept_without = 0;
  for (std::uint64_t round = 0; round < 150; ++round) {
    SeededRandom random(5, round);
    std::string text;
    for (int patient = 0; patient < 40; ++patient) {
      for (char code = 'a'; code <= 'j'; ++code) {
        if (random.below(4) == 0) (text += code) += ' ';
      }
      text += static_cast<char>('a' + random.below(10));
      text += '\n';
    }
    std::string privacy;
    for (std::uint64_t p = 0; p < 4; ++p) {
      const auto start = random.below(10);
      for (std::uint64_t i = 0; i < 3; ++i) {
        privacy += static_cast<char>('a' + (start + i * (1 + p)) % 10);
        privacy += ' ';
      }
      privacy += '\n';
    }
    const CodeSets sets = parse_code_sets(text, "t");
    if (sets.codes.size() < 10) continue;
    // c is in two; i, j in none.
    const Policy policy = policy_of(sets, privacy, "a b c\nc d\ne f g\nh");
    const std::uint64_t k = 2 + random.below(8);
    for (const std::string method : {"aclip", "ugaclip", "cba"}) {
      const Recoding recoding = make(method, sets, policy, k);
      EXPECT_TRUE(private_by_definition(sets, recoding, policy, k)) << method << round;
      if (method == "aclip") {
        kept_without += constraints_kept(sets, recoding, policy.utility);
        continue;
      }
      kept_with_utility += constraints_kept(sets, recoding, policy.utility);
      for (const auto& label : recoding.labels) {
        for (const auto& constraint : policy.utility) {
          const auto inside =
              std::count_if(label.covers.begin(), label.covers.end(), [&](Code code) {
                return std::binary_search(constraint.begin(), constraint.end(), code);
              });
          EXPECT_TRUE(inside == 0 || inside == static_cast<std::ptrdiff_t>(label.covers.size()));
        }
      }
    }
  }
  EXPECT_GT(kept_with_utility, 2 * kept_without);
}

// The same for codes put together in groups, and all others suppressed.
bool is_protected(const CodeSets& sets, const std::vector<std::set<Code>>& groups,
                  const Policy& policy, std::uint64_t k) {
  std::vector<std::set<Code>> covered;
  for (const auto set : sets.set_of) {
    covered.emplace_back();
    for (const auto& group : groups) {
      const auto codes = sets.set(set);
      if (std::any_of(codes.begin(), codes.end(), [&](Code code) { return group.contains(code); }))
        covered.back().insert(group.begin(), group.end());
    }
  }
  std::set<Code> shown;
  for (const auto& group : groups) shown.insert(group.begin(), group.end());
  return std::all_of(policy.privacy.begin(), policy.privacy.end(), [&](const auto& constraint) {
    std::vector<Code> known;
    std::copy_if(constraint.begin(), constraint.end(), std::back_inserter(known),
                 [&](Code code) { return shown.contains(code); });
    const auto matches = std::count_if(covered.begin(), covered.end(), [&](const auto& record) {
      return std::includes(record.begin(), record.end(), known.begin(), known.end());
    });
    return known.empty() || matches == 0 || static_cast<std::uint64_t>(matches) >= k;
  });
}

// Where codes were suppressed, none of the others stands in a set without need: alone, it would
// leave a constraint unprotected.
TEST(Policy, SetsThatSuppressionMadeUnnecessaryAreTakenApart) {
  int sets_seen = 0;
  for (std::uint64_t round = 0; round < 120; ++round) {
    SeededRandom random(71, round);
    std::string text;
    for (std::uint64_t p = 0, patients = 10 + random.below(20); p < patients; ++p) {
      std::set<std::uint64_t> set;
      for (std::uint64_t i = 0, size = 1 + random.below(4); i < size; ++i) {
        set.insert(random.below(1 + random.below(10)));
      }
      for (const auto code : set) text += "c" + std::to_string(code) + " ";
      text += "\n";
    }
    const CodeSets sets = parse_code_sets(text, "r.dat");
    Policy policy;
    policy.codes = &sets.codes;
    for (std::size_t s = 0; s < std::min<std::size_t>(sets.size(), 8); ++s) {
      policy.privacy.emplace_back(sets.set(s).begin(), sets.set(s).end());
    }
    for (Code code = 0; code + 1 < sets.codes.size(); code += 2) {
      policy.utility.push_back({code, code + 1});
    }
    const std::uint64_t k = 3;
    for (const std::string method : {"aclip", "ugaclip", "cba"}) {
      const Recoding recoding = make(method, sets, policy, k);
      std::vector<std::set<Code>> groups;
      for (const auto& label : recoding.labels) {
        groups.emplace_back(label.covers.begin(), label.covers.end());
      }
      ASSERT_TRUE(is_protected(sets, groups, policy, k)) << method << " " << round;
      std::size_t left = 0;
      for (const auto& group : groups) left += group.size();
      if (left == sets.codes.size()) continue;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        if (groups[g].size() < 2) continue;
        ++sets_seen;
        for (const Code code : groups[g]) {
          auto apart = groups;
          apart[g].erase(code);
          apart.push_back({code});
          EXPECT_FALSE(is_protected(sets, apart, policy, k)) << method << " " << round;
        }
      }
    }
  }
  EXPECT_GT(sets_seen, 20);
}

TEST(Policy, WhatIsMissingIsSaid) {
  const CodeSets sets = parse_code_sets("a b\na b\n", "t");
  Policy policy = policy_of(sets, "a b", "");
  EXPECT_THROW((void)make("ugaclip", sets, policy, 2), Error);
  policy.privacy.clear();
  EXPECT_THROW((void)make("aclip", sets, policy, 2), Error);
  const CodeSets release = parse_code_sets("(a|b) c\n(a|b) c\n", "t");
  EXPECT_THROW((void)make("aclip", release, policy_of(release, "c", ""), 2), Error);
}

TEST(Diseases, PatternsAreBeginningsOfCodes) {
  const auto& all = gwas_diseases();
  ASSERT_EQ(all.size(), 18);
  const auto names = [&](const char* code) {
    std::string matches;
    for (const auto& disease : all) {
      if (disease.has(code)) matches += disease.name + ";";
    }
    return matches;
  };
  EXPECT_EQ(names("493"), "Asthma;");
  EXPECT_EQ(names("49320"), "Asthma;");
  EXPECT_EQ(names("250.01"), "Diabetes mellitus type 1;");
  EXPECT_EQ(names("250.92"), "Diabetes mellitus type 2;");
  EXPECT_EQ(names("250"), "");
  EXPECT_EQ(names("296.3"), "");
  EXPECT_EQ(names("185"), "Prostate cancer;");
  EXPECT_EQ(names("185x"), "");
  for (const char* bad : {"Asthma 493", "A: 4930000", "A:", ": 493", "A: 250?1", ""}) {
    EXPECT_THROW((void)parse_diseases(bad, "f"), Error) << bad;
  }
}

TEST(Diseases, AreUsableWhenNoItemCrossesAndNoCaseIsLost) {
  const CodeSets original = parse_code_sets("493.00 401\n493.01\n401\n", "t");
  const CodeSets across = parse_code_sets("(493.00|401)\n493.01\n401\n", "t");
  const Disease asthma{"Asthma", {"493"}};
  const auto before = count_cases(asthma, shown_in(original));
  EXPECT_EQ(before.cases, 2);
  auto shown = shown_in(across);
  shown.codes_of[0] = {"493.00", "401"};
  EXPECT_EQ(count_cases(asthma, shown).across, 1);
  EXPECT_FALSE(usable(count_cases(asthma, shown), {}));
  const auto fewer = count_cases(asthma, shown_in(parse_code_sets("401\n493.01\n", "t")));
  EXPECT_TRUE(usable(fewer, {}));
  EXPECT_FALSE(usable(fewer, before));
  EXPECT_TRUE(usable(before, before));
}

}  // namespace
}  // namespace pratique::codes::policy_test
