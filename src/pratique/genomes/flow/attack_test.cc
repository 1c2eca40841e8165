// Attacks on genomes from files to figures: who is found, and what is said where nothing was tried.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/genomes/flow/attack_all.h"
#include "pratique/genomes/flow/attack_dictionary.h"
#include "pratique/genomes/flow/attack_family.h"
#include "pratique/genomes/flow/attack_membership.h"
#include "pratique/genomes/flow/attack_phenotype.h"
#include "pratique/genomes/flow/generate_families.h"
#include "pratique/genomes/flow/susceptibility.h"
#include "pratique/genomes/flow/testing/genomes_flow_fixture.h"

namespace pratique::genomes::flow::attack_test {
namespace {

class GenomesDictionary : public GenomesFlowFixture {
 protected:
  const std::vector<std::pair<std::string, std::string>> people = {
      {"Anna Berg", "123-45-6789"}, {"Ben Olsen", "987-65-4321"}, {"Carla Weiss", "111-22-3333"}};
  std::string registered = [this] {
    std::string text = "name,ssn\n";
    for (const auto& [name, ssn] : people) text += name + "," + ssn + "\n";
    return file("register.csv", text);
  }();

  [[nodiscard]] std::string study(const std::vector<std::string>& pseudonyms) const {
    std::string text = "Pseudonym,result\n";
    for (const auto& pseudonym : pseudonyms) text += pseudonym + ",1\n";
    return file("study.csv", text);
  }
  [[nodiscard]] std::vector<std::string> hashed(const std::string& salt = "") const {
    std::vector<std::string> all;
    for (const auto& [name, ssn] : people) all.push_back(sha256_hex(salt + name + ssn));
    return all;
  }
  [[nodiscard]] DictionaryRequest request(const std::vector<std::string>& pseudonyms) const {
    return {.pseudonyms = study(pseudonyms),
            .column = "pseudonym",
            .register_file = registered,
            .on = {"NAME", "ssn"}};
  }
  Json attacked(const DictionaryRequest& asked, bool passed = true) {
    const auto outcome = attack_dictionary(asked, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
};

TEST_F(GenomesDictionary, WhoeverIsInTheRegisterIsFound) {
  auto made = hashed();
  const auto stranger = sha256_hex("Eve Adams555-55-5555");
  made[2] = stranger;
  auto asked = request({made[0], made[1], stranger, made[0], "?"});
  asked.out = path("who.csv");
  const Json result = attacked(asked);
  EXPECT_EQ(result.at("broken"), 2);
  EXPECT_EQ(result.at("of"), 4);  // each once, what cannot be a digest, too
  EXPECT_EQ(result.at("unreadable"), 1);
  EXPECT_DOUBLE_EQ(result.at("share").get<double>(), 0.5);
  EXPECT_EQ(result.at("people"), 3);
  EXPECT_FALSE(result.contains("values"));
  EXPECT_EQ(result.at("scheme"), "sha256");
  EXPECT_EQ(result.at("tried"), true);
  EXPECT_EQ(result.at("ambiguous"), 0);
  EXPECT_GE(result.at("tries"), 3);
  EXPECT_NE(result.at("made_as"), nullptr);
  EXPECT_NEAR(result.at("tries_per_second").get<double>(),
              result.at("tries").get<double>() / std::max(result.at("seconds").get<double>(), 1e-9),
              1e-3 * result.at("tries_per_second").get<double>());
  EXPECT_NEAR(
      result.at("all_ssns_seconds").get<double>() * result.at("tries_per_second").get<double>(),
      898.0 * 99 * 9999, 1);
  EXPECT_EQ(result.at("out"), path("who.csv"));
  std::set<std::string> rows;
  for (const auto& row : rows_of(path("who.csv")))
    rows.insert(row.at("pseudonym") + row.at("name") + row.at("ssn"));
  EXPECT_EQ(rows, (std::set<std::string>{made[0] + "Anna Berg123-45-6789",
                                         made[1] + "Ben Olsen987-65-4321"}));
  EXPECT_EQ(static_cast<unsigned>(std::filesystem::status(path("who.csv")).permissions()), 0600U);
}

TEST_F(GenomesDictionary, ASaltThatIsKnownIsNoHelpAndOneThatIsNotIs) {
  auto asked = request(hashed("pepper"));
  const Json unsalted = attacked(asked);
  EXPECT_EQ(unsalted.at("broken"), 0);
  EXPECT_EQ(unsalted.at("made_as"), nullptr);
  EXPECT_FALSE(unsalted.contains("out"));
  asked.scheme = "sha256:pepper";
  const Json salted = attacked(asked);
  EXPECT_EQ(salted.at("broken"), 3);
  EXPECT_EQ(salted.at("scheme"), "sha256 with a salt");
}

TEST_F(GenomesDictionary, AGateIsPassedByWhatWasTriedAlone) {
  auto asked = request({hashed()[0], sha256_hex("nobody")});
  asked.fail_above = 0.5;
  (void)attacked(asked);
  asked.fail_above = 0.49;
  (void)attacked(asked, false);
  for (const auto& none : {std::vector<std::string>{}, std::vector<std::string>{"?", "-"}}) {
    auto untried = request(none);
    untried.fail_above = 1;
    const Json result = attacked(untried, false);
    EXPECT_EQ(result.at("tried"), false);
    EXPECT_EQ(result.at("share"), nullptr);
    EXPECT_TRUE(result.contains("note"));
  }
  // Nor where nobody could be behind a pseudonym.
  auto by_nobody = request(hashed());
  by_nobody.register_file = file("nobody.csv", "name,ssn\n");
  by_nobody.fail_above = 1;
  const Json result = attacked(by_nobody, false);
  EXPECT_EQ(result.at("tried"), false);
  EXPECT_EQ(result.at("tries"), 0);
  EXPECT_EQ(result.at("share"), nullptr);
}

TEST_F(GenomesDictionary, KnownPairsBreakEqualPseudonymsAlone) {
  auto asked = request({"x1", "x2", "x3", "x1"});
  for (const char* header : {"pseudonym,name\n", "PSEUDONYM,name\n"}) {
    asked.known = file("known.csv", std::string(header) + "x1,Anna\nx9,Zoe\nx3,Ben\n");
    const Json result = attacked(asked);
    EXPECT_EQ(result.at("known_pairs"), 3);
    EXPECT_EQ(result.at("broken_by_pairs"), 2);
  }
  asked.column = "result";  // a column that the pairs do not have: theirs is called pseudonym
  EXPECT_EQ(attacked(asked).at("broken_by_pairs"), 0);
}

TEST_F(GenomesDictionary, KnownPairsCountInTheGate) {
  // Of five pseudonyms one is broken by the register, two by pairs; one of these is the same.
  const auto made = hashed();
  auto asked = request({made[0], "a1b2c3d4", "x2", "x3", made[0], "x4"});
  asked.known = file("known.csv", "pseudonym,name\n" + made[0] + ",Anna\na1b2c3d4,Zoe\n");
  asked.fail_above = 0.4;
  const Json result = attacked(asked);
  EXPECT_DOUBLE_EQ(result.at("share").get<double>(), 0.2);
  EXPECT_DOUBLE_EQ(result.at("share_with_pairs").get<double>(), 0.4);
  asked.fail_above = 0.39;
  (void)attacked(asked, false);
  asked.known.clear();
  EXPECT_FALSE(attacked(asked).contains("share_with_pairs"));
}

TEST_F(GenomesDictionary, OneFootholdDoesNotEndTheSearch) {
  // In capitals, numbers without dashes. One name has no capitals, and its number has no dashes in
  // the register: it is broken as written, too.
  auto asked = request({sha256_hex("ANNA BERG|123456789"), sha256_hex("BEN OLSEN|987654321"),
                        sha256_hex("CARLA WEISS|111223333"), sha256_hex("李明|222334444")});
  asked.register_file =
      file("more.csv",
           "name,ssn\n李明,222334444\nAnna Berg,123-45-6789\nBen Olsen,987-65-4321\nCarla "
           "Weiss,111-22-3333\n");
  EXPECT_EQ(attacked(asked).at("broken"), 4);
}

TEST_F(GenomesDictionary, WithoutARegisterAllThereAreAreTried) {
  auto asked = request({sha256_hex("1950-02-03"), sha256_hex("Anna")});
  asked.register_file.clear();
  asked.on.clear();
  EXPECT_NE(refusal([&] { return attack_dictionary(asked, run()); }).find("--every"),
            std::string::npos);
  asked.every = "date";
  asked.out = path("who.csv");
  const Json result = attacked(asked);
  EXPECT_EQ(result.at("broken"), 1);
  EXPECT_EQ(result.at("of"), 2);
  EXPECT_GT(result.at("values"), 30000);
  EXPECT_FALSE(result.contains("people"));
  EXPECT_EQ(result.at("made_as"), "date as 1950-02-03");
  const auto rows = rows_of(path("who.csv"));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("pseudonym"), sha256_hex("1950-02-03"));
  EXPECT_EQ(rows[0].at("date"), "1950-02-03");
  for (const auto& change : std::vector<std::function<void(DictionaryRequest&)>>{
           [](auto& r) { r.scheme = "rot13"; }, [](auto& r) { r.areas = "900"; },
           [](auto& r) { r.column = "nobody"; }}) {
    auto wrong = asked;
    change(wrong);
    EXPECT_NE(refusal([&] { return attack_dictionary(wrong, run()); }), "");
  }
  auto on = request({});
  on.on = {};
  EXPECT_NE(refusal([&] { return attack_dictionary(on, run()); }).find("--on"), std::string::npos);
}

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

TEST_F(GenomesPhenotype, ATruthIsReadByTheColumnOfPeople) {
  request.truth = file("truth.csv", "person,name,sample\n71,John Doe,s1\n72,Sue,s2\n");
  EXPECT_EQ(attacked(request).at("right"), 1);
  EXPECT_EQ(all(request).at("right"), 1);
  request.truth = file("truth.csv", "patient,sample\nJohn Doe,s1\nMary,s2\n");
  EXPECT_EQ(attacked(request).at("right"), 2);
}

TEST_F(GenomesPhenotype, TrailsThatCannotBeAreLeftOut) {
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

TEST_F(GenomesPhenotype, OneAttackHelpsTheOther) {
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

TEST_F(GenomesPhenotype, FamiliesAndTheOthersHelpEachOther) {
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

TEST_F(GenomesPhenotype, PseudonymsNarrowTheOthers) {
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

class GenomesMembership : public GenomesFlowFixture {
 protected:
  static constexpr int kSites = 600;
  std::vector<Site> at = sites(kSites);
  Calls pool;
  Calls others;
  std::vector<double> shares;
  MembershipRequest request;

  GenomesMembership() {
    SeededRandom random(4);
    std::vector<double> frequencies;
    for (int s = 0; s < kSites; ++s) frequencies.push_back(0.05 + 0.9 * random.uniform());
    const auto people = [&](std::size_t count) { return drawn(count, frequencies, random); };
    pool = people(20);
    others = people(20);
    (void)vcf("pool.vcf", names("p", 20), pool, at);
    (void)vcf("reference.vcf", names("r", 100), people(100), at);
    Calls both = pool;
    both.insert(both.end(), others.begin(), others.end());
    auto who = names("p", 20);
    for (const auto& name : names("o", 20)) who.push_back(name);
    (void)vcf("targets.vcf", who, both, at);
    std::string truth = "sample,member\n";
    for (std::size_t i = 0; i < 20; ++i)
      truth += fmt::format("p{},{}\no{},no\n", i, i % 2 == 0 ? "yes" : "1", i);
    (void)file("truth.csv", truth);
    (void)file("pool.csv", published(pool));
    for (std::size_t s = 0; s < kSites; ++s) shares.push_back(share(pool, s));
    request = {.pool = path("pool.csv"),
               .reference = path("reference.vcf"),
               .targets = path("targets.vcf"),
               .truth = path("truth.csv"),
               .seed = 1};
  }
  // People of independent sites.
  static Calls drawn(std::size_t count, const std::vector<double>& frequencies,
                     SeededRandom& random) {
    Calls calls(count);
    for (auto& person : calls)
      for (const double f : frequencies)
        person.push_back((random.chance(f) ? 1 : 0) + (random.chance(f) ? 1 : 0));
    return calls;
  }
  static double share(const Calls& people, std::size_t site) {
    double sum = 0;
    for (const auto& person : people) sum += person[site];
    return sum / static_cast<double>(2 * people.size());
  }
  [[nodiscard]] std::string published(const Calls& people) const {
    std::string table = "chrom,pos,ref,alt,frequency\n";
    for (std::size_t s = 0; s < kSites; ++s)
      table += fmt::format("1,{},A,G,{}\n", at[s].position, share(people, s));
    return table;
  }
  // A table of frequencies of everybody in a file of genotypes.
  static std::string frequencies_of(const std::string& path) {
    std::string table = "chrom,pos,ref,alt,frequency\n";
    for (const auto& line : lines_of(path)) {
      if (line.starts_with('#')) continue;
      const auto cells = parts_of(line, '\t');
      double copies = 0;
      for (std::size_t p = 9; p < cells.size(); ++p)
        copies += static_cast<double>(std::count(cells[p].begin(), cells[p].end(), '1'));
      table += fmt::format("{},{},{},{},{}\n", cells[0], cells[1], cells[3], cells[4],
                           copies / static_cast<double>(2 * (cells.size() - 9)));
    }
    return table;
  }
  Json attacked(const MembershipRequest& asked, bool passed = true) {
    const auto outcome = attack_membership(asked, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
};

TEST_F(GenomesMembership, WhoWasCountedIsTold) {
  const Json result = attacked(request);
  EXPECT_EQ(result.at("statistic"), "lr");
  EXPECT_EQ(result.at("sites"), kSites);
  EXPECT_EQ(result.at("pool_sites"), kSites);
  EXPECT_EQ(result.at("reference_sites"), kSites);
  EXPECT_EQ(result.at("targets"), 40);
  EXPECT_EQ(result.at("pool_people"), nullptr);
  EXPECT_EQ(result.at("null_people"), 50);
  EXPECT_EQ(result.at("null_from"), "reference");
  EXPECT_EQ(result.at("power_from"), "truth");
  EXPECT_EQ(result.at("tried"), true);
  EXPECT_EQ(result.at("seed"), 1);
  // Members are sqrt(sites / people), more than 5, deviations from others.
  EXPECT_GT(result.at("power").at("0.05").get<double>(), 0.9);
  EXPECT_GT(result.at("auc").get<double>(), 0.99);
  for (const char* rate : {"0.05", "0.01", "0.001"}) {
    EXPECT_LE(result.at("power_interval").at(rate).at(0), result["power"].at(rate));
    EXPECT_GE(result["power_interval"].at(rate).at(1), result["power"].at(rate));
    EXPECT_GT(result.at("sites_needed").at(rate), 0);
    EXPECT_LT(result["sites_needed"].at(rate), 2 * kSites);
  }
  EXPECT_EQ(result.at("false_positives").at("people"), 20);
  EXPECT_LT(std::abs(result["false_positives"].at("shift").get<double>()), 1);
  // Sites are independent here.
  EXPECT_NEAR(result.at("linkage").at("inflation").get<double>(), 1, 0.6);
  for (const char* own : {"homer", "lr"})
    EXPECT_TRUE(result.at("statistics").at(own).contains("auc"));
  for (const char* other : {"beacon", "wang"})
    EXPECT_FALSE(result.at("statistics").contains(other));
  std::map<std::string, int> verdicts = {{"case", 0}, {"control", 0}, {"neither", 0}};
  int right = 0;
  int wrong = 0;
  for (const auto& one : result.at("verdicts")) {
    ++verdicts[one.at("verdict").get<std::string>()];
    if (one.at("verdict") == "case")
      ++(one.at("sample").get<std::string>()[0] == 'p' ? right : wrong);
    EXPECT_EQ(one.at("verdict") == "case", one.at("p").get<double>() < 0.05) << one;
  }
  EXPECT_GE(right, 18);
  EXPECT_LE(wrong, 4);
  EXPECT_EQ(verdicts["control"], 0);  // nobody was compared with controls
  for (const auto& [verdict, count] : verdicts) EXPECT_EQ(result.at("counts").at(verdict), count);
  EXPECT_FALSE(attack_membership(request, run()).for_a_person->contains("verdicts"));
  request.fail_above = 0.5;
  (void)attacked(request, false);
  request.fail_above = 1;
  (void)attacked(request);
}

TEST_F(GenomesMembership, TableAndGenotypesSayTheSame) {
  const Json by_table = attacked(request);
  request.pool = path("pool.vcf");
  const Json by_people = attacked(request);
  EXPECT_NEAR(by_table.at("auc").get<double>(), by_people.at("auc").get<double>(), 0.005);
  EXPECT_EQ(by_people.at("pool_people"), 20);
  EXPECT_TRUE(by_people.at("statistics").contains("beacon"));
  request.truth.clear();
  const Json untold = attacked(request);
  EXPECT_EQ(untold.at("power_from"), "pool");
  EXPECT_FALSE(untold.contains("auc"));
  EXPECT_FALSE(untold.contains("false_positives"));
  request.pool = path("pool.csv");
  request.pool_size = 20;
  const Json simulated = attacked(request);
  EXPECT_EQ(simulated.at("power_from"), "simulation");
  EXPECT_EQ(simulated.at("pool_people"), 20);
  EXPECT_GT(simulated.at("power").at("0.05").get<double>(), 0.9);
  // A reference of frequencies alone: the null is simulated, too.
  request.reference = path("pool.csv");
  EXPECT_EQ(attacked(request).at("null_from"), "simulation");
}

TEST_F(GenomesMembership, CasesControlsAndNeither) {
  // Homer's T by its definition, for some of both groups.
  request.control = vcf("control.vcf", names("o", 20), others, at);
  request.statistic = "homer";
  const Json result = attacked(request);
  EXPECT_GE(result.at("counts").at("control"), 15);
  EXPECT_GE(result.at("counts").at("case"), 15);
  std::map<std::string, double> values;
  for (const auto& one : result.at("verdicts")) values[one.at("sample")] = one.at("value");
  for (const auto& [group, letter] : {std::pair(&pool, 'p'), std::pair(&others, 'o')}) {
    for (std::size_t i = 0; i < 5; ++i) {
      std::vector<double> terms;
      for (std::size_t s = 0; s < kSites; ++s) {
        double control = 0;
        for (const auto& person : others) control += person[s] / 40.0;
        const double own = (*group)[i][s] / 2.0;
        terms.push_back(std::abs(own - control) - std::abs(own - shares[s]));
      }
      double mean = 0;
      for (const double term : terms) mean += term / kSites;
      double squares = 0;
      for (const double term : terms) squares += (term - mean) * (term - mean);
      EXPECT_NEAR(values.at(letter + std::to_string(i)),
                  mean / std::sqrt(squares / (kSites - 1) / kSites), 1e-3);
    }
  }
}

TEST_F(GenomesMembership, DefencesAreMeasured) {
  request.defences = true;
  std::map<std::string, double> power;
  const Json result = attacked(request);
  for (const auto& one : result.at("defences")) {
    power[one.at("defence")] = one.at("power").at("0.05");
    EXPECT_FALSE(one.contains("sites_needed"));
  }
  EXPECT_EQ(power.size(), 6U);
  EXPECT_GT(power.at("rounded to 0.01"), 0.9);
  EXPECT_LT(power.at("one SNP in 100"), 0.7);
  EXPECT_LT(power.at("Laplace noise of 0.1"), power.at("Laplace noise of 0.01") + 1e-9);
}

TEST_F(GenomesMembership, FrequenciesComeOutOfPValues) {
  // Of 20 cases and 100 controls, as a paper prints it.
  std::vector<double> controls(kSites, 0);
  std::size_t s = 0;
  for (const auto& line : lines_of(request.reference)) {
    if (line.starts_with('#')) continue;
    const auto calls = parts_of(line, '\t');
    for (std::size_t p = 9; p < calls.size(); ++p)
      controls[s] += static_cast<double>(std::count(calls[p].begin(), calls[p].end(), '1')) / 200;
    ++s;
  }
  std::string text = "chrom,pos,ref,alt,p_value,odds_ratio\n";
  for (s = 0; s < kSites; ++s) {
    const double together = (40 * shares[s] + 200 * controls[s]) / 240;
    const double apart = shares[s] - controls[s];
    const double chi_square =
        together > 0 && together < 1
            ? apart * apart / (together * (1 - together) * (1.0 / 40 + 1.0 / 200))
            : 0;
    text += fmt::format("1,{},A,G,{:.4g},{}\n", at[s].position,
                        std::erfc(std::sqrt(chi_square / 2)), apart > 0 ? 1.2 : 0.8);
  }
  const Json by_table = attacked(request);
  request.pool = file("gwas.csv", text);
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("--pool-size"),
            std::string::npos);
  request.pool_size = 20;
  request.control_size = 100;
  const Json recovered = attacked(request);
  EXPECT_EQ(recovered.at("p_values"), kSites);
  EXPECT_NEAR(recovered.at("auc").get<double>(), by_table.at("auc").get<double>(), 0.02);
  request.pool = file("gwas.csv", "chrom,pos,ref,alt,p_value\n1,1,A,G,0.5\n");
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("direction"),
            std::string::npos);
  for (const char* row : {"1,1,A,G,1.5,1", "1,x,A,G,0.5,1", "1,1,A,G,-0.1,1"}) {
    request.pool =
        file("gwas.csv",
             std::string("chrom,pos,ref,alt,p_value,odds_ratio\n1,1,A,G,0.5,1\n") + row + "\n");
    EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("gwas.csv:3"),
              std::string::npos)
        << row;
  }
}

TEST_F(GenomesMembership, WhatIsWrongIsSaidWithItsPlace) {
  for (const char* row : {"1,1,A,G,1.5", "1,1,A,G,-0.5", "1,1,A,G,x", "1,x,A,G,0.5"}) {
    request.pool =
        file("bad.csv", std::string("chrom,pos,ref,alt,frequency\n1,1,A,G,0\n") + row + "\n");
    EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("bad.csv:3"),
              std::string::npos)
        << row;
  }
  request.pool = file("bad.csv", "chrom,pos,ref,frequency\n1,1,A,0.5\n");
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("alt"),
            std::string::npos);
  request.pool = path("pool.csv");
  request.statistic = "beacon";
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("--pool-size"),
            std::string::npos);
  request.statistic = "wang";
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("--r2"),
            std::string::npos);
  for (const char* text :
       {"chrom,pos_a,pos_b,r2\n1,1,101,2\n", "chrom,pos_a,pos_b,r2\n1,1,101,-0.1\n",
        "chrom,pos_a,pos_b,r2\n1,x,101,0.5\n", "chrom,pos_a,r2\n1,1,0.5\n"}) {
    request.r2 = file("r2.csv", text);
    EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("r2.csv"),
              std::string::npos)
        << text;
  }
  // All from 0 to 1 are taken.
  request.r2 = file("r2.csv", "chrom,pos_a,pos_b,r2\n1,1,101,0\n1,1,201,0.25\n1,101,201,1\n");
  try {
    (void)attack_membership(request, run());
  } catch (const Error& error) {
    EXPECT_NE(error.place(), request.r2 + ":2") << error.message();
    EXPECT_EQ(error.message().find("r2 is not"), std::string::npos) << error.place();
  }
  request = {.pool = file("far.csv", "chrom,pos,ref,alt,frequency\n7,1,A,G,0.5\n"),
             .reference = path("reference.vcf"),
             .targets = path("targets.vcf"),
             .truth = path("truth.csv"),
             .seed = 1};
  const Json none = attacked(request, false);
  EXPECT_EQ(none.at("tried"), false);
  EXPECT_TRUE(none.contains("note"));
  EXPECT_EQ(none.at("power").at("0.05"), nullptr);
}

// As if pool and reference had no other sites than the targets.
TEST_F(GenomesMembership, NullAndTargetsAreComparedAtTheSameSites) {
  std::vector<Site> few;
  Calls called(40);
  for (std::size_t s = 0; s < kSites; s += 10) {
    few.push_back(at[s]);
    for (std::size_t i = 0; i < 20; ++i) {
      called[i].push_back(pool[i][s]);
      called[20 + i].push_back(others[i][s]);
    }
  }
  auto who = names("p", 20);
  for (const auto& name : names("o", 20)) who.push_back(name);
  request.targets = vcf("chip.vcf", who, called, few);
  const Json chip = attacked(request);
  EXPECT_EQ(chip.at("sites"), kSites / 10);
  EXPECT_EQ(chip.at("pool_sites"), kSites);
  EXPECT_EQ(chip.at("reference_sites"), kSites);
  // The same files without the other sites.
  const auto thinned = [&](const std::string& path, const std::string& name) {
    std::string text;
    std::size_t row = 0;
    for (const auto& line : lines_of(path)) {
      const bool head = line.starts_with('#') || line.starts_with("chrom");
      if (head || row++ % 10 == 0) text += line + "\n";
    }
    return file(name, text);
  };
  MembershipRequest thin = request;
  thin.pool = thinned(path("pool.csv"), "thin.csv");
  thin.reference = thinned(path("reference.vcf"), "thin.vcf");
  const Json expected = attacked(thin);
  for (const char* key : {"power", "auc", "false_positives", "counts", "statistics", "linkage"})
    EXPECT_EQ(chip.at(key), expected.at(key)) << key;
  // sqrt(60 sites / 20 people) deviations apart, 1.7, of which half are above 1.645.
  EXPECT_GT(chip.at("power").at("0.05").get<double>(), 0.2);
  // Of one site there are three values: nobody is above the greatest, and no more than others are
  // above the next.
  for (std::size_t s = 0; s < 5; ++s) {
    Calls one;
    for (const auto* const group : {&pool, &others})
      for (const auto& person : *group) one.push_back({person[s]});
    MembershipRequest single = request;
    single.targets = vcf("one.vcf", who, one, {at[s]});
    EXPECT_LT(attacked(single).at("false_positives").at("share").at("0.05").get<double>(), 0.3);
  }
  // The pool's own people, and those that are simulated, are compared at those sites alone.
  request.truth.clear();
  thin.truth.clear();
  request.pool = path("pool.vcf");
  thin.pool = thinned(path("pool.vcf"), "thin_pool.vcf");
  EXPECT_EQ(attacked(request).at("power"), attacked(thin).at("power"));
  request.pool = path("pool.csv");
  request.reference = file("reference.csv", frequencies_of(path("reference.vcf")));
  const Json simulated = attacked(request);
  EXPECT_EQ(simulated.at("null_from"), "simulation");
  EXPECT_LT(simulated.at("power").at("0.001").get<double>(), 0.3);
  request.truth = path("truth.csv");
  EXPECT_LT(attacked(request).at("false_positives").at("share").at("0.05").get<double>(), 0.3);
}

TEST_F(GenomesMembership, WhatIsMissingTellsNothing) {
  // Those who are none are taken for members no more often because half of their calls are missing.
  SeededRandom random(5);
  std::vector<double> frequencies = shares;
  for (double& frequency : frequencies) frequency = 0.1 + 0.8 * random.uniform();
  const auto people = [&](std::size_t count) { return drawn(count, frequencies, random); };
  const Calls members = people(20);
  request.pool = file("pool.csv", published(members));
  request.reference = vcf("reference.vcf", names("r", 200), people(200), at);
  Calls strangers = people(300);
  Calls inside = members;
  for (auto* const group : {&strangers, &inside}) {
    for (auto& person : *group)
      for (int& call : person)
        if (random.chance(0.5)) call = -1;
  }
  auto who = names("o", 300);
  for (const auto& name : names("p", 20)) who.push_back(name);
  strangers.insert(strangers.end(), inside.begin(), inside.end());
  request.targets = vcf("holes.vcf", who, strangers, at);
  std::string truth = "sample,member\n";
  for (const auto& name : who) truth += fmt::format("{},{}\n", name, name[0] == 'p' ? 1 : 0);
  request.truth = file("truth.csv", truth);
  request.pool_size = 20;
  for (const std::string& reference :
       {path("reference.vcf"), file("reference.csv", frequencies_of(path("reference.vcf")))}) {
    request.reference = reference;
    const Json result = attacked(request);
    for (const char* statistic : {"lr", "homer", "beacon"}) {
      const Json& found = result.at("statistics").at(statistic).at("false_positives");
      // Half a deviation: what a null of a hundred people, and of simulated ones, is off by.
      EXPECT_LT(std::abs(found.at("shift").get<double>()), 0.5) << statistic << reference;
      EXPECT_LT(found.at("share").at("0.05").get<double>(), 0.15) << statistic << reference;
    }
    // sqrt(300 sites / 20 people) is 3.9 deviations, 2.2 above the threshold.
    EXPECT_GT(result.at("power").at("0.05").get<double>(), 0.8) << reference;
  }
}

TEST_F(GenomesMembership, PairsThatTargetsHaveNotAreNotTried) {
  // Chains of ten SNPs that are inherited together.
  SeededRandom random(6);
  const auto linked = [&](std::size_t count) {
    Calls calls(count, std::vector<int>(kSites, 0));
    for (auto& person : calls) {
      for (int copy = 0; copy < 2; ++copy) {
        bool allele = false;
        for (std::size_t s = 0; s < kSites; ++s) {
          if (s % 10 == 0 || random.chance(0.3)) allele = random.chance(0.4);
          person[s] += allele ? 1 : 0;
        }
      }
    }
    return calls;
  };
  const Calls members = linked(20);
  request.pool = vcf("pool.vcf", names("p", 20), members, at);
  request.reference = vcf("reference.vcf", names("r", 200), linked(200), at);
  request.targets = vcf("targets.vcf", names("p", 20), members, at);
  request.truth.clear();
  request.statistic = "wang";
  const Json all = attacked(request);
  EXPECT_GT(all.at("power").at("0.05").get<double>(), 0.5);
  // The targets' SNPs lie elsewhere.
  std::vector<Site> far = at;
  for (auto& site : far) site.position += 50;
  request.targets = vcf("far.vcf", names("p", 20), members, far);
  request.fail_above = 0.05;
  const Json none = attacked(request, false);
  EXPECT_EQ(none.at("tried"), false);
  EXPECT_EQ(none.at("pairs"), 0);
  EXPECT_EQ(none.at("power").at("0.05"), nullptr);
  // Where they have the first half, null and members are compared by the pairs in it.
  std::vector<Site> half(at.begin(), at.begin() + kSites / 2);
  request.targets = vcf("half.vcf", names("p", 20), members, half);
  request.fail_above.reset();
  const Json some = attacked(request);
  EXPECT_LT(some.at("pairs"), all.at("pairs"));
  EXPECT_GT(some.at("pairs"), 0);
  request.reference = file("half_reference.vcf", [&] {
    std::string text;
    std::size_t row = 0;
    for (const auto& line : lines_of(path("reference.vcf")))
      if (line.starts_with('#') || row++ < kSites / 2) text += line + "\n";
    return text;
  }());
  const Json expected = attacked(request);
  EXPECT_EQ(some.at("pairs"), expected.at("pairs"));
  EXPECT_EQ(some.at("power"), expected.at("power"));
}

TEST_F(GenomesMembership, NoiseIsNotTakenForMembers) {
  // A pool of so many that noise is four times what they scatter by: members who are simulated are
  // found as seldom as true ones.
  SeededRandom random(8);
  std::vector<double> frequencies(kSites);
  for (double& frequency : frequencies) frequency = 0.2 + 0.6 * random.uniform();
  const Calls members = drawn(100, frequencies, random);
  request.pool = file("pool.csv", published(members));
  request.reference = vcf("reference.vcf", names("r", 200), drawn(200, frequencies, random), at);
  request.targets = vcf("targets.vcf", names("p", 100), members, at);
  std::string truth = "sample,member\n";
  for (const auto& name : names("p", 100)) truth += name + ",yes\n";
  request.truth = file("truth.csv", truth);
  request.defences = true;
  const auto under_noise = [&] {
    const Json result = attacked(request);
    for (const auto& one : result.at("defences"))
      if (one.at("defence") == "Laplace noise of 0.1")
        return one.at("power").at("0.05").get<double>();
    return -1.0;
  };
  const double measured = under_noise();
  EXPECT_LT(measured, 0.5);
  request.truth.clear();
  EXPECT_NEAR(under_noise(), measured, 0.2);
}

TEST_F(GenomesMembership, PowerOfSimulatedMembersIsABound) {
  EXPECT_EQ(attacked(request).at("power_is"), "measured");
  request.truth.clear();
  const Json simulated = attacked(request);
  EXPECT_EQ(simulated.at("power_is"), "upper bound");
  EXPECT_TRUE(simulated.contains("note"));
  request.pool = path("pool.vcf");
  const Json by_people = attacked(request);
  EXPECT_EQ(by_people.at("power_is"), "measured");
  EXPECT_FALSE(by_people.contains("note"));
}

TEST_F(GenomesMembership, ATruthSaysYesOrNo) {
  for (const char* word : {"1.0", "ja", "in", "", "2"}) {
    request.truth = file("bad.csv", fmt::format("sample,member\np0,yes\np1,{}\n", word));
    const auto said = refusal([&] { return attack_membership(request, run()); });
    EXPECT_NE(said.find("bad.csv:3"), std::string::npos) << word << ": " << said;
  }
  request.truth = file("bad.csv", "sample,member\np0,yes\np1,no\np0,no\n");
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("bad.csv:4"),
            std::string::npos);
  request.truth = file("bad.csv", "sample,member\nq0,yes\nq1,no\n");
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("none of the targets"),
            std::string::npos);
  request.truth = file("good.csv", "sample,member\np0,TRUE\np1,Member\no0,FALSE\no1,Control\n");
  EXPECT_EQ(attacked(request).at("false_positives").at("people"), 2);
}

