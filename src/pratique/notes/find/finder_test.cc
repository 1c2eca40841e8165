#include "pratique/notes/find/finder.h"

#include <gtest/gtest.h>

#include <string>

#include "pratique/notes/find/internal/patterns.h"

namespace pratique::notes::finder_test {
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

TEST(Finder, ShapesOfSeveralCountries) {
  EXPECT_EQ(found("call (617) 555-0142 today"), "phone:(617) 555-0142");
  EXPECT_EQ(found("mail jo.x@example.org now"), "email:jo.x@example.org");
  EXPECT_EQ(found("seen on 03/14/2011 again"), "date:03/14/2011");
  EXPECT_EQ(found("ssn 123-45-6789 given"), "ssn:123-45-6789");
  EXPECT_EQ(found("the scan of 14. März 2011 was"), "date:14. März 2011");
  EXPECT_EQ(found("her mrn: 4471123 is"), "mrn:4471123");
}

TEST(Finder, NamesByTitleAndList) {
  EXPECT_EQ(found("seen by Dr. Xqarvin for pain"), "name:Dr. Xqarvin");
  EXPECT_EQ(found("the patient Mary Johnson denies pain"), "name:Mary Johnson");
}

TEST(Finder, FormsThatStrangersWrite) {
  EXPECT_EQ(found("she lives @ 88 w 112th st now"), "location:88 w 112th st");
  EXPECT_EQ(found("beeper 4-7719 if worse"), "phone:4-7719");
  EXPECT_EQ(found("mail chi_odu at yahoo dot com soon"), "email:chi_odu at yahoo dot com");
  EXPECT_EQ(found("born DOB:19470817 there"), "date:19470817");
  EXPECT_EQ(found("operated on the twelfth of March again"), "date:twelfth of March");
  EXPECT_EQ(found("came on 12/25. he left"), "date:12/25");
  EXPECT_EQ(found("a ninety-one-year-old woman"), "age:ninety-one");
  EXPECT_EQ(found("she's 91 and well"), "age:91");
  EXPECT_EQ(found("the patient (\u5f20\u6653\u660e) came alone"), "name:\u5f20\u6653\u660e");
  EXPECT_EQ(found("her dtr chidinma was there"), "name:chidinma");
}

TEST(Finder, InitialsAndNamesWithinRunsOfCapitals) {
  EXPECT_EQ(found("J.R.S. is a boy. Later JRS was seen, U.S. born."), "name:J.R.S.|name:JRS");
  // A form of address in the middle of a run begins a name.
  const std::string text = "wir sahen Ihre Patientin Frau Annegret W\u00f6hrle heute";
  EXPECT_NE(found(text).find("Annegret W\u00f6hrle"), std::string::npos) << found(text);
  // A sentence behind an initial is none of the name, and nothing to look for elsewhere.
  EXPECT_EQ(found("He saw Dr. X. She was well. She left."), "name:Dr. X");
}

TEST(Finder, MedicalWordsAreProtected) {
  EXPECT_EQ(found("LFTs and FiO2 were normal. Respirations easy. Nonfocal exam."), "");
  EXPECT_EQ(found("A foley was placed, Actos 45 mg given."), "");
  EXPECT_EQ(found("Blood pressure was stable and Parkinson's disease is unchanged."), "");
  EXPECT_EQ(found("Lungs clear. Abdomen soft, bp 120/80."), "");
}

TEST(Finder, ChecksumsDecide) {
  EXPECT_TRUE(passes_luhn("4539578763621486"));  // a published test number
  EXPECT_FALSE(passes_luhn("4539578763621487"));
  EXPECT_FALSE(passes_luhn(""));
  EXPECT_TRUE(passes_iban("GB82 WEST 1234 5698 7654 32"));  // the example of ISO 13616
  EXPECT_FALSE(passes_iban("GB82 WEST 1234 5698 7654 33"));
}

TEST(Finder, TheMostCertainWinsAndTheRestIsKept) {
  const auto kept = compete("0123456789", {{0, 10, "id", 0.7}, {2, 5, "date", 0.9}});
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[0].end, 2U);
  EXPECT_EQ(kept[1].type, "date");
  EXPECT_EQ(kept[2].start, 5U);
  EXPECT_EQ(kept[2].end, 10U);
}

TEST(Finder, SpansAreApartAndInsideAnyText) {
  for (const std::string& text :
       {std::string(), std::string("\xFF\xC3"), std::string(300, 'A'), std::string("\r\n \r\n"),
        std::string("Zo\u0308e Mu\u0308ller\r\n12 Elm St")}) {
    std::size_t reached = 0;
    for (const auto& span : find_identifiers(text, 0)) {
      EXPECT_GE(span.start, reached);
      EXPECT_LT(span.start, span.end);
      reached = span.end;
    }
    EXPECT_LE(reached, text.size());
  }
}

}  // namespace
}  // namespace pratique::notes::finder_test
