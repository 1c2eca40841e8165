#include "pratique/tables/release/risks.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pratique::release::risks_test {
namespace {

const AdversaryRisk& risk(const ReleaseReport& report, const std::string& adversary) {
  for (const auto& entry : report.risks) {
    if (entry.adversary == adversary) return entry;
  }
  throw std::runtime_error(adversary);
}

// Three classes of 5, 5 and 10 people: one in five at worst, 3 of 20 on average.
TEST(Risks, OfClasses) {
  ReleaseReport report;
  add_risks_of_classes({5, 10, 5}, Json(), report);
  EXPECT_DOUBLE_EQ(*risk(report, "prosecutor").highest, 0.2);
  EXPECT_DOUBLE_EQ(*risk(report, "prosecutor").average, 0.15);
  EXPECT_DOUBLE_EQ(*risk(report, "journalist").highest, 0.2);
  EXPECT_DOUBLE_EQ(*risk(report, "marketer").highest, 0.15);
}

TEST(Risks, APopulationHidesFromWhoDoesNotKnowWhoIsInTheTable) {
  ReleaseReport report;
  add_risks_of_classes({5, 10, 5}, {{"linkage_risk_max", 0.1}, {"linkage_risk_mean", 0.05}},
                       report);
  EXPECT_DOUBLE_EQ(*risk(report, "prosecutor").highest, 0.2);
  EXPECT_DOUBLE_EQ(*risk(report, "journalist").highest, 0.1);
  EXPECT_DOUBLE_EQ(*risk(report, "marketer").highest, 0.05);
}

TEST(Risks, OfColumnsHeldToNoModel) {
  ReleaseReport report;
  add_risks_of_unheld_columns("weight", {1, 4}, {1, 1, 3}, report);
  EXPECT_DOUBLE_EQ(*risk(report, "acquaintance").highest, 1);
  EXPECT_DOUBLE_EQ(*risk(report, "acquaintance").average, 0.4);
  EXPECT_DOUBLE_EQ(*risk(report, "insider").highest, 1);
  EXPECT_DOUBLE_EQ(*risk(report, "insider").average, 0.6);
  EXPECT_NE(risk(report, "acquaintance").knows.find("weight"), std::string::npos);
}

TEST(Risks, NoRecordsAreNoRisk) {
  ReleaseReport report;
  add_risks_of_classes({}, Json(), report);
  add_risks_of_unheld_columns("weight", {}, {}, report);
  EXPECT_TRUE(report.risks.empty());
}

}  // namespace
}  // namespace pratique::release::risks_test