TEST_F(GenomesMembership, AVariantHasOneFrequency) {
  for (const char* again : {"1,1,A,G,0.2", "chr1,1,A,G,0.1", "1,1,G,A,0.9"}) {
    request.pool = file("twice.csv", std::string("chrom,pos,ref,alt,frequency\n1,1,A,G,0.1\n"
                                                 "1,101,A,G,0.5\n") +
                                         again + "\n");
    EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("twice.csv:4"),
              std::string::npos)
        << again;
  }
  request.pool =
      file("twice.csv", "chrom,pos,ref,alt,p_value,odds_ratio\n1,1,A,G,0.1,2\n1,1,A,G,0.5,2\n");
  request.pool_size = 20;
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("twice.csv:3"),
            std::string::npos);
}

class GenomesWorld : public GenomesFlowFixture {};

TEST_F(GenomesWorld, FilesOfAWorldAgreeWithEachOther) {
  const FamiliesRequest request{
      .people = 120, .hospitals = 4, .sites = 30, .seed = 4, .out = path("world")};
  const Json made = *generate_families(request, run()).result;
  const auto truth = table_of(path("world/truth.csv"));
  EXPECT_EQ(made.at("people"), truth.size());
  EXPECT_EQ(made.at("seed"), 4);
  EXPECT_EQ(made.at("out"), path("world"));
  std::map<std::string, std::map<std::string, std::string>> of_name;
  std::map<std::string, int> people_called;
  std::set<std::string> samples;
  int carriers = 0;
  std::set<std::string> families;
  for (const auto& row : truth) {
    of_name[row.at("name")] = row;
    ++people_called[row.at("name")];
    families.insert(row.at("family"));
    if (!row.at("sample").empty()) samples.insert(row.at("sample"));
    carriers += row.at("disease").empty() ? 0 : 1;
  }
  EXPECT_EQ(made.at("samples"), samples.size());
  EXPECT_EQ(made.at("families"), families.size());
  EXPECT_EQ(made.at("carriers"), carriers);
  // Genotypes of the samples, and alleles that children have of their parents.
  std::vector<std::string> header;
  std::map<std::string, std::vector<std::string>> calls;
  std::size_t variants = 0;
  int last = 0;
  for (const auto& line : lines_of(path("world/genotypes.vcf"))) {
    if (line.starts_with("##")) continue;
    const auto cells = parts_of(line, '\t');
    if (header.empty()) {
      header = cells;
      continue;
    }
    ++variants;
    EXPECT_GT(std::stoi(cells.at(1)), last);
    last = std::stoi(cells.at(1));
    for (std::size_t c = 9; c < cells.size(); ++c) calls[header[c]].push_back(cells[c]);
  }
  EXPECT_EQ(made.at("variants"), variants);
  EXPECT_GE(variants, 30U);
  EXPECT_EQ(calls.size(), samples.size());
  for (const auto& sample : samples) EXPECT_TRUE(calls.contains(sample));
  int trios = 0;
  std::map<std::string, std::string> sex;
  std::map<std::string, std::string> family_of;
  for (const auto& line : lines_of(path("world/families.ped"))) {
    const auto cells = parts_of(line, ' ');
    sex[cells.at(1)] = cells.at(4);
    EXPECT_TRUE(cells.at(4) == "1" || cells.at(4) == "2");
    if (cells[2] == "0") continue;
    EXPECT_EQ(sex.contains(cells[2]) ? sex[cells[2]] : "1", "1");
    EXPECT_EQ(sex.contains(cells[3]) ? sex[cells[3]] : "2", "2");
    if (!calls.contains(cells[1]) || !calls.contains(cells[2]) || !calls.contains(cells[3]))
      continue;
    ++trios;
    for (std::size_t v = 0; v < variants; ++v) {
      EXPECT_NE(calls[cells[2]][v].find(calls[cells[1]][v][0]), std::string::npos);
      EXPECT_NE(calls[cells[3]][v].find(calls[cells[1]][v][2]), std::string::npos);
    }
  }
  EXPECT_GT(trios, 0);
  EXPECT_EQ(sex.size(), truth.size());
  // DNA and discharges are of the same hospitals, sexes as in the pedigrees.
  std::map<std::string, std::set<std::string>> dna_at;
  std::map<std::string, std::set<std::string>> seen_at;
  for (const auto& row : table_of(path("world/dna.csv"))) {
    dna_at[row.at("sample")].insert(row.at("hospital"));
    EXPECT_EQ(row.at("sex"), sex.at(row.at("sample")) == "1" ? "M" : "F");
    EXPECT_EQ(row.at("hospital").size(), 3U);
    EXPECT_GE(row.at("hospital"), "H01");
    EXPECT_LE(row.at("hospital"), "H04");
  }
  for (const auto& row : table_of(path("world/clinical.csv"))) {
    const auto& person = of_name.at(row.at("name"));
    if (people_called[row.at("name")] == 1) {
      EXPECT_EQ(row.at("sex"), sex.at(person.at("person")) == "1" ? "M" : "F");
      if (!row.at("icd9").empty()) {
        EXPECT_EQ(row.at("icd9"), person.at("disease"));
      }
    }
    seen_at[row.at("name")].insert(row.at("hospital"));
  }
  EXPECT_EQ(dna_at.size(), samples.size());
  for (const auto& row : truth) {
    if (row.at("sample").empty()) continue;
    EXPECT_EQ(row.at("sample"), row.at("person"));
    for (const auto& hospital : dna_at.at(row.at("sample")))
      EXPECT_TRUE(seen_at[row.at("name")].contains(hospital));
  }
  EXPECT_EQ(table_of(path("world/register.csv")).size(), truth.size());
  // Attacks find what is there.
  const Json found = *attack_family({.pedigrees = path("world/families.ped"),
                                     .register_file = path("world/genealogies.ged")},
                                    run())
                          .result;
  EXPECT_EQ(found.at("structures"), families.size());
  EXPECT_EQ(found.at("matched"), families.size());
  // The same seed makes the same world, another one another; a folder that has something stays.
  auto again = request;
  again.out = path("again/");
  (void)generate_families(again, run());
  for (const char* name : {"genotypes.vcf", "dna.csv", "clinical.csv", "register.csv", "truth.csv",
                           "families.ped", "genealogies.ged"})
    EXPECT_EQ(read_file(path("again/") + name), read_file(path("world/") + name)) << name;
  EXPECT_NE(refusal([&] { return generate_families(again, run()); }).find("not empty"),
            std::string::npos);
  again.out = path("nowhere/world");
  EXPECT_NE(refusal([&] { return generate_families(again, run()); }).find("does not exist"),
            std::string::npos);
}

