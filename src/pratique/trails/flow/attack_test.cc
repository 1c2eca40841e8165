#include "pratique/trails/flow/attack.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::trails::flow::attack_test {
namespace {

// Figure 3.4 of Malin's thesis: four hospitals, four people, four DNA samples.
class TrailsAttackFlow : public FlowFixture {
 protected:
  std::string people = file("people.csv",
                            "location,element\nH1,Ali\nH1,Bob\nH1,Cy\nH2,Ali\nH2,Bob\nH2,Dan\n"
                            "H3,Ali\nH3,Cy\nH3,Dan\nH4,Bob\nH4,Cy\nH4,Dan\n");
  std::string samples = file("samples.csv",
                             "location,element\nH1,actg\nH1,tgac\nH2,actg\nH2,ctga\nH2,gatc\n"
                             "H3,actg\nH3,tgac\nH3,gatc\nH4,ctga\nH4,tgac\n");
  std::string out = path("links.csv");
  AttackRequest request{.sides = {.identified = people, .deidentified = samples}};

  Json reported() { return *attack(request, run()).result; }
  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(
        std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator()));
  }
  void use(const std::string& identified, const std::string& deidentified) {
    request.sides.identified = file("p.csv", "location,element\n" + identified);
    request.sides.deidentified = file("s.csv", "location,element\n" + deidentified);
  }
};

TEST_F(TrailsAttackFlow, EverySampleOfTheThesisIsLinked) {
  request.out = out;
  const auto result = reported();
  EXPECT_EQ(result.at("identified"), 4);
  EXPECT_EQ(result.at("deidentified"), 4);
  EXPECT_EQ(result.at("locations"), 4);
  EXPECT_EQ(result.at("algorithm"), "exact");
  EXPECT_EQ(result.at("reserved"), "deidentified");
  EXPECT_EQ(result.at("reidentified"), 4);
  EXPECT_EQ(result.at("share"), 1);
  EXPECT_EQ(result.at("distinct_trails"), 4);
  // Three of four people at each of four hospitals: four times the entropy of 3/4.
  const double entropy = -(0.75 * std::log2(0.75) + 0.25 * std::log2(0.25));
  EXPECT_NEAR(result.at("entropy_bits").get<double>(), 4 * entropy, 1e-9);
  EXPECT_GE(result.at("seconds"), 0);
  EXPECT_LT(result.at("seconds"), 60);
  EXPECT_EQ(result.at("out"), out);
  for (const auto* absent :
       {"k", "k_reidentified", "truth", "by_rank", "leave_one_out", "partners"}) {
    EXPECT_FALSE(result.contains(absent)) << absent;
  }
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"actg,Ali", "ctga,Bob", "deidentified,identified", "gatc,Dan",
                                      "tgac,Cy"}));
}

TEST_F(TrailsAttackFlow, NothingIsWrittenUnlessAFileIsNamed) {
  request.by_rank = "down";
  request.leave_one_out = true;
  // Nor where one happens to be.
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const auto before = files_in_folder();
  EXPECT_FALSE(reported().contains("out"));
  EXPECT_EQ(files_in_folder(), before);
  std::filesystem::current_path(here);
}

TEST_F(TrailsAttackFlow, WithThePeopleIncompleteLinksAreTheSame) {
  std::swap(request.sides.identified, request.sides.deidentified);
  request.out = out;
  request.partners = path("partners.csv");
  const auto result = reported();
  EXPECT_EQ(result.at("reserved"), "identified");
  EXPECT_EQ(result.at("reidentified"), 4);
  EXPECT_NEAR(result.at("entropy_bits").get<double>(),
              -4 * (0.75 * std::log2(0.75) + 0.25 * std::log2(0.25)), 1e-9);
  EXPECT_EQ(lines_of(out).at(0), "deidentified,identified");
  EXPECT_EQ(lines_of(out).at(1), "Ali,actg");
  EXPECT_EQ(
      sorted_lines_of(request.partners),
      (std::vector<std::string>{"actg,1", "ctga,1", "gatc,1", "identified,partners", "tgac,1"}));
}

