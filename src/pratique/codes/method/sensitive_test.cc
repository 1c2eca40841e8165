#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "pratique/codes/method/protection.h"
#include "pratique/codes/metric/metrics.h"
#include "pratique/crypto/random.h"
#include "pratique/data/hierarchy_csv.h"

namespace pratique::codes::sensitive_test {
namespace {

using Texts = std::set<std::string>;

CodeTree tree_of(std::string_view csv, const CodeSets& sets) {
  return {parse_hierarchy_csv(csv, "h.csv"), sets, "h.csv"};
}

std::vector<Texts> records_of(const CodeSets& sets, const Recoding& recoding) {
  std::vector<Texts> records;
  for (const auto s : sets.set_of) {
    records.emplace_back();
    for (const auto label : recoding.set(s)) records.back().insert(recoding.labels[label].text);
  }
  return records;
}

// What each record covers, without the records that have nothing left.
std::vector<Texts> covered_by(const CodeSets& sets, const Recoding& recoding) {
  std::vector<Texts> covered;
  for (const auto s : sets.set_of) {
    if (recoding.set(s).empty()) continue;
    covered.emplace_back();
    for (const auto label : recoding.set(s)) {
      for (const Code code : recoding.labels[label].covers) {
        covered.back().emplace(sets.codes.value(code));
      }
    }
  }
  return covered;
}

int count(const std::vector<Texts>& records, const Texts& codes) {
  int matches = 0;
  for (const auto& record : records) {
    matches += std::includes(record.begin(), record.end(), codes.begin(), codes.end()) ? 1 : 0;
  }
  return matches;
}

// All sets of at most `most` of these codes.
void for_each_set(const std::vector<std::string>& codes, std::size_t most,
                  const std::function<void(const Texts&)>& visit) {
  for (std::size_t bits = 0; bits < (std::size_t{1} << codes.size()); ++bits) {
    Texts set;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if ((bits >> i & 1U) != 0) set.insert(codes[i]);
    }
    if (set.size() <= most) visit(set);
  }
}

struct RandomCase {
  CodeSets sets;
  std::string hierarchy;
  std::vector<std::string> open;
  std::vector<std::string> sensitive;
};

// Up to six public codes and two sensitive ones, in one tree.
RandomCase random_case(std::uint64_t round) {
  SeededRandom random(21, round);
  RandomCase input;
  const std::uint64_t codes = 3 + random.below(4);
  for (std::uint64_t code = 0; code < codes; ++code)
    input.open.push_back("c" + std::to_string(code));
  input.sensitive = {"s0", "s1"};
  std::string text = "c0 s0\nc1 s1\n";
  for (std::uint64_t p = 0, patients = 10 + random.below(25); p < patients; ++p) {
    std::set<std::uint64_t> set;
    for (std::uint64_t i = 0, size = 1 + random.below(3); i < size; ++i) {
      set.insert(random.below(1 + random.below(codes)));
    }
    for (const auto code : set) text += input.open[code] + " ";
    if (random.chance(0.3)) text += input.sensitive[random.below(2)];
    text += "\n";
  }
  for (std::uint64_t code = 0; code < codes; ++code) {
    input.hierarchy += input.open[code] + ";g" + std::to_string(code / 2) + ";h" +
                       std::to_string(code / 4) + ";*\n";
  }
  input.hierarchy += "s0;g0;h0;*\ns1;g7;h7;*\n";
  input.sets = parse_code_sets(text, "r.dat");
  // Codes that nobody has are in no rule.
  std::erase_if(input.open, [&](const auto& code) { return !input.sets.codes.find(code); });
  return input;
}

double ncp_of(const CodeSets& sets, const Recoding& recoding) {
  return measure(sets, recoding, {}, Progress::silent()).ncp;
}

// No label over a sensitive code, and every code one label: what verifiers insist on.
void expect_global(const Recoding& recoding, const Texts& sensitive) {
  std::map<Code, std::string> label_of;
  for (const auto item : recoding.items) {
    const Label& label = recoding.labels[item];
    for (const Code code : label.covers) {
      EXPECT_EQ(label_of.try_emplace(code, label.text).first->second, label.text);
    }
    for (const auto& leaf : label.leaves) EXPECT_FALSE(sensitive.contains(leaf));
  }
}

// The tutorial's four patients. With 401.2, 401.3 and 401.4 one set of siblings, and 401.0, 401.1
// another, (2,2,2)-coherence needs the first set alone.
TEST(Coherence, TheTutorialsExample) {
  const CodeSets sets =
      parse_code_sets("401.0 401.1\n401.2 401.3 295\n401.0 401.1\n401.4\n", "t.dat");
  const CodeTree tree = tree_of(
      "401.0;low;401;*\n401.1;low;401;*\n401.2;high;401;*\n401.3;high;401;*\n401.4;high;401;*\n"
      "295;29;29;*\n",
      sets);
  Parameters parameters{.k = 2, .h = 2, .p = 2, .sensitive = {"295"}};
  const auto& generalise = find_method("coherence", "");
  const Recoding recoding = protect(generalise, {sets, &tree, parameters}, Progress::silent());
  const std::vector<Texts> expected = {
      {"401.0", "401.1"}, {"high", "295"}, {"401.0", "401.1"}, {"high"}};
  EXPECT_EQ(records_of(sets, recoding), expected);
  // Without a tree, 401.2, 401.3 and 401.4 go: each is one patient's.
  const Recoding less = protect(find_method("coherence", "suppress"), {sets, nullptr, parameters},
                                Progress::silent());
  EXPECT_EQ(records_of(sets, less),
            (std::vector<Texts>{{"401.0", "401.1"}, {"295"}, {"401.0", "401.1"}, {}}));
  // One in three is out of reach for two patients.
  parameters.h = 3;
  const Recoding strict = protect(generalise, {sets, &tree, parameters}, Progress::silent());
  EXPECT_EQ(records_of(sets, strict)[0], expected[0]);
  EXPECT_EQ(records_of(sets, strict)[1], Texts{"295"});
}

TEST(Coherence, HoldsOnRandomDataByDefinition) {
  double generalised = 0;
  double suppressed = 0;
  for (std::uint64_t round = 0; round < 200; ++round) {
    const RandomCase c = random_case(round);
    const CodeTree tree = tree_of(c.hierarchy, c.sets);
    Parameters parameters{.k = 2 + round % 3,
                          .h = round % 2 == 0 ? 2.0 : 1.5,
                          .p = static_cast<int>(1 + round % 3),
                          .sensitive = c.sensitive};
    for (const auto* name : {"generalise", "suppress"}) {
      const Recoding recoding =
          protect(find_method("coherence", name), {c.sets, &tree, parameters}, Progress::silent());
      const auto covered = covered_by(c.sets, recoding);
      expect_global(recoding, {"s0", "s1"});
      for_each_set(c.open, static_cast<std::size_t>(parameters.p), [&](const Texts& known) {
        const int matches = count(covered, known);
        if (known.empty() || matches == 0) return;
        ASSERT_GE(static_cast<std::uint64_t>(matches), parameters.k) << round << name;
        for (const auto& code : c.sensitive) {
          Texts both = known;
          both.insert(code);
          ASSERT_LE(count(covered, both) * parameters.h, matches) << round << name;
        }
      });
      // Sensitive codes stay.
      for (const auto& code : c.sensitive) {
        ASSERT_EQ(static_cast<std::uint64_t>(count(covered, {code})),
                  c.sets.supports()[*c.sets.codes.find(code)]);
      }
      (*name == 'g' ? generalised : suppressed) += ncp_of(c.sets, recoding);
    }
  }
  EXPECT_LT(generalised, 0.95 * suppressed);
}

TEST(Uncertainty, HoldsOnRandomDataByDefinition) {
  double shown = 0;
  double all = 0;
  for (std::uint64_t round = 0; round < 200; ++round) {
    const RandomCase c = random_case(round);
    const CodeTree tree = tree_of(c.hierarchy, c.sets);
    const Parameters parameters{
        .k = 2, .rho = round % 2 == 0 ? 0.5 : 0.7, .sensitive = c.sensitive};
    const Recoding recoding =
        protect(find_method("uncertainty", ""), {c.sets, &tree, parameters}, Progress::silent());
    const auto covered = covered_by(c.sets, recoding);
    expect_global(recoding, {"s0", "s1"});
    auto codes = c.open;
    codes.insert(codes.end(), c.sensitive.begin(), c.sensitive.end());
    for_each_set(codes, codes.size(), [&](const Texts& known) {
      const int matches = count(covered, known);
      for (const auto& code : c.sensitive) {
        if (known.contains(code) || matches == 0) continue;
        Texts both = known;
        both.insert(code);
        const int having = count(covered, both);
        ASSERT_TRUE(having == 0 || having < parameters.rho * matches) << round;
      }
    });
    const Metrics metrics = measure(c.sets, recoding, {}, Progress::silent());
    shown += 1 - metrics.ncp;
    all += 1;
  }
  EXPECT_GT(shown, 0.3 * all);
}

// A rule that is not protected, counted from the release.
bool protects(const CodeSets& sets, const Recoding& recoding, const Parameters& parameters) {
  const auto covered = covered_by(sets, recoding);
  for (const CodeRule& rule : parameters.rules) {
    // Whoever knows a code that was suppressed looks for the others.
    Texts known(rule.known.begin(), rule.known.end());
    std::erase_if(known, [&](const auto& code) { return count(covered, {code}) == 0; });
    if (known.empty()) continue;
    Texts both = known;
    both.insert(rule.inferred.begin(), rule.inferred.end());
    const int matches = count(covered, known);
    if (matches == 0) continue;
    if (static_cast<std::uint64_t>(matches) < parameters.k) return false;
    if (count(covered, both) > parameters.c * matches) return false;
  }
  return true;
}

// Six patients that become those of the tutorial's slide when c and d are one, and e and f:
// cd -> hi, k = 5, c = 0.2. Nothing else needs to be generalised.
TEST(Rules, TheTutorialsExample) {
  const CodeSets sets =
      parse_code_sets("a b c g\na d e h i\nb c g j\nf g h\na b c d e j\nd f i\n", "t.dat");
  const Parameters parameters{.k = 5, .c = 0.2, .rules = {{{"c", "d"}, {"h", "i"}}}};
  const Recoding top =
      protect(find_method("rules", ""), {sets, nullptr, parameters}, Progress::silent());
  EXPECT_TRUE(protects(sets, top, parameters));
  const Recoding bottom =
      protect(find_method("rules", "bottom-up"), {sets, nullptr, parameters}, Progress::silent());
  EXPECT_EQ(records_of(sets, bottom), (std::vector<Texts>{{"a", "b", "(c|d)", "g"},
                                                          {"a", "(c|d)", "e", "h", "i"},
                                                          {"b", "(c|d)", "g", "j"},
                                                          {"f", "g", "h"},
                                                          {"a", "b", "(c|d)", "e", "j"},
                                                          {"(c|d)", "f", "i"}}));
  EXPECT_EQ(measure(sets, top, {}, Progress::silent()).suppressed_occurrences, 0U);
}

TEST(Rules, AreProtectedOnRandomData) {
  int untouched = 0;
  for (std::uint64_t round = 0; round < 300; ++round) {
    const RandomCase c = random_case(round);
    SeededRandom random(4, round);
    Parameters parameters{.k = 2 + random.below(6), .c = random.chance(0.5) ? 0.2 : 0.4};
    for (std::uint64_t i = 0, rules = 1 + random.below(4); i < rules; ++i) {
      CodeRule rule{{c.open[random.below(c.open.size())]}, {c.sensitive[random.below(2)]}};
      const auto& other = c.open[random.below(c.open.size())];
      if (other != rule.known.front()) rule.known.push_back(other);
      if (random.chance(0.2)) rule.inferred = c.sensitive;
      parameters.rules.push_back(std::move(rule));
    }
    untouched += protects(c.sets, unchanged(c.sets, nullptr), parameters) ? 1 : 0;
    for (const auto* name : {"rbat", "bottom-up"}) {
      const Recoding recoding =
          protect(find_method("rules", name), {c.sets, nullptr, parameters}, Progress::silent());
      ASSERT_TRUE(protects(c.sets, recoding, parameters)) << round << name;
      // A code that no rule infers is public.
      Texts inferred;
      for (const auto& rule : parameters.rules) {
        inferred.insert(rule.inferred.begin(), rule.inferred.end());
      }
      expect_global(recoding, inferred);
    }
  }
  EXPECT_GT(untouched, 10);
  EXPECT_LT(untouched, 200);
}

}  // namespace
}  // namespace pratique::codes::sensitive_test
