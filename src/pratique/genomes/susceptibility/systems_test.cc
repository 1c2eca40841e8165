#include "pratique/genomes/susceptibility/systems.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pratique::genomes::systems_test {
namespace {

TEST(Susceptibility, CellsAreShowsOfTheSystems) {
  const Kindred kindred = make_kindred({.people = 400, .hospitals = 8, .seed = 3});
  const auto measured = measure_susceptibility(kindred, {.key_bits = 8}, 3, Progress::silent());
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t s = 0; s < 4; ++s) {
      EXPECT_GE(measured.shares[a][s], 0);
      EXPECT_LE(measured.shares[a][s], 1);
    }
  }
  // No pedigree leaves SEMITRUST, no place TRUST or DENOM, and random numbers are nobody's.
  EXPECT_EQ(measured.shares[0][1], 0);
  EXPECT_EQ(measured.shares[1][0], 0);
  EXPECT_EQ(measured.shares[1][2], 0);
  EXPECT_EQ(measured.shares[3][2], 0);
  EXPECT_EQ(measured.shares[3][3], 0);
  // A function that anybody can compute, and a key of 256 values, hide nobody.
  EXPECT_EQ(measured.shares[3][0], 1);
  EXPECT_EQ(measured.shares[3][1], 1);
  // Who knows more finds no fewer: DENOM adds birth order to what TRUST tells of families, DEID
  // decade and region to what it tells of samples.
  EXPECT_GE(measured.shares[0][2], measured.shares[0][0]);
  EXPECT_GE(measured.shares[2][3], measured.shares[2][0]);
  EXPECT_GE(measured.shares[2][0], measured.shares[2][1]);
  for (std::size_t s = 0; s < 4; ++s) EXPECT_GE(measured.compounded[s], measured.any[s]);
}

TEST(Susceptibility, BrothersAreToldApartByTheirOrderAlone) {
  // Parents and two sons, in a world without another family: its shape is unique, and who of the
  // sons is who only birth order tells, which DENOM has and TRUST has not.
  Kindred kindred;
  kindred.hospitals = 1;
  kindred.pedigrees = {{"0",
                        {{.name = "0", .sex = Sex::male},
                         {.name = "1", .sex = Sex::female},
                         {.name = "2", .father = 0, .mother = 1, .sex = Sex::male},
                         {.name = "3", .father = 0, .mother = 1, .sex = Sex::male}}}};
  for (int p = 0; p < 4; ++p) {
    Kinsman person;
    person.name = "Person " + std::to_string(p);
    person.ssn = "001-01-000" + std::to_string(p + 1);
    person.zip = "60001";
    person.hospitals = {0};
    person.dna_at = {0};
    kindred.people.push_back(person);
  }
  const auto measured = measure_susceptibility(kindred, {.key_bits = 4}, 1, Progress::silent());
  EXPECT_EQ(measured.shares[0][0], 0.5);
  EXPECT_EQ(measured.shares[0][2], 1);
  EXPECT_EQ(measured.shares[0][3], 0.5);
}

TEST(Kindred, EverySampleIsWhereItsOwnerWas) {
  const Kindred kindred = make_kindred({.people = 500, .hospitals = 10, .seed = 5});
  EXPECT_GE(kindred.people.size(), 500U);
  std::size_t members = 0;
  for (const auto& pedigree : kindred.pedigrees) members += pedigree.people.size();
  EXPECT_EQ(members, kindred.people.size());
  for (const auto& person : kindred.people) {
    EXPECT_TRUE(std::includes(person.hospitals.begin(), person.hospitals.end(),
                              person.dna_at.begin(), person.dna_at.end()));
    EXPECT_TRUE(person.disease >= 0 || !person.diagnosed);
  }
  for (const auto& pedigree : kindred.pedigrees) {
    for (const auto& relative : pedigree.people) {
      if (relative.father != kNoParent) {
        EXPECT_EQ(pedigree.people[static_cast<std::size_t>(relative.father)].sex, Sex::male);
        EXPECT_EQ(pedigree.people[static_cast<std::size_t>(relative.mother)].sex, Sex::female);
      }
    }
  }
}

}  // namespace
}  // namespace pratique::genomes::systems_test
