// Notes in which nobody is named stay as they are, and people are found in the forms that lists,
// scanners and systems of hospitals write.
#include <gtest/gtest.h>

#include <string>

#include "pratique/notes/find/finder.h"

namespace pratique::notes::clinical_text_test {
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

TEST(ClinicalText, WhatIsNamedAfterPeopleAndPlacesStays) {
  for (const char* text :
       {"Carotid Doppler showed no stenosis. Holter without arrhythmia. A Foley catheter was "
        "placed.",
        "The Glasgow coma score was 15 after intubation, APACHE 12, no pneumothorax.",
        "Boston bowel preparation score 7; sessile polyp of the sigmoid colon removed with a Roth "
        "net.",
        "Stress test by the Bruce protocol; the Duke treadmill score was low, no ischemia, no "
        "arrhythmia.",
        "Ejection fraction by Simpson's biplane method, mild mitral regurgitation and stenosis.",
        "Pneumonia; hypoxemia improved. Murphy sign negative, McBurney point without tenderness.",
        "Seen in the Oncology Clinic for lymphoma and neutropenia; discussed at the Tumor Board."})
    EXPECT_EQ(found(text), "") << text;
}

TEST(ClinicalText, PeopleWhoBearSuchNamesAreFound) {
  EXPECT_EQ(found("Mr. Foley has pneumonia and hypoxemia. Foley states that he is better."),
            "name:Mr. Foley|name:Foley");
  EXPECT_EQ(found("Dyspnea and orthopnea; his wife Ellen Murphy reports edema."),
            "name:Ellen Murphy");
}

TEST(ClinicalText, MedicinesInListsStay) {
  EXPECT_EQ(found("He takes aspirin, Xorvelto, metoprolol, Senna, lisinopril and Quimbrel 20 mg."),
            "");
}

// What two lines ran together into, and brands.
TEST(ClinicalText, WordsThatRanTogetherAreTwo) {
  EXPECT_EQ(found("DESCRIPTION OF PROCEDUREThe arm was prepped. HypertensionPast surgery: none."),
            "");
  EXPECT_EQ(found("seen by DeShawn McAllister for pain"), "name:DeShawn McAllister");
}

TEST(ClinicalText, ATitleEndsWithItsSentence) {
  EXPECT_EQ(found("She went to the eye doctor. She has had some pain."), "");
  EXPECT_EQ(found("She was seen by Dr. Xqarvin. She has pain."), "name:Dr. Xqarvin");
}

TEST(ClinicalText, NamesAndNumbersAsAScannerReadsThem) {
  EXPECT_EQ(found("seen by Dr. L1ndqu1st for a wr1st fracture"), "name:Dr. L1ndqu1st");
  EXPECT_EQ(found("Patient: Sch0enfe1d, Anna"), "name:Sch0enfe1d, Anna");
  EXPECT_EQ(found("born on O4/l2/1958 there"), "date:O4/l2/1958");
  EXPECT_EQ(found("call 718-555-O166 now"), "phone:718-555-O166");
  EXPECT_EQ(found("HbA1c 7.2, T1DM, H1N1, x10mg, T4N1M0 and L4-5 disc"), "");
}

TEST(ClinicalText, NamesInListsOfPatients) {
  EXPECT_EQ(found("512 Gutierrez 77F heart failure"), "name:Gutierrez|age:77");
  EXPECT_EQ(found("513 Banks 81F hip fracture"), "name:Banks|age:81");
  EXPECT_EQ(found("OLDENKAMP,GERRIT W was seen"), "name:OLDENKAMP,GERRIT W");
  EXPECT_EQ(found("Ordering: BLACKWOOD, S"), "name:BLACKWOOD, S");
}

TEST(ClinicalText, AgesWithASex) {
  EXPECT_EQ(found("a 62/F from afar"), "age:62");
  EXPECT_EQ(found("this 46 M, found down"), "age:46");
  EXPECT_EQ(found("a 58 female with pain"), "age:58");
  EXPECT_EQ(found("a temp of 97 F, sats 96 on air"), "");
}

TEST(ClinicalText, NumbersOfOtherCountriesAndSystems) {
  EXPECT_EQ(found("aadhaar 4821 9930 1745 shown"), "id:4821 9930 1745");
  EXPECT_EQ(found("last four ***-**-6689 there"), "ssn:***-**-6689");
  EXPECT_EQ(found("Officer badge 5521 came"), "id:5521");
  EXPECT_EQ(found("policy no P/141129/01/2022/008812 paid"), "plan:P/141129/01/2022/008812");
  EXPECT_EQ(found("pump s/n VFTR 00918273 in use"), "device:VFTR 00918273");
  EXPECT_EQ(found("consent on 05APR2022 was"), "date:05APR2022");
  EXPECT_EQ(found("appointment tomorrow 8/6 please"), "date:8/6");
}

TEST(ClinicalText, WhatPeopleWorkAs) {
  EXPECT_EQ(found("He is a fisherman and smokes."), "profession:fisherman");
  EXPECT_EQ(found("a 58 year old truck driver with pain"), "age:58|profession:truck driver");
  EXPECT_EQ(found("She is a poor historian and a smoker."), "");
  EXPECT_EQ(found("She works nights for Amazon."), "organisation:Amazon");
}

}  // namespace
}  // namespace pratique::notes::clinical_text_test
