#include "pratique/genomes/format/fasta.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "pratique/core/error.h"
#include "pratique/genomes/format/fasta_release.h"

namespace pratique::genomes::fasta_test {
namespace {

std::vector<std::string> texts_in(const SequenceSet& set) {
  std::vector<std::string> texts;
  for (const auto& sequence : set.sequences) texts.push_back(to_text(sequence));
  return texts;
}

TEST(Fasta, ReadsWhatPeopleWrite) {
  const auto set = parse_fasta("x",
                               "\xEF\xBB\xBF; a comment\r\n>anna b c\r\nac gt\r\n\r\nNN-.\r\n"
                               "> bob\nU?x\n");
  EXPECT_EQ(set.names, (std::vector<std::string>{"anna", "bob"}));
  EXPECT_EQ(texts_in(set), (std::vector<std::string>{"ACGTNN--", "TNN"}));
  EXPECT_FALSE(set.aligned());
}

TEST(Fasta, BlocksMayEndAnywhere) {
  const std::string text = ">a one\nACG\nT\n>b\nRYK\n";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    FastaParser parser("x");
    parser.take(text.substr(0, cut));
    parser.take(text.substr(cut));
    const auto set = parser.finish();
    EXPECT_EQ(set.names, (std::vector<std::string>{"a", "b"})) << cut;
    EXPECT_EQ(texts_in(set), (std::vector<std::string>{"ACGT", "RYK"})) << cut;
  }
}

TEST(Fasta, LinesEndInThreeWays) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const std::string text =
        ">a x" + end + "AC" + end + "GT" + end + end + ">b" + end + "TTTT" + end;
    const auto read = parse_fasta("in", text);
    EXPECT_EQ(read.names, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(texts_in(read), (std::vector<std::string>{"ACGT", "TTTT"}));
    EXPECT_EQ(read.lines, (std::vector<std::size_t>{1, 5}));
  }
}

TEST(Fasta, WhatIsWrongIsNamedWithItsPlace) {
  const auto place_of = [](const char* text) -> std::string {
    try {
      (void)parse_fasta("x", text);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
      return error.place();
    }
    return "read";
  };
  EXPECT_EQ(place_of(""), "x");
  EXPECT_EQ(place_of("ACGT\n"), "x:1:1");
  EXPECT_EQ(place_of(">a\nAC\nAEG\n"), "x:3:2");
  EXPECT_EQ(place_of(">a\n>b\nA\n"), "x:1");
  EXPECT_EQ(place_of(">a\nA\n>b\n"), "x:3");
  EXPECT_EQ(place_of(">a\n-.-\n>b\nA\n"), "x:1");
  EXPECT_EQ(place_of("\xFF\xFE>"), "x");
}

TEST(Fasta, TwoSequencesOfOnePersonAreNotTwoPeople) {
  const auto place_of = [](const char* text) -> std::string {
    try {
      parse_fasta("x", text).refuse_repeated_names("x");
    } catch (const Error& error) {
      return error.place();
    }
    return "read";
  };
  EXPECT_EQ(place_of(">a 1\nA\n>b\nA\n>a 2\nC\n"), "x:5");
  EXPECT_EQ(place_of(">a\nA\n>b\nA\n"), "read");
  EXPECT_EQ(place_of(">Anna_Berg\nA\n>b\nA\n>ANNA-BERG\nA\n"), "x:5");  // as people write it
  EXPECT_EQ(place_of(">+\nA\n>-\nA\n>+\nA\n"), "x:5");
  EXPECT_EQ(place_of(">\nA\n>\nA\n"), "read");  // nobody is named
}

TEST(FastaRelease, DependsOnTheLettersAndTheSeedAlone) {
  std::vector<std::string> sequences;
  for (int i = 0; i < 20; ++i) sequences.push_back(std::string(static_cast<std::size_t>(i), 'A'));
  const std::string text = FastaRelease(sequences, 5).text();
  std::reverse(sequences.begin(), sequences.end());
  EXPECT_EQ(FastaRelease(sequences, 5).text(), text);
  EXPECT_NE(FastaRelease(sequences, 6).text(), text);
}

}  // namespace
}  // namespace pratique::genomes::fasta_test
