// Claims about released notes: planted breaches, each one character or one row away from a release
// that holds.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::note_claims_test {
namespace {

class NoteClaimsTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});

  ClaimResult check(const std::vector<Json>& notes, const Json& claim) {
    std::string lines;
    for (const auto& note : notes) lines += note.dump() + "\n";
    return check_lines(lines, claim);
  }
  ClaimResult check_lines(const std::string& lines, const Json& claim) {
    const std::string path = folder.path() + "/notes.jsonl";
    std::ofstream(path) << lines;
    Source release;
    release.name = path;
    release.files = {path};
    return verify_claim(*engine, release, claim, Progress::silent());
  }
  static std::string id(char digit) { return std::string(32, digit); }
  static Json note(const std::string& id, const std::string& text) {
    return {{"id", id}, {"text", text}};
  }
};

const Json kNoEmails = {{"model", "identifiers-removed"}, {"types", {"email"}}};

TEST_F(NoteClaimsTest, APseudonymHasThirtyTwoHexadecimalDigits) {
  for (const char digit : std::string("0123456789abcdef")) {
    EXPECT_TRUE(check({note(id(digit), "well")}, kNoEmails).holds) << digit;
  }
  // The neighbours of both ranges, capitals, and a patient's number.
  for (const char other : std::string("/:`gAF -")) {
    EXPECT_FALSE(check({note(id(other), "well")}, kNoEmails).holds) << other;
    EXPECT_FALSE(check({note(id('0').substr(1) + other, "well")}, kNoEmails).holds) << other;
  }
  EXPECT_FALSE(check({note(id('0') + "0", "well")}, kNoEmails).holds);
  EXPECT_FALSE(check({note(id('0').substr(1), "well")}, kNoEmails).holds);
  EXPECT_FALSE(check({Json{{"id", 7}, {"text", "well"}}}, kNoEmails).holds);
}

TEST_F(NoteClaimsTest, ALineIsAPseudonymAndATextAlone) {
  const Json plain = note(id('1'), "well");
  EXPECT_TRUE(check({plain, note(id('2'), "ill")}, kNoEmails).holds);
  EXPECT_EQ(check({plain, plain}, kNoEmails).achieved, 1);  // one id twice
  for (const Json& more : {Json{{"file", "smith.txt"}}, Json{{"patient", "Smith"}},
                           Json{{"view", Json::object()}}, Json{{"text", 3}}}) {
    Json other = plain;
    other.update(more);
    EXPECT_FALSE(check({other}, kNoEmails).holds) << more;
  }
  Json with_patient = plain;
  with_patient["patient"] = id('a');
  EXPECT_TRUE(check({with_patient}, kNoEmails).holds);
  EXPECT_FALSE(check_lines("[]\n", kNoEmails).holds);
  EXPECT_FALSE(check_lines("{\n", kNoEmails).holds);
  EXPECT_FALSE(check_lines("", kNoEmails).holds);  // nothing to look at
  EXPECT_FALSE(check_lines("\n\n", kNoEmails).holds);
  EXPECT_TRUE(check_lines(plain.dump(), kNoEmails).holds);  // the last line may end without an end
}

TEST_F(NoteClaimsTest, WhatIsLeftCountsWhereItIsClaimed) {
  const Json left = note(id('1'), "write to jane@hospital.org or june@hospital.org");
  const auto counted = check({left}, kNoEmails);
  EXPECT_FALSE(counted.holds);
  EXPECT_EQ(counted.achieved, 2);
  EXPECT_NE(counted.explanation.find("2 email"), std::string::npos) << counted.explanation;
  EXPECT_EQ(counted.explanation.find("jane"), std::string::npos);
  EXPECT_TRUE(check({left}, {{"model", "identifiers-removed"}, {"types", {"ssn"}}}).holds);
  EXPECT_THROW((void)check({left}, {{"model", "identifiers-removed"}, {"types", Json::array()}}),
               Error);
}

class ViewClaimTest : public NoteClaimsTest {
 protected:
  const Json of_two = {{"model", "view-k-anonymity"},
                       {"k", 2},
                       {"l", 2},
                       {"view", {"age", "sex"}},
                       {"sensitive", "ill"}};

  static Json seen(char patient, char id_digit, const std::string& age, const std::string& ill) {
    return {{"id", id(id_digit)},
            {"text", "well"},
            {"patient", id(patient)},
            {"view", {{"age", age}, {"sex", "F"}, {"ill", ill}}}};
  }
};

TEST_F(ViewClaimTest, ARowIsThatOfKPatientsWithLSecrets) {
  const Json first = seen('1', '1', "20..39", "flu");
  EXPECT_TRUE(check({first, seen('2', '2', "20..39", "gout")}, of_two).holds);
  EXPECT_FALSE(check({first, seen('2', '2', "20..39", "flu")}, of_two).holds);   // one secret
  EXPECT_FALSE(check({first, seen('2', '2', "40..59", "gout")}, of_two).holds);  // two rows
  EXPECT_FALSE(check({first, seen('1', '2', "20..39", "flu")}, of_two).holds);   // one patient
  const auto three = check({first, seen('2', '2', "20..39", "gout"),
                            seen('3', '3', "20..39", "flu"), seen('3', '4', "20..39", "flu")},
                           of_two);
  EXPECT_TRUE(three.holds);
  EXPECT_EQ(three.achieved, 3);
  EXPECT_FALSE(check_lines("", of_two).holds);
}

TEST_F(ViewClaimTest, APatientHasOneRow) {
  const std::vector<Json> two = {seen('1', '1', "20..39", "flu"), seen('2', '2', "20..39", "gout")};
  const auto with = [&](const Json& another) {
    auto notes = two;
    notes.push_back(another);
    return check(notes, of_two).holds;
  };
  EXPECT_TRUE(with(seen('1', '3', "20..39", "flu")));
  EXPECT_FALSE(with(seen('1', '3', "40..59", "flu")));
  EXPECT_FALSE(with(seen('1', '3', "20..39", "gout")));  // both secrets of one patient
  for (const char* left_out : {"patient", "view"}) {
    Json without = seen('1', '3', "20..39", "flu");
    without.erase(left_out);
    EXPECT_FALSE(with(without)) << left_out;
  }
  for (const char* column : {"age", "sex", "ill"}) {
    Json other = seen('1', '3', "20..39", "flu");
    other["view"][column] = 3;
    EXPECT_FALSE(with(other)) << column;
    other["view"].erase(column);
    other["view"]["zip"] = "130";
    EXPECT_FALSE(with(other)) << column;
  }
  Json more = seen('1', '3', "20..39", "flu");
  more["view"]["zip"] = "13053";
  EXPECT_FALSE(with(more));
}

}  // namespace
}  // namespace pratique::verify::note_claims_test