TEST_F(GenomesWorld, TheMatrixSaysWhereItIsNotAsPrinted) {
  const SusceptibilityRequest request{.people = 200, .hospitals = 6, .key_bits = 8, .seed = 1};
  const auto outcome = susceptibility(request, run());
  const Json result = *outcome.result;
  EXPECT_EQ(result.at("systems"), (Json{"TRUST", "SEMITRUST", "DENOM", "DEID"}));
  EXPECT_EQ(result.at("attacks"), (Json{"FAMILY", "TRAIL", "GENPHEN", "DICTIONARY"}));
  std::set<std::string> differs;
  for (const auto& one : result.at("differs")) {
    differs.insert(one.at("attack").get<std::string>() + " " + one.at("system").get<std::string>());
    EXPECT_FALSE(one.at("why").get<std::string>().empty());
    EXPECT_EQ(one.at("measured"), result.at("cells").at(one.at("attack")).at(one.at("system")));
    const bool more = one.at("why").get<std::string>().find("shows more") != std::string::npos;
    EXPECT_EQ(more, one.at("printed") == false);
  }
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t s = 0; s < 4; ++s) {
      const std::string attack = result["attacks"][a];
      const std::string system = result["systems"][s];
      const double share = result["matrix"][a][s];
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 1);
      EXPECT_EQ(result["cells"].at(attack).at(system), share);
      EXPECT_EQ(differs.contains(attack + " " + system),
                (share > 0) != result["printed"][a][s].get<bool>());
      EXPECT_LE(result.at("any").at(system), 1);
    }
  }
  EXPECT_GT(result.at("families"), 0);
  EXPECT_LE(result.at("samples"), result.at("people"));
  EXPECT_GT(result.at("samples"), 0);
  EXPECT_EQ(*susceptibility(request, run()).result, result);
  const Json& shown = *outcome.for_a_person;
  for (const char* key : {"cells", "any", "compounded", "differs", "people", "samples", "seed"})
    EXPECT_EQ(shown.at(key), result.at(key)) << key;
  EXPECT_FALSE(shown.contains("matrix"));
}

}  // namespace
}  // namespace pratique::genomes::flow::attack_test
