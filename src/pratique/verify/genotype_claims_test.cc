#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/core/file.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::genotype_claims_test {
namespace {

class GenotypeClaims : public testing::Test {
 protected:
  bool holds_lines(const std::string& text, const Json& claim) {
    write_file_atomically(folder_.path() + "/out.vcf", text);
    return verify_claim(*engine_,
                        engine_->open_sets(folder_.path() + "/out.vcf", Progress::silent()), claim,
                        Progress::silent())
        .holds;
  }
  bool holds_table(const std::string& text, const Json& claim) {
    write_file_atomically(folder_.path() + "/out.csv", text);
    return verify_claim(*engine_,
                        engine_->open(folder_.path() + "/out.csv", {}, Progress::silent()), claim,
                        Progress::silent())
        .holds;
  }

 private:
  PrivateFolder folder_;
  std::unique_ptr<Engine> engine_ = Engine::duckdb();
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST_F(GenotypeClaims, MaskedGenotypesHaveNothingButCalls) {
  const std::string text =
      "##fileformat=VCFv4.2\n##contig=<ID=1>\n"
      "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n"
      "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t71\t33\n"
      "1\t10\t.\tA\tG\t.\t.\t.\tGT\t./.\t./.\n1\t20\t.\tA\tG\t.\t.\t.\tGT\t0/1\t1/1\n";
  const Json claim = {{"model", "masked-genotypes"}, {"loci", {"1:10"}}};
  EXPECT_TRUE(holds_lines(text, claim));
  EXPECT_FALSE(holds_lines(text, {{"model", "masked-genotypes"}, {"loci", {"1:10", "1:20"}}}));
  EXPECT_FALSE(holds_lines(text, {{"model", "masked-genotypes"}, {"loci", {"1:30"}}}));
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\t71", "\tanna"},                              // a name
           {"\t71", "\t33"},                                // one number twice
           {"##contig=<ID=1>", "##source=anna"},            // a header that tells
           {"1\t20\t.", "1\t20\trs7"},                      // an ID
           {"G\t.\t.\t.\tGT\t0/1", "G\t9\t.\t.\tGT\t0/1"},  // QUAL
           {"\t.\tGT\t0/1", "\tAC=2\tGT\t0/1"},             // INFO
           {"GT\t0/1", "GT:DP\t0/1:30"},                    // more than genotypes
           {"0/1", "0|1"},                                  // phase
           {"./.\t./.", "./.\t0/0"},                        // a call
           {"\t0/1\t1/1", "\t0/1"}}) {                      // too few
    EXPECT_FALSE(holds_lines(replaced(text, from, to), claim)) << to;
  }
}

TEST_F(GenotypeClaims, AHeaderHasNoRoomForAMessage) {
  const std::string first = "##fileformat=VCFv4.2\n";
  const std::string one = "##contig=<ID=1>\n";
  const std::string x = "##contig=<ID=X>\n";
  const std::string format = "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n";
  const auto holds = [&](const std::string& header) {
    return holds_lines(header +
                           "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t71\t33\n"
                           "1\t10\t.\tA\tG\t.\t.\t.\tGT\t./.\t./.\n"
                           "1\t20\t.\tA\tG\t.\t.\t.\tGT\t0/1\t1/1\n"
                           "X\t5\t.\tA\tG\t.\t.\t.\tGT\t0/0\t0/1\n",
                       {{"model", "masked-genotypes"}, {"loci", {"1:10"}}});
  };
  EXPECT_TRUE(holds(first + one + x + format));
  const std::string name = "##contig=<ID=John_Smith_born_1970-03-05>\n";
  for (const auto& header : {
           first + one + x + name + format,                 // a name
           first + one + x + "##contig=<ID=2>\n" + format,  // a chromosome that no line has
           first + one + one + x + format,                  // lines twice
           first + first + one + x + format,
           first + one + x + format + format,
           one + first + x + format,  // in another order
           first + x + one + format,
           first + format + one + x,
           first + one + format,  // one is left out
           first + one + x,
           one + x + format,
           std::string(),
       })
    EXPECT_FALSE(holds(header)) << header;
}

