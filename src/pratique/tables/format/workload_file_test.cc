#include "pratique/tables/format/workload_file.h"

#include <gtest/gtest.h>

#include "pratique/core/error.h"
#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::workload_file_test {
namespace {

const ProtectionWorld& world() {
  static const ProtectionWorld three_rows(
      {{"21", "F", "flu"}, {"25", "M", "flu"}, {"33", "F", "gout"}}, {"interval:10", "flat"});
  return three_rows;
}

TEST(WorkloadFile, ReadsRangesSetsLabelsAndSensitiveValues) {
  const auto workload = parse_workload(
      "# a comment\nc0=20..29\n\n c0 = 20..29 , c1={F|M}\nc1=F,c2=flu\r\n", "q", world().input);
  ASSERT_EQ(workload.size(), 3U);
  // Ranks of the ages 21, 25, 33 are 0, 1, 2.
  ASSERT_EQ(workload[0].predicates.size(), 1U);
  ASSERT_EQ(workload[0].predicates[0].spans.size(), 1U);
  EXPECT_EQ(workload[0].predicates[0].spans[0].first, 0U);
  EXPECT_EQ(workload[0].predicates[0].spans[0].last, 1U);
  EXPECT_EQ(workload[1].predicates[1].attribute, 1U);
  EXPECT_EQ(leaves_in(workload[1].predicates[1].spans), 2U);
  ASSERT_TRUE(workload[2].sensitive.has_value());
  EXPECT_EQ(world().table.columns[2].dictionary.value(workload[2].sensitive->second), "flu");
}

TEST(WorkloadFile, ARangeThatNobodyIsInIsAQuestion) {
  const auto workload = parse_workload("c0=90..99\nc0=20..29\n", "q", world().input);
  ASSERT_EQ(workload.size(), 2U);
  EXPECT_TRUE(workload[0].predicates[0].spans.empty());
}

std::string error_of(const std::string& text) {
  try {
    (void)parse_workload(text, "q.txt", world().input);
  } catch (const Error& error) {
    return error.place() + " " + error.message();
  }
  return "";
}

TEST(WorkloadFile, ErrorsNameTheLine) {
  EXPECT_NE(error_of("c0=21\nsex=F")
                .find("q.txt:2 no quasi-identifier and no sensitive attribute is called 'sex'"),
            std::string::npos);
  EXPECT_NE(error_of("c0").find("q.txt:1 'c0' is not COLUMN=CELL"), std::string::npos);
  EXPECT_NE(error_of("c0=99").find("'99' matches no value of 'c0'"), std::string::npos);
  EXPECT_NE(error_of("c1=X").find("q.txt:1 'X' matches no value of 'c1'"), std::string::npos);
  EXPECT_NE(error_of("c2=cold").find("q.txt:1 'cold' is not a value of 'c2'"), std::string::npos);
  EXPECT_NE(error_of("c2=flu,c2=gout").find("one sensitive value"), std::string::npos);
  EXPECT_NE(error_of("# nothing\n").find("no query"), std::string::npos);
}

}  // namespace
}  // namespace pratique::tables::workload_file_test
