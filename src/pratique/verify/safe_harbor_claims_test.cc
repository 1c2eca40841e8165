// Safe Harbor from the file: every planted breach is found, and what may stay is let be.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::safe_harbor_claims_test {
namespace {

class SafeHarborClaims : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});
  Json claim = {{"model", "safe-harbor"}, {"as_of", 2026}};

  ClaimResult check(const std::string& csv) {
    const std::string path = folder.path() + "/r.csv";
    std::ofstream(path) << csv;
    return verify_claim(*engine, engine->open(path, {.delimiter = ','}, Progress::silent()), claim,
                        Progress::silent());
  }
  // A column in which one cell is `cell`, beside others that may stay.
  ClaimResult check(const std::string& column, const std::string& cell,
                    const std::string& others = "") {
    return check(
        fmt::format("{},sex\n\"{}\",F\n\"{}\",M\n\"{}\",F\n", column, cell, others, others));
  }
  bool holds(const std::string& column, const std::string& cell, const std::string& others = "") {
    return check(column, cell, others).holds;
  }
};

TEST_F(SafeHarborClaims, WhatAShapeGivesAwayIsFoundInAnyText) {
  for (const char* text :
       {"mail bob@example.org", "see https://example.org", "www.example.org", "123-45-6789",
        "617-555-0142", "(617) 555-0142", "(617)555-0142", "(617) 555.0142", "+44 20 7946 0958",
        "at 10.1.2.30", "00:1B:44:11:3A:B7", "1HGCM82633A004352", "2019-03-05",
        "on 2019-03-05T10:00", "3/5/2019", "5.3.19", "2019/03", "03-2019", "March 5", "5 March",
        "5th-Mar", "1944.III 5 beds", "born 19300305", "dob1970-03-05", "scan_2019-03-05",
        "a 93-year-old", "aged 93", "age: 104", "Salem MA 01970", "01970-1234", "MRN 445566",
        "05 03 1970", "2019_03_05", "05–03–1970", "5. 3. 1970", "1970 - 03 - 05", "on 5.III.1970",
        "5. März 1970", "MÄRZ 1970", "5 de marzo de 1970", "12 août", "le 1er mars", "3. Okt. 2019",
        "Tel. 0351 678088", "Telefon: 0351/678088", "0351/678088", "call 6175550142",
        "seen 123456789", "flu 3/3", "on 1800-03-05", "seen 24/12, well", "at 40.7128, -74.0060",
        "40.7128 -74.0060", "40° 42' N", "ssn 123456789", "ssn: 123456789", "vin 1hgcm82633a004352",
        "mrn/A12", "mrn-123", "MRN (445)",
        // digits of other scripts, and what is not seen
        "１９７０-０３-０５", "５.３.１９", "seen ٢٠١٩-٠٣-٠٥", "1970\u200b-03-05",
        "ｂｏｂ＠ｅｘａｍｐｌｅ．ｏｒｇ", "123\u221245\u22126789", "𝟏𝟗𝟕𝟎-𝟎𝟑",
        // days of a year, and days without a year
        "2020-065", "on 2020/366", "seen 03052020", "seen 25122019", "03/05", "24/12", "24.12.",
        "--03-05", "--0305",
        // years that tell an age over 89
        "gen: born 1925", "b. 1936", "Geb. 1925", "born in the year: 1930 (born 1930)",
        "year of birth 1920", "* 1925 in Rome",
        // cards, and numbers that nothing else has
        "550e8400-e29b-41d4-a716-446655440000", "4111 1111 1111 1111", "seen 1583366400000"}) {
    const auto result = check("remark", text, "stable");
    EXPECT_FALSE(result.holds) << text;
    EXPECT_EQ(result.achieved, 1) << text;
    EXPECT_EQ(result.explanation.find(text), std::string::npos) << text;
  }
  for (const char* text :
       {"250.01", "E11.65", "120/80", "1.5-2.5", "89 years", "in 2019", "T2DM", "1 of 2",
        "0093-7214-01", "may be", "mar", "a@b", "12:30", "300.1.2.3", "99/99/99",
        "hydroxychloroquine 200", "1.5..2000", "0.1234567890", "12345678901", "mrn unknown",
        "tel. known", "1 iv 20 mg", "stage II/III", "type 2 1990",
        // like a vehicle's or a device's number, but for one sign
        "1HGCM82633A00435O", "1HGCM82633a004352", "1HGCM82633A00435", "0G:1B:44:11:3A:B7",
        "00:1B:44:11:3A.B7", "seventeen letters",
        // fractions, grades, other years and other numbers
        "3/5", "20/20", "13/32", "2020-367", "2020-000", "1.2", "born 1937", "since 1925",
        "hepatitis b 1925", "born 3100", "4111 1111 1111", "seen 32052020", "seen 03051720",
        "--13-32", "２",
        // signs and letters that make them no date and no telephone's number
        "grade 2+3. well", "1944.III5", "kit q0351 678"}) {
    EXPECT_TRUE(holds("remark", text, "stable")) << text;
  }
}

