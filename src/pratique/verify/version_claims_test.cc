#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::version_claims_test {
namespace {

class VersionClaimTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});
  Json claim = {{"model", "safe-versions"},
                {"quasi_identifiers", {"zip"}},
                {"k", 2},
                {"diversity", {{"s", 2}}},
                {"earlier", Json::array()},
                {"labels", {{"zip", Json::array()}}}};

  std::string header = "zip,s";

  std::string write(const std::string& name, const std::string& rows) {
    std::string path = folder.path() + "/" + name;
    std::ofstream(path) << header << "\n" << rows;
    return path;
  }
  void earlier(const std::string& rows) {
    const std::string path = write("old" + std::to_string(claim["earlier"].size()), rows);
    claim["earlier"].push_back({{"path", path}, {"sha256", engine->identify(path).sha256}});
  }
  ClaimResult check(const std::string& rows) {
    return verify_claim(*engine, engine->open(write("new", rows), {}, Progress::silent()), claim,
                        Progress::silent());
  }
};

const std::string kThree = "130**,a\n130**,b\n130**,c\n";

TEST_F(VersionClaimTest, AClassLosesNobodyAndGainsEnough) {
  earlier(kThree);
  EXPECT_TRUE(check(kThree).holds);
  EXPECT_EQ(check(kThree).achieved, 3);
  EXPECT_FALSE(check(kThree + "130**,d\n").holds);  // one joined
  EXPECT_EQ(check(kThree + "130**,d\n").achieved, 1);
  EXPECT_TRUE(check(kThree + "130**,d\n130**,a\n").holds);   // two joined
  EXPECT_FALSE(check(kThree + "130**,a\n130**,a\n").holds);  // with one value
  EXPECT_FALSE(check("130**,a\n130**,b\n").holds);           // one left
  EXPECT_FALSE(check("130**,a\n130**,d\n130**,e\n").holds);  // one stayed
  EXPECT_FALSE(check("130**,d\n130**,e\n").holds);           // all left, others joined
  EXPECT_TRUE(check(kThree + "131**,d\n131**,e\n").holds);   // another class
  EXPECT_FALSE(check("131**,d\n131**,e\n").holds);           // nothing to compare with
  claim["diversity"]["s"] = 3;
  EXPECT_FALSE(check(kThree + "130**,d\n130**,a\n").holds);
  claim["diversity"]["s"] = 1;
  EXPECT_FALSE(check(kThree + "130**,a\n130**,a\n").holds);  // two values even then
}

TEST_F(VersionClaimTest, HowManyRowsSomebodyHasIsCompared) {
  claim["person"] = "p";
  const auto people = [&](const std::string& name, const std::string& rows) {
    std::string path = folder.path() + "/" + name;
    std::ofstream(path) << "zip,s,p\n" << rows;
    return path;
  };
  const auto holds = [&](const std::string& rows) {
    return verify_claim(*engine, engine->open(people("new", rows), {}, Progress::silent()), claim,
                        Progress::silent());
  };
  const std::string old = "130**,a,1\n130**,a,1\n130**,b,2\n130**,c,3\n";
  const std::string path = people("old", old);
  claim["earlier"].push_back({{"path", path}, {"sha256", engine->identify(path).sha256}});
  EXPECT_TRUE(holds(old).holds);
  EXPECT_TRUE(holds("130**,a,7\n130**,a,7\n130**,b,4\n130**,c,1\n").holds);  // other numbers
  EXPECT_FALSE(holds(old + "130**,b,2\n").holds);                            // came again
  EXPECT_FALSE(holds("130**,a,1\n130**,b,2\n130**,c,3\n").holds);  // somebody with one row instead
  EXPECT_TRUE(holds(old + "130**,d,4\n130**,e,5\n").holds);
  EXPECT_FALSE(holds(old + "130**,d,4\n130**,d,4\n").holds);  // two rows of one who joined
  const auto several = holds(old + "130**,d,4\n130**,e,4\n");
  EXPECT_FALSE(several.holds);
  EXPECT_NE(several.explanation.find("several values"), std::string::npos);
}

