#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::unlinkability_claims_test {
namespace {

// Ann was at A, Bob and Cid at A and B. Everybody has a sample wherever they were.
constexpr const char* kPeople = "location,element\nA,Ann\nA,Bob\nB,Bob\nA,Cid\nB,Cid\n";
constexpr const char* kSubmitted = "location,element\nA,a\nA,b\nB,b\nA,c\nB,c\n";

class UnlinkabilityClaimsTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});

  std::string file(const std::string& name, const std::string& csv) const {
    std::string path = folder.path() + "/" + name;
    std::ofstream(path) << csv;
    return path;
  }
  Json lists(const std::string& name, const std::string& csv) const {
    const std::string path = file(name, csv);
    return {{"path", path},
            {"location", "location"},
            {"element", {"element"}},
            {"files", {{{"path", path}, {"sha256", sha256_file(path)}}}}};
  }
  Json claim(const std::string& view) const {
    return {{"model", "k-unlinkability"},
            {"k", 2},
            {"view", view},
            {"location", "location"},
            {"element", {"element"}},
            {"identified", lists("people.csv", kPeople)},
            {"submitted", lists("submitted.csv", kSubmitted)}};
  }
  ClaimResult check(const std::string& release, const Json& claim) {
    const Source source =
        engine->open(file("r.csv", "location,element\n" + release), {}, Progress::silent());
    return verify_claim(*engine, source, claim, Progress::silent());
  }
};

TEST_F(UnlinkabilityClaimsTest, HoldsUntilOneSampleTooManyIsDisclosed) {
  // Any of three people, each of whom may have a or no sample at all.
  const auto kept = check("A,a\n", claim("external"));
  EXPECT_TRUE(kept.holds);
  EXPECT_EQ(kept.achieved, 3);
  EXPECT_EQ(kept.attribute, "external");
  // Planted: b and c at B are Bob's and Cid's, so a is Ann's.
  const auto breach = check("A,a\nB,b\nB,c\n", claim("external"));
  EXPECT_FALSE(breach.holds);
  EXPECT_EQ(breach.achieved, 1);
  EXPECT_EQ(
      breach.explanation,
      "in the external view a sample, or a person linked to one, has only 1 possible partner");
}

// Who has seen what was submitted knows that a was at A alone, as only Ann was; B knows whose b and
// c are, which leaves Ann.
TEST_F(UnlinkabilityClaimsTest, InsidersKnowMore) {
  EXPECT_FALSE(check("A,a\n", claim("central")).holds);
  EXPECT_FALSE(check("A,a\n", claim("contributor")).holds);
  EXPECT_TRUE(check("B,b\nB,c\n", claim("central")).holds);
  EXPECT_TRUE(check("B,b\nB,c\n", claim("contributor")).holds);
}

TEST_F(UnlinkabilityClaimsTest, AnEmptyReleaseProvesNothing) {
  for (const char* view : {"external", "central", "contributor"}) {
    const auto result = check("", claim(view));
    EXPECT_FALSE(result.holds) << view;
    EXPECT_EQ(result.explanation,
              "a list is empty: there is nothing to link, and nothing was tried");
  }
}

TEST_F(UnlinkabilityClaimsTest, OtherListsProveNothing) {
  const Json asked = claim("external");
  (void)file("people.csv", std::string(kPeople) + "B,Eve\n");
  const auto result = check("A,a\n", asked);
  EXPECT_FALSE(result.holds);
  EXPECT_NE(result.explanation.find("not those"), std::string::npos);
}

// One of two lists that only a commitment names is enough for the remark.
TEST_F(UnlinkabilityClaimsTest, ListsThatNobodyCanCompareAreSaidToBeSo) {
  const auto remarked = [&](const Json& asked) {
    const auto result = check("B,b\nB,c\n", asked);
    EXPECT_TRUE(result.holds);
    return result.explanation.find("only its private manifest can show") != std::string::npos;
  };
  EXPECT_FALSE(remarked(claim("central")));
  for (const char* of : {"identified", "submitted"}) {
    Json asked = claim("central");
    Json& list = asked[of]["files"][0];
    list.erase("sha256");
    list["commitment"] = std::string(64, '0');
    EXPECT_TRUE(remarked(asked)) << of;
  }
}

TEST_F(UnlinkabilityClaimsTest, AListThatIsGoneIsNamedWithTheFolder) {
  const Json asked = claim("external");
  std::filesystem::remove(folder.path() + "/people.csv");
  try {
    (void)check("A,a\n", asked);
    FAIL() << "nothing was missed";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "a list that this release was made with is not at its recorded place");
    EXPECT_EQ(error.place(), folder.path() + "/people.csv");
    EXPECT_NE(error.hint().find("Run this in the folder"), std::string::npos);
  }
}

TEST_F(UnlinkabilityClaimsTest, AClaimThatCannotBeReadIsAnError) {
  for (const char* key : {"k", "view", "location", "element", "identified"}) {
    Json asked = claim("external");
    asked.erase(key);
    EXPECT_THROW((void)check("A,a\n", asked), Error) << key;
  }
  Json asked = claim("central");
  asked.erase("submitted");
  EXPECT_THROW((void)check("A,a\n", asked), Error);
  asked = claim("external");
  asked["identified"]["files"] = Json::array();
  EXPECT_THROW((void)check("A,a\n", asked), Error);
}

}  // namespace
}  // namespace pratique::verify::unlinkability_claims_test