TEST_F(SafeHarborClaims, PlacesDaysAndPeopleByOtherNames) {
  const auto three = [&](const std::string& column, const char* a, const char* b, const char* c) {
    return check(fmt::format("{},sex\n{},F\n{},M\n{},F\n", column, a, b, c)).holds;
  };
  EXPECT_FALSE(three("fips", "060", "170", "480"));
  EXPECT_FALSE(three("lat", "40.7128", "34.0522", "41.9"));
  EXPECT_TRUE(three("lat", "left", "right", "both"));
  EXPECT_FALSE(three("admit_doy", "12", "200", "364"));
  EXPECT_FALSE(three("day_of_year", "12", "200", "364"));
  EXPECT_FALSE(three("surgeon", "Smith", "Jones", "Doe"));
  EXPECT_TRUE(three("doctor", "1", "0", "3"));
  for (const char* name : {"edad", "Âge", "âge", "leeftijd", "ålder"}) {
    EXPECT_FALSE(three(name, "20", "30", "94")) << name;
    EXPECT_TRUE(three(name, "20", "30", "90+")) << name;
  }
  EXPECT_FALSE(three("edad_meses", "20", "30", "40"));
  EXPECT_FALSE(three("Straße", "Elm", "Oak", "Fir"));
}

TEST_F(SafeHarborClaims, PartsOfDatesAreFoundInColumnsOfAnyName) {
  const auto column = [&](const std::vector<std::string>& cells, int times) {
    std::string csv = "x,sex\n";
    for (int i = 0; i < times; ++i) {
      for (const auto& cell : cells) csv += cell + ",F\n";
    }
    return check(csv).holds;
  };
  EXPECT_FALSE(column({"Monday", "Tuesday", "Sunday"}, 2));
  EXPECT_FALSE(column({"mon", "Tue", "WED."}, 2));
  EXPECT_FALSE(column({"January", "May", "DECEMBER"}, 2));
  EXPECT_FALSE(column({"lundi", "ok", "well", "fine"}, 2));
  EXPECT_FALSE(column({"Mo", "Di", "Mi", "Do", "Fr"}, 2));
  EXPECT_TRUE(column({"MO", "MI", "MA", "ME", "NY", "CA"}, 2));  // states
  EXPECT_TRUE(column({"May", "ok", "ok"}, 2));                   // two values
  EXPECT_TRUE(column({"May", "ok", "unknown"}, 2));              // and none
  EXPECT_TRUE(column({"Monday blues", "ok", "x"}, 2));           // more than a name
  std::vector<std::string> parts;
  for (int i = 0; i <= 10; ++i) parts.push_back(fmt::format("{}/{}", i, i == 10 ? 40 : 9));
  EXPECT_TRUE(column(parts, 3));  // of nine
  for (int day = 1; day < 10; ++day) parts.push_back(fmt::format("{}/3", day));
  EXPECT_FALSE(column(parts, 3));
  // Days without signs between: the year last, or the day of the year.
  EXPECT_FALSE(column({"03052020", "31121999"}, 3));
  EXPECT_FALSE(column({"2020065", "1999365"}, 3));
  EXPECT_TRUE(column({"2020367", "1799365"}, 3));
  EXPECT_TRUE(column({"32132020", "03051799"}, 3));
  // ZIP codes that were read as numbers.
  const std::vector<std::string> zips = {"2138", "2139", "10025", "60601", "94117"};
  EXPECT_FALSE(column(zips, 4));
  EXPECT_TRUE(column(zips, 3));                                         // too few records to tell
  EXPECT_TRUE(column({"2138", "2139", "10020", "60600", "94110"}, 4));  // round
  EXPECT_TRUE(column({"2138", "2139", "10025", "601", "94117"}, 4));
  EXPECT_TRUE(column({"10025", "60601", "94117"}, 7));  // may be procedures
  // As spreadsheets keep the zero.
  EXPECT_FALSE(check("zip,sex\n'02138,F\n'02139,M\n'10025,F\n").holds);
  EXPECT_FALSE(check("zip,sex\n\"=\"\"02138\"\"\",F\n\"=\"\"02139\"\"\",M\n").holds);
  EXPECT_FALSE(column({"'03052020", "'31121999"}, 3));
  EXPECT_FALSE(check("zip,sex\n2138,F\n2139,M\n2140,F\n").holds);
  EXPECT_FALSE(check("zip,sex\n21380,F\n21390,M\n21400,F\n").holds);  // none begins with 0
  EXPECT_FALSE(check("when_zip,sex\n２１３,F\n０３６,M\n100,F\n").holds);
  claim["allowed"] = {"x"};
  EXPECT_TRUE(column({"Monday", "Tuesday", "Sunday"}, 2));
  EXPECT_TRUE(column(zips, 4));
}

