#include "pratique/kind/kind.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "pratique/kind/group_sizes.h"
#include "pratique/kind/recorded_figures.h"
#include "pratique/kind/testing/release_fixture.h"

namespace pratique::release::kind_test {
namespace {

constexpr std::array<ModelWords, 2> kModels = {
    {{"a", "A", "Promise.", "Limit."}, {"b", "B", "Promise.", "Limit."}}};
constexpr std::array<Figure, 1> kFigures = {{{"rows_out", "records released"}}};

TEST(Kind, WordsOfAModelThatIsNotDeclaredSaySo) {
  Kind kind;
  kind.models = kModels;
  EXPECT_EQ(words_of_model(kind, "b").name, "B");
  EXPECT_EQ(words_of_model(kind, "c").name, "a model that this version cannot explain");
}

TEST(Kind, GroupSizesDoubleFromK) {
  EXPECT_EQ(group_size_steps(5), (std::vector<std::uint64_t>{1, 5, 10, 20, 40, 80, 160, 320, 640}));
  EXPECT_EQ(group_size_steps(1).at(1), 2U);
  EXPECT_EQ(group_size_steps(0).at(1), 2U);
}

TEST(RecordedFigures, AreReadWithoutTrust) {
  const Json json = {{"list", {"a", "b"}}, {"text", "a"}, {"number", 3}};
  EXPECT_EQ(names_in(json, "list"), (Names{"a", "b"}));
  EXPECT_EQ(names_in(json, "text"), Names{});
  EXPECT_EQ(names_in(json, "none"), Names{});
  EXPECT_TRUE(same_names({"a", "b"}, {"b", "a"}));
  EXPECT_FALSE(same_names({"a"}, {"b", "a"}));
  const auto is = [](double value) { return [value](double said) { return said == value; }; };
  EXPECT_TRUE(recorded(json, "number", is(3)));
  EXPECT_FALSE(recorded(json, "number", is(4)));
  EXPECT_TRUE(recorded(json, "none", is(4)));
  EXPECT_FALSE(recorded(json, "text", is(3)));
}

class FactsTest : public ReleaseFixture {};

TEST_F(FactsTest, AreNumbersWordsAndYesOrNo) {
  (void)file("r.csv", "age,zip\n1,A\n1,A\n");
  Json manifest = manifest_of("r.csv", "tables", 2);
  manifest["results"] = {
      {"rows_out", 12345}, {"exact", true}, {"loose", false}, {"method", "opt\x01"}, {"list", {1}}};
  write_manifest("r.csv", manifest);
  const auto release = ReleaseFile::read(path("r.csv"));
  Kind kind;
  kind.figures = kFigures;
  ReleaseReport report;
  const std::optional<Source> none;
  const std::optional<RuMap> no_map;
  const std::vector<Source> lists;
  PageContext context{engine(), kind,   release, release.manifest(), report, none,
                      none,     no_map, lists,   Progress::silent()};
  add_facts(context, {"method", "rows_out", "none", "exact", "loose", "list"});
  ASSERT_EQ(report.facts.size(), 4U);
  EXPECT_EQ(report.facts[0].name, "method");
  EXPECT_EQ(report.facts[0].value, "opt\xEF\xBF\xBD");
  EXPECT_EQ(report.facts[1].name, "records released");
  EXPECT_EQ(report.facts[1].value, "12,345");
  EXPECT_EQ(report.facts[2].value, "yes");
  EXPECT_EQ(report.facts[3].value, "no");
}

}  // namespace
}  // namespace pratique::release::kind_test
