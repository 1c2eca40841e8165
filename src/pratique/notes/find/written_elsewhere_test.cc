// What other hospitals, countries and writers write: forms, hospitals and employers by the words
// around them, ages and dates of other forms, numbers behind labels of their own; and text that
// names nobody.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "pratique/notes/find/finder.h"

namespace pratique::notes::written_elsewhere_test {
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

bool finds(std::string_view text, std::string_view what) {
  return ("|" + found(text) + "|").find("|" + std::string(what) + "|") != std::string::npos;
}

TEST(WrittenElsewhere, FieldsOfForms) {
  EXPECT_PRED2(finds, "Surname: ZELAWSKI   Ward: Larchwood", "name:ZELAWSKI");
  EXPECT_PRED2(finds, "Employer: Cedar Creek Roofing   Occupation: Roofer", "profession:Roofer");
  EXPECT_PRED2(finds, "Employer: Cedar Creek Roofing   Occupation: Roofer",
               "organisation:Cedar Creek Roofing");
  EXPECT_PRED2(finds, "City: Tallmadge   State: OH  Zip: 44278", "location:44278");
  EXPECT_EQ(found("Occupation: none   Employer: unknown   Name: n/a"), "");
}

TEST(WrittenElsewhere, HospitalsByWhatHappensThere) {
  EXPECT_PRED2(finds, "He was transferred from QPMC for further care.", "hospital:QPMC");
  EXPECT_PRED2(finds, "follow up at Willowbrook Pediatrics Wednesday",
               "hospital:Willowbrook Pediatrics");
  EXPECT_PRED2(finds, "WESTERN PRAIRIE HOSPITAL\nDISCHARGE SUMMARY\n",
               "hospital:WESTERN PRAIRIE HOSPITAL");
  EXPECT_EQ(found("BRIEF HOSPITAL COURSE:\nTransferred to the MICU, then to the floor. Seen by "
                  "Interventional "
                  "Radiology and General Surgery."),
            "");
}

TEST(WrittenElsewhere, ProfessionsAndEmployers) {
  EXPECT_PRED2(finds, "She is a paralegal at Hobbs Marsh and well.", "organisation:Hobbs Marsh");
  EXPECT_PRED2(finds, "his father used to be a welder", "profession:welder");
  EXPECT_PRED2(finds, "45M, warehouse worker, low back pain", "profession:warehouse worker");
  EXPECT_PRED2(finds, "Her mother, Aylin, a pharmacist from afar, translates.",
               "profession:pharmacist");
  EXPECT_EQ(found("Seen by the pharmacist and a nurse. He is a smoker, a regular drinker and a "
                  "poor historian."),
            "");
}

TEST(WrittenElsewhere, AgesInWordsBracketsAndDecades) {
  EXPECT_PRED2(finds, "She is a nineteen-year-old with pain.", "age:nineteen");
  EXPECT_PRED2(finds, "Mr. Hubbard (59) came alone.", "age:59");
  EXPECT_PRED2(finds, "Mr. Hubbard, 94, came alone.", "age:94");
  EXPECT_PRED2(finds, "Mrs. Hubbard is 91.", "age:91");
  EXPECT_PRED2(finds, "a woman in her forties", "age:forties");
  EXPECT_PRED2(finds, "their uncle died at 101", "age:101");
  EXPECT_EQ(found("HR 80s, sats in the mid 90s, BP 120s over 70s, Eliquis (5) given, pain was 7."),
            "");
}

TEST(WrittenElsewhere, DatesOfOtherForms) {
  EXPECT_PRED2(finds, "s/p hip replacement 3/79 without pain", "date:3/79");
  EXPECT_PRED2(finds, "operated on 15-III-2018 there", "date:15-III-2018");
  EXPECT_PRED2(finds, "next visit the second Thursday in March",
               "date:the second Thursday in March");
  EXPECT_PRED2(finds, "she quit smoking in fall 2016", "date:fall 2016");
  EXPECT_EQ(
      found("strength 4/5, BP 120/80, visual acuity 6/9, vent 15/5, 2-3 times, shift 1900-0700"),
      "");
}

TEST(WrittenElsewhere, NumbersBehindLabelsOfTheirOwn) {
  EXPECT_PRED2(finds, "Policy #: W2283 66712 and", "plan:W2283 66712");
  EXPECT_PRED2(finds, "Provider no. 2447781K signed", "licence:2447781K");
  EXPECT_PRED2(finds, "MRN 55 20 118 was", "mrn:55 20 118");
  EXPECT_PRED2(finds, "OHIP 4418-229-881-VX valid", "plan:4418-229-881-VX");
  EXPECT_EQ(found("no 3 weeks passed; number of stools 4 per day; grade no. 2"), "");
}

TEST(WrittenElsewhere, NamesWithPartsOfOtherLanguages) {
  EXPECT_PRED2(finds, "seen: María Gutiérrez de la Vega came", "name:María Gutiérrez de la Vega");
  EXPECT_PRED2(finds, "Dear Wolfgang E. Pfeiffer,", "name:Wolfgang E. Pfeiffer");
  EXPECT_PRED2(finds, "Mary O'Neil came. O'NEIL,MARY left.", "name:Mary O'Neil");
  EXPECT_PRED2(finds, "Mr. John Brewster came. J. Brewster denies pain.", "name:J. Brewster");
}

TEST(WrittenElsewhere, WhatADoctorWillDoIsNoName) {
  EXPECT_EQ(found("Mrs. Hubbard will return in two weeks."), "name:Mrs. Hubbard");
  EXPECT_PRED2(finds, "Mrs. Hubbard came. Will Hubbard drove.", "name:Will Hubbard");
}

// In a text of medicine a word that lent its name to a syndrome is learned beside a given name
// alone.
TEST(WrittenElsewhere, NamesThatSyndromesHaveAreLearnedBesideAGivenName) {
  const std::string text =
      "Mary Johnson, with edema and stenosis, was seen. Mild nausea, no lesion. BP 120/80.";
  const auto words = certain_names(text, find_identifiers(text));
  EXPECT_NE(std::find(words.begin(), words.end(), "johnson"), words.end());
  EXPECT_NE(std::find(words.begin(), words.end(), "mary"), words.end());
}

TEST(WrittenElsewhere, NounsOfOtherLanguagesStay) {
  EXPECT_EQ(found("Der Patient wurde in gutem Allgemeinzustand mit der Behandlung entlassen. Die "
                  "Kontrolle der "
                  "Blutwerte erfolgt durch den Hausarzt."),
            "");
  EXPECT_PRED2(
      finds,
      "Wir berichten über den Patienten Herrn Kowalke, der mit der Behandlung bei uns war und den "
      "wir sahen. Herr Kowalke ist wohl.",
      "name:Herr Kowalke");
}

TEST(WrittenElsewhere, WhereNobodyIsCertainDoubtfulCapitalsStay) {
  EXPECT_EQ(found("Zorvex capsule placed. Mild stenosis and edema of the colon, no lesion; Qelmar "
                  "score 11."),
            "");
  // The same words beside somebody who is certain are looked at as before.
  EXPECT_PRED2(finds, "Mr. Hubbard has stenosis and edema; Zorvex and Okonkwo saw the colon.",
               "name:Mr. Hubbard");
}

TEST(WrittenElsewhere, WhatIsSurelyAJobIsOneWhereverItStands) {
  EXPECT_PRED2(finds, "patient (plumber) reports pain", "profession:plumber");
  EXPECT_PRED2(finds, "a cattle rancher near there", "profession:cattle rancher");
  EXPECT_EQ(found("He has farmer's lung. The teacher was told."), "");
}

TEST(WrittenElsewhere, ScalesAndSignsStay) {
  for (const char* text :
       {"Patrick negative, Finkelstein positive, Trendelenburg gait, no effusion.",
        "Hamilton Anxiety 18, Montgomery-Asberg 30, Columbia negative.",
        "Child-Pugh B, MELD 17, ascites, no edema. BISAP 1, pancreatitis.",
        "Austin Flint murmur absent, mild stenosis. Todd paralysis resolved."})
    EXPECT_EQ(found(text), "") << text;
}

}  // namespace
}  // namespace pratique::notes::written_elsewhere_test
