#include "pratique/columns/safe_harbor.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "pratique/columns/internal/column_name.h"

namespace pratique::columns::safe_harbor_test {
namespace {

using Identifier = SafeHarborIdentifier;
using By = SafeHarborFinding::By;
using internal::ColumnName;

ColumnContent content_of(const std::vector<std::string>& values) {
  Column column;
  for (const auto& value : values) column.codes.push_back(column.dictionary.intern(value));
  return read_content(column);
}

std::vector<SafeHarborFinding> findings(const std::string& name,
                                        const std::vector<std::string>& values) {
  return safe_harbor_findings(name, content_of(values));
}

TEST(ColumnName, FallsIntoWords) {
  const std::vector<std::string> birth = {"date", "of", "birth"};
  EXPECT_EQ(ColumnName("date_of_birth").words(), birth);
  EXPECT_EQ(ColumnName("DateOfBirth").words(), birth);
  EXPECT_EQ(ColumnName("DATE-OF-BIRTH").words(), birth);
  EXPECT_EQ(ColumnName(" Date of  birth ").words(), birth);
  EXPECT_EQ(ColumnName("SSNumber2").words(), (std::vector<std::string>{"ss", "number", "2"}));
  EXPECT_TRUE(ColumnName("dateofbirth").has("date of birth"));
  EXPECT_TRUE(ColumnName("patientZIPCode").has("zip code"));
  EXPECT_FALSE(ColumnName("zipper").has("zip"));
  EXPECT_FALSE(ColumnName("").has("zip"));
}

TEST(ColumnContent, FindsTheNarrowestType) {
  const std::map<ColumnType, std::vector<std::vector<std::string>>> columns = {
      {ColumnType::empty, {{}, {"", "NA", "*"}}},
      {ColumnType::boolean, {{"0", "1", "1"}, {"Yes", "no", ""}, {"TRUE", "FALSE"}}},
      {ColumnType::integer, {{"1", "2", "-30"}, {"0", "0"}, {"1970", "1980", "?"}}},
      {ColumnType::decimal, {{"1.5", "2"}, {"-0.25", "3.0"}}},
      {ColumnType::date,
       {{"1970-01-02"}, {"03/05/1970", "12/25/1999"}, {"1970-01-02 10:30"}, {"5 Mar 1970"}}},
      {ColumnType::code, {{"02139", "10001"}, {"296.00", "V30.01"}, {"A1", "B2"}}},
      {ColumnType::text, {{"F", "M"}, {"Married", "Never married"}, {"1", "two"}}}};
  for (const auto& [type, all] : columns) {
    for (const auto& values : all) EXPECT_EQ(content_of(values).type, type) << values.size();
  }
}

TEST(ColumnContent, CountsRowsNotValues) {
  const auto content = content_of({"a@b.org", "a@b.org", "c", "", "NA", "see a.b@c.co.uk now"});
  EXPECT_EQ(content.rows, 6U);
  EXPECT_EQ(content.missing, 2U);
  EXPECT_EQ(content.distinct, 3U);
  EXPECT_EQ(content.unique, 2U);
  EXPECT_EQ(content.with(Shape::email), 3U);
  EXPECT_DOUBLE_EQ(content.share(Shape::email), 0.75);
}

TEST(ColumnContent, KnowsTheShapes) {
  const std::vector<std::tuple<Shape, std::vector<std::string>, std::vector<std::string>>> cases = {
      {Shape::email, {"x@y.org", "Mail: x.y+z@a.b.com."}, {"x@y", "@home", "x at y.org"}},
      {Shape::web_address, {"https://x.org/1", "see www.x.org"}, {"http", "www", "x.org"}},
      {Shape::social_security, {"123-45-6789"}, {"123456789", "123-456-789", "1123-45-6789"}},
      {Shape::phone,
       {"(617) 555-0100", "617-555-0100", "+49 30 1234567", "call 617.555.0100", "555-0100"},
       {"6175550100", "1970-01-02", "12-34", "1234-5678"}},
      {Shape::ip_address,
       {"10.0.0.1", "255.255.255.255", "fe80::1", "1:2:3:4:5:6:7:8"},
       {"10.0.0", "256.1.1.1", "12:30:00", "1.2.3.4.5"}},
      {Shape::mac_address, {"00:1A:2b:3c:4d:5e"}, {"00:1A:2b:3c:4d"}},
      {Shape::vehicle_number, {"1HGCM82633A004352"}, {"12345678901234567", "1HGCM82633A00435"}},
      {Shape::street_address,
       {"36 Copper Avenue", "871 Meadow Street", "5b Old Mill Rd."},
       {"Copper Avenue", "36", "12 months", "3 Mill"}},
      {Shape::zip_code, {"02139", "02139-4307"}, {"2139", "021390", "0213*"}},
      {Shape::precise_date,
       {"1970-01", "1970-01-02", "1/2/1970", "2.1.1970", "19700102", "2 January 1970",
        "Jan 2, 1970", "1970-01-02T03:04:05Z"},
       {"1970", "13/13/1970", "1970-13-01", "99999999", "1.2.3"}},
      {Shape::capitalised_words,
       {"Ann Lee", "Lee, Ann", "José Ångström", "Mary-Jane O'Neil"},
       {"Ann", "ann lee", "Heart failure", "ANN1 LEE"}},
      {Shape::over_89, {"90", "104"}, {"89", "131", "90.5", "090"}}};
  for (const auto& [shape, have, have_not] : cases) {
    for (const auto& value : have) {
      EXPECT_EQ(content_of({value}).with(shape), 1U) << value;
    }
    for (const auto& value : have_not) EXPECT_EQ(content_of({value}).with(shape), 0U) << value;
  }
}

TEST(ColumnContent, BearsAnyBytes) {
  EXPECT_EQ(content_of({"\xff\xfe", std::string("a\0b", 3), std::string(1U << 20, 'x')}).distinct,
            3U);
}

TEST(SafeHarbor, FindsByName) {
  const std::vector<std::pair<std::string, Identifier>> names = {
      {"patient_name", Identifier::names},
      {"LastName", Identifier::names},
      {"home_address", Identifier::geography},
      {"county", Identifier::geography},
      {"dob", Identifier::dates},
      {"DischargeDate", Identifier::dates},
      {"tel", Identifier::telephone_numbers},
      {"fax_number", Identifier::fax_numbers},
      {"e-mail", Identifier::email_addresses},
      {"SSN", Identifier::social_security_numbers},
      {"mrn", Identifier::medical_record_numbers},
      {"member_id", Identifier::health_plan_numbers},
      {"account_no", Identifier::account_numbers},
      {"license", Identifier::license_numbers},
      {"license_plate", Identifier::vehicle_identifiers},
      {"device_id", Identifier::device_identifiers},
      {"homepage", Identifier::web_addresses},
      {"ip_address", Identifier::ip_addresses},
      {"fingerprint", Identifier::biometric_identifiers},
      {"photo", Identifier::photographs},
      {"patient_id", Identifier::other_unique_identifiers}};
  for (const auto& [name, identifier] : names) {
    const auto flagged = findings(name, {"ab", "cd", "ef", ""});
    ASSERT_EQ(flagged.size(), 1U) << name;
    EXPECT_EQ(flagged[0].identifier, identifier) << name;
    EXPECT_EQ(flagged[0].by, By::name) << name;
    EXPECT_DOUBLE_EQ(flagged[0].share, 0.75) << name;
  }
}

TEST(SafeHarbor, LeavesHarmlessNamesAlone) {
  for (const std::string name : {"sex", "hospital_name", "drug name", "diagnosis", "update",
                                 "tablet", "state", "country", "vintage", "identity"}) {
    EXPECT_TRUE(findings(name, {"ab", "cd", "ef"}).empty()) << name;
  }
}

TEST(SafeHarbor, ContentMayClearAName) {
  EXPECT_TRUE(findings("birth_date", {"1970", "1980", "1990"}).empty());
  EXPECT_TRUE(findings("zip", {"021**", "100**"}).empty());
  EXPECT_TRUE(findings("email", {"0", "1", "1"}).empty());
  EXPECT_TRUE(findings("name", {"", "*", "NA"}).empty());
  std::vector<std::string> few;
  few.reserve(1000);
  for (int i = 0; i < 1000; ++i) few.push_back("h" + std::to_string(i % 5));
  EXPECT_TRUE(findings("hospital_id", few).empty());
}

TEST(SafeHarbor, FindsByContentUnderAnyName) {
  const std::vector<std::pair<std::string, Identifier>> values = {
      {"x@y.org", Identifier::email_addresses},
      {"123-45-6789", Identifier::social_security_numbers},
      {"https://x.org", Identifier::web_addresses},
      {"00:1A:2b:3c:4d:5e", Identifier::device_identifiers},
      {"(617) 555-0100", Identifier::telephone_numbers},
      {"10.0.0.1", Identifier::ip_addresses},
      {"1970-01-02", Identifier::dates},
      {"1HGCM82633A004352", Identifier::vehicle_identifiers},
      {"02139", Identifier::geography}};
  for (const auto& [value, identifier] : values) {
    const auto flagged = findings("field", {value});
    ASSERT_EQ(flagged.size(), 1U) << value;
    EXPECT_EQ(flagged[0].identifier, identifier) << value;
    EXPECT_EQ(flagged[0].by, By::content);
    EXPECT_EQ(flagged[0].share, 1);
    EXPECT_EQ(flagged[0].why.find(value), std::string::npos);
  }
}

TEST(SafeHarbor, OneAddressInAThousandNotesIsFound) {
  std::vector<std::string> notes(1000, "patient feels well");
  notes[500] = "write to ann@example.org";
  const auto flagged = findings("comment", notes);
  ASSERT_EQ(flagged.size(), 1U);
  EXPECT_EQ(flagged[0].identifier, Identifier::email_addresses);
  EXPECT_DOUBLE_EQ(flagged[0].share, 0.001);
}

TEST(SafeHarbor, NameAndContentTogetherAreSurest) {
  const auto dates = findings("dob", {"1970-01-02", "1971-02-03", ""});
  ASSERT_EQ(dates.size(), 1U);
  EXPECT_EQ(dates[0].by, By::both);
  EXPECT_DOUBLE_EQ(dates[0].share, 2.0 / 3);
  EXPECT_EQ(findings("zip", {"10001", "94110"}).at(0).by, By::both);
  EXPECT_TRUE(findings("salary", {"10001", "94110"}).empty());
  EXPECT_EQ(findings("name", {"Ann Lee", "Bob Ray"}).at(0).by, By::both);
  EXPECT_TRUE(findings("finding", {"Heart Failure", "Renal Colic"}).empty());
  EXPECT_EQ(findings("fax", {"617-555-0100"}).at(0).identifier, Identifier::fax_numbers);
}

TEST(SafeHarbor, AgesCountFrom90) {
  const auto flagged = findings("age", {"89", "90", "25", "101"});
  ASSERT_EQ(flagged.size(), 1U);
  EXPECT_EQ(flagged[0].identifier, Identifier::ages_over_89);
  EXPECT_EQ(paragraph(flagged[0].identifier), 'C');
  EXPECT_DOUBLE_EQ(flagged[0].share, 0.5);
  EXPECT_TRUE(findings("age", {"89", "25"}).empty());
  EXPECT_TRUE(findings("pulse", {"95", "120"}).empty());
}

TEST(SafeHarbor, ACodeThatEveryRowHasForItselfIsUnique) {
  std::vector<std::string> codes;
  codes.reserve(50);
  for (int i = 0; i < 50; ++i) codes.push_back("K" + std::to_string(7919 * i));
  const auto flagged = findings("field", codes);
  ASSERT_EQ(flagged.size(), 1U);
  EXPECT_EQ(flagged[0].identifier, Identifier::other_unique_identifiers);
  EXPECT_EQ(findings("sample_id", codes).at(0).by, By::both);
  codes.resize(10);
  EXPECT_TRUE(findings("field", codes).empty());
}

}  // namespace
}  // namespace pratique::columns::safe_harbor_test
