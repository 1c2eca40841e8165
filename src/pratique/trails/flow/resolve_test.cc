#include "pratique/trails/flow/resolve.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/crypto/random.h"
#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::trails::flow::resolve_test {
namespace {

// Records that are equal are one person's; those here that differ have nothing in common, and are
// not even compared.
class TrailsResolveFlow : public FlowFixture {
 protected:
  std::string out = path("trails.csv");
  std::string records = file("records.csv",
                             "ward,name,town,who\nnorth,ann,oslo,1\nsouth,bob,rome,2\n"
                             "south,ann,oslo,1\nwest,ann,oslo,3\n");
  ResolveRequest request{
      .files = {records}, .fields = {"name", "town"}, .location = "ward", .out = out, .seed = 4};
  Json reported() { return *resolve(request, run()).result; }
  std::string said() {
    return refusal([&] { return resolve(request, run()); });
  }
};

TEST_F(TrailsResolveFlow, EqualRecordsBecomeOneElementAndNamesStay) {
  const auto result = reported();
  EXPECT_EQ(result.at("records"), 4);
  EXPECT_EQ(result.at("elements"), 2);
  EXPECT_EQ(result.at("compared_pairs"), 0);
  EXPECT_EQ(result.at("threshold"), 0.9);
  EXPECT_EQ(result.at("seed"), 4);
  EXPECT_EQ(result.at("out"), out);
  EXPECT_FALSE(result.contains("true_pairs"));
  EXPECT_EQ(read_file(out), "location,element\nnorth,1\nsouth,2\nsouth,1\nwest,1\n");
  ASSERT_EQ(result.at("weights").size(), 2U);
  EXPECT_EQ(result.at("weights").at(0).at("field"), "name");
  EXPECT_EQ(result.at("weights").at(1).at("field"), "town");
  // Agreement speaks for one person, the more the closer it is.
  for (const auto& weight : result.at("weights")) {
    EXPECT_GT(weight.at("exact"), weight.at("none"));
    for (const auto* agreement : {"exact", "near", "some", "none"}) {
      EXPECT_TRUE(std::isfinite(weight.at(agreement).get<double>()));
    }
  }
}

TEST_F(TrailsResolveFlow, TheTruthScores) {
  request.truth = "who";
  const auto result = reported();
  // Three pairs are joined, of which the first and third record are one person's: the only pair.
  EXPECT_EQ(result.at("true_pairs"), 1);
  EXPECT_EQ(result.at("joined_pairs"), 3);
  EXPECT_EQ(result.at("correct_pairs"), 1);
  EXPECT_NEAR(result.at("precision").get<double>(), 1.0 / 3, 1e-12);
  EXPECT_EQ(result.at("recall"), 1);
  EXPECT_NEAR(result.at("f1").get<double>(), 0.5, 1e-12);
}

TEST_F(TrailsResolveFlow, MistypedNamesAreCompared) {
  SeededRandom random(5);
  const auto word = [&](std::size_t letters) {
    std::string random_word;
    for (std::size_t i = 0; i < letters; ++i)
      random_word += static_cast<char>('a' + random.below(26));
    return random_word;
  };
  std::string text = "ward,name,town,who\n";
  for (int person = 0; person < 40; ++person) {
    const std::string name = word(8);
    std::string town = word(9);
    text += fmt::format("north,{},{},{}\n", name, town, person);
    town.back() = town.back() == 'z' ? 'y' : 'z';
    text += fmt::format("south,{},{},{}\n", name, town, person);
  }
  request.files = {file("typed.csv", text)};
  request.truth = "who";
  const auto result = reported();
  EXPECT_EQ(result.at("true_pairs"), 40);
  EXPECT_GE(result.at("compared_pairs"), 40);
  EXPECT_GE(result.at("recall"), 0.95);
  EXPECT_GE(result.at("precision"), 0.95);
  EXPECT_GT(result.at("weights").at(0).at("exact"), 0);
  // At a threshold above every posterior nothing is joined.
  request.threshold = 1.1;
  EXPECT_EQ(reported().at("elements"), 80);
  EXPECT_EQ(reported().at("threshold"), 1.1);
}

TEST_F(TrailsResolveFlow, LocationsComeFromTheColumnTheFolderOrTheName) {
  request.fields = {"name"};
  request.threshold = 0;
  request.location = "location";
  request.files = {file("north.csv", "name\nann\nbob\n"),
                   file("south.csv", "location,name\n east ,ann\n")};
  (void)reported();
  EXPECT_EQ(lines_of(out),
            (std::vector<std::string>{"location,element", "north,1", "north,2", "east,1"}));
  // The name of a file in a folder is the location, whatever a column says.
  (void)file("wards/a.csv", "location,name\nx,ann\n");
  (void)file("wards/b.csv", "name\nann\n");
  request.files = {path("wards")};
  (void)reported();
  EXPECT_EQ(lines_of(out), (std::vector<std::string>{"location,element", "a,1", "b,1"}));
}

TEST_F(TrailsResolveFlow, HeadersAndTruthMayHaveBlanksAround) {
  request.files = {file("blanks.csv", "ward , name,\ttown,who \nn,ann,oslo, 1\nn,ann,oslo,1 \n")};
  request.truth = "who";
  EXPECT_EQ(reported().at("true_pairs"), 1);
}

TEST_F(TrailsResolveFlow, ARecordNeedsItsLocation) {
  request.files = {file("gap.csv", "ward,name,town\nnorth,ann,oslo\n ,bob,rome\n")};
  const auto text = said();
  EXPECT_NE(text.find("row 2"), std::string::npos);
  EXPECT_NE(text.find("gap.csv"), std::string::npos);
  EXPECT_EQ(text.find("bob"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(TrailsResolveFlow, WrongColumnsAreNamed) {
  request.fields = {"nam"};
  EXPECT_NE(said().find("name"), std::string::npos);
  request.fields = {"name"};
  request.truth = "whom";
  EXPECT_NE(said().find("who"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(TrailsResolveFlow, NoFileThatIsReadIsOverwritten) {
  const auto before = read_file(records);
  request.files = {file("first.csv", "ward,name,town\nn,a,b\n"), records};
  request.out = records;
  EXPECT_NE(said().find("same file"), std::string::npos);
  EXPECT_EQ(read_file(records), before);
}

TEST_F(TrailsResolveFlow, ASeedThatWasDrawnIsTold) {
  request.seed.reset();
  request.out.clear();
  const auto first = reported();
  EXPECT_FALSE(first.contains("out"));
  EXPECT_NE(reported().at("seed"), first.at("seed"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace pratique::trails::flow::resolve_test