TEST_F(TrailsAttackFlow, AlgorithmsAreThoseOfTheThesis) {
  request.algorithm = "incomplete";
  EXPECT_EQ(reported().at("reidentified"), 4);
  // The lists of H1 and H4 differ in length; only tgac was at both, so all others hold a *.
  request.algorithm = "complete";
  EXPECT_EQ(reported().at("reidentified"), 1);
  // No blank is a 0: actg {Ali}, ctga {Bob, Dan}, tgac {Cy}, gatc {Ali, Dan}.
  request.algorithm = "multiple";
  request.k = 2;
  EXPECT_EQ(reported().at("reidentified"), 2);
  EXPECT_EQ(reported().at("k_reidentified"), 2);
  request.sides.reserved = "both";
  EXPECT_NE(refusal([&] { return attack(request, run()); }).find("either side"), std::string::npos);
}

TEST_F(TrailsAttackFlow, SeveralNamesOfOneAddress) {
  // Appendix A: e-mail addresses of purchasers, of whom several share the IP address of a
  // household.
  use("A,ann\nB,ann\nA,bob\nC,cid\nB,dot\nC,dot\nA,eve\nC,eve\n",
      "A,ip1\nB,ip1\nC,ip2\nB,ip2\nA,ip3\nC,ip3\n");
  request.algorithm = "multiple";
  request.sides.reserved = "identified";
  request.out = out;
  const auto result = reported();
  // bob fits ip1 and ip3, cid fits ip2 and ip3; the others have one supertrail each.
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"deidentified,identified", "ip1,ann", "ip2,dot", "ip3,eve"}));
  EXPECT_EQ(result.at("people_reidentified"), 3);
  use("A,ann\nB,ann\nA,bob\nB,bob\nC,cid\n", "A,ip1\nB,ip1\nC,ip2\n");
  const auto household = reported();
  EXPECT_EQ(household.at("people_reidentified"), 3);
  EXPECT_EQ(household.at("reidentified"), 2);
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"deidentified,identified", "ip1,ann", "ip1,bob", "ip2,cid"}));
}

TEST_F(TrailsAttackFlow, NeitherSideIsReserved) {
  // A withholds a sample, B a name, C nothing.
  use("A,ann\nA,bob\nB,ann\nC,ann\nC,cid\n", "A,1\nB,1\nB,3\nC,1\nC,3\n");
  EXPECT_NE(refusal([&] { return attack(request, run()); }).find("neither side"),
            std::string::npos);
  request.sides.reserved = "both";
  request.out = out;
  const auto result = reported();
  // 1 was at A, where everybody is named, and at C, where all are on both lists: only ann was at
  // both. 3 was at C as well and must be the other one there.
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"1,ann", "3,cid", "deidentified,identified"}));
  EXPECT_EQ(result.at("reserved"), "both");
  request.algorithm = "incomplete";
  EXPECT_NE(refusal([&] { return attack(request, run()); }).find("exact"), std::string::npos);
}

TEST_F(TrailsAttackFlow, ASharedAttributeTellsMore) {
  request.sides.identified =
      file("p.csv", "location,element,sex\nA,ann,f\nA,bob,m\nB,cid,m\nA,dan,m\n");
  request.sides.deidentified = file("s.csv", "location,element,sex\nA,1,f\nA,2,m\nB,3,m\nA,4,m\n");
  EXPECT_EQ(reported().at("reidentified"), 1);  // B has one of each
  request.sides.block = "sex";
  const auto result = reported();
  EXPECT_EQ(result.at("reidentified"), 2);
  EXPECT_EQ(result.at("locations"), 2);
  EXPECT_EQ(result.at("block"), (Json{{"column", "sex"},
                                      {"values", Json::array({{{"value", "f"},
                                                               {"identified", 1},
                                                               {"deidentified", 1},
                                                               {"reidentified", 1},
                                                               {"share", 1.0}},
                                                              {{"value", "m"},
                                                               {"identified", 3},
                                                               {"deidentified", 3},
                                                               {"reidentified", 1},
                                                               {"share", 1.0 / 3}}})}}));
  request.sides.reserved = "both";
  EXPECT_EQ(reported().at("reidentified"), 2);
  request.sides.deidentified = file("s.csv", "location,element,sex\nA,1,f\nB,1,m\n");
  const auto told = refusal([&] { return attack(request, run()); });
  EXPECT_NE(told.find("more than one value"), std::string::npos);
}

