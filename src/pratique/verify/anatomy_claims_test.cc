#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::anatomy_claims_test {
namespace {

class AnatomyClaimTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});
  Json claim = {{"model", "anatomy"},     {"quasi_identifiers", {"age"}},
                {"sensitive", "illness"}, {"l", 2},
                {"group", "group"},       {"count", "count"}};
  std::string records = "age,group\n20,1\n21,1\n22,2\n23,2\n24,2\n";
  std::string values = "group,illness,count\n1,flu,1\n1,gout,1\n2,flu,1\n2,gout,1\n2,cold,1\n";

  ClaimResult check(bool both = true) {
    const std::string path = folder.path() + "/release.csv";
    const std::string beside = path + ".values.csv";
    std::ofstream(path) << records;
    std::ofstream(beside) << values;
    const Source source = engine->open(path, {}, Progress::silent());
    return verify_claim(*engine, source, claim, Progress::silent(),
                        both ? std::vector{beside} : std::vector<std::string>());
  }

  void expect_broken(const std::string& why) {
    const auto result = check();
    EXPECT_FALSE(result.holds);
    EXPECT_NE(result.explanation.find(why), std::string::npos) << result.explanation;
  }

  static std::string with(std::string text, const std::string& was, const std::string& is) {
    return text.replace(text.find(was), was.size(), is);
  }
};

TEST_F(AnatomyClaimTest, HoldsWhereNoValueHasMoreThanOneInL) {
  const auto result = check();
  EXPECT_TRUE(result.holds) << result.explanation;
  EXPECT_EQ(result.attribute, "illness");
  EXPECT_EQ(result.standing, "derived");
  EXPECT_DOUBLE_EQ(result.required, 2);
  EXPECT_DOUBLE_EQ(result.achieved, 2);
  claim["l"] = 3;
  expect_broken("more than one in 3");
}

TEST_F(AnatomyClaimTest, CountsHowOftenAValueIsInItsGroup) {
  values = with(with(values, "2,flu,1", "2,flu,2"), "2,cold,1\n", "");
  const auto result = check();
  EXPECT_FALSE(result.holds);
  EXPECT_DOUBLE_EQ(result.achieved, 1.5);
}

TEST_F(AnatomyClaimTest, SpellingMakesNoSecondValue) {
  values = with(values, "1,gout,1", "1, Flu,1");
  const auto result = check();
  EXPECT_FALSE(result.holds);
  EXPECT_DOUBLE_EQ(result.achieved, 1);
}

TEST_F(AnatomyClaimTest, BothTablesHaveTheSameGroupsOfTheSameSize) {
  records = with(records, "24,2", "24,1");
  expect_broken("another number of values");
  records = with(records, "24,1", "24,3");
  expect_broken("different groups");
  records = "age,group\n20,1\n21,1\n";
  expect_broken("different groups");
  records = "age,group\n20,1\n21,1\n22,3\n23,3\n24,3\n";
  expect_broken("different groups");
}

TEST_F(AnatomyClaimTest, ValuesAreCountedOnceAndInWholeNumbers) {
  for (const char* count : {"0", "-1", "1.0", "", "01", "x"}) {
    const auto kept = values;
    values = with(values, "1,flu,1", std::string("1,flu,") + count);
    expect_broken("not a whole number");
    values = kept;
  }
  values = with(values, "2,gout,1", "2,flu,1");
  expect_broken("twice");
}

TEST_F(AnatomyClaimTest, NothingJoinsThemButTheGroup) {
  EXPECT_FALSE(check(false).holds);
  values = "group,illness,count,age\n1,flu,1,20\n1,gout,1,21\n";
  expect_broken("other columns");
  values = "group,illness\n1,flu\n";
  expect_broken("other columns");
  records = "age,group,illness\n20,1,flu\n21,1,gout\n";
  expect_broken("beside the records");
  records = "age\n20\n";
  expect_broken("no column of groups");
  records = "sex,group\nF,1\n";
  expect_broken("a quasi-identifier is missing");
}

TEST_F(AnatomyClaimTest, AClaimThatLacksSomethingIsRefused) {
  for (const char* key : {"group", "count", "sensitive", "l", "quasi_identifiers"}) {
    Json whole = claim;
    claim.erase(key);
    EXPECT_THROW((void)check(), Error) << key;
    claim = whole;
  }
}

}  // namespace
}  // namespace pratique::verify::anatomy_claims_test
