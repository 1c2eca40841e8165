// Samples known by diseases of their genes, from files to figures.
#include "pratique/genomes/flow/attack_phenotype.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/genomes/flow/attack_all.h"
#include "pratique/genomes/flow/testing/genomes_flow_fixture.h"

namespace pratique::genomes::flow::attack_phenotype_test {
namespace {

class GenomesPhenotype : public GenomesFlowFixture {
 protected:
  PhenotypeRequest request{
      .dna = file("dna.csv", "sample,gender,gene\ns1,M,HD\ns2,F,HBB\ns3,F,BRCA1\n"),
      .clinical = file("clinical.csv",
                       "name,gender,icd9\nJohn "
                       "Doe,M,333.4\nBob,M,401.9\nMary,F,282.60\nSue,F,759.83\nAnn,F,250.00\n")};
  Json attacked(const PhenotypeRequest& asked, bool passed = true) {
    const auto outcome = attack_phenotype(asked, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
  Json all(const PhenotypeRequest& asked, bool passed = true) {
    const auto outcome = attack_all(asked, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
};

TEST_F(GenomesPhenotype, AGeneTellsWhoseSampleItIs) {
  request.truth = file("truth.csv", "sample,person\ns1,John Doe\ns2,Ann\n");
  request.out = path("links.csv");
  const Json result = attacked(request);
  // By gender 2, 3 and 3 people; with the gene 1, 1 and still 3.
  EXPECT_NEAR(result.at("before").get<double>(), 8.0 / 3, 1e-9);
  EXPECT_NEAR(result.at("after").get<double>(), 5.0 / 3, 1e-9);
  EXPECT_EQ(result.at("samples"), 3);
  EXPECT_EQ(result.at("people"), 5);
  EXPECT_EQ(result.at("on"), (Json{"gender"}));
  EXPECT_EQ(result.at("reidentified_before"), 0);
  EXPECT_EQ(result.at("reidentified"), 2);
  EXPECT_NEAR(result.at("reidentified_share").get<double>(), 2.0 / 3, 1e-9);
  EXPECT_EQ(result.at("right"), 1);
  EXPECT_EQ(result.at("tried"), true);
  EXPECT_FALSE(result.contains("note"));
  std::set<std::string> links;
  for (const auto& row : rows_of(path("links.csv")))
    links.insert(row.at("sample") + row.at("person"));
  EXPECT_EQ(links, (std::set<std::string>{"s1John Doe", "s2Mary"}));
  request.fail_above = 0.67;
  (void)attacked(request);
  request.fail_above = 0.66;
  (void)attacked(request, false);
}

TEST_F(GenomesPhenotype, ColumnsAreThoseNamedOrTheLikely) {
  auto asked = request;
  asked.dna = file("other.csv", "id,sex,mutation,x\ns1,M,HD,q\n");
  asked.clinical = file("people.csv", "person,Sex,diagnosis,x\nJohn,M,3334,q\nBob,M,4019,q\n");
  EXPECT_EQ(attacked(asked).at("on"), (Json{"sex", "x"}));
  asked.on = {"sex"};
  EXPECT_EQ(attacked(asked).at("on"), (Json{"sex"}));
  asked.codes = {"Diagnosis"};
  asked.gene = "MUTATION";
  asked.sample = "ID";
  asked.person = "Person";
  EXPECT_EQ(attacked(asked).at("reidentified"), 1);
  asked.on = {"nothing"};
  EXPECT_NE(refusal([&] { return attack_phenotype(asked, run()); }).find("nothing"),
            std::string::npos);
  asked = request;
  asked.dna = file("none.csv", "sample,x\ns1,HD\n");
  EXPECT_NE(refusal([&] { return attack_phenotype(asked, run()); }).find("--gene"),
            std::string::npos);
  asked = request;
  asked.clinical = file("none.csv", "name,x\nBob,1\n");
  EXPECT_NE(refusal([&] { return attack_phenotype(asked, run()); }).find("--codes"),
            std::string::npos);
  asked.clinical = file("none.csv", "x,icd9\nBob,1\n");
  EXPECT_NE(refusal([&] { return attack_phenotype(asked, run()); }).find("--person"),
            std::string::npos);
}

TEST_F(GenomesPhenotype, RowsOfOneNameAreOnePersonWhereTheyAgree) {
  request.dna = file("dna.csv", "sample,gender,gene\ns1,M,HD\ns1,M,\n,M,\n,M,\ns2,F,\n");
  request.clinical =
      file("clinical.csv", "name,gender,icd9\nJohn,M,401.9\nJohn,M,333.4\nJohn,F,1\n");
  const Json result = attacked(request);
  EXPECT_EQ(result.at("samples"), 4);  // without a name every row is another one
  EXPECT_EQ(result.at("people"), 2);   // a name of another sex is somebody else
}

TEST_F(GenomesPhenotype, NothingToGoByPassesNoGate) {
  request.map = file("map.csv", "disease,icd9,gene\nx,1,NONE\n");
  request.fail_above = 1;
  const Json result = attacked(request, false);
  EXPECT_EQ(result.at("tried"), false);
  EXPECT_EQ(result.at("reidentified_share"), nullptr);
  EXPECT_EQ(result.at("diseases"), 1);
  EXPECT_TRUE(result.contains("note"));
  request.map = file("map.csv", "disease,icd9,gene\nbreast cancer,250,BRCA1\n");
  EXPECT_EQ(attacked(request).at("informative"), 1);
}

TEST_F(GenomesPhenotype, SamplesThatAgreeWithNobodyAreNotTried) {
  request.fail_above = 1;
  request.dna = file("dna.csv", "sample,gender,gene\ns1,male,HD\ns2,F,NONE\n");
  const Json result = attacked(request, false);
  EXPECT_EQ(result.at("informative"), 1);
  EXPECT_EQ(result.at("tried"), false);
  EXPECT_EQ(result.at("reidentified_share"), nullptr);
  EXPECT_EQ(all(request, false).at("tried"), false);
  // Nor where nothing is there that any of the attacks goes by.
  request.dna = file("dna.csv", "sample,gender,gene\ns1,M,NONE\ns2,F,NONE\n");
  const Json none = all(request, false);
  EXPECT_EQ(none.at("tried"), false);
  EXPECT_TRUE(none.contains("note"));
}

TEST_F(GenomesPhenotype, NumbersAreComparedAsNumbers) {
  const std::vector<std::pair<std::string, std::string>> equal = {
      {"45.0", "45"}, {"+045", "45.00"}, {"0", "-0.0"}, {".50", "0.5"}, {"100", "0100"}};
  for (const auto& [here, there] : equal) {
    request.dna = file("dna.csv", "sample,age,gene\ns1," + here + ",HD\n");
    request.clinical =
        file("clinical.csv", "name,age,icd9\nBob," + there + ",333.4\nCid,50,333.4\n");
    EXPECT_EQ(attacked(request).at("reidentified"), 1) << here;
  }
  request.clinical = file("clinical.csv", "name,age,icd9\nBob,10,333.4\nCid,1,333.4\n");
  request.dna = file("dna.csv", "sample,age,gene\ns1,1,HD\ns2,-10,HD\n");
  EXPECT_EQ(attacked(request).at("reidentified"), 1);
}

TEST_F(GenomesPhenotype, WhatIsNotKnownIsNotCompared) {
  // s1 may be anybody's, and one of them has the disease; nobody has that of s2.
  request.dna = file("dna.csv", "sample,gender,gene\ns1,,HD\ns2,unknown,CFTR\ns3,F,HBB\n");
  request.clinical =
      file("clinical.csv", "name,gender,icd9\nBob,M,401.9\nJohn,M,333.4\nDan,,282.60\nDan,F,1\n");
  const Json result = attacked(request);
  EXPECT_EQ(result.at("people"), 3);  // what is not known makes nobody another
  EXPECT_DOUBLE_EQ(result.at("before").get<double>(), (3 + 3 + 1) / 3.0);
  EXPECT_DOUBLE_EQ(result.at("after").get<double>(), (1 + 3 + 1) / 3.0);
  EXPECT_EQ(result.at("reidentified"), 2);
}

TEST_F(GenomesPhenotype, VisitsAreNoSamples) {
  request.dna = file("dna.csv",
                     "sample,gene,hospital\ns1,HD,h1\ns1,HD,H2\ns2,,H1\ns2,,H2\ns2,,H3\n"
                     "s3,HD,H4\ns3,HD,H5\ns4,HD,\n");
  request.clinical = file("clinical.csv",
                          "name,icd9,hospital\nBob,333.4,H1\nBob,,H2\nAnn,333.4,H1\nAnn,,H3\n"
                          "Eve,333.4,H4\n");
  request.truth = file("truth.csv", "sample,person\ns1,Bob\ns3,Eve\n");
  const Json result = attacked(request);
  EXPECT_EQ(result.at("samples"), 4);
  EXPECT_EQ(result.at("people"), 3);
  EXPECT_EQ(result.at("places"), 5);
  EXPECT_EQ(result.at("on"), Json::array());
  // s1: Bob. s2: Bob and Ann. s3: nobody was at both, Eve at one. s4: nobody knows where, all.
  EXPECT_DOUBLE_EQ(result.at("before").get<double>(), (1 + 2 + 1 + 3) / 4.0);
  EXPECT_EQ(result.at("reidentified"), 2);
  EXPECT_EQ(result.at("right"), 2);
  EXPECT_DOUBLE_EQ(result.at("reidentified_share").get<double>(), 0.5);
}

TEST_F(GenomesPhenotype, SharesAreOfNames) {
  // Visits told by a column that is no place: one of two samples is found, however often the other
  // came.
  std::string dna = "sample,gene,year\ns1,HD,2001\ns1,HD,2002\n";
  std::string clinical = "name,icd9,year\nBob,333.4,2001\nBob,333.4,2002\n";
  for (int year = 2003; year < 2020; ++year) {
    dna += fmt::format("s2,,{}\n", year);
    clinical += fmt::format("Ann,250.00,{}\nEve,250.00,{}\n", year, year);
  }
  request.dna = file("dna.csv", dna);
  request.clinical = file("clinical.csv", clinical);
  request.truth = file("truth.csv", "sample,person\ns1,Bob\n");
  request.fail_above = 0.49;
  const Json result = attacked(request, false);
  EXPECT_EQ(result.at("samples"), 2);
  EXPECT_EQ(result.at("reidentified"), 1);
  EXPECT_EQ(result.at("reidentified_before"), 1);
  EXPECT_EQ(result.at("right"), 1);
  EXPECT_EQ(all(request, false).at("samples"), 2);
}

// The onset is the youngest age that any row of a person tells, wherever it stands.
TEST_F(GenomesPhenotype, TheYoungestAgeIsTheOnset) {
  // 30 + exp(0 + 0 repeats) is 31.
  request.map = file("map.csv",
                     "disease,icd9,gene,onset_base,onset_exponent,onset_per_repeat,onset_within\n"
                     "ataxia,334.0,ATX,30,0,0,1\n");
  request.dna = file("dna.csv", "sample,gene,repeats\ns1,ATX,40\n");
  request.truth = file("truth.csv", "sample,person\ns1,John\n");
  std::vector<std::string> rows = {"John,334.0,45\n", "John,334.0,31\n", "John,334.0,\n"};
  std::sort(rows.begin(), rows.end());
  do {
    std::string clinical = "name,icd9,onset\nBob,334.0,40\n";
    for (const auto& row : rows) clinical += row;
    request.clinical = file("clinical.csv", clinical);
    const Json result = attacked(request);
    EXPECT_EQ(result.at("after"), 1) << clinical;
    EXPECT_EQ(result.at("right"), 1) << clinical;
  } while (std::next_permutation(rows.begin(), rows.end()));
}

TEST_F(GenomesPhenotype, ATruthIsReadByTheColumnOfPeople) {
  request.truth = file("truth.csv", "person,name,sample\n71,John Doe,s1\n72,Sue,s2\n");
  EXPECT_EQ(attacked(request).at("right"), 1);
  EXPECT_EQ(all(request).at("right"), 1);
  request.truth = file("truth.csv", "patient,sample\nJohn Doe,s1\nMary,s2\n");
  EXPECT_EQ(attacked(request).at("right"), 2);
}

}  // namespace
}  // namespace pratique::genomes::flow::attack_phenotype_test