TEST_F(TrailsAttackFlow, SequencesReadALittleDifferentlyAreOne) {
  use("A,ann\nB,ann\nC,ann\nA,bob\nB,cid\n",
      "A,acgtacgt\nB,acgtaccgt\nC,acgtacgt\nA,ttttgggg\nB,ccccaaaa\n");
  request.out = out;
  request.truth =
      file("truth.csv", "deidentified,identified\nacgtacgt,ann\nacgtaccgt,ann\nttttgggg,bob\n");
  request.edits = 1;
  const auto result = reported();
  EXPECT_EQ(result.at("joined"),
            (Json{{"edits", 1}, {"before", 4}, {"joined", 1}, {"kept_apart", 0}}));
  EXPECT_EQ(result.at("reidentified"), 3);
  EXPECT_EQ(result.at("truth").at("false"), 1);  // ccccaaaa is not in the truth
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"acgtaccgt,ann", "acgtacgt,ann", "ccccaaaa,cid",
                                      "deidentified,identified", "ttttgggg,bob"}));
}

TEST_F(TrailsAttackFlow, FiguresOfTrailsByThemselves) {
  request.probabilities = path("probabilities.csv");
  const auto result = reported();
  // Everybody was at three of four locations, and each location saw three of four.
  EXPECT_EQ(result.at("visits").at("identified"), (Json{{"elements", 4},
                                                        {"min", 3},
                                                        {"max", 3},
                                                        {"mean", 3.0},
                                                        {"deviation", 0.0},
                                                        {"median", 3.0}}));
  EXPECT_EQ(result.at("visits").at("deidentified").at("min"), 2);
  EXPECT_EQ(result.at("most_reidentifiable"), 4);
  EXPECT_EQ(result.at("unique_trails"), 4);
  const double chance = std::pow(0.75, 3) * 0.25;
  EXPECT_NEAR(result.at("expected_unique_trails").get<double>(), 4 * std::pow(1 - chance, 3), 1e-9);
  const auto rows = rows_of(request.probabilities);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_NEAR(std::stod(rows[0].at("log10_probability")), std::log10(chance), 1e-5);
  EXPECT_EQ(rows[0].at("elements"), "1");
  EXPECT_EQ(std::filesystem::status(request.probabilities).permissions() &
                (std::filesystem::perms::group_all | std::filesystem::perms::others_all),
            std::filesystem::perms::none);
}

TEST_F(TrailsAttackFlow, PartnersAreCountedUpToAllThereAre) {
  use("A,p0\nA,p1\nA,p2\nA,p3\nA,p4\nB,p0\nC,q\n", "A,s1\nA,s2\nB,s3\nC,t\n");
  // B and C are complete: s3 is p0, t is q. s1 and s2 were not at B: they are two of p1 to p4.
  request.k = 5;
  const auto by_k = reported();
  EXPECT_EQ(by_k.at("k"), 5);
  EXPECT_EQ(by_k.at("reidentified"), 2);
  EXPECT_EQ(by_k.at("k_reidentified"), 4);
  EXPECT_EQ(by_k.at("share"), 0.5);
  request.k = 4;
  EXPECT_EQ(reported().at("k_reidentified"), 2);
  request.k = 2;
  request.partners = path("partners.csv");
  EXPECT_EQ(reported().at("partners"), request.partners);
  EXPECT_EQ(sorted_lines_of(request.partners),
            (std::vector<std::string>{"deidentified,partners", "s1,4", "s2,4", "s3,1", "t,1"}));
}

