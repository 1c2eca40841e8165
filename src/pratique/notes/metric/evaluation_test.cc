#include "pratique/notes/metric/evaluation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pratique::notes::evaluation_test {
namespace {

TEST(Evaluation, CountsWhatIsTouchedAndCovered) {
  Evaluation evaluation;
  // The first is covered by two that adjoin, the second touched, the third missed; one is false.
  evaluation.add({{0, 10, "name"}, {20, 30, "date"}, {40, 50, "date"}},
                 {{5, 10, "name"}, {0, 5, "id"}, {29, 35, "date"}, {60, 61, "id"}});
  evaluation.add({}, {{0, 1, "id"}});
  evaluation.add({}, {});
  const Json json = evaluation.to_json();
  EXPECT_DOUBLE_EQ(json["precision"], 3.0 / 5);
  EXPECT_DOUBLE_EQ(json["recall_any"], 2.0 / 3);
  EXPECT_DOUBLE_EQ(json["recall_full"], 1.0 / 3);
  EXPECT_DOUBLE_EQ(json["clean_touched"], 0.5);
  EXPECT_DOUBLE_EQ(json["by_type"]["date"]["recall_any"], 0.5);
  EXPECT_DOUBLE_EQ(json["by_type"]["date"]["recall_full"], 0);
}

TEST(Evaluation, SpansThatOnlyMeetDoNotTouch) {
  Evaluation evaluation;
  evaluation.add({{5, 10, "name"}}, {{0, 5, "name"}, {10, 12, "name"}});
  EXPECT_DOUBLE_EQ(evaluation.to_json()["recall_any"], 0);
  EXPECT_DOUBLE_EQ(evaluation.to_json()["precision"], 0);
}

TEST(Evaluation, AGapLeavesASpanUncovered) {
  Evaluation evaluation;
  evaluation.add({{0, 10, "name"}}, {{0, 4, "name"}, {5, 10, "name"}});
  EXPECT_DOUBLE_EQ(evaluation.to_json()["recall_full"], 0);
  EXPECT_DOUBLE_EQ(evaluation.to_json()["recall_any"], 1);
}

TEST(Evaluation, SharesOfNothingAreZero) {
  const Json json = Evaluation().to_json();
  for (const char* key : {"precision", "recall_any", "recall_full", "clean_touched"})
    EXPECT_DOUBLE_EQ(json[key], 0) << key;
}

}  // namespace
}  // namespace pratique::notes::evaluation_test
