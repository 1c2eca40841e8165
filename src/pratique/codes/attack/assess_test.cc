#include "pratique/codes/attack/assess.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/codes/attack/attack.h"
#include "pratique/codes/attack/internal/set_census.h"
#include "pratique/codes/metric/metrics.h"
#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/data/uncovered.h"

namespace pratique::codes::assess_test {
namespace {

CodeSets random_sets(std::uint64_t seed, std::size_t patients) {
  SeededRandom random(seed);
  std::string text;
  for (std::size_t p = 0; p < patients; ++p) {
    for (std::uint64_t i = 0, size = 1 + random.below(6); i < size; ++i) {
      text += std::to_string(random.below(1 + random.below(12))) + " ";
    }
    text += "\n";
  }
  return parse_code_sets(text, "r.dat");
}

std::uint64_t support(const CodeSets& sets, const std::vector<Code>& codes) {
  std::uint64_t total = 0;
  for (const auto s : sets.set_of) {
    const auto set = sets.set(s);
    total += std::includes(set.begin(), set.end(), codes.begin(), codes.end()) ? 1 : 0;
  }
  return total;
}

template <class Visit>
void each_subset(std::span<const Code> set, std::size_t size, const Visit& visit) {
  std::vector<bool> chosen(set.size(), false);
  if (size > set.size()) return;
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(size), true);
  do {
    std::vector<Code> codes;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (chosen[i]) codes.push_back(set[i]);
    }
    visit(codes);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
}

TEST(Assess, TheCensusAgreesWithBruteForce) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CodeSets sets = random_sets(seed, 40);
    const SetCensus census = take_census(sets, 3, Progress::silent());
    std::vector<Code> all;
    for (Code code = 0; code < sets.codes.size(); ++code) all.push_back(code);
    for (std::size_t size = 1; size <= 3; ++size) {
      std::uint64_t rare = 0;
      each_subset(all, size, [&](const std::vector<Code>& codes) {
        const auto patients = support(sets, codes);
        rare += patients > 0 && patients < 3 ? 1 : 0;
      });
      EXPECT_EQ(census.rare[size - 1], rare) << seed << " size " << size;
    }
    std::vector<std::vector<std::uint32_t>> with(sets.codes.size());
    for (std::uint32_t s = 0; s < sets.size(); ++s) {
      for (const Code code : sets.set(s)) with[code].push_back(s);
    }
    const SetCensus of_pairs = take_census(sets, 3, Progress::silent(), 0);
    EXPECT_EQ(of_pairs.exact, 2U);
    EXPECT_EQ(of_pairs.rare[1], census.rare[1]);
    for (std::uint32_t s = 0; s < sets.size(); ++s) {
      std::array<bool, 5> singled_out_by = {};
      for (std::size_t size = 1; size <= 4; ++size) {
        each_subset(sets.set(s), size, [&](const std::vector<Code>& codes) {
          if (support(sets, codes) == 1) singled_out_by[size] = true;
        });
      }
      const auto fewest = [&](std::size_t least, std::size_t most) {
        for (std::size_t size = least; size <= most; ++size) {
          if (singled_out_by[size]) return size;
        }
        return std::size_t{0};
      };
      EXPECT_EQ(census.singled_out_by[s], fewest(1, 3)) << seed << " set " << s;
      EXPECT_EQ(of_pairs.singled_out_by[s], fewest(1, 2)) << seed << " set " << s;
      for (std::size_t least = 1; least <= 4; ++least) {
        EXPECT_EQ(fewest_that_single_out(sets, with, s, least, 4), fewest(least, 4))
            << seed << " set " << s;
      }
    }
  }
}

// The work, counted: a record of 500 codes has 21 million sets of three. They are not written down.
TEST(Assess, ALongRecordDoesNotStopIt) {
  std::string text;
  SeededRandom random(3);
  for (int patient = 0; patient < 60; ++patient) {
    for (int code = 0; code < 700; ++code) text += std::to_string(random.below(2000)) + " ";
    text += "\n";
  }
  const CodeSets sets = parse_code_sets(text, "long.dat");
  const SetCensus census = take_census(sets, 5, Progress::silent());
  EXPECT_EQ(census.exact, 2U);
  std::uint64_t pairs = 0;
  for (std::size_t s = 0; s < sets.size(); ++s)
    pairs += sets.set(s).size() * (sets.set(s).size() - 1) / 2;
  EXPECT_EQ(census.sets_counted, pairs);
  const Assessment assessment =
      assess(sets, nullptr, nullptr, {.k = 5, .seed = 1}, Progress::silent());
  EXPECT_EQ(assessment.exact_sizes, 2U);
  EXPECT_EQ(to_json(assessment)["violations_m"].size(), 2U);
  EXPECT_EQ(to_json(assessment)["unique_m_error"].size(), 2U);
}

