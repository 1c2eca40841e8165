#include "pratique/columns/safe_harbor_rule.h"

#include <gtest/gtest.h>

#include <map>

#include "pratique/columns/zip_areas.h"

namespace pratique::columns::safe_harbor_rule_test {
namespace {

using Treatment = SafeHarborTreatment;

SafeHarborRule rule_for(const std::string& name, const std::vector<std::string>& cells,
                        int as_of = 2026) {
  Column column;
  column.name = name;
  for (const auto& cell : cells) column.codes.push_back(column.dictionary.intern(cell));
  return {name, read_content(column), as_of};
}

std::vector<std::string> numbered(const std::string& before, int count) {
  std::vector<std::string> cells;
  for (int i = 0; i < count; ++i) cells.push_back(before + std::to_string(1000 + 7 * i));
  return cells;
}

TEST(SafeHarborRule, AColumnIsTreatedByItsNameAndItsValues) {
  const std::vector<std::string> words = {"a", "b", "c", "a"};
  for (const char* name :
       {"name", "email", "phone_number", "SSN", "mrn", "county", "street", "city", "member_id",
        "license_plate", "photo", "ip_address", "birth_month", "Versichertennummer",
        "Versicherungsnummer", "KVNR", "eGK"}) {
    EXPECT_EQ(rule_for(name, words).treatment(), Treatment::remove) << name;
    EXPECT_FALSE(rule_for(name, words).why().empty());
  }
  EXPECT_EQ(rule_for("x", numbered("A", 30)).treatment(), Treatment::remove);
  EXPECT_EQ(rule_for("diagnosis", words).treatment(), Treatment::keep);
  EXPECT_EQ(rule_for("state", {"MA", "NY", "MA"}).treatment(), Treatment::keep);
  for (const std::string day :
       {"1970-03-05", "03/05/1970", "5.3.1970", "19700305", "1970-03-05T10:00", "5 Mar 1970",
        "03/05/1970 10:00", "05.03.1970 10:00:00", "1970-03"}) {
    EXPECT_EQ(rule_for("x", {day, day}).treatment(), Treatment::year) << day;
    EXPECT_EQ(rule_for("x", {day}).cell(day), "1970") << day;
  }
  EXPECT_EQ(rule_for("year_of_birth", {"1970", "1980"}).treatment(), Treatment::year);
  // A date in a form that nobody can read: days since 1900.
  EXPECT_EQ(rule_for("date_of_visit", {"43567", "43568"}).treatment(), Treatment::remove);
  EXPECT_EQ(rule_for("birth_weight", {"1900", "3200", "3500"}).treatment(), Treatment::keep);
  EXPECT_EQ(rule_for("zip", {"02138", "10025"}).treatment(), Treatment::zip);
  EXPECT_EQ(rule_for("zip", {"021", "100"}).treatment(), Treatment::zip);
  EXPECT_EQ(rule_for("home", {"02138", "10025"}).treatment(), Treatment::zip);
  EXPECT_EQ(rule_for("postcode", {"SW1A 1AA", "EC1A 1BB"}).treatment(), Treatment::remove);
  EXPECT_EQ(rule_for("age", {"20", "30"}).treatment(), Treatment::age);
  EXPECT_EQ(rule_for("empty", {"", ""}).treatment(), Treatment::keep);
}

TEST(SafeHarborRule, PlacesDaysAndPeopleByOtherNames) {
  // Los Angeles and Cook are counties, not the ZIP codes that begin with 060 and 170.
  EXPECT_EQ(rule_for("fips", {"06037", "17031"}).treatment(), Treatment::remove);
  EXPECT_EQ(rule_for("county_code", {"06037", "17031"}).treatment(), Treatment::remove);
  EXPECT_EQ(rule_for("fips", {"037", "031"}).treatment(), Treatment::remove);
  EXPECT_EQ(rule_for("lat", {"40.7128", "34.0522"}).treatment(), Treatment::remove);
  EXPECT_EQ(rule_for("home_lng", {"-74.0060", "-118.2437"}).treatment(), Treatment::remove);
  EXPECT_EQ(rule_for("lat", {"left", "right"}).treatment(), Treatment::keep);  // a side
  for (const char* name : {"admit_doy", "day_of_year", "yday", "julian_day"})
    EXPECT_EQ(rule_for(name, {"12", "200", "364"}).treatment(), Treatment::remove) << name;
  for (const char* name : {"contact", "surgeon", "attending_physician", "Médecin"})
    EXPECT_EQ(rule_for(name, {"Smith", "Jones", "Smith"}).treatment(), Treatment::remove) << name;
  EXPECT_EQ(rule_for("doctor", {"1", "0", "3"}).treatment(), Treatment::keep);  // visits
  EXPECT_EQ(rule_for("physician_specialty", {"surgery", "neurology"}).treatment(), Treatment::keep);
}

TEST(SafeHarborRule, NumbersOfPlansAccountsAndDevicesByTheirHeader) {
  std::vector<std::string> numbers;
  for (int row = 0; row < 300; ++row) numbers.push_back(std::to_string(361234 + 7919 * (row / 20)));
  for (const char* name :
       {"Konto",  "Kontonummer", "Member",     "Policy", "Medicaid",   "Device", "Faxnr",
        "CHI",    "IPP",         "SVNR",       "AHV",    "NIP",        "Akte",   "Karteinr",
        "Versnr", "dossier",     "n° dossier", "CRN",    "dossier_no", "commune"})
    EXPECT_EQ(rule_for(name, numbers).treatment(), Treatment::remove) << name;
  for (const char* name : {"Member", "Policy", "Medicaid", "Device", "dossier", "CHI", "NIP"}) {
    EXPECT_EQ(rule_for(name, {"HMO", "PPO", "none"}).treatment(), Treatment::keep) << name;
    EXPECT_EQ(rule_for(name, {"1", "2", "3"}).treatment(), Treatment::keep) << name;
  }
  EXPECT_EQ(rule_for("device_type", numbers).treatment(), Treatment::keep);
  for (const char* name : {"Hausarzt", "prescripteur"})
    EXPECT_EQ(rule_for(name, {"Gaçon", "Lee", "Weiß"}).treatment(), Treatment::remove) << name;
}

TEST(SafeHarborRule, ManyLongNumbersThatNobodyExplainedDoNotLeave) {
  // `rows` records of `values` numbers.
  const auto numbers = [](int values, int rows, int least = 361234) {
    std::vector<std::string> cells;
    for (int row = 0; row < rows; ++row)
      cells.push_back(std::to_string(least + 97 * (row % values)));
    return cells;
  };
  EXPECT_EQ(rule_for("x", numbers(20, 200)).treatment(), Treatment::remove);
  EXPECT_NE(rule_for("x", numbers(20, 200)).why().find("20 different numbers"), std::string::npos);
  EXPECT_EQ(rule_for("x", numbers(20, 201)).treatment(), Treatment::keep);
  EXPECT_EQ(rule_for("x", numbers(19, 100)).treatment(), Treatment::keep);
  EXPECT_EQ(rule_for("x", numbers(40, 200, 2000)).treatment(), Treatment::keep);  // four digits
  for (const char* name : {"salary", "platelets", "snomed", "total_cost"})
    EXPECT_EQ(rule_for(name, numbers(20, 200)).treatment(), Treatment::keep) << name;
}

TEST(SafeHarborRule, AgesInOtherLanguages) {
  for (const char* name : {"edad", "Âge", "âge", "Alter", "leeftijd", "idade", "ålder"}) {
    const auto rule = rule_for(name, {"20", "94"});
    EXPECT_EQ(rule.treatment(), Treatment::age) << name;
    EXPECT_EQ(rule.cell("94"), "90+") << name;
  }
  EXPECT_EQ(rule_for("edad_meses", {"20", "94"}).treatment(), Treatment::remove);
  EXPECT_EQ(rule_for("âge_mois", {"20", "94"}).treatment(), Treatment::remove);
}

TEST(SafeHarborRule, PartsOfDatesAndZipCodesByAnyName) {
  EXPECT_EQ(rule_for("x", {"Monday", "Tuesday", "Sunday"}).treatment(), Treatment::remove);
  EXPECT_EQ(rule_for("x", {"mar", "Okt.", "décembre"}).treatment(), Treatment::remove);
  EXPECT_EQ(rule_for("x", {"May", "ok", "NA"}).treatment(), Treatment::keep);
  EXPECT_EQ(rule_for("x", {"Mo", "Di", "Mi", "Do", "Fr"}).treatment(), Treatment::remove);
  EXPECT_EQ(rule_for("x", {"lun.", "mar.", "mer.", "jeu.", "ven.", "sam.", "dim."}).treatment(),
            Treatment::remove);
  // States of the United States, of which some are letters of days, too.
  EXPECT_EQ(rule_for("x", {"MO", "MI", "MA", "ME", "NY", "CA", "TX"}).treatment(), Treatment::keep);
  std::vector<std::string> parts;
  for (int i = 0; i < 10; ++i) parts.push_back(std::to_string(i) + "/9");
  EXPECT_EQ(rule_for("x", parts).treatment(), Treatment::keep);  // parts of nine
  for (int day = 1; day < 10; ++day) parts.push_back(std::to_string(day) + "/3");
  EXPECT_EQ(rule_for("x", parts).treatment(), Treatment::remove);
  for (const char* day : {"03052020", "25122020", "2020065", "2020-065", "２０２０-０３-０５"}) {
    EXPECT_EQ(rule_for("x", {day, day}).treatment(), Treatment::year) << day;
    EXPECT_EQ(rule_for("x", {day, day}).cell(day), "2020") << day;
  }
  // Digits of another script are digits: a year that tells an age over 89.
  EXPECT_EQ(rule_for("birth_year", {"1990", "１９２５"}).cell("１９２５"), "<=1936");
  std::vector<std::string> zips;
  for (int i = 0; i < 4; ++i) {
    for (const char* zip : {"2138", "2139", "10025", "60601", "94117"}) zips.emplace_back(zip);
  }
  EXPECT_EQ(rule_for("x", zips).treatment(), Treatment::zip);
  EXPECT_EQ(rule_for("x", zips).cell("2138"), "021");
  zips.resize(19);
  EXPECT_EQ(rule_for("x", zips).treatment(), Treatment::keep);  // too few records to tell
  // As spreadsheets keep the zero.
  EXPECT_EQ(rule_for("x", {"=\"02138\"", "=\"10025\""}).treatment(), Treatment::zip);
  EXPECT_EQ(rule_for("x", {"'02138", "'10025"}).cell("'02138"), "021");
  EXPECT_EQ(rule_for("x", {"'05/03/1970", "'06/03/1971"}).cell("'05/03/1970"), "1970");
  EXPECT_EQ(rule_for("x", {"'tis", "=\"a\""}).cell("'tis"), "'tis");
  EXPECT_EQ(rule_for("zip", {"2138", "2139", "2140"}).cell("2139"), "021");
  // 501 is 00501, in an area of fewer people, unless all cells have three digits.
  const auto mixed = rule_for("zip", {"501", "2139", "10025", "021"});
  EXPECT_EQ(mixed.cell(mixed.with_zeros("501")), "000");
  EXPECT_EQ(mixed.cell(mixed.with_zeros("602")), "006");
  EXPECT_EQ(mixed.cell(mixed.with_zeros("021")), "021");
  EXPECT_EQ(rule_for("zip", {"501", "021", "100"}).with_zeros("501"), "501");
  EXPECT_EQ(rule_for("bill", {"2100", "9000", "12500", "60000"}).treatment(), Treatment::keep);
}

TEST(SafeHarborRule, CellsThatAreReadAsIdentifiersAreLeftEmpty) {
  const auto rule = rule_for("diagnosis", {"ok", "well", "fine"});
  for (const char* text : {"１９７０-０３-０５",
                           "seen ٢٠١٩-٠٣-٠٥",
                           "1970\u200b-03-05",
                           "ｂｏｂ＠ｅｘａｍｐｌｅ．ｏｒｇ",
                           "123\u221245\u22126789",
                           "𝟏𝟗𝟕𝟎-𝟎𝟑",
                           "2020-065",
                           "on 2020/366",
                           "seen 03052020",
                           "seen 25122019",
                           "03/05",
                           "24/12",
                           "24.12.",
                           "--03-05",
                           "--0305",
                           "gen: born 1925",
                           "b. 1936",
                           "Geb. 1925",
                           "year of birth 1920",
                           "* 1925 in Rome"}) {
    EXPECT_EQ(rule.cell(text), "") << text;
  }
  for (const char* text : {"3/5", "20/20", "13/32", "2020-367", "2020-000", "1.2", "born 1937",
                           "since 1925", "hepatitis b 1925", "born 3100", "seen 32052020",
                           "seen 03051720", "２", "über 3", "80–89 mg"}) {
    EXPECT_EQ(rule.cell(text), text) << text;
  }
}

TEST(SafeHarborRule, AnnouncedNumbersAccountsAndTitlesAreLeftEmpty) {
  auto rule = rule_for("diagnosis", {"ok", "well", "fine"});
  for (const char* text : {"XXX-XX-6789",
                           "***-**-6789",
                           "123.45.6789",
                           "tel. 0123",
                           "mobile 07911",
                           "call 5551234",
                           "ext. 5512",
                           "Durchwahl: 441",
                           "0049 30 1234567",
                           "(0)30 1234567",
                           "07911 123456",
                           "MRN 44",
                           "mrn#44",
                           "Acc: 991",
                           "acct 123",
                           "konto 4711",
                           "Pat.-Nr. 4711",
                           "patient no 12",
                           "case #AB123",
                           "Fall 12345",
                           "Akte: 2201",
                           "passport C01X00T47",
                           "IMEI 35-209900-176148-1",
                           "serial 991",
                           "SN: A12",
                           "Kennzeichen BMW 1234",
                           "bed#1234",
                           "@jsmith",
                           "(@j_smith)",
                           "clinic.org",
                           "see ex.org/jd",
                           "john(at)example",
                           "john [at] example",
                           "GPS 52.5,13.4",
                           "lat=52.5",
                           "SW1A 1AA",
                           "D-10115 Ulm",
                           "geb. 3.5.",
                           "14h30 on 3.4.",
                           "3 / 5 / 70",
                           "1944.III"}) {
    EXPECT_EQ(rule.cell(text), "") << text;
  }
  for (const char* text :
       {"B12 1MG",      "T1 2ML",      "stage 3.1",    "ext rotation 30", "fall 12",
        "case 3",       "patient 12",  "acc 120",      "x*x 1234",        "F-18 PET",
        "serial ECG 2", "call 2 days", "0093-7214-01", "v1.2.3",          "sn 12",
        "a@home",       "1 / 2 / 3",   "at 12",        "account closed",  "lat 12",
        "rule#12",      "MRI",         "e.g. com"}) {
    EXPECT_EQ(rule.cell(text), text) << text;
  }
  for (const char* text :
       {"Dr. House", "Mr Smith", "Prof. Müller", "Frau Meier", "Herr Özdemir", "Mme J. Dubois"}) {
    EXPECT_EQ(rule.cell(text), "") << text;
  }
  for (const char* text : {"Dr", "MS Stable", "dr. house", "Drs Order", "Mr. 5"})
    EXPECT_EQ(rule.cell(text), text) << text;
  rule.permit();
  EXPECT_EQ(rule.cell("Dr. House"), "Dr. House");
  // Of a column, a name with a title is none.
  EXPECT_FALSE(rule_for("Dr Visits", {"1", "2"}).name_identifies());
}

TEST(SafeHarborRule, NineOrTenDigitsAreANumberOfSomebodyUnlessTheyAreAllowed) {
  auto rule = rule_for("lab", {"98", "5551234567", "102", "98"});
  EXPECT_EQ(rule.cell("5551234567"), "");
  EXPECT_EQ(rule.cell("555123456"), "");
  EXPECT_EQ(rule.cell("55512345"), "55512345");
  EXPECT_EQ(rule.cell("55512345678"), "55512345678");
  EXPECT_EQ(rule.cell("555123456789"), "555123456789");
  EXPECT_EQ(rule.cell("5551234567890"), "");
  EXPECT_EQ(rule.cell("4111111111111111"), "");
  rule.permit();
  EXPECT_EQ(rule.cell("5551234567"), "5551234567");
}

// The areas that are known are of the United States.
TEST(SafeHarborRule, PostcodesOfOtherCountriesDoNotLeave) {
  for (const char* name : {"PLZ", "Postleitzahl", "code_postal"}) {
    const auto rule = rule_for(name, {"10115", "80331", "10115"});
    EXPECT_EQ(rule.treatment(), Treatment::remove) << name;
    EXPECT_NE(rule.why().find("another country"), std::string::npos);
  }
}

TEST(SafeHarborRule, YearsThatTellAnAgeOver89AreOneClass) {
  const auto rule = rule_for("dob", {"1970-03-05"}, 2026);
  // Who was born in 1936 is 89 or 90 in 2026.
  const std::map<std::string, std::string> cells = {{"1937-01-01", "1937"},
                                                    {"1936-12-31", "<=1936"},
                                                    {"1850", "<=1936"},
                                                    {"<=1936", "<=1936"},
                                                    {"<=1940", "<=1940"},
                                                    {"<=1920", "<=1936"},
                                                    {"1950..1959", "1950..1959"},
                                                    {"1930..1939", "<=1939"},
                                                    {"1920..1929", "<=1936"},
                                                    {"", ""},
                                                    {"NA", "NA"},
                                                    {"unknown", "unknown"},
                                                    {"03-05", ""},
                                                    {"43567", ""},
                                                    {">=1940", ""},
                                                    {"03/05/70", ""}};
  for (const auto& [cell, left] : cells) {
    EXPECT_EQ(rule.cell(cell), left) << cell;
    EXPECT_EQ(rule.cell(left), left) << cell;
  }
  EXPECT_TRUE(rule.is_later("2027-01-01"));
  EXPECT_FALSE(rule.is_later("2026-12-31"));
  EXPECT_FALSE(rule_for("age", {"20"}).is_later("2027"));
}

TEST(SafeHarborRule, AgesFrom90AreOneClass) {
  const auto rule = rule_for("age", {"20", "93"});
  const std::map<std::string, std::string> cells = {{"89", "89"},
                                                    {"89.9", "89.9"},
                                                    {"90", "90+"},
                                                    {"101", "90+"},
                                                    {"90+", "90+"},
                                                    {"85+", "85+"},
                                                    {">89", ">89"},
                                                    {"95+", "90+"},
                                                    {"80..89", "80..89"},
                                                    {"80..99", "80+"},
                                                    {"90..94", "90+"},
                                                    {"[80-90)", "[80-90)"},
                                                    {"[80-90]", "80+"},
                                                    {"[90-100)", "90+"},
                                                    {"<90", "<90"},
                                                    {"<=90", ""},
                                                    {"<95", ""},
                                                    {"93 years", ""},
                                                    {"unknown", ""},
                                                    {"ninety-four", ""},
                                                    {"nineties", ""},
                                                    {"XCIV", ""},
                                                    {"9 4", ""},
                                                    {"9-4", ""},
                                                    {"9,4", ""},
                                                    {"９４", ""},
                                                    {"0000000094", ""},
                                                    {"094", "90+"},
                                                    {"-94", ""},
                                                    {">90+", ""},
                                                    {"[80,90)", "[80,90)"},
                                                    {"[80-90.5)", "80+"},
                                                    {"80 - 89", "80 - 89"},
                                                    {"80–89", "80–89"},
                                                    {"80 to 94", "80+"},
                                                    {"*", "*"},
                                                    {"", ""},
                                                    {"{85|90+}", "{85|90+}"},
                                                    {"{85|91}", ""}};
  for (const auto& [cell, left] : cells) {
    EXPECT_EQ(rule.cell(cell), left) << cell;
    EXPECT_EQ(rule.cell(left), left) << cell;
  }
  for (const char* name : {"years_old", "ageyears", "Alter", "age_years", "YearsOld", "eta", "anni",
                           "Jahre", "Lebensjahre", "years_since_birth"})
    EXPECT_EQ(rule_for(name, {"20", "93"}).cell("93"), "90+") << name;
  EXPECT_EQ(rule_for("average", {"20", "93"}).cell("93"), "93");
}

TEST(SafeHarborRule, AgesInMonthsOrLessMustBeLeftOut) {
  for (const char* name : {"age_mo", "age_in_months", "AgeWeeks", "agedays", "days_since_birth",
                           "months_old", "alter_in_tagen"})
    EXPECT_EQ(rule_for(name, {"20", "300"}).treatment(), Treatment::remove) << name;
  for (const char* name : {"days_in_hospital", "birth_weight", "old_dose"})
    EXPECT_EQ(rule_for(name, {"20", "300"}).treatment(), Treatment::keep) << name;
}

TEST(SafeHarborRule, ANameOfAColumnMayHoldAnIdentifier) {
  for (const char* name : {"ssn_123-45-6789", "jane@example.org", "visit_2019-03-05"}) {
    EXPECT_TRUE(rule_for(name, {"a", "b", "a"}).name_identifies()) << name;
    EXPECT_TRUE(rule_for(name, {"", ""}).name_identifies()) << name;  // of an empty column, too
  }
  for (const char* name : {"visit_2019", "icd_10", "hba1c", "systolic_120", "day_30", "x1"})
    EXPECT_FALSE(rule_for(name, {"a", "b", "a"}).name_identifies()) << name;
}

TEST(SafeHarborRule, ZipCodesKeepThreeDigitsOfLargeAreas) {
  const auto rule = rule_for("zip", {"02138", "10025"});
  const std::map<std::string, std::string> cells = {{"02138", "021"},
                                                    {"02138-1234", "021"},
                                                    {"021381234", "021"},
                                                    {"2138", "021"},
                                                    {"021", "021"},
                                                    {"021**", "021"},
                                                    {"0213*", "021"},
                                                    {"02***", "02***"},
                                                    {"02*", "02*"},
                                                    {"*", "*"},
                                                    {"", ""},
                                                    {"05901", "000"},
                                                    {"059", "000"},
                                                    {"000", "000"},
                                                    {"09012", "000"},
                                                    {"12", ""},
                                                    {"Boston", ""},
                                                    {"SW1A", ""}};
  for (const auto& [cell, left] : cells) {
    EXPECT_EQ(rule.cell(cell), left) << cell;
    EXPECT_EQ(rule.cell(left), left) << cell;
  }
}

TEST(SafeHarborRule, ACellWithAnIdentifierInItsTextIsLeftEmpty) {
  const auto rule = rule_for("remark", {"stable", "came back"});
  for (const char* text : {"bob@example.org",
                           "see http://a.b",
                           "www.example.org",
                           "123-45-6789",
                           "call 617-555-0142",
                           "(617) 555-0142",
                           "10.0.0.12",
                           "00:1B:44:11:3A:B7",
                           "1HGCM82633A004352",
                           "on 2019-03-05",
                           "3/5/2019",
                           "3/5/19",
                           "5.3.2019",
                           "2019/03",
                           "03/2019",
                           "March 5th",
                           "5th of March",
                           "2019-W07",
                           "Q1 2019",
                           "20190305",
                           "born 20190305",
                           "dob1970-03-05",
                           "scan_2019-03-05",
                           "93www.example.org",
                           "93 years old",
                           "93-year-old",
                           "aged 93",
                           "Salem MA 01970",
                           "ZIP 01970",
                           "12 Old Mill Road",
                           "MRN: 445566",
                           "account no 12345",
                           "05 03 1970",
                           "2019_03_05",
                           "05–03–1970",
                           "5. 3. 1970",
                           "1970 - 03 - 05",
                           "on 5.III.1970",
                           "5. März 1970",
                           "MÄRZ 1970",
                           "5 de marzo de 1970",
                           "12 août",
                           "le 1er mars",
                           "3. Okt. 2019",
                           "Tel. 0351 678088",
                           "Tel–)0351 mrn",
                           "Telefon: 0351/678088",
                           "0351/678088",
                           "call 6175550142",
                           "ssn 123456789",
                           "seen 123456789",
                           "flu 3/3",
                           "seen 24/12, well",
                           "at 40.7128, -74.0060",
                           "40.7128 -74.0060",
                           "40° 42' N",
                           "ssn: 123456789",
                           "vin 1hgcm82633a004352",
                           "mrn/A12",
                           "mrn-123",
                           "MRN (445)",
                           "550e8400-e29b-41d4-a716-446655440000",
                           "4111 1111 1111 1111",
                           "seen 1583366400000",
                           "5-3-'20",
                           "2020年3月5日",
                           "week 10, 2020",
                           "KW 10/2020",
                           "2020 week 10",
                           "spring 2020",
                           "Weihnachten 2019",
                           "été 2020"}) {
    EXPECT_EQ(rule.cell(text), "") << text;
  }
  for (const char* text : {"250.01",       "E11.65",     "120/80",          "1.5-2.5",
                           "1.5-20 mg",    "2 tablets",  "89 years old",    "in 2019",
                           "type 2",       "T2DM",       "room 12",         "*",
                           "0093-7214-01", "1.5..2000",  "0.1234567890",    "12345678901",
                           "mrn unknown",  "tel. known", "1 iv 20 mg",      "stage II/III",
                           "type 2 1990",  "3/3",        "pressure 120/80", "vision 20/40",
                           "1.234 5.6",    "week 12",    "fall in 2020",    "4111 1111",
                           "winter",       "grade 1-2",  "1111-1111-1111"}) {
    EXPECT_EQ(rule.cell(text), text) << text;
  }
  // Among numbers, eight digits are a number.
  EXPECT_EQ(rule_for("cost", {"20190305", "5", "7", "9", "7", "5", "9", "5", "7", "9", "7", "5",
                              "9",        "5", "7", "9", "7", "5", "9", "5", "7", "9", "7", "5"})
                .cell("20190305"),
            "20190305");
}

TEST(ZipAreas, SmallAndUnknownAreasAreNotShown) {
  // 17 areas by the census of 2000, as the Department of Health and Human Services lists them; five
  // have grown.
  for (const char* area :
       {"036", "059", "102", "203", "556", "692", "821", "823", "878", "879", "884", "893"}) {
    EXPECT_FALSE(has_over_20000_people(area)) << area;
  }
  for (const char* area : {"063", "790", "830", "831", "890", "021", "100", "999"}) {
    EXPECT_TRUE(has_over_20000_people(area)) << area;
  }
  for (const char* area : {"000", "099", "345", "962"}) {
    EXPECT_FALSE(has_over_20000_people(area)) << area;
  }
}

}  // namespace
}  // namespace pratique::columns::safe_harbor_rule_test
