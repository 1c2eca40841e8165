#include "pratique/codes/flow/code_input.h"

#include <nlohmann/json.hpp>

#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::codes::flow::code_input_test {
namespace {

class CodeInputFlow : public FlowFixture {};

TEST_F(CodeInputFlow, TheNameTellsTheFormUnlessItIsSaid) {
  const auto sets = file("sets.dat", "a b\nc\n");
  const auto other = file("sets.txt", "a b\nc\n");
  const auto rows = file("rows.dat", "patient,code\n1,a\n1,b\n2,c\n3,c\n");
  const CodeInput by_name;
  CodeInput said;
  EXPECT_FALSE(by_name.read(run(), sets).long_form());
  EXPECT_EQ(by_name.read(run(), sets).sets.patients(), 2U);
  EXPECT_EQ(by_name.open(run(), other).format, FileFormat::csv);
  said.format = "sets";
  EXPECT_FALSE(said.read(run(), other).long_form());
  said.format = "long";
  EXPECT_TRUE(said.read(run(), rows).long_form());
  EXPECT_EQ(said.read(run(), rows).sets.patients(), 3U);
}

TEST_F(CodeInputFlow, AHierarchyInAFileIsReadBesideTheData) {
  CodeInput input;
  EXPECT_TRUE(input.other_files().empty());
  input.hierarchy = "icd9";
  EXPECT_TRUE(input.other_files().empty());
  input.hierarchy = path("tree.csv");
  EXPECT_EQ(input.other_files(), std::vector{path("tree.csv")});
}

}  // namespace
}  // namespace pratique::codes::flow::code_input_test