TEST_F(SafeHarborClaims, AnnouncedNumbersAccountsAndTitlesAreFound) {
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
    EXPECT_FALSE(holds("finding", text, "stable")) << text;
  }
  for (const char* text :
       {"B12 1MG",      "T1 2ML",      "stage 3.1",    "ext rotation 30", "fall 12",
        "case 3",       "patient 12",  "acc 120",      "x*x 1234",        "F-18 PET",
        "serial ECG 2", "call 2 days", "0093-7214-01", "v1.2.3",          "sn 12",
        "a@home",       "1 / 2 / 3",   "at 12",        "account closed",  "lat 12",
        "rule#12",      "MRI",         "e.g. com"}) {
    EXPECT_TRUE(holds("finding", text, "stable")) << text;
  }
  for (const char* text : {"Dr. House", "Mr Smith", "Prof. Miller", "Frau Meier", "Mme J. Dubois"})
    EXPECT_FALSE(holds("finding", text, "stable")) << text;
  for (const char* text : {"Dr", "MS Stable", "dr. house", "Drs Order", "Mr. 5"})
    EXPECT_TRUE(holds("finding", text, "stable")) << text;
  EXPECT_TRUE(holds("Dr Visits", "3", "2"));
  claim["allowed"] = {"finding"};
  EXPECT_TRUE(holds("finding", "Dr. House", "stable"));
}

TEST_F(SafeHarborClaims, NineOrTenDigitsLeaveByPermissionAlone) {
  EXPECT_FALSE(holds("lab", "5551234567", "98"));
  EXPECT_FALSE(holds("lab", "555123456", "98"));
  EXPECT_TRUE(holds("lab", "55512345", "98"));
  EXPECT_TRUE(holds("lab", "55512345678", "98"));
  EXPECT_TRUE(holds("lab", "555123456789", "98"));
  EXPECT_FALSE(holds("lab", "5551234567890", "98"));
  claim["allowed"] = {"lab"};
  EXPECT_TRUE(holds("lab", "5551234567", "98"));
}

