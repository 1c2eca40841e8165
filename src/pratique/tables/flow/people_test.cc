// Rows of people, from the file to the release, against counts made here from the released cells.
#include "pratique/tables/flow/people.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "pratique/core/error.h"
#include "pratique/kind/testing/table_flow_fixture.h"
#include "pratique/tables/flow/protect.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::tables::flow::people_test {
namespace {

using Names = std::vector<std::string>;
using Row = std::vector<std::string>;

class RowsOfPeople : public TableFlowFixture {
 protected:
  std::mt19937 random{11};

  // Visits of people: who, age (which grows), sex, ward by visit, blood group by person.
  std::vector<Row> visits(int people) {
    std::vector<Row> rows;
    for (int p = 0; p < people; ++p) {
      const int age = 20 + static_cast<int>(random() % 40);
      const char sex = random() % 2 == 0 ? 'F' : 'M';
      const std::string blood(1, "AB0"[random() % 3]);
      const auto times = 1 + random() % 4;
      for (std::uint32_t visit = 0; visit < times; ++visit) {
        rows.push_back({fmt::format("P{:03}", p), std::to_string(age + (visit > 1 ? 1 : 0)),
                        std::string(1, sex), std::string(1, "xyz"[random() % 3]), blood});
      }
    }
    std::shuffle(rows.begin(), rows.end(), random);
    return rows;
  }
  std::string write_visits(const std::string& name, const std::vector<Row>& rows) {
    std::string text = "patient,age,sex,ward,blood\n";
    for (const auto& row : rows)
      text += fmt::format("{},{},{},{},{}\n", row[0], row[1], row[2], row[3], row[4]);
    return file(name, text);
  }
  ProtectRequest asked(const std::string& input) {
    ProtectRequest request;
    request.file = input;
    request.out = path("out.csv");
    request.person = "patient";
    request.columns.said.quasi_identifiers = {"age", "sex"};
    request.columns.said.sensitive = {"blood"};
    request.columns.said.insensitive = {"ward"};
    request.columns.hierarchies = {"age=interval:5,10,20"};
    request.models = {{"k", {"4"}}};
    request.seed = 3;
    return request;
  }
  Json result_of(const ProtectRequest& request) { return *protect(request, run).result; }
  std::string refusal(const ProtectRequest& request) {
    try {
      (void)protect(request, run);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
      return error.message() + " " + error.hint();
    }
    return "";
  }
  [[nodiscard]] bool verifies() {
    return verify::verify_release(run.engine, path("out.csv"), progress).holds();
  }
};

TEST_F(RowsOfPeople, EveryClassOfEveryMethodHoldsEnoughPeople) {
  for (const std::string method : {"optimal", "local", "mondrian", "cluster-up", "cluster-down",
                                   "microaggregate", "suppress-cells"}) {
    SCOPED_TRACE(method);
    const auto rows = visits(60);
    ProtectRequest request = asked(write_visits("visits.csv", rows));
    request.method = method;
    request.suppression = 0.1;
    request.models["l"] = {"2"};
    const Json result = result_of(request);
    EXPECT_TRUE(verifies());
    const CellsOfFile released = cells("out.csv");
    ASSERT_EQ(released.columns, (Names{"patient", "age", "sex", "ward", "blood"}));
    std::map<Row, std::set<std::string>> people_of;
    std::map<Row, std::set<std::string>> blood_of;
    std::map<std::string, std::set<Row>> classes_of;
    std::map<std::string, std::multiset<Row>> kept;  // what left as it was
    for (const auto& row : released.rows) {
      people_of[{row[1], row[2]}].insert(row[0]);
      blood_of[{row[1], row[2]}].insert(row[4]);
      classes_of[row[0]].insert({row[1], row[2]});
      kept[row[0]].insert({row[3], row[4]});
    }
    for (const auto& [cells, people] : people_of) EXPECT_GE(people.size(), 4U);
    for (const auto& [cells, groups] : blood_of) EXPECT_GE(groups.size(), 2U);
    for (const auto& [person, classes] : classes_of) EXPECT_EQ(classes.size(), 1U);
    // Each released person is one of the file, with all the rows, under a number.
    std::map<std::string, std::multiset<Row>> original;
    for (const auto& row : rows) original[row[0]].insert({row[3], row[4]});
    std::multiset<std::multiset<Row>> there;
    for (const auto& [person, all] : original) there.insert(all);
    for (const auto& [number, all] : kept) {
      const auto match = there.find(all);
      ASSERT_NE(match, there.end());
      there.erase(match);
    }
    EXPECT_EQ(result["people_in"], 60);
    EXPECT_EQ(result["people_out"], kept.size());
    EXPECT_GE(kept.size(), 54U);
    EXPECT_EQ(result["rows_in"], rows.size());
    EXPECT_EQ(result["rows_out"], released.rows.size());
    EXPECT_EQ(result["suppressed"], rows.size() - released.rows.size());
    for (std::size_t n = 1; n <= kept.size(); ++n) EXPECT_EQ(kept.count(std::to_string(n)), 1U);
    EXPECT_EQ(read_file(path("out.csv")).find("P0"), std::string::npos);
  }
}

// Known by what most of their rows say; rows that say something else are counted.
TEST_F(RowsOfPeople, APersonIsKnownByMostOfTheRows) {
  ProtectRequest request = asked(write_visits("few.csv", {{"a", "30", "F", "x", "A"},
                                                          {"a", "31", "F", "y", "A"},
                                                          {"a", "31", "F", "x", "A"},
                                                          {"b", "31", "F", "x", "A"},
                                                          {"b", "40", "F", "y", "A"}}));
  request.method = "levels";
  request.levels = {"age=0"};
  request.models = {{"k", {"2"}}};
  const Json result = result_of(request);
  // Of b's two ages as many rows have each: the first by its text is taken.
  EXPECT_EQ(result["rows_changed"], 2);
  for (const auto& row : cells("out.csv").rows) EXPECT_EQ(row[1], "31");
}

TEST_F(RowsOfPeople, TheOrderOfTheFileDoesNotLeave) {
  auto rows = visits(40);
  ProtectRequest request = asked(write_visits("one.csv", rows));
  request.suppression = 0.2;
  (void)result_of(request);
  const std::string first = read_file(path("out.csv"));
  std::sort(rows.begin(), rows.end());
  request.file = write_visits("two.csv", rows);
  (void)result_of(request);
  EXPECT_EQ(read_file(path("out.csv")), first);
}

// Each of three people is in the same two wards; the fourth alone was in z.
TEST_F(RowsOfPeople, WhoIsSingledOutIsAPersonNotARow) {
  std::vector<Row> rows;
  for (const std::string name : {"a", "b", "c"}) {
    rows.push_back({name, "30", "F", "x", "A"});
    rows.push_back({name, "30", "F", "y", "A"});
  }
  rows.push_back({"d", "30", "F", "z", "A"});
  rows.push_back({"d", "30", "F", "z", "A"});
  const Json result = result_of(asked(write_visits("wards.csv", rows)));
  EXPECT_EQ(result["before"]["singled_out"], 1);
  EXPECT_EQ(result["after"]["singled_out"], 1);
  EXPECT_EQ(result["after"]["singled_out_share"], 0.25);
  EXPECT_EQ(result["after"]["k"], 4);
}

TEST_F(RowsOfPeople, WhatCountsPeopleNeedsOneValueOfEach) {
  auto rows = visits(40);
  rows.push_back({"P000", "30", "F", "x", "other"});
  ProtectRequest request = asked(write_visits("several.csv", rows));
  EXPECT_EQ(result_of(request)["not_measured"], Json{"blood"});
  EXPECT_TRUE(verifies());
  request.models["l"] = {"2"};
  EXPECT_NE(refusal(request).find("'blood' has several values for one person"), std::string::npos);
  rows.push_back({"", "30", "F", "x", "A"});
  request = asked(write_visits("nobody.csv", rows));
  EXPECT_NE(refusal(request).find("empty in 1 rows"), std::string::npos);
  request = asked(write_visits("fine.csv", visits(40)));
  request.perturb = {"ward=pram:0.8"};
  EXPECT_NE(refusal(request).find("--perturb"), std::string::npos);
  request = asked(path("fine.csv"));
  request.columns.said.insensitive = {"ward", "patient"};
  EXPECT_NE(refusal(request).find("'patient' says whose a row is"), std::string::npos);
}

TEST_F(RowsOfPeople, AnIdentifierThatRepeatsIsAskedAbout) {
  ProtectRequest request = asked(write_visits("visits.csv", visits(40)));
  request.person.clear();
  request.columns.said.identifiers = {"patient"};
  EXPECT_NE(refusal(request).find("--person patient"), std::string::npos);
  EXPECT_TRUE(nothing_at("out.csv"));
  request.rows_are_people = true;
  EXPECT_FALSE(result_of(request).contains("people_in"));
  // Whoever takes advice is asked, too.
  request.rows_are_people = false;
  request.columns.said.identifiers.clear();
  request.roles = "suggested";
  EXPECT_NE(refusal(request).find("'patient' repeats"), std::string::npos);
  // What names nobody may repeat: it is only left out.
  request = asked(file("wards.csv", "ward,age,sex\nx,30,F\nx,30,F\nx,30,F\nx,30,F\n"));
  request.person.clear();
  request.columns.said.identifiers = {"ward"};
  request.columns.said.insensitive.clear();
  request.columns.said.sensitive.clear();
  EXPECT_FALSE(result_of(request).contains("people_in"));
}

// What the verifier must notice: a row more of the same person is no person more, and nobody is in
// two classes.
TEST_F(RowsOfPeople, TheVerifierCountsPeople) {
  const auto holds = [&](const std::string& text, const Json& claim) {
    const Source released = run.engine.open(file("release.csv", text), {}, progress);
    return verify::verify_claim(run.engine, released, claim, progress).holds;
  };
  const Json claim = {
      {"model", "k-anonymity"}, {"quasi_identifiers", {"age"}}, {"k", 2}, {"person", "patient"}};
  EXPECT_TRUE(holds("patient,age\n1,30\n2,30\n2,30\n", claim));
  EXPECT_FALSE(holds("patient,age\n1,30\n1,30\n", claim));
  EXPECT_FALSE(holds("patient,age\n1,30\n2,30\n1,40\n2,40\n", claim));
  Json diverse = {{"model", "distinct-l-diversity"},
                  {"quasi_identifiers", {"age"}},
                  {"sensitive", "s"},
                  {"l", 2},
                  {"person", "patient"}};
  EXPECT_TRUE(holds("patient,age,s\n1,30,a\n2,30,b\n2,30,b\n", diverse));
  EXPECT_FALSE(holds("patient,age,s\n1,30,a\n2,30,a\n", diverse));
  EXPECT_THROW((void)holds("patient,age,s\n1,30,a\n1,30,b\n", diverse), Error);
  EXPECT_THROW((void)holds("patient,age,s\n1,30,a\n2,30,b\n1,40,a\n2,40,b\n", diverse), Error);
}

}  // namespace
}  // namespace pratique::tables::flow::people_test
