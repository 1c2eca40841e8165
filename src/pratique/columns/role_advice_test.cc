#include "pratique/columns/role_advice.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pratique::columns::role_advice_test {
namespace {

ColumnContent content_of(const std::vector<std::string>& values) {
  Column column;
  for (const auto& value : values) column.codes.push_back(column.dictionary.intern(value));
  return read_content(column);
}

// `alone` values of one record each, and the others alike.
ColumnContent amounts(std::size_t alone, std::size_t rows) {
  std::vector<std::string> values;
  for (std::size_t row = 0; row < rows; ++row)
    values.push_back(row < alone ? std::to_string(1000 + 7 * row) + ".5" : "12.5");
  return content_of(values);
}

std::optional<Role> role_of(const std::string& name, const ColumnContent& content) {
  const auto advice = advise(name, content, safe_harbor_findings(name, content));
  if (!advice) return std::nullopt;
  return advice->role;
}

// Advice that is taken unread must lead to a release: nothing is suggested to leave as it is that
// may not.
TEST(RoleAdvice, WhatMayNotLeaveAsItIsIsNotSuggestedTo) {
  for (const std::size_t alone : {0U, 9U, 10U, 11U, 20U}) {
    const auto content = amounts(alone, 20);
    for (const std::string name : {"cost", "x", "weight", "diagnosis"}) {
      const auto role = role_of(name, content).value_or(Role::insensitive);
      const bool leaves = role == Role::sensitive || role == Role::insensitive;
      EXPECT_FALSE(leaves && why_not_as_it_is(name, content)) << name << ", " << alone;
    }
  }
}

TEST(RoleAdvice, AValueOfOnesOwnIsLeftOut) {
  EXPECT_EQ(role_of("cost", amounts(10, 20)), Role::identifier);
  EXPECT_EQ(role_of("cost", amounts(9, 20)), Role::sensitive);
  EXPECT_EQ(role_of("x", amounts(10, 20)), Role::identifier);
  EXPECT_EQ(role_of("x", amounts(9, 20)), std::nullopt);
  // What others know is made coarser.
  EXPECT_EQ(role_of("weight", amounts(20, 20)), Role::quasi_identifier);
}

TEST(RoleAdvice, FreeTextAndOtherPeopleAreLeftOut) {
  std::vector<std::string> said;
  std::vector<std::string> called;
  std::vector<std::string> sentences;
  for (int row = 0; row < 60; ++row) {
    said.push_back(row % 2 == 0 ? "stable" : "called the wife");
    called.push_back(fmt::format("Ann{}", static_cast<char>('a' + row % 12)));
    sentences.push_back(fmt::format("told {} to come again", static_cast<char>('a' + row % 31)));
  }
  for (const std::string name : {"note", "nurse_notes", "Comments", "Bemerkung", "free_text"})
    EXPECT_EQ(role_of(name, content_of(said)), Role::identifier) << name;
  for (const std::string name : {"mother", "MothersName", "next_of_kin", "Hausarzt"})
    EXPECT_EQ(role_of(name, content_of(called)), Role::identifier) << name;
  EXPECT_EQ(role_of("info", content_of(sentences)), Role::identifier);
  // Kinds of anything are no names, and what is known of a mother is no name of hers.
  EXPECT_NE(role_of("mother", content_of(said)), Role::identifier);
  EXPECT_EQ(role_of("mother_education", content_of(called)), Role::quasi_identifier);
  EXPECT_EQ(role_of("diagnosis", content_of(sentences)), Role::sensitive);
  EXPECT_FALSE(names_a_person("mothers_name", content_of(called)));
}

// A tenth diagnosis that few have is theirs, and no name of them.
TEST(RoleAdvice, DiagnosesAreSensitiveHoweverFewHaveThem) {
  std::vector<std::string> sparse(40, "");
  for (int row = 0; row < 10; ++row) sparse[row] = fmt::format("E1{}.{}", row, row % 3);
  for (const std::string name : {"DX12", "Nebendiagnose_3", "diagnosis"}) {
    EXPECT_EQ(role_of(name, content_of(sparse)), Role::sensitive) << name;
    EXPECT_FALSE(why_not_as_it_is(name, content_of(sparse))) << name;
  }
  EXPECT_EQ(role_of("x", content_of(sparse)), Role::identifier);
  EXPECT_EQ(role_of("Hauptdiagnose", content_of({"I10", "E11.9", "I10", "E11.9", "J45", "J45"})),
            Role::sensitive);
}

// Rows with the same value of such a column are one person's.
TEST(RoleAdvice, WhoARowIsAboutIsKnownByNameThoughItRepeats) {
  std::vector<std::string> numbers;
  for (int row = 0; row < 60; ++row) numbers.push_back(std::to_string(8000 + row / 2));
  const auto repeated = content_of(numbers);
  for (const std::string name : {"patient_nbr", "hosp_no", "subject", "Patient", "PatientNum",
                                 "SUBJ-NR", "member_id", "name", "ssn", "patient id"}) {
    EXPECT_TRUE(names_a_person(name, repeated)) << name;
    EXPECT_EQ(role_of(name, repeated), Role::identifier) << name;
  }
  for (const std::string name : {"cost", "MEDREIMB_IP", "zip", "county", "patient_age", "ward_no",
                                 "plate", "phone", "subject_area"})
    EXPECT_FALSE(names_a_person(name, repeated)) << name;
}

TEST(RoleAdvice, ANumberThatRepeatsMaySayWhoseRowsTheyAre) {
  const auto numbers = [](int rows, int each) {
    std::vector<std::string> values;
    for (int row = 0; row < rows; ++row) values.push_back(std::to_string(1000 + row / each));
    return content_of(values);
  };
  EXPECT_TRUE(may_say_whose_rows("x", numbers(60, 2)));
  EXPECT_TRUE(may_say_whose_rows("x", numbers(60, 3)));
  EXPECT_FALSE(may_say_whose_rows("x", numbers(60, 4)));
  EXPECT_FALSE(may_say_whose_rows("x", numbers(60, 1)));  // nobody has two
  EXPECT_TRUE(may_say_whose_rows("x", numbers(20, 2)));
  EXPECT_FALSE(may_say_whose_rows("x", numbers(19, 2)));  // too few to tell
  EXPECT_TRUE(may_say_whose_rows("Pat No", numbers(8, 2)));
  EXPECT_TRUE(may_say_whose_rows("name", numbers(60, 4)));
  for (const char* quantity : {"cost", "glucose", "Serum creatinine", "Leukozyten", "lab_value"})
    EXPECT_FALSE(may_say_whose_rows(quantity, numbers(60, 2))) << quantity;  // of nobody
  EXPECT_FALSE(may_say_whose_rows("x", amounts(30, 60)));
}

TEST(RoleAdvice, CountiesArePlacesPlatesNameAndMoneyIsNoAddress) {
  std::vector<std::string> amounts_of_money;
  for (int row = 0; row < 60; ++row) amounts_of_money.push_back(std::to_string(row % 7 * 1000));
  const auto money = content_of(amounts_of_money);
  EXPECT_TRUE(safe_harbor_findings("MEDREIMB_IP", money).empty());
  EXPECT_EQ(
      safe_harbor_findings("client_ip", content_of({"10.0.0.1", "10.0.0.2"})).front().identifier,
      SafeHarborIdentifier::ip_addresses);
  for (const std::string name : {"county", "BENE_COUNTY_CD", "counties", "cnty_cd", "fips"})
    EXPECT_EQ(role_of(name, money), Role::quasi_identifier) << name;
  for (const std::string name : {"license plate", "plate", "number_plate"})
    EXPECT_EQ(role_of(name, content_of({"ABC-123", "XYZ-987"})), Role::identifier) << name;
}

}  // namespace
}  // namespace pratique::columns::role_advice_test