TEST_F(GenotypeClaims, ALineThatBeginsBeforeAPlaceMayTellOfIt) {
  const auto text_with = [](const std::string& line) {
    return "##fileformat=VCFv4.2\n##contig=<ID=1>\n"
           "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n"
           "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t71\t33\n" +
           line + "\n1\t10\t.\tA\tG\t.\t.\t.\tGT\t./.\t./.\n";
  };
  const Json claim = {{"model", "masked-genotypes"}, {"loci", {"1:10"}}};
  const std::string line = "1\t8\t.\tACA\tA\t.\t.\t.\tGT\t";
  EXPECT_FALSE(holds_lines(text_with(line + "0/1\t0/0"), claim));
  EXPECT_TRUE(holds_lines(text_with(line + "./.\t./."), claim));
  // It ends before, or stands on another chromosome.
  EXPECT_TRUE(holds_lines(text_with(replaced(line, "ACA", "AC") + "0/1\t0/0"), claim));
  const std::string other = replaced(text_with(replaced(line, "1\t8", "2\t8") + "0/1\t0/0"),
                                     "<ID=1>", "<ID=2>\n##contig=<ID=1>");
  EXPECT_TRUE(holds_lines(other, claim));
}

// By place, each once, under names that assemblies and VCF have.
TEST_F(GenotypeClaims, VariantsHaveRoomForNothingElse) {
  const auto holds = [&](const std::string& rows) {
    return holds_table("chrom,pos,ref,alt,frequency\n" + rows,
                       {{"model", "rounded-frequencies"}, {"step", 0.01}});
  };
  EXPECT_TRUE(holds("2,5,A,G,0.5\n2,5,A,T,0.25\n2,70,AC,<DEL>,0\n10,1,A,G,1\nX,1,A,<CN0>,0.07\n"));
  for (const char* name : {"Un", "MT", "EBV", "hs37d5", "1_KI270706v1_random", "Un_GL000218v1",
                           "GL000191.1", "NC_000001.11", "CM000663", "HLA-DRB1*03:01:01:01N"})
    EXPECT_TRUE(holds(std::string(name) + ",5,A,G,0.5\n")) << name;
  for (const char* name : {"SMITH", "1 Anna", "1_Anna", "123", "chr1", "HLA-SMITHSON*1", "HLA-*1",
                           "NC_SMITH", "AB1234567890", "1_KI270706v1_anna", "-1", "\"\""})
    EXPECT_FALSE(holds(std::string(name) + ",5,A,G,0.5\n")) << name;
  for (const char* alleles :
       {"A,<INS:SMITH>", "A,A[SMITH:17[", "Q,G", "A,<>", "A,<DEL", "A,DEL", "<DEL>,A", "A,<CNN>"})
    EXPECT_FALSE(holds("1,5," + std::string(alleles) + ",0.5\n")) << alleles;
  // In another order, twice, and with a place that is none.
  EXPECT_FALSE(holds("1,6,A,G,0.5\n1,5,A,G,0.5\n"));
  EXPECT_FALSE(holds("1,6,A,G,0.5\n2,5,A,G,0.5\n1,7,A,G,0.5\n"));
  EXPECT_FALSE(holds("1,6,A,G,0.5\n1,6,A,G,0.5\n"));
  EXPECT_FALSE(holds("1,06,A,G,0.5\n"));
  // Small letters say nothing of a variant, and would let it stand there twice.
  EXPECT_TRUE(holds("1,6,ACN,GT,0.5\n"));
  for (const char* alleles : {"a,G", "A,g", "AcN,GT", "ACN,Gt", "A,<del>"})
    EXPECT_FALSE(holds("1,6," + std::string(alleles) + ",0.5\n")) << alleles;
  EXPECT_FALSE(holds("1,6,A,G,0.5\n1,6,a,G,0.25\n"));
  EXPECT_FALSE(holds("1,6.5,A,G,0.5\n"));
  // Digits behind those that the step needs.
  EXPECT_FALSE(holds("1,6,A,G,0.500000001\n"));
  EXPECT_FALSE(holds("1,6,A,G,0.5000000000\n"));
  EXPECT_FALSE(holds("1,6,A,G,0.505\n"));
}

