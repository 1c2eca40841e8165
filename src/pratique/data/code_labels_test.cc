#include "pratique/data/code_labels.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/hierarchy.h"

namespace pratique::code_labels_test {
namespace {

bool stands_for(const std::string& hierarchy, const std::string& label, std::string_view code) {
  const auto labels = labels_over(hierarchy, code);
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

// Every label of a tree over these codes stands for the codes under it there, and for no other.
void agrees_with_the_tree(const std::string& hierarchy, const std::vector<std::string>& texts) {
  Dictionary codes;
  for (const auto& text : texts) (void)codes.intern(text);
  const std::vector<std::uint64_t> counts(codes.size(), 1);
  const Hierarchy tree = make_builtin_hierarchy(hierarchy, codes, counts, "code");
  const auto leaves = tree.bind(codes, counts, "code");
  for (Hierarchy::Node node = tree.leaf_count(); node < tree.node_count(); ++node) {
    const std::string label(tree.label(node));
    for (Code code = 0; code < codes.size(); ++code) {
      // A shorter code is its own label on levels that it has no characters for.
      if (label == codes.value(code)) continue;
      EXPECT_EQ(stands_for(hierarchy, label, codes.value(code)), tree.is_under(leaves[code], node))
          << label << " " << codes.value(code);
    }
    EXPECT_TRUE(label == "*" || stands_for(hierarchy, label, code_under(label))) << label;
  }
}

TEST(CodeLabels, SayWhatTheTreeSays) {
  agrees_with_the_tree("icd9", {"401.0", "401.11", "401.19", "402.9", "250.00", "042", "V58.1",
                                "E812.3", "E813.1", "390", "459.9", "001.1"});
  agrees_with_the_tree("icd9", {"4010", "40111", "40119", "25000", "25001", "V581"});
  agrees_with_the_tree("icd10", {"S52.521A", "S52.522B", "C76.0", "C7A.010", "C79.9", "D3A.00",
                                 "D37.1", "B20", "I10", "I1A.0"});
  agrees_with_the_tree("atc", {"A10BA02", "A10BA03", "A10BB01", "B01AC06"});
  agrees_with_the_tree("flat", {"a", "b"});
}

TEST(CodeLabels, AStarTellsALabelFromACode) {
  EXPECT_TRUE(stands_for("icd9", "401*", "401"));
  EXPECT_TRUE(stands_for("icd9", "401*", "401.9"));
  EXPECT_TRUE(stands_for("icd9", "401", "4019"));
  EXPECT_FALSE(stands_for("icd9", "401*", "402.1"));
  EXPECT_FALSE(stands_for("icd9", "401-405", "nonsense"));
  EXPECT_TRUE(stands_for("icd9", "*", "nonsense"));
  EXPECT_FALSE(stands_for("flat", "a", "a"));
  EXPECT_TRUE(labels_speak("icd10"));
  EXPECT_TRUE(labels_speak("flat"));
  EXPECT_FALSE(labels_speak("tree.csv"));
  EXPECT_EQ(code_under("401-405"), "401");
  EXPECT_EQ(code_under("401*"), "401");
  EXPECT_EQ(code_under("*"), "");
}

}  // namespace
}  // namespace pratique::code_labels_test