TEST_F(VersionClaimTest, EveryEarlierReleaseCounts) {
  earlier(kThree);
  earlier(kThree + "130**,d\n130**,e\n");
  EXPECT_FALSE(check(kThree).holds);  // enough left since the second, and yet
  EXPECT_TRUE(check(kThree + "130**,d\n130**,e\n").holds);
  EXPECT_FALSE(check(kThree + "130**,d\n130**,e\n130**,f\n").holds);
  EXPECT_TRUE(check(kThree + "130**,d\n130**,e\n131**,a\n131**,b\n").holds);
}

// Classes are found by their cells: those that are written otherwise would pass each other by.
TEST_F(VersionClaimTest, CellsThatAreWrittenOtherwiseCannotBeCompared) {
  earlier("20..39,a\n20..39,b\n40..59,a\n40..59,b\nx,a\nx,b\n");
  const std::string same = "40..59,a\n40..59,b\nx,a\nx,b\n";
  EXPECT_TRUE(check("20..39,a\n20..39,b\n" + same).holds);
  EXPECT_TRUE(check("60..79,a\n60..79,c\n" + same).holds);
  for (const char* cell : {"20.0..39.9", "20.0..39.0", "39..39", "10..30", "25", "21..22"}) {
    const std::string joined = std::string(cell) + ",a\n" + cell + ",b\n" + cell + ",c\n";
    EXPECT_FALSE(check(joined + same).holds) << cell;
  }
  EXPECT_FALSE(check("X,a\nX,b\nX,c\n40..59,a\n40..59,b\n").holds);
}

// The newcomer waits, and yet somebody's spelling changed.
TEST_F(VersionClaimTest, ARecordThatIsSpeltOtherwiseIsAnothers) {
  earlier("130**,flu\n130**,hiv\n130**,gout\n");
  EXPECT_TRUE(check("130**,flu\n130**,hiv\n130**,gout\n").holds);
  EXPECT_FALSE(check("130**,flu\n130**,HIV\n130**,gout\n").holds);
  // Two who joined with one value, in two spellings.
  EXPECT_FALSE(check("130**,flu\n130**,hiv\n130**,gout\n130**,a\n130**,A\n").holds);
}

TEST_F(VersionClaimTest, CellsOneAboveAnotherOverlap) {
  earlier("130**,a\n130**,b\n");
  claim["labels"]["zip"] = {{"130**", "13***", "*"}, {"13***", "*"}};
  EXPECT_TRUE(check("130**,a\n130**,b\n").holds);
  EXPECT_FALSE(check("13***,a\n13***,b\n13***,c\n13***,d\n").holds);
}

// Each column by itself: here the first is the same in all.
TEST_F(VersionClaimTest, EveryColumnIsLookedAt) {
  header = "zip,age,s";
  claim["quasi_identifiers"] = {"zip", "age"};
  claim["labels"]["age"] = {{"20..39", "20..59", "*"}, {"20..59", "*"}};
  earlier("130**,20..39,a\n130**,20..39,b\n");
  const std::string same = "130**,20..39,a\n130**,20..39,b\n";
  EXPECT_TRUE(check(same).holds);
  const auto above = check(same + "130**,20..59,a\n130**,20..59,b\n");
  EXPECT_FALSE(above.holds);
  EXPECT_NE(above.explanation.find("'age'"), std::string::npos);
  const auto otherwise = check(same + "130**,20.0..39.9,a\n130**,20.0..39.9,b\n");
  EXPECT_FALSE(otherwise.holds);
  EXPECT_NE(otherwise.explanation.find("'age'"), std::string::npos);
}

TEST_F(VersionClaimTest, OtherFilesAndOddClaimsFail) {
  EXPECT_THROW((void)check(kThree), Error);  // none named
  earlier(kThree);
  write("old0", kThree + "130**,a\n");
  EXPECT_FALSE(check(kThree).holds);
  EXPECT_NE(check(kThree).explanation.find("is not the one"), std::string::npos);
  claim["diversity"] = Json::array();
  EXPECT_THROW((void)check(kThree), Error);
  claim["diversity"] = {{"s", 0}};
  EXPECT_THROW((void)check(kThree), Error);
}

}  // namespace
}  // namespace pratique::verify::version_claims_test
