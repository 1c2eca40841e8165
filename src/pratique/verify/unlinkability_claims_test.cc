#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/hash.h"
#include "pratique/verify/claims.h"

namespace pratique::verify {
namespace {

// Ann and Bob were at A; Cid and Dan at A and B. Everybody has a sample wherever they were.
constexpr const char* kPeople = "location,element\nA,Ann\nA,Bob\nA,Cid\nB,Cid\nA,Dan\nB,Dan\n";
constexpr const char* kSubmitted = "location,element\nA,a\nA,b\nA,c\nB,c\nA,d\nB,d\n";

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
    return {{"model", "k-unlinkability"}, {"k", 2},
            {"view", view},               {"location", "location"},
            {"element", {"element"}},     {"identified", lists("people.csv", kPeople)},
            {"submitted", lists("submitted.csv", kSubmitted)}};
  }
  ClaimResult check(const std::string& release, const Json& claim) {
    const Source source = engine->open(file("r.csv", "location,element\n" + release), {},
                                       Progress::silent());
    return verify_claim(*engine, source, claim, Progress::silent());
  }
};

TEST_F(UnlinkabilityClaimsTest, HoldsUntilOneSampleTooManyIsDisclosed) {
  // Two at B, two at A: any of the four people at A, but those at B are taken.
  const auto kept = check("A,a\nA,b\nB,c\nB,d\n", claim("external"));
  EXPECT_TRUE(kept.holds);
  EXPECT_EQ(kept.achieved, 2);
  EXPECT_EQ(kept.attribute, "external");
  // Three at A and one at B: sample c or d at B is Cid's or Dan's, and everything else follows.
  EXPECT_TRUE(check("A,a\nA,b\nA,c\nB,d\n", claim("external")).holds);
  // Planted: c at both places, d at B, so a person at A alone is all that is left for a.
  const auto planted = check("A,a\nA,c\nB,c\nA,d\nB,d\n", claim("external"));
  EXPECT_TRUE(planted.holds);  // a may be Ann's or Bob's, since b is withheld
  const auto breach = check("A,a\nB,c\n", claim("central"));
  EXPECT_FALSE(breach.holds);  // who submitted c knows it was at A and B; alone there
  EXPECT_LT(breach.achieved, 2.1);
}

TEST_F(UnlinkabilityClaimsTest, InsidersAreOtherViews) {
  const std::string release = "A,a\nA,b\nB,c\nB,d\n";
  EXPECT_TRUE(check(release, claim("central")).holds);
  // B knows whose c and d are; Ann and Bob protect each other.
  EXPECT_TRUE(check(release, claim("contributor")).holds);
  // Planted: without b, a is one of Ann and Bob still, but only B's two samples hide the rest.
  EXPECT_FALSE(check("A,a\nA,b\nA,c\nB,d\n", claim("central")).holds);
}

TEST_F(UnlinkabilityClaimsTest, OtherListsProveNothing) {
  const Json asked = claim("external");
  (void)file("people.csv", std::string(kPeople) + "B,Eve\n");
  const auto result = check("A,a\nA,b\nB,c\nB,d\n", asked);
  EXPECT_FALSE(result.holds);
  EXPECT_NE(result.explanation.find("not those"), std::string::npos);
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
}  // namespace pratique::verify