// What is sampled lies between what is counted of smaller sets and of all codes.
TEST(Assess, ASampleDoesNotPassWhatIsCertain) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const CodeSets sets = random_sets(seed, 2000);
    const Assessment assessment =
        assess(sets, nullptr, nullptr, {.k = 5, .seed = seed}, Progress::silent());
    for (std::size_t m = 1; m < 4; ++m) {
      EXPECT_LE(assessment.unique_m[m - 1], assessment.unique_m[m]) << seed;
    }
    EXPECT_LE(assessment.unique_m[3], assessment.unique_all) << seed;
  }
}

// {a,b} twice, {a,c}, {b}: nobody else has all of {a,c}; three have b, but only one has nothing
// else.
TEST(Assess, FiguresByHand) {
  const CodeSets sets = parse_code_sets("a b\na b\na c\nb\n", "t.dat");
  const Assessment assessment =
      assess(sets, nullptr, nullptr, {.k = 2, .seed = 1}, Progress::silent());
  EXPECT_EQ(assessment.patients, 4U);
  EXPECT_EQ(assessment.codes, 3U);
  EXPECT_DOUBLE_EQ(assessment.mean_codes, 7.0 / 4);
  EXPECT_DOUBLE_EQ(assessment.unique_all, 0.25);
  EXPECT_DOUBLE_EQ(assessment.unique_set, 0.5);
  EXPECT_DOUBLE_EQ(assessment.unique_m[0], 0.25);  // c
  EXPECT_DOUBLE_EQ(assessment.unique_m[3], 0.25);
  EXPECT_EQ(assessment.violations_m, (std::array<std::uint64_t, 3>{1, 1, 0}));  // c; a c
  // In a population with two more of {a,c}, nobody is unique.
  CodeSets own = parse_code_sets("a b\na b\na c\nb\n", "t.dat");
  const CodeSets people =
      translate(parse_code_sets("b\na c\nc a\na b\na b x\n", "p.dat"), own.codes);
  const Assessment among = assess(own, &people, nullptr, {.k = 2, .seed = 1}, Progress::silent());
  EXPECT_DOUBLE_EQ(among.unique_all, 0);
  EXPECT_DOUBLE_EQ(among.unique_set, 0.75);  // {a,c} is there twice; {a,b} and {b} once
}

TEST(Assess, ThreadsDoNotMatter) {
  const CodeSets sets = random_sets(5, 3000);
  const auto once = [&](std::size_t threads) {
    const ThreadLimit limit(threads);
    const Assessment assessment =
        assess(sets, nullptr, nullptr, {.k = 5, .seed = 3}, Progress::silent());
    return std::make_tuple(assessment.unique_m, assessment.violations_m, to_csv(assessment.curves));
  };
  EXPECT_EQ(once(1), once(4));
}

TEST(CodeTreeTest, AMissingCodeIsNamedWithTheNearest) {
  const CodeSets sets = parse_code_sets("296.00 296.10\n", "t.dat");
  try {
    (void)CodeTree(parse_hierarchy_csv("296.00;296;*\n296.01;296;*\n", "h.csv"), sets, "h.csv");
    FAIL();
  } catch (const UncoveredValues& error) {
    EXPECT_EQ(error.message(), "the hierarchy is missing 1 value (1 row)");
    EXPECT_EQ(error.hint().find("296"), std::string::npos) << error.hint();
    EXPECT_NE(error.values().find("'296.10'"), std::string::npos) << error.values();
    EXPECT_NE(error.values().find("nearest to '296.10' is '296.0"), std::string::npos);
    EXPECT_EQ(error.place(), "h.csv");
  }
}

// 401 is a code and a category: the category is written as the set of its codes.
TEST(CodeTreeTest, LongSetsAreWrittenByTheirEnds) {
  EXPECT_EQ(set_text({"401.2", "401.4"}), "(401.2|401.4)");
  std::vector<std::string> codes;
  for (int number = 0; number < 40; ++number) codes.push_back(fmt::format("{}.00", 250 + number));
  const std::string text = set_text(codes);
  EXPECT_TRUE(text.starts_with("{250.00..289.00:40#")) << text;
  EXPECT_EQ(text.size(), std::string("{250.00..289.00:40#12345678}").size());
  codes[7] = "257.01";
  EXPECT_NE(set_text(codes), text);  // another set has another name
}

