#include "pratique/codes/method/partition.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "pratique/codes/metric/metrics.h"
#include "pratique/crypto/random.h"
#include "pratique/data/hierarchy_csv.h"

namespace pratique::codes::partition_test {
namespace {

using Released = std::multiset<std::set<std::string>>;

Recoding run(const CodeSets& sets, const CodeTree& tree, std::uint64_t k) {
  return protect(find_method("complete", ""), {sets, &tree, {k, 2}}, Progress::silent());
}

CodeTree tree_of(const std::string& csv, const CodeSets& sets) {
  return {parse_hierarchy_csv(csv, "h.csv"), sets, "h.csv"};
}

Released released(const CodeSets& sets, const Recoding& recoding) {
  Released records;
  for (const auto s : sets.set_of) {
    std::set<std::string> record;
    for (const auto label : recoding.set(s)) record.insert(recoding.labels[label].text);
    records.insert(record);
  }
  return records;
}

constexpr const char* kTree = "a;A;*\nb;A;*\nc;B;*\nd;B;*\n";

TEST(Partition, OpensWhatKPatientsShare) {
  const CodeSets exact = parse_code_sets("a\na\nb c\nb c\n", "t.dat");
  EXPECT_EQ(released(exact, run(exact, tree_of(kTree, exact), 2)),
            (Released{{"a"}, {"a"}, {"b", "c"}, {"b", "c"}}));
  // {c} and {d} are alone: B is as far as they can be told apart from A.
  const CodeSets some = parse_code_sets("a\na\nc\nd\n", "t.dat");
  EXPECT_EQ(released(some, run(some, tree_of(kTree, some), 2)),
            (Released{{"a"}, {"a"}, {"B"}, {"B"}}));
}

TEST(Partition, ALargePartGivesToOneThatIsTooSmall) {
  // {b} cannot stay alone; one of the records with a comes to it, and the other three keep theirs.
  const CodeSets sets = parse_code_sets("a c\na d\na c d\na\nb\n", "t.dat");
  const Recoding recoding = run(sets, tree_of(kTree, sets), 2);
  const Released records = released(sets, recoding);
  for (const auto& record : records) EXPECT_GE(records.count(record), 2U);
  EXPECT_LT(measure(sets, recoding, {}, Progress::silent()).ncp, 1);
}

std::string random_text(std::uint64_t round) {
  SeededRandom random(29, round);
  const std::uint64_t codes = 4 + random.below(6);
  std::string text;
  for (std::uint64_t p = 0, patients = 8 + random.below(40); p < patients; ++p) {
    std::set<std::uint64_t> set;
    for (std::uint64_t i = 0, size = 1 + random.below(4); i < size; ++i) {
      set.insert(random.below(1 + random.below(codes)));
    }
    for (const auto code : set) text += "c" + std::to_string(code) + " ";
    text += "\n";
  }
  return text;
}

std::string random_tree() {
  std::string csv;
  for (int code = 0; code < 10; ++code) {
    csv += "c" + std::to_string(code) + ";g" + std::to_string(code / 3) + ";h" +
           std::to_string(code / 6) + ";*\n";
  }
  return csv;
}

TEST(Partition, AnyCodesMatchKPatientsOrNone) {
  double loss = 0;
  for (std::uint64_t round = 0; round < 150; ++round) {
    const CodeSets sets = parse_code_sets(random_text(round), "r.dat");
    const CodeTree tree = tree_of(random_tree(), sets);
    const std::uint64_t k = 2 + round % 4;
    const Recoding recoding = run(sets, tree, k);
    std::vector<unsigned> covered;  // a bit per code, by patient
    for (const auto s : sets.set_of) {
      covered.push_back(0);
      for (const auto label : recoding.set(s)) {
        for (const Code code : recoding.labels[label].covers) covered.back() |= 1U << code;
      }
      for (const Code code : sets.set(s)) ASSERT_TRUE((covered.back() >> code & 1U) != 0);
    }
    for (unsigned known = 1; known < 1U << sets.codes.size(); ++known) {
      const auto matches = static_cast<std::uint64_t>(
          std::count_if(covered.begin(), covered.end(),
                        [&](unsigned record) { return (record & known) == known; }));
      ASSERT_TRUE(matches == 0 || matches >= k) << round;
    }
    const Released records = released(sets, recoding);
    for (const auto& record : records) ASSERT_GE(records.count(record), k) << round;
    loss += measure(sets, recoding, {}, Progress::silent()).ncp / 150;
  }
  EXPECT_LT(loss, 0.9);  // releasing nothing but roots costs 1 each time
}

TEST(Partition, TheOrderOfTheInputDoesNotMatter) {
  for (std::uint64_t round = 0; round < 20; ++round) {
    const std::string text = random_text(round);
    std::string turned;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      turned.insert(0, text.substr(at, text.find('\n', at) + 1 - at));
    }
    const CodeSets forward = parse_code_sets(text, "t");
    const CodeSets backward = parse_code_sets(turned, "t");
    EXPECT_EQ(released(forward, run(forward, tree_of(random_tree(), forward), 3)),
              released(backward, run(backward, tree_of(random_tree(), backward), 3)));
  }
}

}  // namespace
}  // namespace pratique::codes::partition_test