TEST_F(TrailsAttackFlow, TheTruthScores) {
  request.truth =
      file("truth.csv", "deidentified,identified\nactg,Ali\nctga,Bob\ntgac,Cy\ngatc,Dan\n");
  EXPECT_EQ(reported().at("truth"),
            (Json{{"pairs", 4}, {"correct", 4}, {"false", 0}, {"recall", 1.0}}));
  request.truth = file("wrong.csv", "deidentified,identified\nactg,Bob\nctga,Bob\n");
  EXPECT_EQ(reported().at("truth"),
            (Json{{"pairs", 2}, {"correct", 1}, {"false", 3}, {"recall", 0.5}}));
}

TEST_F(TrailsAttackFlow, TheThresholdItselfIsStillAllowed) {
  use("A,p0\nA,p1\nA,p2\nB,q\n", "A,s1\nB,t\n");
  const auto passes = [&](std::optional<double> fail_above) {
    request.fail_above = fail_above;
    return attack(request, run()).passed;
  };
  EXPECT_EQ(reported().at("share"), 0.5);
  EXPECT_TRUE(passes({}));
  EXPECT_TRUE(passes(0.5));
  EXPECT_FALSE(passes(0.49));
}

TEST_F(TrailsAttackFlow, AnEmptyListIsAnAttackThatWasNotTried) {
  using Lists = std::pair<std::string, std::string>;
  for (const auto& [identified, deidentified] :
       {Lists{"", ""}, Lists{"A,p\n", ""}, Lists{"", "A,s\n"}}) {
    use(identified, deidentified);
    for (const auto* errors : {"", "0.1"}) {
      request.errors.errors = errors;
      request.fail_above.reset();
      const auto outcome = attack(request, run());
      EXPECT_TRUE(outcome.passed);
      EXPECT_TRUE(outcome.result->at("share").is_null());
      EXPECT_EQ(outcome.result->at("reidentified"), 0);
      EXPECT_NE(outcome.result->at("note").get<std::string>().find("nothing was tried"),
                std::string::npos);
      request.fail_above = 1;
      EXPECT_FALSE(attack(request, run()).passed);
    }
  }
}

