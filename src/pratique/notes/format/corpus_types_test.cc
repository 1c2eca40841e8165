#include "pratique/notes/format/corpus_types.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pratique/notes/note.h"

namespace pratique::notes::corpus_types_test {
namespace {

TEST(CorpusTypes, OursStay) {
  for (const auto& type : span_types()) EXPECT_EQ(our_type(type), type);
}

// The table of docs/notes.md.
TEST(CorpusTypes, ThoseOfOtherCorporaAreOurs) {
  for (const auto& [theirs, ours] :
       std::initializer_list<std::pair<const char*, const char*>>{{"PERSON", "name"},
                                                                  {"PATIENT", "name"},
                                                                  {"DOCTOR", "name"},
                                                                  {"PREFIX", "name"},
                                                                  {"ADDRESS", "location"},
                                                                  {"LOCATION", "location"},
                                                                  {"GPE", "location"},
                                                                  {"STREET", "location"},
                                                                  {"ZIP", "location"},
                                                                  {"LOCATION-OTHER", "location"},
                                                                  {"DATE", "date"},
                                                                  {"DATE_TIME", "date"},
                                                                  {"AGE", "age"},
                                                                  {"PHONE_NUMBER", "phone"},
                                                                  {"US_SSN", "ssn"},
                                                                  {"MEDICALRECORD", "mrn"},
                                                                  {"CREDIT_CARD", "account"},
                                                                  {"IBAN_CODE", "account"},
                                                                  {"VEHICLE", "vehicle"},
                                                                  {"DEVICE", "device"},
                                                                  {"URL", "url"},
                                                                  {"DOMAIN_NAME", "url"},
                                                                  {"IP_ADDRESS", "ip"},
                                                                  {"IDNUM", "id"},
                                                                  {"ORGANIZATION", "organisation"},
                                                                  {"HOSPITAL", "hospital"},
                                                                  {"PROFESSION", "profession"}})
    EXPECT_EQ(our_type(theirs), ours) << theirs;
}

TEST(CorpusTypes, WhatNobodyKnowsIsAnIdentifier) {
  EXPECT_EQ(our_type("BLOOD_GROUP"), "id");
  EXPECT_EQ(our_type(""), "id");
}

}  // namespace
}  // namespace pratique::notes::corpus_types_test