TEST_F(GenotypeClaims, AFrequencyHasOneSpelling) {
  const auto holds = [&](const std::string& frequency, double step) {
    return holds_table("chrom,pos,ref,alt,frequency\n1,6,A,G," + frequency + "\n",
                       {{"model", "rounded-frequencies"}, {"step", step}});
  };
  for (const char* text : {"0", "0.53", "0.5", "0.07", "1"}) EXPECT_TRUE(holds(text, 0.01)) << text;
  for (const char* text : {"0.530000000", "0.5300", "00.53", "+0.53", ".53", "0.50", "0.", "0.0",
                           "-0", "00", "1.", "1.0", "01", "5e-1", "0.529999999", "\"0.53 \""})
    EXPECT_FALSE(holds(text, 0.01)) << text;
  for (const char* text : {"0", "0.05", "0.15", "0.35", "0.95", "1"})
    EXPECT_TRUE(holds(text, 0.05)) << text;
  for (const char* text : {"0", "0.333333333", "0.666666667", "1"})
    EXPECT_TRUE(holds(text, 1.0 / 3)) << text;
  for (const char* text : {"0.3333", "0.333333334", "0.666666666", "0.999999999"})
    EXPECT_FALSE(holds(text, 1.0 / 3)) << text;
  // The largest multiple of 0.3 that is a frequency is 0.9.
  EXPECT_TRUE(holds("0.9", 0.3));
  EXPECT_FALSE(holds("1", 0.3));
}

TEST_F(GenotypeClaims, StatisticsFollowFromRoundedFrequencies) {
  // 0.3 of 100 alleles against 0.1 of 200: chi-square 19.2, p = erfc(sqrt(9.6)).
  const std::string text =
      "chrom,pos,ref,alt,cases,controls,chi_square,p_value\n1,10,A,G,0.3,0.1,19.2,1.17713e-05\n"
      "1,20,A,G,0.2,0.2,0,1\n";
  const Json claim = {
      {"model", "association-statistics"}, {"step", 0.1}, {"cases", 50}, {"controls", 100}};
  EXPECT_TRUE(holds_table(text, claim));
  EXPECT_FALSE(holds_table(replaced(text, "0.3,0.1", "0.31,0.1"), claim));
  EXPECT_FALSE(holds_table(replaced(text, "0.3,0.1", "0.30,0.1"), claim));
  EXPECT_FALSE(holds_table(replaced(text, "19.2", "19.3"), claim));
  EXPECT_FALSE(holds_table(replaced(text, "1.17713e-05", "1.3e-05"), claim));
  EXPECT_FALSE(holds_table(replaced(text, "p_value", "carrier"), claim));
}

TEST_F(GenotypeClaims, NoiseIsAttestedAndTheTableIsLookedAt) {
  const std::string text = "chrom,pos,ref,alt,frequency\n1,10,A,G,0.3141\n1,20,A,G,0\n";
  const Json claim = {{"model", "noisy-frequencies"}, {"epsilon", 1}, {"variants", 2}};
  EXPECT_TRUE(holds_table(text, claim));
  EXPECT_FALSE(
      holds_table(text, {{"model", "noisy-frequencies"}, {"epsilon", 1}, {"variants", 3}}));
  EXPECT_FALSE(holds_table(replaced(text, "0.3141", "1.3"), claim));
  EXPECT_FALSE(holds_table(replaced(text, "0.3141", "anna"), claim));
  for (const char* spelling : {"0.31410", "00.3141", ".3141", "+0.3141", "0.31415", "3141e-4"})
    EXPECT_FALSE(holds_table(replaced(text, "0.3141", spelling), claim)) << spelling;
}

}  // namespace
}  // namespace pratique::verify::genotype_claims_test
