#include "pratique/codes/method/table_codes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/data/hierarchy_csv.h"

namespace pratique::codes::table_codes_test {
namespace {

constexpr std::string_view kCodes = "a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n";

class TableAndCodesTest : public testing::Test {
 protected:
  TableAndCodesTest() {
    std::ofstream out(ages);
    for (int age = 20; age < 32; ++age) {
      out << age << ';' << age / 4 * 4 << "+;" << (age < 28 ? "young" : "old") << ";*\n";
    }
  }

  static CodeFile file_of(const std::string& sets, const std::vector<std::string>& age,
                          const std::vector<std::string>& sex) {
    CodeFile file;
    file.sets = parse_code_sets(sets, "f");
    for (const auto& [name, values] :
         {std::pair{"age", &age}, std::pair{"sex", &sex}, std::pair{"dna", &age}}) {
      Column column;
      column.name = name;
      for (const auto& value : *values) column.codes.push_back(column.dictionary.intern(value));
      file.riders.columns.push_back(std::move(column));
    }
    return file;
  }

  TableAndCodes run(CodeFile& file, std::uint64_t k, int m) const {
    const CodeTree tree(parse_hierarchy_csv(kCodes, "h.csv"), file.sets, "h.csv");
    return anonymise_table_and_codes(file, tree, {{"age", ages}, {"sex", "flat"}}, {.k = k, .m = m},
                                     Progress::silent());
  }

  // The ages that a released value stands for.
  static bool contains(std::string_view released, const std::string& age) {
    const int number = std::stoi(age);
    if (released == "*") return true;
    if (released == "young") return number < 28;
    if (released == "old") return number >= 28;
    if (released.ends_with('+')) return number / 4 * 4 == std::stoi(std::string(released));
    return released == age;
  }

  PrivateFolder folder;
  std::string ages = folder.path() + "/ages.csv";
};

// From the definition: whoever knows age, sex and m codes of somebody.
TEST_F(TableAndCodesTest, HoldsOnRandomDataByDefinition) {
  double narrow = 0;
  std::uint64_t found_before = 0;
  for (std::uint64_t round = 0; round < 60; ++round) {
    SeededRandom random(31, round);
    std::string text = "a\nb\nc\nd\n";
    std::vector<std::string> age = {"20", "20", "31", "31"};
    std::vector<std::string> sex = {"F", "M", "F", "M"};
    for (std::uint64_t p = 0, patients = 10 + random.below(50); p < patients; ++p) {
      std::set<char> codes;
      for (std::uint64_t i = 0, size = 1 + random.below(3); i < size; ++i) {
        codes.insert("abcd"[random.below(1 + random.below(4))]);
      }
      for (const char code : codes) text += std::string{code, ' '};
      text += "\n";
      age.push_back(std::to_string(20 + random.below(12)));
      sex.emplace_back(random.chance(0.5) ? "F" : "M");
    }
    CodeFile file = file_of(text, age, sex);
    const CodeSets original = parse_code_sets(text, "f");
    const std::uint64_t k = 2 + round % 3;
    const int m = static_cast<int>(1 + round % 2);
    const TableAndCodes result = run(file, k, m);
    ASSERT_EQ(file.sets.patients(), age.size());
    narrow += 1 - result.demographics_ncp;

    std::uint64_t breached_before = 0;
    for (std::size_t p = 0; p < age.size(); ++p) {
      const auto mine = original.set(original.set_of[p]);
      ASSERT_TRUE(std::ranges::equal(mine, file.sets.set(file.sets.set_of[p])));
      ASSERT_TRUE(contains(file.riders.columns[0].text(p), age[p]));
      ASSERT_EQ(file.riders.columns[2].text(p), age[p]);  // rides along
      for (std::size_t bits = 0; bits < (std::size_t{1} << mine.size()); ++bits) {
        std::vector<Code> known;
        for (std::size_t i = 0; i < mine.size(); ++i) {
          if ((bits >> i & 1U) != 0) known.push_back(mine[i]);
        }
        if (known.size() > static_cast<std::size_t>(m)) continue;
        std::uint64_t matches = 0;
        std::uint64_t matches_before = 0;
        for (std::size_t q = 0; q < age.size(); ++q) {
          const auto theirs = original.set(original.set_of[q]);
          if (age[q] == age[p] && sex[q] == sex[p] &&
              std::includes(theirs.begin(), theirs.end(), known.begin(), known.end())) {
            ++matches_before;
          }
          const auto released_sex = file.riders.columns[1].text(q);
          if (!contains(file.riders.columns[0].text(q), age[p]) ||
              (released_sex != "*" && released_sex != sex[p])) {
            continue;
          }
          std::set<Code> covered;
          for (const auto item : result.recoding.set(file.sets.set_of[q])) {
            const auto& covers = result.recoding.labels[item].covers;
            covered.insert(covers.begin(), covers.end());
          }
          if (std::includes(covered.begin(), covered.end(), known.begin(), known.end())) ++matches;
        }
        ASSERT_GE(matches, k) << round;  // the patient's own record always matches
        if (matches_before < k) ++breached_before;
      }
    }
    ASSERT_EQ(result.after.matched_under_k, 0U) << round;
    ASSERT_EQ(result.before.targets, age.size());
    found_before += result.before.matched_under_k;
    ASSERT_TRUE(breached_before > 0 || result.before.matched_under_k == 0) << round;
  }
  EXPECT_GT(found_before, 0U);
  EXPECT_GT(narrow, 60 * 0.3);
}

// Two ages with the same codes twice: nothing needs to be hidden.
TEST_F(TableAndCodesTest, ClassesThatNeedNothingKeepEverything) {
  CodeFile file = file_of("a c\na c\na c\na c\n", {"20", "20", "31", "31"}, {"F", "F", "M", "M"});
  const TableAndCodes result = run(file, 2, 2);
  EXPECT_EQ(result.classes, 2U);
  EXPECT_EQ(result.demographics_ncp, 0);
  EXPECT_EQ(file.riders.columns[0].text(0), "20");
  EXPECT_EQ(file.riders.columns[1].text(3), "M");
  for (const auto& label : result.recoding.labels) EXPECT_TRUE(label.exact());
}

TEST_F(TableAndCodesTest, AColumnThatIsNotThere) {
  CodeFile file = file_of("a\na\n", {"20", "21"}, {"F", "F"});
  file.dropped = {"weight"};
  const CodeTree tree(parse_hierarchy_csv(kCodes, "h.csv"), file.sets, "h.csv");
  for (const auto* name : {"weight", "ages"}) {
    EXPECT_THROW((void)anonymise_table_and_codes(file, tree, {{name, "flat"}}, {.k = 2, .m = 1},
                                                 Progress::silent()),
                 Error);
  }
}

}  // namespace
}  // namespace pratique::codes::table_codes_test
