#include "pratique/genomes/attack/genotype_phenotype.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pratique::genomes::genotype_phenotype_test {
namespace {

TEST(DiseaseGenes, TableB1IsAsPrinted) {
  const auto& table = table_b1();
  EXPECT_EQ(table.size(), 37U);  // 36 numbers, one of them twice
  for (const auto& row : table) {
    EXPECT_FALSE(row.codes.empty() || row.genes.empty()) << row.disease;
    // A family history and a screening are no disease.
    for (const auto& code : row.codes) EXPECT_NE(code.front(), 'V') << row.disease;
  }
}

TEST(Phenotypes, TheDiagnosisLeavesFewer) {
  // Two men; one has Huntington's. A woman has it, too.
  const std::vector<ClinicalPerson> people = {
      {{"M"}, {"3334"}}, {{"M"}, {"4019"}}, {{"F"}, {"3334"}}, {{"F"}, {"28260"}}};
  const std::vector<DnaSample> samples = {{{"M"}, {"HTT"}}, {{"F"}, {"BRCA1"}}, {{"F"}, {"CFTR"}}};
  const auto finding = attack_phenotypes(samples, people, table_b1(), Progress::silent());
  EXPECT_DOUBLE_EQ(finding.before, 2);
  EXPECT_DOUBLE_EQ(finding.after,
                   5.0 / 3);  // one; two, as the gene tells nothing; two, nobody has it
  EXPECT_EQ(finding.informative, 2U);
  EXPECT_EQ(finding.unmatched, 1U);
  EXPECT_EQ(finding.reidentified, 1U);
  EXPECT_EQ(finding.link[0], 0U);
}

TEST(Phenotypes, TheAgeOfOnsetFollowsFromRepeats) {
  // 45 repeats: 21.54 + exp(9.556 - 6.57) = 41.3 years.
  const auto& table = table_b1();
  std::size_t huntington = 0;
  while (table[huntington].codes.front() != "3334") ++huntington;
  ASSERT_TRUE(table[huntington].onset);
  EXPECT_NEAR(table[huntington].onset->age(45), 21.54 + std::exp(2.986), 1e-9);
  const std::vector<ClinicalPerson> people = {{{}, {"3334"}, 60}, {{}, {"3334"}, 43}};
  const auto finding = attack_phenotypes({{{}, {"HD"}, 45}}, people, table, Progress::silent());
  EXPECT_EQ(finding.link[0], 1U);
}

TEST(Phenotypes, CodesMayHavePointsAndMoreDigits) {
  EXPECT_EQ(bare_code("333.4"), "3334");
  EXPECT_EQ(words_in("htt; fmr1|Cftr"), (std::vector<std::string>{"HTT", "FMR1", "CFTR"}));
}

}  // namespace
}  // namespace pratique::genomes::genotype_phenotype_test
