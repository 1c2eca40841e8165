#include "pratique/genomes/format/pedigree.h"

#include <gtest/gtest.h>

#include "pratique/core/error.h"

namespace pratique::genomes::pedigree_test {
namespace {

std::string wide(std::string_view text, bool little, bool mark) {
  std::string bytes;
  const auto add = [&](unsigned unit) {
    bytes += static_cast<char>(little ? unit & 0xFFU : unit >> 8U);
    bytes += static_cast<char>(little ? unit >> 8U : unit & 0xFFU);
  };
  if (mark) add(0xFEFF);
  for (const char c : text) add(static_cast<unsigned char>(c));
  return bytes;
}

std::string gedcom(const std::string& encoding, const std::string& name) {
  return "0 HEAD\r\n1 CHAR " + encoding + "\r\n0 @I1@ INDI\r\n1 NAME " + name +
         "\r\n1 NAME Other /Name/\r\n1 SEX F\r\n0 TRLR\r\n";
}

std::string name_in(const std::string& bytes) {
  return parse_pedigrees("f.ged", bytes).front().people.front().name;
}

TEST(Pedigree, GedcomInWhateverEncoding) {
  const std::string expected = "J\u00fcrgen /\u0141a\u00df/";
  EXPECT_EQ(name_in(gedcom("UTF-8", expected)), expected);
  EXPECT_EQ(name_in("\xEF\xBB\xBF" + gedcom("UTF-8", expected)), expected);
  // ANSEL has the diaeresis before its u, and decomposes it so: u and a combining diaeresis.
  EXPECT_EQ(name_in(gedcom("ANSEL",
                           "J\xE8urgen /\xA1"
                           "a\xCF/")),
            "Ju\u0308rgen /\u0141a\u00df/");
  EXPECT_EQ(name_in(gedcom("ANSI", "J\xFCrgen /La\xDF/")), "J\u00fcrgen /La\u00df/");
  for (const bool little : {true, false}) {
    for (const bool mark : {true, false}) {
      // Latin-1 letters are the same numbers.
      EXPECT_EQ(name_in(wide(gedcom("UNICODE", "J\xFCrgen"), little, mark)), "J\u00fcrgen");
    }
  }
  // An emoji is a pair; half of one is no text.
  const std::string before = wide("0 HEAD\n0 @I1@ INDI\n1 NAME ", true, true);
  EXPECT_EQ(name_in(before + std::string("\x3D\xD8\x00\xDE", 4)), "\U0001F600");
  EXPECT_THROW((void)name_in(before + "\x3D\xD8"), Error);
  EXPECT_THROW((void)name_in(before + "x"), Error);
}

}  // namespace
}  // namespace pratique::genomes::pedigree_test
