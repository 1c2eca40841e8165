// Notes as wards write them: without capitals, in capitals, with days and nothing else.
#include <gtest/gtest.h>

#include <string>

#include "pratique/notes/find/finder.h"

namespace pratique::notes::terse_notes_test {
namespace {

// What was found, as TYPE:TEXT joined by |.
std::string found(std::string_view text) {
  std::string result;
  for (const auto& span : find_identifiers(text)) {
    result += result.empty() ? "" : "|";
    result += span.type + ":" + std::string(text.substr(span.start, span.end - span.start));
  }
  return result;
}

TEST(TerseNotes, NamesWithoutCapitals) {
  EXPECT_EQ(found("npn: spoke w/ dtr linda and son mike at bedside, dr kowalski aware"),
            "name:linda|name:mike|name:dr kowalski");
  EXPECT_EQ(found("pt maria seen, states pain"), "name:maria");
  EXPECT_EQ(found("pt john smith here for f/u"), "name:john smith");
}

TEST(TerseNotes, NamesInLinesOfCapitals) {
  EXPECT_EQ(
      found("NEURO: A&OX3. WIFE PATRICIA IN TO VISIT, SPOKE WITH DR. HERNANDEZ RE PLAN OF CARE."),
      "name:PATRICIA|name:DR. HERNANDEZ");
  EXPECT_EQ(found("HIS WIFE ERNESTINE DROVE HIM IN."), "name:ERNESTINE");
  EXPECT_EQ(
      found("CV: SR NO ECTOPY. ABD SOFT, TOLERATING DIET. FOLEY DRAINING CLEAR YELLOW URINE."), "");
}

TEST(TerseNotes, DaysWithoutAYear) {
  EXPECT_EQ(found("adm 3/5 for pain"), "date:3/5");
  EXPECT_EQ(found("labs 2/12 were normal"), "date:2/12");
  EXPECT_EQ(found("strength 4/5 in both legs, pain 3/10, took 1/2 tablet, reflexes 2/4"), "");
}

TEST(TerseNotes, MonthsAloneAreDates) {
  // A month is an element of a date "directly related to an individual" (164.514(b)(2)(i)(C)).
  EXPECT_EQ(found("pain since June and again in May"), "date:June|date:May");
  EXPECT_EQ(found("she may be well in march step"), "");
}

TEST(TerseNotes, DatesAsSystemsPrintThem) {
  EXPECT_EQ(found("Admitted 14FEB1962 again"), "date:14FEB1962");
  EXPECT_EQ(found("vu le 1er avril 2024 ici"), "date:1er avril 2024");
  EXPECT_EQ(found("DOB: 03/1931 and"), "date:03/1931");
  EXPECT_EQ(found("dob 07/62 and"), "date:07/62");
}

TEST(TerseNotes, AgesOver89InWordsAndSigns) {
  EXPECT_EQ(found("is aged ninety three."), "age:ninety three");
  EXPECT_EQ(found("a 97-y-o here"), "age:97");
  EXPECT_EQ(found("the 96 F with cough"), "age:96");
  EXPECT_EQ(found("she turned one hundred and two."), "age:one hundred and two");
  EXPECT_EQ(found("a temp of 97 F, sats 96 on air"), "");
}

TEST(TerseNotes, NumbersBehindTheirWordGoWhole) {
  EXPECT_EQ(found("licence no. D4481-77302-90115."), "licence:D4481-77302-90115");
  EXPECT_EQ(found("SSN ending in 6789"), "ssn:6789");
  EXPECT_EQ(found("ssn xxx-xx-6789 there"), "ssn:xxx-xx-6789");
  EXPECT_EQ(found("interpreter ID #338112."), "id:338112");
  EXPECT_EQ(found("userid jdoe_vandergrift logged in"), "id:jdoe_vandergrift");
}

TEST(TerseNotes, AddressesOfInterfaces) {
  const std::string text = "ADDR:742 EVERGREEN TER^SPRINGFIELD^OR^97477 on file";
  EXPECT_EQ(found(text), "location:742 EVERGREEN TER|location:SPRINGFIELD^OR^97477");
}

TEST(TerseNotes, WhatIsNamedAfterSomebodyStays) {
  EXPECT_EQ(found("He has Castleman's Disease and takes Cipro. An African-American man."), "");
}

}  // namespace
}  // namespace pratique::notes::terse_notes_test