TEST_F(SafeHarborClaims, DatesAreYearsAndNoneTellsAnAgeOver89) {
  claim["dates"] = {"when"};
  for (const char* cell : {"1937", "2026", "<=1936", "<=1939", "1940..1949", "", "*", "unknown",
                           "{1937|1940}", "2020..2029"}) {
    EXPECT_TRUE(holds("when", cell, "1990")) << cell;
  }
  for (const char* cell : {"1936", "2027", "<=1935", "1930..1939", "1990-03", "19900305",
                           "03/05/1990", "{1930|1940}", "90", "<=2050"}) {
    EXPECT_FALSE(holds("when", cell, "1990")) << cell;
  }
  claim.erase("dates");
  // By its name, whatever the claim says.
  EXPECT_FALSE(holds("birth_year", "1930", "1990"));
  EXPECT_FALSE(holds("YearOfBirth", "1930", "1990"));
  EXPECT_TRUE(holds("weight", "1930", "1990"));
  EXPECT_TRUE(holds("birth_weight", "1930", "3100"));
}

TEST_F(SafeHarborClaims, AgesEndAt89) {
  for (const char* column : {"age", "Age at visit", "patientAge"}) {
    for (const char* cell :
         {"89", "89.5", "90+", "80+", "80..89", "[80-90)", "<90", ">=90", "{88|90+}", "[80,90)",
          "80 - 89", "80–89", "80 to 89", ">89", "", "*"}) {
      EXPECT_TRUE(holds(column, cell, "30")) << cell;
    }
    for (const char* cell :
         {"90",      "93",   "104",  "91+",       "90..94",  "85..94",      "[85-95)",
          "[80-90]", "<95",  "<=90", "{88|91}",   "unknown", "ninety-four", "nineties",
          "XCIV",    "9 4",  "9-4",  "9,4",       "９４",    "0000000094",  "094",
          "-94",     ">90+", "<80+", "[80-90.5)", "[80-85"}) {
      EXPECT_FALSE(holds(column, cell, "30")) << cell;
    }
  }
  for (const char* column : {"years_old", "ageyears", "Alter", "age_years", "YearsOld"}) {
    EXPECT_FALSE(holds(column, "93", "30")) << column;
    EXPECT_TRUE(holds(column, "90+", "30")) << column;
  }
  EXPECT_TRUE(holds("average", "93", "30"));
  claim["ages"] = {"x"};
  EXPECT_FALSE(holds("x", "93", "30"));
}

TEST_F(SafeHarborClaims, AgesInMonthsOrLessDoNotLeave) {
  for (const char* column : {"age_mo", "age_in_months", "AgeWeeks", "agedays", "days_since_birth",
                             "months_old", "alter_in_tagen"})
    EXPECT_FALSE(holds(column, "30", "31")) << column;
  EXPECT_TRUE(holds("days_in_hospital", "30", "31"));
  claim["allowed"] = {"age_mo"};
  EXPECT_TRUE(holds("age_mo", "30", "31"));
}

TEST_F(SafeHarborClaims, ANameOfAColumnWithAnIdentifierIsToldByItsPlace) {
  for (const char* name : {"ssn_123-45-6789", "jane@example.org", "visit_2019-03-05"}) {
    for (const char* cell : {"x", ""}) {  // of an empty column, too
      claim["allowed"] = {name};
      const auto result = check(name, cell, cell);
      EXPECT_FALSE(result.holds) << name;
      EXPECT_NE(result.explanation.find("the name of column 1 has "), std::string::npos);
      EXPECT_EQ(result.explanation.find(name), std::string::npos);
    }
  }
  claim.erase("allowed");
  for (const char* name : {"visit_2019", "icd_10", "hba1c", "systolic_120", "day_30"})
    EXPECT_TRUE(holds(name, "x", "y")) << name;
}

TEST_F(SafeHarborClaims, ZipCodesAreThreeDigitsOfLargeAreas) {
  for (const char* cell : {"021", "000", "02*", "0**", "*", "", "{021|100}"})
    EXPECT_TRUE(holds("zip", cell, "100")) << cell;
  // Small areas of the 2020 census; of the military; not in use.
  for (const char* cell :
       {"036", "059", "821", "893", "099", "001", "02138", "0213*", "0213", "12", "{021|036}"}) {
    EXPECT_FALSE(holds("zip", cell, "100")) << cell;
  }
  // Five digits with a leading zero, by whatever name.
  EXPECT_FALSE(holds("home", "02138", "10025"));
  EXPECT_TRUE(holds("procedure", "99213", "99214"));
  claim["zips"] = {"procedure"};
  EXPECT_FALSE(holds("procedure", "99213", "99214"));
}