TEST(CodeTreeTest, AmbiguousLabelsGetAStarOrAreWrittenAsSets) {
  const CodeSets sets = parse_code_sets("401 401.0\n401.1 493.00\n", "t.dat");
  const CodeTree tree = CodeTree::make("icd9", sets);
  std::set<std::string> labels;
  for (CodeTree::Node node = 0; node < tree.node_count(); ++node) labels.insert(tree.label(node));
  EXPECT_EQ(labels.size(), tree.node_count());
  EXPECT_TRUE(labels.contains("401*"));
  EXPECT_EQ(tree.codes_under(tree.root()).size(), 4U);
}

// The tutorial's query: an item over two codes in three records; 401.2 is in two of its three
// non-empty subsets, so 3 * 2/3 = 2 are expected where there is 1.
TEST(CodeMetrics, TheTutorialsRelativeErrorAndUtilityLoss) {
  const CodeSets sets = parse_code_sets("401.1\n401.2 401.3\n401.1\n401.4 401.3\n", "t.dat");
  const CodeTree tree(
      parse_hierarchy_csv("401.1;[401.1-2];*\n401.2;[401.1-2];*\n401.3;x;*\n401.4;x;*\n", "h.csv"),
      sets, "h.csv");
  const Recoding recoding = recode_by_tree(sets, tree, [&](std::size_t, Code code) {
    return sets.codes.value(code) < "401.3" ? tree.parent(code) : code;
  });
  const std::vector<Code> query = {*sets.codes.find("401.2")};
  EXPECT_NEAR(expected_count(sets, recoding, query), 2.0, 1e-12);
  EXPECT_NEAR(expected_count(sets, recoding, query, Reading::one_code), 3.0 / 2, 1e-12);
  const std::vector<Code> pair = {*sets.codes.find("401.1"), *sets.codes.find("401.2")};
  EXPECT_NEAR(expected_count(sets, recoding, pair), 3.0 * 1 / 3, 1e-12);
  EXPECT_EQ(expected_count(sets, recoding, pair, Reading::one_code), 0);
  const Metrics metrics = measure(sets, recoding, {}, Progress::silent());
  EXPECT_NEAR(metrics.ul, (4.0 - 1) / (16 - 1) * 3 / 4, 1e-12);
  EXPECT_NEAR(metrics.ncp, 3.0 / 6 * 2 / 4, 1e-12);
  EXPECT_EQ(metrics.groups, 1U);
  std::vector<double> weights(4, 1);
  weights[query[0]] = 3;
  EXPECT_NEAR(measure(sets, recoding, weights, Progress::silent()).ul, 2 * metrics.ul, 1e-12);
  const Metrics nothing = measure(sets, unchanged(sets, &tree), {}, Progress::silent());
  EXPECT_EQ(nothing.are, 0);
  EXPECT_EQ(nothing.are_one_code, 0);
}

