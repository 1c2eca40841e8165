#include "pratique/verify/identifying_columns.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "pratique/core/file.h"

namespace pratique::verify::identifying_columns_test {
namespace {

class IdentifyingColumns : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});

  Source table(const std::string& column, const std::vector<std::string>& cells) {
    const std::string path = folder.path() + "/r.csv";
    std::ofstream file(path);
    file << column << ",x\n";
    for (const auto& cell : cells) file << cell << ",1\n";
    file.close();
    return engine->open(path, {.delimiter = ','}, Progress::silent());
  }
  std::string why(const std::string& column, const std::vector<std::string>& cells) {
    const auto found =
        identifying_columns(*engine, table(column, cells), {column}, Progress::silent());
    return found.empty() ? "" : found.front().why;
  }
  bool are_pseudonyms(const std::vector<std::string>& cells) {
    return columns_without_pseudonyms(*engine, table("p", cells), {"p"}, Progress::silent())
        .empty();
  }
};

TEST_F(IdentifyingColumns, AreCalledSoOrHoldSuchCellsInMostRecords) {
  EXPECT_EQ(why("home_phone", {"1", "2", "3"}), "is called 'phone'");
  EXPECT_EQ(why("name", {"a", "b", "c"}), "is called 'name'");
  EXPECT_EQ(why("name", {"a", "b", "a"}), "");  // yes and no
  EXPECT_EQ(why("name", {"a", "b", "*"}), "");
  EXPECT_EQ(why("drug_name", {"a", "b", "c"}), "");
  EXPECT_EQ(why("Fallnummer", {"1", "2", "3"}), "");  // may be of a group
  EXPECT_EQ(why("reach", {"a@example.org", "b@example.org", "c", "d"}),
            "has an email address in most records");
  EXPECT_EQ(why("reach", {"a@example.org", "b", "c"}), "");
  EXPECT_EQ(why("reach", {"123-45-6789", "123-45-6780", "", ""}), "");  // two values
  EXPECT_EQ(why("reach", {"123-45-6789", "123-45-6780", "123-45-6781"}),
            "has a social security number in most records");
  EXPECT_EQ(why("when", {"2019-03-05", "2019-03-06", "2019-03-07"}), "");
}

TEST_F(IdentifyingColumns, PseudonymsAre32DigitsOrNumbersOfThisRelease) {
  const std::string pseudonym(32, 'a');
  EXPECT_TRUE(are_pseudonyms({pseudonym, "", "*"}));
  EXPECT_TRUE(are_pseudonyms({"1", "2", "3", "2"}));
  EXPECT_FALSE(are_pseudonyms({"1", "2", "4"}));
  EXPECT_FALSE(are_pseudonyms({pseudonym + "a"}));
  EXPECT_FALSE(are_pseudonyms({std::string(32, 'A')}));
  EXPECT_FALSE(are_pseudonyms({std::string(32, 'g')}));
  EXPECT_FALSE(are_pseudonyms({"Ann"}));
  EXPECT_FALSE(are_pseudonyms({"1", "2", "3a"}));
  EXPECT_FALSE(are_pseudonyms({"1", "2", "2.5"}));
  EXPECT_FALSE(are_pseudonyms({"1234567890"}));
}

}  // namespace
}  // namespace pratique::verify::identifying_columns_test