TEST_F(SafeHarborClaims, AColumnIsNotCalledByAnIdentifier) {
  const std::string three = "a,F\nb,M\nc,F\n";
  for (const char* name :
       {"email", "home_phone", "SSN", "name", "lastName", "patient name", "county", "street"}) {
    EXPECT_FALSE(check(std::string(name) + ",sex\n" + three).holds) << name;
  }
  for (const char* name : {"Versichertennummer", "Versicherungsnummer", "KVNR", "eGK"})
    EXPECT_FALSE(check(std::string(name) + ",sex\n" + three).holds) << name;
  for (const char* name : {"drug_name", "state", "hospital", "diagnosis"})
    EXPECT_TRUE(check(std::string(name) + ",sex\n" + three).holds) << name;
  for (const char* name : {"commune", "Stadt", "Kreis", "département", "provincia"})
    EXPECT_FALSE(check(std::string(name) + ",sex\n" + three).holds) << name;
  for (const char* name : {"Hausarzt", "prescripteur", "Notfallkontakt", "Betreuer", "NOK"}) {
    EXPECT_FALSE(check(std::string(name) + ",sex\n" + three).holds) << name;
    EXPECT_TRUE(check(std::string(name) + ",sex\nja,F\nnein,M\nNA,F\n").holds) << name;
  }
  // Whether there is one is no identifier.
  EXPECT_TRUE(check("email,sex\nyes,F\nno,M\nno,F\n").holds);
  claim["allowed"] = {"county"};
  const auto result = check("county,sex\n" + three);
  EXPECT_TRUE(result.holds);
  EXPECT_NE(result.explanation.find("county"), std::string::npos);
  // Permission is for the name, not for what its cells hold.
  EXPECT_FALSE(holds("county", "bob@example.org", "x"));
}

TEST_F(SafeHarborClaims, NumbersOfPlansAccountsAndDevicesByTheirHeader) {
  // `each` records of every one of 15 numbers.
  const auto numbers = [&](const std::string& name, const std::string& before, int each) {
    std::string csv = name + ",sex\n";
    for (int row = 0; row < 15 * each; ++row)
      csv += fmt::format("{}{},F\n", before, 361234 + 7919 * (row / each));
    return check(csv).holds;
  };
  for (const char* name :
       {"Konto", "Kontonummer", "Member", "Policy", "Medicaid", "Device", "Faxnr", "CHI", "IPP",
        "SVNR", "AHV", "NIP", "Akte", "Karteinr", "Versnr", "dossier", "CRN", "dossier_no"}) {
    EXPECT_FALSE(numbers(name, "", 20)) << name;
    EXPECT_FALSE(numbers(name, "D-", 20)) << name;
    EXPECT_TRUE(numbers(name, "", 21)) << name;  // of groups
    EXPECT_TRUE(check(std::string(name) + ",sex\nHMO,F\nPPO,M\nnone,F\n").holds) << name;
    EXPECT_TRUE(check(std::string(name) + ",sex\n123,F\n124,M\n125,F\n").holds) << name;
    EXPECT_TRUE(check(std::string(name) + ",sex\n361.25,F\n412.75,M\n5125.5,F\n").holds) << name;
  }
  for (const char* name : {"device_type", "policy_year", "x"}) EXPECT_TRUE(numbers(name, "", 20));
  claim["allowed"] = {"Konto"};
  EXPECT_TRUE(numbers("Konto", "", 20));
}