// Every record as each of the sets that it may stand for, all equally likely: an item over n codes
// is any of their non-empty subsets.
TEST(CodeMetrics, ExpectedCountsAgreeWithAllInterpretations) {
  const CodeSets sets = random_sets(3, 60);
  const CodeTree tree(
      parse_hierarchy_csv("0;A;E;*\n1;A;E;*\n2;A;E;*\n3;B;E;*\n4;B;E;*\n5;B;E;*\n"
                          "6;C;F;*\n7;C;F;*\n8;C;F;*\n9;D;F;*\n10;D;F;*\n11;D;F;*\n",
                          "h.csv"),
      sets, "h.csv");
  // In each record one level for all codes; the root is left out: it has 4,095 subsets.
  const Recoding recoding = recode_by_tree(sets, tree, [&](std::size_t set, Code code) {
    const CodeTree::Node parent = tree.parent(code);
    if (set % 3 == 0) return static_cast<CodeTree::Node>(code);
    return set % 3 == 1 || tree.parent(parent) == tree.root() ? parent : tree.parent(parent);
  });
  const auto chance = [&](std::size_t set, std::span<const Code> wanted) {
    double product = 1;  // items are independent, and each code is under one of them
    for (const auto item : recoding.set(set)) {
      const auto& covers = recoding.labels[item].covers;
      const std::size_t width = recoding.labels[item].width();
      std::vector<std::size_t> asked;  // codes of the data come first among those it stands for
      for (std::size_t i = 0; i < covers.size(); ++i) {
        if (std::find(wanted.begin(), wanted.end(), covers[i]) != wanted.end()) asked.push_back(i);
      }
      double fitting = 0;
      double all = 0;
      for (std::size_t bits = 1; bits < (std::size_t{1} << width); ++bits) {
        ++all;
        fitting += std::all_of(asked.begin(), asked.end(),
                               [&](std::size_t i) { return (bits >> i & 1U) != 0; })
                       ? 1
                       : 0;
      }
      product *= fitting / all;
    }
    const bool covered = std::all_of(wanted.begin(), wanted.end(), [&](Code code) {
      return std::any_of(recoding.set(set).begin(), recoding.set(set).end(), [&](auto item) {
        const auto& covers = recoding.labels[item].covers;
        return std::binary_search(covers.begin(), covers.end(), code);
      });
    });
    return covered ? product : 0;
  };
  for (Code a = 0; a < sets.codes.size(); ++a) {
    for (Code b = a; b < sets.codes.size(); ++b) {
      const std::vector<Code> wanted = a == b ? std::vector{a} : std::vector{a, b};
      double expected = 0;
      for (std::size_t s = 0; s < sets.size(); ++s) expected += chance(s, wanted) * sets.counts[s];
      ASSERT_NEAR(expected_count(sets, recoding, wanted), expected, 1e-9) << a << " " << b;
    }
  }
}

TEST(CodeAttack, OneStepByHand) {
  // Labels, sets and * in the release; codes that nobody shows are left out.
  const CodeSets release =
      parse_code_sets("401 295\n401 295 530\n(493.00|493.01) 530\n* 042\n", "r.dat");
  const Hierarchy hierarchy =
      parse_hierarchy_csv("401.0;401;*\n401.1;401;*\n295;29;*\n530;53;*\n042;04;*\n", "h.csv");
  Dictionary known;
  const CodeSets people = translate(
      parse_code_sets("401.0 530\n401.1\n493.01 530\n999 042\n295 042\n", "k.dat"), known);
  const SearchableRelease searchable(release, known, &hierarchy);
  std::vector<Target> targets;
  for (const auto set : people.set_of) targets.push_back({{set}});
  // Candidates: {2, 4}: no, * covers 530 too: records 2 and 4; 401.1: 1, 2, 4; 493.01 530: 3, 4;
  // 042 (999 is under *): 4; 295 042: 4.
  const std::vector<std::uint64_t> expected = {2, 3, 2, 1, 1};
  for (std::size_t t = 0; t < targets.size(); ++t) {
    EXPECT_EQ(searchable.count(people.set(people.set_of[t])), expected[t]) << t;
  }
  const AttackResult result = attack(searchable, people, targets, {.k = 3}, Progress::silent());
  EXPECT_EQ(result.targets, 5U);
  EXPECT_EQ(result.reidentified, 2U);
  EXPECT_EQ(result.matched_under_k, 4U);
  EXPECT_FALSE(result.correct.has_value());
}

TEST(CodeAttack, SensitiveCodesAndTheTruth) {
  const CodeSets release = parse_code_sets("a b s\na b s t\nc d\n", "r.dat");
  Dictionary known;
  const CodeSets people = translate(parse_code_sets("a b\nc\nb\n", "k.dat"), known);
  const CodeSets truth = translate(parse_code_sets("a b s\nc d e\na b s t\n", "o.dat"), known);
  const SearchableRelease searchable(release, known, nullptr);
  std::vector<Target> targets;
  for (std::uint32_t t = 0; t < 3; ++t) targets.push_back({{people.set_of[t]}, truth.set_of[t]});
  const AttackResult result =
      attack(searchable, people, targets, {.k = 3, .truth = &truth}, Progress::silent());
  EXPECT_EQ(result.reidentified, 1U);         // c
  EXPECT_EQ(result.correct, 1U);              // e is in no record: it was suppressed
  EXPECT_EQ(result.sensitive_disclosed, 3U);  // s of both, d
  std::vector<bool> sensitive(known.size(), false);
  sensitive[*known.find("t")] = true;
  EXPECT_EQ(
      attack(searchable, people, targets, {.k = 3, .sensitive = sensitive}, Progress::silent())
          .sensitive_disclosed,
      0U);
  sensitive[*known.find("s")] = true;
  EXPECT_EQ(
      attack(searchable, people, targets, {.k = 3, .sensitive = sensitive}, Progress::silent())
          .sensitive_disclosed,
      2U);
}

