#include "pratique/data/person_spelling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace pratique::person_spelling_test {
namespace {

TEST(PersonSpelling, WhatReadsAsOnePersonIsOne) {
  const std::vector<std::vector<std::string>> people = {
      {"Ann Smith", "ANN SMITH", " ann  smith ", "Ann\xC2\xA0Smith", "ann-smith", "Ann, Smith"},
      {"Müller", "MÜLLER", "Mu\xCC\x88ller", "Muller"},
      {"Weiß", "WEISS"},
      {"Łukasz Žižka", "lukasz zizka"},
      {"ΝΙΚΟΣ", "νικοσ"},
      {"ИВАНОВ", "иванов"},
      {"Андрей", "Андреи\xCC\x86", "АНДРЕЙ"},
      {"Ștefan", "ȘTEFAN", "S\xCC\xA6tefan", "Stefan", "Ştefan"},
      {"Nguyễn", "NGUYỄN", "Nguyen", "Nguye\xCC\x82\xCC\x83n"},
      {"Άννα", "άννα", "Αννα", "ΆΝΝΑ"},
      {"ΝΙΚΟΛΆΟΣ", "νικολάος"},
      {"Արամ", "ԱՐԱՄ"},
      {"Ǿrsted", "orsted"},
      {"ﬁona", "Fiona"},
      {"𝐀𝐝𝐚", "ada"},
      {"O'Brien", "OBrien", "o\xE2\x80\x8B'brien", "O’Brien", "Oʼbrien", "O´Brien", "O′Brien"},
      {"Ana-Maria", "Ana‐Maria", "Ana–Maria", "ana maria", "Ana−Maria"},
      {"P-123", "P–123", "p‑123"},
      {"P07", "p07", "Ｐ０７", "p 07"},
      {"7", "007", "7.0", "=\"007\"", "'007"},
      {"0", "000"},
      {"Ann Smith|1970-03-05", "ann smith|05.03.1970", "Ann Smith|1970-03-05 00:00:00",
       "Ann Smith|1970/03/05"},
      {"Ann|05/03/1970", "ann|05/03/1970"},
      {"Ann|25/03/1970", "ann|1970-03-25"},
  };
  std::vector<std::string> read;
  for (const auto& spellings : people) {
    read.push_back(person_as_read(spellings.front()));
    for (const auto& spelling : spellings)
      EXPECT_EQ(person_as_read(spelling), read.back()) << spelling;
  }
  std::sort(read.begin(), read.end());
  EXPECT_EQ(std::unique(read.begin(), read.end()), read.end());
}

// Numbers of sites and patients, and days that nobody can tell apart, stay what they are.
TEST(PersonSpelling, WhatReadsAsTwoPeopleIsTwo) {
  const std::vector<std::pair<std::string, std::string>> pairs = {{"P1-23", "P12-3"},
                                                                  {"1 23", "12 3"},
                                                                  {"1.5", "15"},
                                                                  {"10", "1"},
                                                                  {"7.05", "7.5"},
                                                                  {"a|b", "ab"},
                                                                  {"x|05/03/1970", "x|1970-03-05"},
                                                                  {"A1", "A01"},
                                                                  {"19700305", "1970-03-05"},
                                                                  {"1/2", "12"},
                                                                  {"Ann Smith", "Ann Smyth"}};
  for (const auto& [one, other] : pairs)
    EXPECT_NE(person_as_read(one), person_as_read(other)) << one << " " << other;
}

// Marks of other scripts are letters: か and が, कि and कु are not the same.
TEST(PersonSpelling, MarksThatAreLettersStay) {
  EXPECT_NE(person_as_read("かな"), person_as_read("がな"));
  EXPECT_EQ(person_as_read("がな"), person_as_read("か\xE3\x82\x99な"));
  EXPECT_NE(person_as_read("कि"), person_as_read("कु"));
  EXPECT_EQ(person_as_read("김"), person_as_read("\xE1\x84\x80\xE1\x85\xB5\xE1\x86\xB7"));
}

TEST(PersonSpelling, SignsAndWordsForWhatIsMissingNameNobody) {
  for (const char* nobody : {"",
                             " ",
                             "-",
                             "—",
                             "…",
                             "''",
                             "\"\"",
                             "=",
                             "___",
                             "* * *",
                             "\xCC\x81",
                             "\xE2\x80\x8B",
                             "NA",
                             "n/a",
                             "N/A .",
                             "#N/A!",
                             "(unknown)",
                             "<NA>",
                             "n.a",
                             "N / A",
                             "None",
                             "nil.",
                             "unknown unknown",
                             "Unknown, unknown",
                             "NA|NA",
                             "?|unknown",
                             "not available",
                             "[missing]",
                             "XXX",
                             "anonymous"})
    EXPECT_TRUE(names_nobody(nobody)) << nobody;
  for (const char* somebody : {"Nana", "Ann", "7", "#1", "NA12878", "Unknown|1970-03-05", "Nonette",
                               "O'Brien", "김", "अ", "unknown Smith", "X"})
    EXPECT_FALSE(names_nobody(somebody)) << somebody;
}

TEST(PersonSpelling, RowsGetTheFirstSpelling) {
  Column column;
  for (const char* value : {"P2", "p1", "p2", "P1", "x"})
    column.codes.push_back(column.dictionary.intern(value));
  EXPECT_TRUE(join_people_as_read(column));
  EXPECT_EQ(column.codes, (std::vector<Code>{0, 1, 0, 1, 2}));
  EXPECT_EQ(column.dictionary.values(), (std::vector<std::string_view>{"P2", "p1", "x"}));
  EXPECT_FALSE(join_people_as_read(column));
}

}  // namespace
}  // namespace pratique::person_spelling_test
