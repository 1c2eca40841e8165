// Pedigrees known by their shape, from files to figures.
#include "pratique/genomes/flow/attack_family.h"

#include <nlohmann/json.hpp>
#include <set>

#include "pratique/genomes/flow/testing/genomes_flow_fixture.h"

namespace pratique::genomes::flow::attack_family_test {
namespace {

// Father, mother, a son and then a daughter, twice; the same, born the other way round; one son.
constexpr const char* kPedigrees =
    "F1 a 0 0 1 1\nF1 b 0 0 2 2\nF1 c a b 1 2\nF1 d a b 2 1\n"
    "F2 p 0 0 2 2\nF2 q 0 0 1 1\nF2 r q p 1 2\nF2 s q p 2 1\n"
    "F3 a 0 0 1 1\nF3 b 0 0 2 2\nF3 d a b 2 1\nF3 c a b 1 2\n"
    "F4 a 0 0 1 1\nF4 b 0 0 2 1\nF4 c a b 1 1\n";
constexpr const char* kGenealogies =
    "0 HEAD\n0 @I1@ INDI\n1 NAME Hans /Meier/\n1 SEX M\n0 @I2@ INDI\n1 NAME Ida /Meier/\n1 SEX F\n"
    "0 @I3@ INDI\n1 NAME Jon /Meier/\n1 SEX M\n1 BIRT\n2 DATE 3 MAR 1960\n0 @I4@ INDI\n1 NAME Kari "
    "/Meier/\n1 SEX F\n"
    "1 BIRT\n2 DATE ABT 1955\n0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 CHIL @I3@\n1 CHIL @I4@\n"
    "0 @I5@ INDI\n1 SEX M\n0 @I6@ INDI\n1 SEX F\n0 @I7@ INDI\n1 SEX M\n0 @F2@ FAM\n1 HUSB @I5@\n1 "
    "WIFE @I6@\n"
    "1 CHIL @I7@\n0 TRLR\n";

class GenomesFamily : public GenomesFlowFixture {
 protected:
  std::string pedigrees = file("study.ped", kPedigrees);
  Json attacked(const FamilyRequest& request, bool passed = true) {
    const auto outcome = attack_family(request, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
};

TEST_F(GenomesFamily, ShapesAreCounted) {
  const Json result = attacked({.pedigrees = pedigrees});
  EXPECT_EQ(result.at("structures"), 4);
  EXPECT_EQ(result.at("distinct"), 3);
  EXPECT_EQ(result.at("unique"), 2);
  EXPECT_EQ(result.at("unique_share"), 0.5);
  EXPECT_EQ(result.at("people"), 15);
  EXPECT_EQ(result.at("people_unique"), 7);
  EXPECT_EQ(result.at("known"), (Json{"descent", "sex", "status", "birth order"}));
  for (const char* key : {"registered", "matched", "reidentified", "compared_by", "out"})
    EXPECT_FALSE(result.contains(key));
  const Json unordered = attacked({.pedigrees = pedigrees, .without = {"order"}});
  EXPECT_EQ(unordered.at("unique"), 1);
  EXPECT_EQ(unordered.at("known"), (Json{"descent", "sex", "status"}));
  EXPECT_EQ(attacked({.pedigrees = pedigrees, .without = {"sex", "status"}}).at("known"),
            (Json{"descent", "birth order"}));
  EXPECT_EQ(
      attacked({.pedigrees = pedigrees, .without = {"order", "sex", "status"}}).at("distinct"), 2);
  EXPECT_NE(refusal([&] {
              return attack_family({.pedigrees = pedigrees, .without = {"age"}}, run());
            }).find("--without"),
            std::string::npos);
}

TEST_F(GenomesFamily, NamedFamiliesAreFoundByTheirShape) {
  const auto genealogies = file("register.ged", kGenealogies);
  FamilyRequest request{
      .pedigrees = pedigrees, .register_file = genealogies, .out = path("links.csv")};
  const Json result = attacked(request);
  // Kari is older, so the family is like F3 alone; the other has one son, like F4.
  EXPECT_EQ(result.at("registered"), 2);
  EXPECT_EQ(result.at("matched"), 2);
  EXPECT_EQ(result.at("reidentified"), 2);
  EXPECT_EQ(result.at("reidentified_share"), 0.5);
  EXPECT_EQ(result.at("compared_by"), (Json{"descent", "sex", "birth order"}));
  EXPECT_EQ(result.at("out"), path("links.csv"));
  std::set<std::string> links;
  for (const auto& row : rows_of(path("links.csv")))
    links.insert(row.at("pedigree") + " " + row.at("registered"));
  EXPECT_EQ(links, (std::set<std::string>{"F3 @I1@", "F4 @I5@"}));
  EXPECT_EQ(static_cast<unsigned>(std::filesystem::status(path("links.csv")).permissions()), 0600U);
  request.fail_above = 0.5;
  (void)attacked(request);
  request.fail_above = 0.49;
  (void)attacked(request, false);
  (void)attacked({.pedigrees = pedigrees, .fail_above = 0.49}, false);
}

}  // namespace
}  // namespace pratique::genomes::flow::attack_family_test