// Every candidate that is found covers the codes, and no other record does.
TEST(CodeAttack, SearchAgreesWithBruteForce) {
  const CodeSets sets = random_sets(9, 400);
  const CodeTree tree(parse_hierarchy_csv("0;A;*\n1;A;*\n2;A;*\n3;B;*\n4;B;*\n5;B;*\n6;C;*\n7;C;*\n"
                                          "8;C;*\n9;D;*\n10;D;*\n11;D;*\n",
                                          "h.csv"),
                      sets, "h.csv");
  // Some codes raised in some records only.
  const Recoding recoding = recode_by_tree(sets, tree, [&](std::size_t set, Code code) {
    return (set + code) % 3 == 0 ? tree.parent(code) : code;
  });
  const SearchableRelease searchable(sets, recoding);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    std::uint64_t expected = 0;
    for (std::size_t other = 0; other < sets.size(); ++other) {
      std::set<Code> covered;
      for (const auto label : recoding.set(other)) {
        covered.insert(recoding.labels[label].covers.begin(), recoding.labels[label].covers.end());
      }
      const auto set = sets.set(s);
      if (std::all_of(set.begin(), set.end(), [&](Code code) { return covered.contains(code); })) {
        expected += sets.counts[other];
      }
    }
    ASSERT_EQ(searchable.count(sets.set(s)), expected);
  }
}

// Who knows the rarest codes of a patient, or all of them; what no record covers is not asked for.
TEST(CodeAttack, ExposureAgreesWithBruteForce) {
  for (std::uint64_t round = 0; round < 20; ++round) {
    const CodeSets sets = random_sets(30 + round, 150);
    std::string hierarchy;
    for (int code = 0; code < 12; ++code) {
      hierarchy += std::to_string(code) + ";L" + std::to_string(code / 3) + ";*\n";
    }
    const CodeTree tree(parse_hierarchy_csv(hierarchy, "h.csv"), sets, "h.csv");
    Recoding recoding = recode_by_tree(sets, tree, [&](std::size_t set, Code code) {
      return (set * round + code) % 4 == 0 ? tree.parent(code) : code;
    });
    if (round % 2 == 1) {
      std::vector<bool> kept(sets.codes.size(), true);
      for (Code code = 0; code < kept.size(); ++code) kept[code] = (code + round) % 5 != 0;
      recoding = recode_by_suppression(sets, &tree, kept);
    }
    std::vector<std::set<Code>> covered(sets.size());
    std::set<Code> shown;
    for (std::size_t s = 0; s < sets.size(); ++s) {
      for (const auto label : recoding.set(s)) {
        covered[s].insert(recoding.labels[label].covers.begin(),
                          recoding.labels[label].covers.end());
      }
      shown.insert(covered[s].begin(), covered[s].end());
    }
    const auto supports = sets.supports();
    const std::size_t most = round % 3 == 0 ? 99 : 1 + round % 3;
    Exposure expected;
    for (std::size_t s = 0; s < sets.size(); ++s) {
      std::vector<Code> known(sets.set(s).begin(), sets.set(s).end());
      std::stable_sort(known.begin(), known.end(),
                       [&](Code a, Code b) { return supports[a] < supports[b]; });
      known.resize(std::min(known.size(), most));
      std::erase_if(known, [&](Code code) { return !shown.contains(code); });
      std::uint64_t matches = 0;
      for (std::size_t other = 0; other < sets.size(); ++other) {
        const bool all = !covered[other].empty() &&
                         std::all_of(known.begin(), known.end(),
                                     [&](Code code) { return covered[other].contains(code); });
        matches += all ? sets.counts[other] : 0;
      }
      expected.targets += sets.counts[s];
      expected.matched_under_k += matches > 0 && matches < 6 ? sets.counts[s] : 0;
      expected.reidentified += matches == 1 ? sets.counts[s] : 0;
    }
    const Exposure exposed = expose({sets, recoding}, sets, 6, most, Progress::silent());
    EXPECT_EQ(exposed.targets, expected.targets);
    EXPECT_EQ(exposed.matched_under_k, expected.matched_under_k) << round;
    EXPECT_EQ(exposed.reidentified, expected.reidentified) << round;
  }
}

}  // namespace
}  // namespace pratique::codes::assess_test