TEST_F(SafeHarborClaims, NamesOfOtherLanguagesAreIdentifiersToo) {
  for (const char* name : {"Nachname", "Vorname", "Familienname", "Apellido", "prenom", "Wohnort",
                           "Straße", "Strasse", "Telefon", "Handy", "PatientenNr", "Fall_Nr"}) {
    EXPECT_FALSE(check(fmt::format("{},sex\na,F\nb,M\nc,F\n", name)).holds) << name;
    EXPECT_TRUE(check(fmt::format("{},sex\na,F\na,M\nb,F\n", name)).holds) << name;  // yes or no
  }
  EXPECT_FALSE(holds("Geburtsjahr", "1930", "1990"));
  EXPECT_TRUE(holds("Geburtsjahr", "<=1936", "1990"));
  for (const char* name : {"Station", "Aufnahmegrund", "nominal", "Gewicht_Nr"})
    EXPECT_TRUE(check(fmt::format("{},sex\na,F\nb,M\nc,F\n", name)).holds) << name;
}

TEST_F(SafeHarborClaims, NoColumnHasANumberForEveryRecord) {
  const auto table = [](int rows, int step) {
    std::string csv = "x,sex\n";
    for (int i = 0; i < rows; ++i) csv += fmt::format("{},F\n", 10000 + i / step * 7);
    return csv;
  };
  EXPECT_FALSE(check(table(20, 1)).holds);
  EXPECT_TRUE(check(table(19, 1)).holds);
  EXPECT_TRUE(check(table(20, 2)).holds);
  // 99 in a hundred have one of their own: 198 of 200, not 148 of 150.
  EXPECT_FALSE(check(table(198, 1) + "5,F\n5,F\n").holds);
  EXPECT_TRUE(check(table(148, 1) + "5,F\n5,F\n").holds);
  claim["allowed"] = {"x"};
  EXPECT_TRUE(check(table(20, 1)).holds);
}

TEST_F(SafeHarborClaims, WhoseARowIsMayBeANumberOfThisReleaseAlone) {
  claim["person"] = "patient";
  EXPECT_TRUE(check("patient,sex\n2,F\n1,M\n2,F\n3,F\n").holds);
  EXPECT_FALSE(check("patient,sex\n2,F\n1,M\n2,F\n4,F\n").holds);
  EXPECT_FALSE(check("patient,sex\nA2,F\n1,M\n2,F\n3,F\n").holds);
}

TEST_F(SafeHarborClaims, DaysWithoutSignsAreFoundWhereTheyAreMany) {
  std::string many = "x\n";
  for (int i = 0; i < 19; ++i) many += fmt::format("{}\n", i % 5);
  EXPECT_FALSE(check(many + "19300305\n").holds);    // one in twenty
  EXPECT_TRUE(check(many + "7\n19300305\n").holds);  // fewer: a number among numbers
  EXPECT_TRUE(check(many + "19301305\n").holds);     // no such month
}

TEST_F(SafeHarborClaims, BreachesAreCountedByRecordAndNamedByColumn) {
  claim["dates"] = {"when"};
  const auto result =
      check("when,age,remark\n1990-01,93,ok\n1990-01,20,bob@example.org\n1990,95,ok\n");
  EXPECT_EQ(result.required, 0);
  EXPECT_EQ(result.achieved, 5);
  EXPECT_EQ(
      result.explanation,
      "'when' has a date that tells more than a year, or an age over 89 in 2 records; 'age' has "
      "an age over 89 or not in figures in 2 records; 'remark' has an email address in one record");
}

TEST_F(SafeHarborClaims, AClaimThatCannotBeReadIsRefused) {
  for (const Json& as_of : {Json("2026"), Json(2026.5), Json(-1), Json(nullptr)}) {
    claim["as_of"] = as_of;
    EXPECT_THROW((void)check("a,b\n1,2\n"), Error);
  }
  claim.erase("as_of");
  EXPECT_THROW((void)check("a,b\n1,2\n"), Error);
  claim["as_of"] = 2026;
  claim["dates"] = "when";
  EXPECT_THROW((void)check("a,b\n1,2\n"), Error);
}

}  // namespace
}  // namespace pratique::verify::safe_harbor_claims_test
