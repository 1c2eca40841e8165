#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/core/file.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::sequence_claims_test {
namespace {

class SequenceClaims : public testing::Test {
 protected:
  ClaimResult check(const std::string& text, int k) {
    return check_claim(text, Json{{"model", "sequence-anonymity"}, {"k", k}});
  }
  ClaimResult check_claim(const std::string& text, const Json& claim) {
    const std::string path = folder_.path() + "/out.fasta";
    write_file_atomically(path, text);
    return verify_claim(*engine_, engine_->open_sets(path, Progress::silent()), claim,
                        Progress::silent());
  }
  ClaimResult check_table(const std::string& text, double step) {
    const std::string path = folder_.path() + "/out.csv";
    write_file_atomically(path, text);
    return verify_claim(*engine_, engine_->open(path, {}, Progress::silent()),
                        Json{{"model", "rounded-frequencies"}, {"step", step}}, Progress::silent());
  }

 private:
  PrivateFolder folder_;
  std::unique_ptr<Engine> engine_ = Engine::duckdb();
};

TEST_F(SequenceClaims, CountsEqualSequences) {
  const std::string text = ">7\nACGT\n>3\nRYN\n>9\nACGT\n>1\nRYN\n>5\nRY\nN\n";
  for (int k = 1; k <= 4; ++k) {
    const auto result = check(text, k);
    EXPECT_EQ(result.achieved, 2);
    EXPECT_EQ(result.holds, k <= 2) << k;
    EXPECT_EQ(result.standing, "derived");
  }
}

TEST_F(SequenceClaims, BinsHoldWithinAndAcross) {
  const auto holds = [&](const std::string& text, int within, int across) {
    return check_claim(text, Json{{"model", "snp-bins"}, {"within", within}, {"across", across}})
        .holds;
  };
  const std::string text = ">7\nAARR\n>3\nAARR\n>5\nNNNY\n>4\nNNNY\n";
  EXPECT_TRUE(holds(text, 1, 2));
  EXPECT_FALSE(holds(text, 2, 2));  // one Y
  EXPECT_FALSE(holds(text, 1, 3));
  EXPECT_FALSE(holds(">7\nMM\n>3\nMM\n", 1, 2));  // no value of the hierarchy
}

TEST_F(SequenceClaims, MaskedColumnsAreNEverywhere) {
  const auto holds = [&](const std::string& text, const Json& loci) {
    return check_claim(text, Json{{"model", "masked-loci"}, {"loci", loci}}).holds;
  };
  const std::string text = ">7\nANN\n>3\nCNA\n";
  EXPECT_TRUE(holds(text, {2}));
  EXPECT_FALSE(holds(text, {2, 3}));
  EXPECT_FALSE(holds(text, {4}));
  EXPECT_FALSE(holds(">7\nANN\n>3\nCN\n", {2}));  // columns are not the same
}

TEST_F(SequenceClaims, FrequenciesAreMultiplesOfTheStep) {
  const std::string header = "chrom,pos,ref,alt,frequency\n";
  EXPECT_TRUE(check_table(header + "1,10,A,G,0.1\n1,20,A,G,0.35\n1,30,A,G,1\n", 0.05).holds);
  EXPECT_FALSE(check_table(header + "1,10,A,G,0.1\n1,20,A,G,0.36\n", 0.05).holds);
  EXPECT_FALSE(check_table(header + "1,10,A,G,1.05\n", 0.05).holds);
  EXPECT_FALSE(check_table(header + "1,10,A,G,anna\n", 0.05).holds);
  EXPECT_FALSE(check_table("sample,pos,ref,alt,frequency\nanna,10,A,G,0.1\n", 0.05).holds);
}

TEST_F(SequenceClaims, OneLetterMakesAnother) {
  EXPECT_FALSE(check(">7\nACGT\n>3\nACGA\n>9\nACGT\n", 2).holds);
}

TEST_F(SequenceClaims, NothingButNumbersAndLettersOfBasesLeaves) {
  EXPECT_TRUE(check(">7\nACGT\n>3\nACGT\n", 2).holds);
  for (const char* text : {
           "",                           // nothing
           ">7\n>3\n",                   // no letters
           ">7\nA-T\n>3\nA-T\n",         // gaps
           ">7\nacgt\n>3\nacgt\n",       // other letters
           ">7\nAEGT\n>3\nAEGT\n",       // no letter of a base
           ">anna\nAC\n>3\nAC\n",        // a name
           ">7 anna\nAC\n>3\nAC\n",      // more than a number
           ">7\nAC\n>7\nAC\n",           // one number twice
           ">\nAC\n>7\nAC\n",            // none
           "AC\n>7\nAC\n>8\nAC\n",       // letters before a header
           ">7\nAC\n>3\nAC\n>5\nAC\n\r"  // what is no line of FASTA
       }) {
    EXPECT_FALSE(check(text, 1).holds) << text;
  }
}

TEST_F(SequenceClaims, RunningNumbersShowTheOrderOfWriting) {
  std::string counting;
  std::string shuffled;
  for (int i = 1; i <= 10; ++i) {
    counting += ">" + std::to_string(i) + "\nACGT\n";
    shuffled += ">" + std::to_string(i * 7 % 11) + "\nACGT\n";
  }
  EXPECT_FALSE(check(counting, 2).holds);
  EXPECT_TRUE(check(shuffled, 2).holds);
}

}  // namespace
}  // namespace pratique::verify::sequence_claims_test
