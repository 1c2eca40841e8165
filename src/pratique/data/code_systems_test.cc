#include "pratique/data/code_systems.h"

#include <gtest/gtest.h>

#include <set>

#include "pratique/data/icd10.h"

namespace pratique::code_systems_test {
namespace {

using Texts = std::vector<std::string>;

Texts above(std::string_view system, std::string_view code, bool points = true) {
  Texts labels;
  return find_code_system(system)->place(code, points, labels) ? labels : Texts{};
}

std::optional<std::string> normal(std::string_view system, std::string_view code,
                                  bool points = true) {
  return find_code_system(system)->normal(code, points);
}

std::string detected(const Texts& texts) {
  Dictionary codes;
  for (const auto& text : texts) (void)codes.intern(text);
  const CodeSystem* system = detect_code_system(codes, {});
  return system == nullptr ? "" : std::string(system->name);
}

// From the tabular list: a fracture of the lower end of the radius; pregnancy weeks, which stand
// with Z30-Z39; Merkel cell carcinoma with C43-C44; chronic gout with M05-M14.
TEST(CodeSystems, DiagnosesStandInBlocksAndChapters) {
  EXPECT_EQ(above("icd10", "S52.521A"),
            (Texts{"S52.521", "S52.52", "S52.5", "S52", "S50-S59", "S00-T88"}));
  EXPECT_EQ(above("icd10", "e119"),
            (Texts{"E11.9", "E11.9", "E11.9", "E11", "E08-E13", "E00-E89"}));
  EXPECT_EQ(above("icd10", "E119", false).front(), "E119");
  EXPECT_EQ(above("icd10", "I10"), (Texts{"I10", "I10", "I10", "I10", "I10-I1A", "I00-I99"}));
  EXPECT_EQ(above("icd10", "B20").at(4), "B20");
  EXPECT_EQ(above("icd10", "Z3A.40").at(4), "Z30-Z39");
  EXPECT_EQ(above("icd10", "C4A.9").at(4), "C43-C44");
  EXPECT_EQ(above("icd10", "C7A.00").at(4), "C7A");
  EXPECT_EQ(above("icd10", "C79.9").at(4), "C76-C80");
  EXPECT_EQ(above("icd10", "M1A.9").at(4), "M05-M14");
  EXPECT_EQ(above("icd10", "X99").at(4), "X92-Y09");
  for (const auto* no_code :
       {"A10", "X60", "25000", "S5", "S52.", "S52.521AB", "52.1", "S5.21", ""}) {
    EXPECT_EQ(above("icd10", no_code), Texts{}) << no_code;
  }
  EXPECT_EQ(above("icd9", "296.01"), (Texts{"296.0", "296", "295-299", "290-319"}));
}

// Every category between the first and the last of a block is of that block and of one chapter.
TEST(CodeSystems, BlocksDoNotOverlapAndLieWithinChapters) {
  std::set<std::string> labels;
  for (const auto& block : icd10::blocks()) {
    EXPECT_LE(block.first, block.last);
    EXPECT_TRUE(labels.insert(block.label()).second) << block.label();
    EXPECT_EQ(icd10::block_of(block.first), &block) << block.label();
    EXPECT_EQ(icd10::block_of(block.last), &block) << block.label();
    ASSERT_NE(icd10::chapter_of(block.first), nullptr) << block.label();
    EXPECT_EQ(icd10::chapter_of(block.first), icd10::chapter_of(block.last)) << block.label();
  }
  EXPECT_EQ(icd10::chapters().size(), 22U);
}

// Metformin.
TEST(CodeSystems, DrugsStandInTheirGroups) {
  EXPECT_EQ(above("atc", "a10ba02"), (Texts{"A10BA", "A10B", "A10", "A"}));
  EXPECT_EQ(above("atc", "A10"), (Texts{"A10", "A10", "A10", "A"}));
  for (const auto* no_code : {"E10BA02", "A1", "A10BA0", "A10B002", "AA0BA02", ""}) {
    EXPECT_EQ(above("atc", no_code), Texts{}) << no_code;
  }
}

TEST(CodeSystems, ACodeHasOneNormalForm) {
  for (const auto* text : {"25000", "250.00", " 250.00 "})
    EXPECT_EQ(normal("icd9", text), "250.00");
  EXPECT_EQ(normal("icd9", "v5811"), "V58.11");
  EXPECT_EQ(normal("icd9", "E8123", false), "E8123");
  EXPECT_EQ(normal("icd9", "250.00", false), "25000");
  EXPECT_EQ(normal("icd10", "s52521a"), "S52.521A");
  EXPECT_EQ(normal("icd9", "S52.5"), std::nullopt);
}

TEST(CodeSystems, TheSystemIsDetectedFromWhatIsWritten) {
  EXPECT_EQ(detected({"250.00", "401.9", "V58.1"}), "icd9");
  EXPECT_EQ(detected({"25000", "4019", "E8123"}), "icd9");
  EXPECT_EQ(detected({"E11.9", "I10", "Z3A40"}), "icd10");
  EXPECT_EQ(detected({"A10BA02", "C09AA05", "N02BE01"}), "atc");
  EXPECT_EQ(detected({"C09AA05"}), "atc");
  EXPECT_EQ(detected({"O35.AXX0"}), "icd10");
  EXPECT_EQ(detected({"E11.9", "I10", "J45", "K35", "L40", "M54", "N18", "G40", "F32", "4019"}),
            "icd10");                                            // one in ten is misspelt
  EXPECT_EQ(detected({"250.00", "401.9", "E11.9", "I10"}), "");  // both
  EXPECT_EQ(detected({"V10", "V20"}), "");                       // either
  EXPECT_EQ(detected({"milk", "bread"}), "");
  EXPECT_EQ(detected({}), "");
  Dictionary codes;
  (void)codes.intern("250.00");
  (void)codes.intern("milk");
  EXPECT_EQ(detect_code_system(codes, {95, 5})->name, "icd9");
  EXPECT_EQ(detect_code_system(codes, {5, 95}), nullptr);
  EXPECT_NE(fit_of_code_systems(codes, {80, 20}).find("80 % are written as ICD-9-CM (icd9)"),
            std::string::npos);
}

}  // namespace
}  // namespace pratique::code_systems_test
