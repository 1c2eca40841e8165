#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/core/file.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::sequence_claims_test {
namespace {

class SequenceClaims : public testing::Test {
 protected:
  ClaimResult check(const std::string& text, int k) {
    const std::string path = folder_.path() + "/out.fasta";
    write_file_atomically(path, text);
    return verify_claim(*engine_, engine_->open_sets(path, Progress::silent()),
                        Json{{"model", "sequence-anonymity"}, {"k", k}}, Progress::silent());
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
