// Attacks that help each other, from files to figures.
#include "pratique/genomes/flow/attack_all.h"

#include <nlohmann/json.hpp>

#include "pratique/genomes/flow/attack_phenotype.h"
#include "pratique/genomes/flow/testing/genomes_flow_fixture.h"

namespace pratique::genomes::flow::attack_all_test {
namespace {

class GenomesAll : public GenomesFlowFixture {
 protected:
  PhenotypeRequest request;
  Json all(const PhenotypeRequest& asked, bool passed = true) {
    const auto outcome = attack_all(asked, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
};

TEST_F(GenomesAll, TrailsThatCannotBeAreLeftOut) {
  // Nobody was where s1 was.
  request.dna = file("dna.csv", "sample,gene,hospital\ns0,HD,A\ns1,BRCA1,C\n");
  request.clinical =
      file("clinical.csv", "name,icd9,hospital\nAnn,333.4,A\nBob,999,B\nCid,999,B\n");
  const Json result = all(request);
  EXPECT_EQ(result.at("tried"), true);
  EXPECT_EQ(result.at("alone").at("phenotype"), 1);
  EXPECT_EQ(result.at("reidentified"), 1);
  EXPECT_NE(result.at("note").get<std::string>().find("trails"), std::string::npos);
}

TEST_F(GenomesAll, OneAttackHelpsTheOther) {
  // By disease John is s1's. Without John, only Bob was where s2 was; without Bob, only Carl is
  // left for s3.
  request.dna =
      file("dna.csv", "sample,gene,location\ns1,HD,H1\ns1,HD,H2\ns2,,H1\ns2,,H2\ns3,,H1\n");
  request.clinical =
      file("clinical.csv",
           "name,icd9,location\nJohn,333.4,H1\nJohn,,H2\nBob,401.9,H1\nBob,,H2\nCarl,250.00,H1\n");
  request.truth = file("truth.csv", "sample,person\ns1,John\ns2,Bob\ns3,Carl\n");
  request.out = path("links.csv");
  const Json result = all(request);
  EXPECT_EQ(result.at("alone").at("phenotype"), 1);
  EXPECT_LT(result.at("alone").at("trails"), 3);
  EXPECT_EQ(result.at("reidentified"), 3);
  EXPECT_EQ(result.at("reidentified_share"), 1);
  EXPECT_EQ(result.at("right"), 3);
  EXPECT_EQ(result.at("samples"), 3);
  EXPECT_EQ(result.at("people"), 3);
  EXPECT_EQ(result.at("places"), 2);
  EXPECT_EQ(result.at("rounds").at(0).at("phenotype"), 1);
  int named = 0;
  for (const auto& round : result.at("rounds")) {
    int in_round = 0;
    for (const char* method : {"dictionary", "family", "phenotype", "trails"})
      in_round += round.at(method).get<int>();
    EXPECT_GT(in_round, 0);
    named += in_round;
  }
  EXPECT_EQ(named, 3);
  EXPECT_EQ(result.at("phenotype").get<int>() + result.at("trails").get<int>(), 3);
  EXPECT_FALSE(result.contains("in_pedigrees"));
  EXPECT_EQ(rows_of(path("links.csv")).size(), 3U);
  request.fail_above = 0.99;
  (void)all(request, false);
  request.fail_above = 1;
  (void)all(request);
  request.dna = file("none.csv", "sample,gene,location\n");
  const Json none = all(request, false);
  EXPECT_EQ(none.at("tried"), false);
  EXPECT_EQ(none.at("reidentified_share"), nullptr);
  EXPECT_TRUE(none.contains("note"));
}

TEST_F(GenomesAll, FamiliesAndTheOthersHelpEachOther) {
  // Two families of one shape. The gene tells the father of one, and so his family; the family that
  // is left is the other.
  request.dna = file("dna.csv", "sample,gene\na1,HD\na2,\na3,\nb1,\nb2,\nB_b3,\n");
  const std::vector<std::string> people = {"Abe Roe", "Ann Roe",      "Art Roe",
                                           "Bob Poe", "\"Poe, Bea\"", "BEN  POE"};
  const std::vector<std::string> samples = {"a1", "a2", "a3", "b1", "b2", "B_b3"};
  std::string clinical = "name,icd9\n";
  std::string truth = "sample,person\n";
  for (std::size_t i = 0; i < people.size(); ++i) {
    clinical += people[i] + (i == 0 ? ",333.4\n" : ",401.9\n");
    truth += samples[i] + "," + people[i] + "\n";
  }
  request.clinical = file("clinical.csv", clinical);
  request.truth = file("truth.csv", truth);
  EXPECT_EQ(all(request).at("reidentified"), 1);
  const auto pedigrees = file(
      "study.ped",
      "A a1 0 0 1 0\nA a2 0 0 2 0\nA a3 a1 a2 1 0\nB b1 0 0 1 0\nB b2 0 0 2 0\nB b3 b1 b2 1 0\n");
  std::string gedcom = "0 HEAD\n";
  const char* names[] = {"Abe /Roe/", "Ann /Roe/", "Art /Roe/",
                         "Bob /Poe/", "Bea /Poe/", "Ben /Poe/"};
  for (int i = 0; i < 6; ++i)
    gedcom +=
        fmt::format("0 @I{}@ INDI\n1 NAME {}\n1 SEX {}\n", i, names[i], i % 3 == 1 ? "F" : "M");
  for (const int i : {0, 3})
    gedcom +=
        fmt::format("0 @F{}@ FAM\n1 HUSB @I{}@\n1 WIFE @I{}@\n1 CHIL @I{}@\n", i, i, i + 1, i + 2);
  const auto genealogies = file("names.ged", gedcom + "0 TRLR\n");
  request.pedigrees = pedigrees;
  EXPECT_NE(refusal([&] { return attack_all(request, run()); }).find("--register"),
            std::string::npos);
  request.genealogies = genealogies;
  const Json result = all(request);
  EXPECT_EQ(result.at("alone").at("family"), 0);
  EXPECT_EQ(result.at("alone").at("phenotype"), 1);
  EXPECT_EQ(result.at("reidentified"), 6);
  EXPECT_EQ(result.at("right"), 6);
  EXPECT_EQ(result.at("family"), 5);
  EXPECT_EQ(result.at("in_pedigrees"), 6);
  // A name that two samples have is neither's.
  request.dna = file("dna.csv", "sample,gender,gene\na1,M,HD\na2,F,\na3,M,\nb1,M,\nb1,F,\nb2,F,\n");
  request.clinical = file("clinical.csv", "name,gender,icd9\nAbe Roe,M,333.4\nBob Poe,M,401.9\n");
  EXPECT_EQ(all(request).at("in_pedigrees"), 4);
}

TEST_F(GenomesAll, DiseasesKnowWherePeopleWere) {
  // Two have the disease; who of them was at both hospitals is told by diseases and places
  // together, by neither of the two alone.
  request.dna = file("dna.csv", "sample,gene,hospital\ns1,HD,H1\ns1,HD,H2\n");
  request.clinical = file("clinical.csv",
                          "name,icd9,hospital\nJohn,333.4,H1\nJohn,,H2\nAnn,333.4,H1\nBob,250.00,"
                          "H1\nBob,250.00,H2\n");
  request.truth = file("truth.csv", "sample,person\ns1,John\n");
  const Json alone = *attack_phenotype(request, run()).result;
  EXPECT_EQ(alone.at("reidentified"), 1);
  const Json result = all(request);
  EXPECT_EQ(result.at("alone").at("phenotype"), 1);
  EXPECT_EQ(result.at("alone").at("trails"), 0);
  EXPECT_EQ(result.at("reidentified"), 1);
  EXPECT_EQ(result.at("right"), 1);
}

TEST_F(GenomesAll, PseudonymsNarrowTheOthers) {
  request.dna = file("dna.csv", "sample,gene\n" + sha256_hex("1") + ",\ns2,HD\ns3,\n");
  request.clinical = file("clinical.csv", "name,ssn,icd9\nJohn,1,\nAnn,2,333.4\nBob,3,250.00\n");
  const Json without = all(request);
  EXPECT_EQ(without.at("reidentified"), 1);
  EXPECT_EQ(without.at("alone").at("dictionary"), 0);
  request.made_from = {"SSN"};
  const Json result = all(request);
  EXPECT_EQ(result.at("alone").at("dictionary"), 1);
  EXPECT_EQ(result.at("dictionary"), 1);
  EXPECT_EQ(result.at("reidentified"), 3);
}

}  // namespace
}  // namespace pratique::genomes::flow::attack_all_test
