#include "pratique/trails/flow/verify.h"

#include <nlohmann/json.hpp>

#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::trails::flow::verify_test {
namespace {

// Figure 6.7 of Malin's thesis: 3-unlinkable though every published trail is unique.
class TrailsVerifyFlow : public FlowFixture {
 protected:
  VerifyRequest request{
      .trails = {.identified = file("people.csv",
                                    "location,element\n1,Ali\n2,Ali\n3,Ali\n1,Bob\n2,Bob\n4,Bob\n"
                                    "1,Cy\n3,Cy\n4,Cy\n2,Dan\n3,Dan\n4,Dan\n"),
                 .deidentified =
                     file("samples.csv", "location,element\n1,actg\n2,ctga\n3,tgac\n4,gatc\n")},
      .k = 3};
  Json reported() { return *verify_lists(request, run()).result; }
};

TEST_F(TrailsVerifyFlow, PassesAtTheKThatHoldsAndNotAbove) {
  EXPECT_EQ(reported().at("k"), 3);
  EXPECT_EQ(reported().at("view"), "external");
  EXPECT_TRUE(verify_lists(request, run()).passed);
  request.k = 4;
  EXPECT_FALSE(verify_lists(request, run()).passed);
  EXPECT_EQ(reported().at("required"), 4);
  EXPECT_EQ(reported().at("holds"), false);
}

TEST_F(TrailsVerifyFlow, AnEmptyListDoesNotPass) {
  const auto people = request.trails.identified;
  const auto nobody = file("none.csv", "location,element\n");
  request.trails.deidentified = nobody;
  EXPECT_FALSE(verify_lists(request, run()).passed);
  EXPECT_EQ(reported().at("holds"), false);
  request.trails = {.identified = nobody, .deidentified = people};
  EXPECT_FALSE(verify_lists(request, run()).passed);
}

// Two José Pérez of two hospitals may be two people.
TEST_F(TrailsVerifyFlow, SpellingsThatWereJoinedAreTold) {
  EXPECT_EQ(reported().at("spellings_joined"), 0);
  EXPECT_FALSE(reported().contains("note"));
  request.trails.identified = file("spelt.csv",
                                   "location,element\n1,Jos\xc3\xa9 P\xc3\xa9rez\n2,Jose Perez\n"
                                   "1,ann\n2,Ann\n2,ANN\n1,Bob\n");
  request.trails.deidentified = file("two.csv", "location,element\n1,actg\n2,actg\n");
  request.k = 2;
  EXPECT_EQ(reported().at("k"), 2);
  EXPECT_EQ(reported().at("spellings_joined"), 3);
  EXPECT_TRUE(reported().at("note").get<std::string>().starts_with("3 names of people"));
  EXPECT_EQ(reported().at("samples_joined"), 0);
}

// Ann alone was seen at both, and so was the sample, however it is written there.
TEST_F(TrailsVerifyFlow, SpellingsOfASampleAreOneTrail) {
  request.trails.identified =
      file("p.csv", "location,element\n1,Ann\n2,Ann\n1,Bob\n1,Cy\n2,Dan\n2,Eve\n");
  for (const char* second : {"actg", "ACTG", "Actg "}) {
    request.trails.deidentified =
        file("s.csv", std::string("location,element\n1,actg\n2,") + second + "\n");
    EXPECT_EQ(reported().at("k"), 1) << second;
    EXPECT_EQ(reported().at("samples_joined"), second == std::string("actg") ? 0 : 1);
  }
}

TEST_F(TrailsVerifyFlow, TheReservedSideIsTheOneSaid) {
  const auto detected = reported().at("assumption").get<std::string>();
  request.trails.reserved = "deidentified";
  const auto said = reported().at("assumption").get<std::string>();
  EXPECT_NE(said, detected);
  EXPECT_EQ(reported().at("k"), 3);
  // The lists of people are longer, so they are not the incomplete ones.
  for (const auto* wrong : {"identified", "none"}) {
    request.trails.reserved = wrong;
    bool refused = false;
    try {
      refused = !verify_lists(request, run()).passed;
    } catch (const Error& error) {
      refused = error.code() == ErrorCode::bad_input;
    }
    EXPECT_TRUE(refused) << wrong;
  }
}

TEST_F(TrailsVerifyFlow, SidesThatAreEqualMayBeSaidToBeSo) {
  // Ann was at A, Bob at B; so were x and y.
  request.trails.identified = file("p.csv", "location,element\nA,Ann\nB,Bob\n");
  request.trails.deidentified = file("s.csv", "location,element\nA,x\nB,y\n");
  std::set<std::string> assumptions;
  for (const auto* reserved : {"", "none", "identified", "deidentified"}) {
    request.trails.reserved = reserved;
    assumptions.insert(reported().at("assumption").get<std::string>());
    EXPECT_EQ(reported().at("k"), 1) << reserved;
  }
  EXPECT_EQ(assumptions.size(), 4U);
}

TEST_F(TrailsVerifyFlow, ColumnsAreThoseAskedFor) {
  request.trails.location = "place";
  request.trails.identified = file("p.csv", "place,who,x\nA,Ann,1\nA,Bob,1\n");
  request.trails.deidentified = file("s.csv", "place,dna,x\nA,actg,1\nA,ctga,1\n");
  request.trails.identified_element = {"who"};
  request.trails.deidentified_element = {"dna"};
  EXPECT_EQ(reported().at("k"), 2);
  request.trails.element = {"x"};
  request.trails.deidentified_element = {};
  // One element x beside two people: 1 was seen where both were.
  EXPECT_EQ(reported().at("deidentified"), 1);
  EXPECT_EQ(reported().at("identified"), 2);
}

TEST_F(TrailsVerifyFlow, EveryViewSeesItsOwnLists) {
  request.trails.deidentified =
      file("released.csv", "location,element\n1,actg\n4,ctga\n3,tgac\n2,gatc\n");
  request.k = 2;
  EXPECT_TRUE(verify_lists(request, run()).passed);
  request.submitted = file("submitted.csv",
                           "location,element\n1,actg\n2,actg\n3,actg\n2,ctga\n4,ctga\n1,tgac\n"
                           "3,tgac\n4,tgac\n2,gatc\n3,gatc\n");
  request.view = "central";
  EXPECT_EQ(reported().at("view"), "central");
  EXPECT_EQ(reported().at("k"), 1);
  EXPECT_FALSE(verify_lists(request, run()).passed);
  request.view = "contributor";
  EXPECT_EQ(reported().at("view"), "contributor");
  EXPECT_EQ(reported().at("exact"), false);
  request.truth =
      file("truth.csv", "deidentified,identified\nactg,Ali\nctga,Bob\ntgac,Cy\ngatc,Dan\n");
  EXPECT_EQ(reported().at("exact"), true);
  request.submitted.clear();
  EXPECT_NE(refusal([&] { return verify_lists(request, run()); }).find("--submitted"),
            std::string::npos);
}

}  // namespace
}  // namespace pratique::trails::flow::verify_test