TEST_F(TrailsAttackFlow, CurvesSayWhatEachLocationAdds) {
  use("A,x\nB,x\nB,y\nC,x\nC,y\nC,z\n", "A,1\nB,1\nB,2\nC,1\nC,2\nC,3\n");
  request.out = out;
  request.by_rank = "down";
  request.leave_one_out = true;
  const auto down = reported();
  // C alone tells nobody apart; B then leaves the two at both, and z; A then tells those two.
  const auto point = [](const char* location, int locations, int visitors, int seen, int linked) {
    return Json{{"location", location},
                {"visitors", visitors},
                {"locations", locations},
                {"identified", seen},
                {"deidentified", seen},
                {"reidentified", linked},
                {"most_reidentifiable", std::min(seen, (1 << locations) - 1)},
                {"share", static_cast<double>(linked) / seen}};
  };
  EXPECT_EQ(
      down.at("by_rank"),
      (Json::array({point("C", 1, 3, 3, 0), point("B", 2, 2, 3, 1), point("A", 3, 1, 3, 3)})));
  std::map<std::string, Json> without;
  for (const auto& entry : down.at("leave_one_out")) without[entry.at("location")] = entry;
  EXPECT_EQ(without, (std::map<std::string, Json>{{"A", point("A", 2, 1, 3, 1)},
                                                  {"B", point("B", 2, 2, 3, 1)},
                                                  {"C", point("C", 2, 3, 2, 2)}}));
  const auto by_rank = rows_of(path("links.by-rank.csv"));
  ASSERT_EQ(by_rank.size(), 12U);
  std::map<std::string, std::string> linked;
  std::map<std::string, std::string> seen;
  for (const auto& row : by_rank) {
    if (row.at("series") == "reidentified") linked[row.at("locations")] = row.at("trails");
    if (row.at("series") == "deidentified") seen[row.at("label")] = row.at("trails");
  }
  EXPECT_EQ(linked, (std::map<std::string, std::string>{{"1", "0"}, {"2", "1"}, {"3", "3"}}));
  EXPECT_EQ(seen, (std::map<std::string, std::string>{{"A", "3"}, {"B", "3"}, {"C", "3"}}));
  std::map<std::string, std::string> visitors;
  for (const auto& row : rows_of(path("links.leave-one-out.csv"))) {
    visitors[row.at("label")] = row.at("visitors");
    if (row.at("label") == "C") {
      EXPECT_EQ(row.at("share"), "1");
    }
  }
  EXPECT_EQ(visitors, (std::map<std::string, std::string>{{"A", "1"}, {"B", "2"}, {"C", "3"}}));
  for (const auto* name : {"links.by-rank.svg", "links.leave-one-out.svg"}) {
    EXPECT_NE(read_file(path(name)).find("<svg"), std::string::npos);
  }
  request.by_rank = "up";
  const auto up = reported();
  EXPECT_EQ(up.at("by_rank").at(0).at("location"), "A");
  EXPECT_EQ(up.at("by_rank").at(2).at("location"), "C");
}

TEST_F(TrailsAttackFlow, NoFileThatIsReadIsOverwritten) {
  request.truth = file("truth.csv", "deidentified,identified\nactg,Ali\n");
  for (const auto& target : {people, samples, request.truth}) {
    const auto before = read_file(target);
    for (auto* written : {&request.out, &request.partners}) {
      *written = target;
      EXPECT_NE(refusal([&] { return attack(request, run()); }).find("same file"),
                std::string::npos);
      written->clear();
    }
    EXPECT_EQ(read_file(target), before);
  }
  // Nor by the curves beside the links.
  request.out = out;
  for (const auto* ending :
       {"by-rank.csv", "by-rank.svg", "leave-one-out.csv", "leave-one-out.svg"}) {
    const auto curve = path(std::string("links.") + ending);
    std::filesystem::create_symlink(people, curve);
    request.by_rank = "down";
    request.leave_one_out = true;
    EXPECT_NE(refusal([&] { return attack(request, run()); }).find("same file"), std::string::npos)
        << ending;
    request.by_rank.clear();
    request.leave_one_out = false;
    EXPECT_EQ(reported().at("reidentified"), 4);
    std::filesystem::remove(curve);
  }
  request.partners = out;
  EXPECT_NE(refusal([&] { return attack(request, run()); }).find("--partners"), std::string::npos);
}

TEST_F(TrailsAttackFlow, ListsThatCannotBeTrueAreNamedByRowAndNotByPerson) {
  // Nobody was at both; of two such samples the first is named.
  use("A,x\nA,v\nB,y\nB,w\nB,u\n", "B,ok\nA,SECRET\nB,SECRET\nA,HIDDEN\nB,HIDDEN\n");
  request.sides.reserved = "deidentified";
  auto error = error_of([&] { return attack(request, run()); });
  EXPECT_NE(error.place().find("s.csv, row 2"), std::string::npos);
  for (const auto* sample : {"SECRET", "HIDDEN"})
    EXPECT_EQ((error.message() + error.hint()).find(sample), std::string::npos);
  std::swap(request.sides.identified, request.sides.deidentified);
  request.sides.reserved = "identified";
  error = error_of([&] { return attack(request, run()); });
  EXPECT_NE(error.place().find("s.csv, row 2"), std::string::npos);
}

}  // namespace
}  // namespace pratique::trails::flow::attack_test
