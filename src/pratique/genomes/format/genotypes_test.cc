#include "pratique/genomes/format/genotypes.h"

#include <gtest/gtest.h>
#include <htslib/bgzf.h>
#include <htslib/hts.h>
#include <htslib/vcf.h>

#include <array>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"

namespace pratique::genomes::genotypes_test {
namespace {

class Genotypes : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    write_file_atomically(folder_.path() + "/" + name, text);
    return folder_.path() + "/" + name;
  }
  std::string compressed(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() + "/" + name;
    BGZF* file = bgzf_open(path.c_str(), "w");
    EXPECT_EQ(bgzf_write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    EXPECT_EQ(bgzf_close(file), 0);
    return path;
  }
  PrivateFolder folder_;
};

std::string vcf(const std::string& samples, const std::string& lines) {
  return "##fileformat=VCFv4.2\n##contig=<ID=1>\n"
         "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"g\">\n"
         "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t" +
         samples + "\n" + lines;
}

std::string what_is_wrong(const std::string& path) {
  try {
    const auto file = GenotypeFile::open(path);
    while (file->next()) (void)file->dosages();
  } catch (const Error& error) {
    return std::string(error.what()) + " " + error.place().substr(error.place().rfind('/') + 1);
  }
  return "";
}

TEST_F(Genotypes, ChromosomesAreCalledAlike) {
  for (const auto& [written, plain] :
       {std::pair("chr1", "1"), std::pair("CHR2", "2"), std::pair("chrX", "X"),
        std::pair("23", "X"), std::pair("25", "X"), std::pair("24", "Y"), std::pair("26", "MT"),
        std::pair("chrM", "MT"), std::pair("M", "MT"), std::pair("MT", "MT"), std::pair("22", "22"),
        std::pair("chr", "chr"), std::pair("GL000192.1", "GL000192.1")}) {
    EXPECT_EQ(plain_chromosome(written), plain);
    EXPECT_EQ(variant_key(written, 5, "A", "C"), variant_key(plain, 5, "A", "C"));
  }
}

TEST_F(Genotypes, AFileThatIsCutOffIsRefused) {
  std::string lines;
  for (int i = 1; i <= 2000; ++i)
    lines += "1\t" + std::to_string(i) + "\t.\tA\tG\t.\t.\t.\tGT\t0/1\t1|1\n";
  const auto path = compressed("a.vcf.gz", vcf("a\tb", lines));
  EXPECT_EQ(what_is_wrong(path), "");
  const std::string whole = read_file(path);
  // Without its last, empty block it may have lost any others at its end.
  EXPECT_NE(what_is_wrong(write("b.vcf.gz", whole.substr(0, whole.size() - 28))), "");
  EXPECT_NE(what_is_wrong(write("c.vcf.gz", whole.substr(0, whole.size() / 2))), "");
  // One thread or several read the same.
  const ThreadLimit one(1);
  EXPECT_EQ(what_is_wrong(path), "");
}

TEST_F(Genotypes, BcfIsReadAheadAsItIsReadAlone) {
  // More records than are held at once; what is read of them is the same with one thread and more.
  const std::string path = folder_.path() + "/a.bcf";
  constexpr int kRecords = 1000;
  htsFile* out = hts_open(path.c_str(), "wb");
  bcf_hdr_t* header = bcf_hdr_init("w");
  bcf_hdr_append(header, "##contig=<ID=1>");
  bcf_hdr_append(header, "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"g\">");
  bcf_hdr_add_sample(header, "a");
  bcf_hdr_add_sample(header, "b");
  bcf_hdr_add_sample(header, nullptr);
  ASSERT_EQ(bcf_hdr_write(out, header), 0);
  bcf1_t* record = bcf_init();
  for (int i = 0; i < kRecords; ++i) {
    bcf_clear(record);
    record->rid = 0;
    record->pos = i;
    bcf_update_alleles_str(header, record, i % 3 == 0 ? "A,C,G" : "A,C");
    const std::array<std::int32_t, 4> calls = {bcf_gt_unphased(i % 2), bcf_gt_phased(1),
                                               bcf_gt_missing, bcf_gt_unphased(0)};
    bcf_update_genotypes(header, record, calls.data(), calls.size());
    ASSERT_EQ(bcf_write(out, header, record), 0);
  }
  bcf_destroy(record);
  bcf_hdr_destroy(header);
  ASSERT_EQ(hts_close(out), 0);
  const auto all = [&](const std::string& file_path) {
    std::vector<std::array<std::int64_t, 4>> read;
    const auto file = GenotypeFile::open(file_path);
    while (file->next()) {
      read.push_back({file->variant().position, file->dosages()[0], file->dosages()[1],
                      static_cast<std::int64_t>(file->count().alleles)});
    }
    EXPECT_FALSE(file->next());
    return read;
  };
  const auto ahead = all(path);
  ASSERT_EQ(ahead.size(), kRecords + (kRecords + 2) / 3);
  EXPECT_EQ(ahead.front(), (std::array<std::int64_t, 4>{1, 1, kMissingDosage, 3}));
  {
    const ThreadLimit one(1);
    EXPECT_EQ(all(path), ahead);
  }
  // Who stops in the middle leaves nobody waiting.
  EXPECT_TRUE(GenotypeFile::open(path)->next());
  // A byte that is wrong is noticed, and said where.
  std::string damaged = read_file(path);
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
  EXPECT_NE(what_is_wrong(write("b.bcf", damaged)), "");
}

TEST_F(Genotypes, PolyploidCallsAreRefusedWithTheirLine) {
  const std::string right = "1\t1\t.\tA\tG\t.\t.\t.\tGT\t0/1\t1\n";
  EXPECT_EQ(what_is_wrong(write("a.vcf", vcf("a\tb", right))), "");
  const auto wrong = what_is_wrong(
      write("b.vcf", vcf("a\tb", right + "1\t2\t.\tA\tG\t.\t.\t.\tGT\t0/1\t0/1/1\n")));
  EXPECT_NE(wrong.find("more than two alleles"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("b.vcf:6"), std::string::npos) << wrong;
  EXPECT_NE(what_is_wrong(write("c.vcf", vcf("a\tb", "1\t1\t.\tA\tG\t.\t.\t.\tGT\t0/1\n"))), "");
}

TEST_F(Genotypes, ALineWithMoreOrFewerColumnsIsRefused) {
  const std::string right = "1\t1\t.\tA\tG\t.\t.\t.\tGT\t0/1\t1/1\n";
  EXPECT_EQ(what_is_wrong(write("a.vcf", vcf("a\tb", right + "\n" + right))), "");
  for (const std::string line :
       {"1\t2\t.\n", "1\t2\t.\tA\tG\t.\t.\t.\n", "1 2 . A G . . . GT 0/1 1/1\n",
        "1\t2\t.\tA\tG\t.\t.\t.\tGT\t0/1\n", "1\t2\t.\tA\tG\t.\t.\t.\tGT\t0/1\t1/1\t0/0\n"}) {
    const auto wrong = what_is_wrong(write("b.vcf", vcf("a\tb", right + line + right)));
    EXPECT_NE(wrong.find("columns"), std::string::npos) << line << wrong;
    EXPECT_NE(wrong.find("b.vcf:6"), std::string::npos) << line << wrong;
  }
}

TEST_F(Genotypes, AllelesThatAreNoneAreRefusedWithTheirLine) {
  const auto with_alleles = [&](const std::string& alleles) {
    return what_is_wrong(
        write("a.vcf", vcf("a\tb", "1\t1\t.\t" + alleles + "\t.\t.\t.\tGT\t0/1\t1/1\n")));
  };
  for (const char* alleles : {"A\tG", "acgtn\tR", "A\t<DEL>", "G\tG]17:198982]", "G\t[13:123457[G",
                              "G\tG.", "G\t.G", "A\tG,*,<NON_REF>"})
    EXPECT_EQ(with_alleles(alleles), "") << alleles;
  for (const char* alleles :
       {".\tG", "A\tQ", "A\tA", "A\ta", "A\tG,G", "<DEL>\tA", "A\t<>", "A\tG,"}) {
    const auto wrong = with_alleles(alleles);
    EXPECT_NE(wrong.find("a.vcf:5"), std::string::npos) << alleles << wrong;
  }
}

// By place and alleles, of everybody.
std::vector<std::string> variants_in(const std::string& path) {
  std::vector<std::string> variants;
  const auto file = GenotypeFile::open(path);
  while (file->next()) {
    const Variant& variant = file->variant();
    variants.push_back(variant.chrom + ":" + std::to_string(variant.position) + variant.reference +
                       ">" + variant.alternative + " " + std::to_string(file->count().alternative) +
                       "/" + std::to_string(file->count().alleles));
  }
  return variants;
}

TEST_F(Genotypes, WhatIsNotListedIsNoVariant) {
  const auto path = write("a.vcf", vcf("a\tb",
                                       "1\t1\t.\tA\tG,*\t.\t.\t.\tGT\t0/1\t2/2\n"
                                       "1\t2\t.\tA\t<NON_REF>\t.\t.\t.\tGT\t0/0\t0/0\n"
                                       "1\t3\t.\tA\t<*>,C\t.\t.\t.\tGT\t0/2\t2/2\n"));
  // Their calls are still alleles that are not the other one.
  EXPECT_EQ(variants_in(path), (std::vector<std::string>{"1:1A>G 1/4", "1:3A>C 3/4"}));
}

TEST_F(Genotypes, AVariantThatStandsThereTwiceCountsOnce) {
  const auto line = [](const std::string& begin, const std::string& calls) {
    return begin + "\t.\t.\t.\tGT\t" + calls + "\n";
  };
  const auto path = write(
      "a.vcf",
      vcf("a\tb", line("1\t1\t.\tA\tG", "0/1\t1/1") + line("1\t1\t.\tA\tC", "0/0\t0/1") +
                      line("chr1\t1\t.\ta\tg", "0/0\t0/0") + line("1\t2\t.\tA\tG", "0/0\t0/0")));
  EXPECT_EQ(variants_in(path),
            (std::vector<std::string>{"1:1A>G 3/4", "1:1A>C 1/4", "1:2A>G 0/4"}));
  // Of two deletions that begin at one place nothing that is read tells which is which.
  const auto wrong =
      what_is_wrong(write("b.vcf", vcf("a\tb", line("1\t1\t.\tA\t<DEL>", "0/1\t1/1") +
                                                   line("1\t1\t.\tA\t<DEL>", "0/0\t1/1"))));
  EXPECT_NE(wrong.find("symbolic"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("b.vcf:6"), std::string::npos) << wrong;
  // PLINK's chips probe some places twice, either way round.
  write("p.fam", "f a 0 0 1 1\n");
  write("p.bim", "1 v1 0 10 G A\n1 v2 0 10 G A\n1 v3 0 10 A G\n1 v4 0 10 C A\n");
  EXPECT_EQ(variants_in(write("p.bed", std::string("\x6c\x1b\x01", 3) + std::string(4, '\x02'))),
            (std::vector<std::string>{"1:10A>G 1/2", "1:10A>C 1/2"}));
}

TEST_F(Genotypes, LettersOfEitherCaseAreOneVariant) {
  EXPECT_EQ(variant_key("1", 5, "a", "cg"), variant_key("1", 5, "A", "CG"));
  EXPECT_NE(variant_key("1", 5, "A", "CG"), variant_key("1", 5, "A", "CT"));
}

TEST_F(Genotypes, WhatAHeaderOrALineDoesNotHave) {
  // A chromosome without a line of its own in the header is read, as bcftools reads it.
  const auto file = GenotypeFile::open(
      write("a.vcf", vcf("a\tb", "chr19\t7\t.\tA\tG\t.\t.\tNEW=1\tGT\t0/1\t1/1\n")));
  ASSERT_TRUE(file->next());
  EXPECT_EQ(file->variant().chrom, "19");
  EXPECT_EQ(file->count().alternative, 3U);
  // An allele that the line does not have is not.
  const auto wrong =
      what_is_wrong(write("b.vcf", vcf("a\tb", "1\t7\t.\tA\tG\t.\t.\t.\tGT\t0|7\t1/1\n")));
  EXPECT_NE(wrong.find("an allele that its line does not have"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("b.vcf:5"), std::string::npos) << wrong;
  EXPECT_NE(what_is_wrong(write("c.vcf", vcf("a\tb", "1\t7\t.\tA\tG\t.\t.\t.\tGT\t0|2\t1/1\n"))),
            "");
  // A sample twice is said as that, with its line and without its name.
  const auto twice = what_is_wrong(
      write("d.vcf", vcf("Anna\tBen\tAnna", "1\t7\t.\tA\tG\t.\t.\t.\tGT\t0\t1\t1\n")));
  EXPECT_NE(twice.find("stands there twice"), std::string::npos) << twice;
  EXPECT_NE(twice.find("d.vcf:4"), std::string::npos) << twice;
  EXPECT_EQ(twice.find("Anna"), std::string::npos) << twice;
}

TEST_F(Genotypes, AHeaderThatClaimsFourGigabytesIsDamaged) {
  const auto wrong = what_is_wrong(write("a.bcf", "BCF\x02\x02" + std::string(100, '\xff')));
  EXPECT_NE(wrong.find("claims more than 256 MB"), std::string::npos) << wrong;
}

TEST_F(Genotypes, MoreAllelesThanAByteHolds) {
  std::string alternatives = "AA";
  for (int i = 3; i <= 130; ++i)
    alternatives += "," + std::string(static_cast<std::size_t>(i), 'A');
  const auto file =
      GenotypeFile::open(write("a.vcf", vcf("a\tb\tc", "1\t1\t.\tA\t" + alternatives +
                                                           "\t.\t.\t.\tGT\t0/128\t128\t./128\n")));
  int variants = 0;
  while (file->next()) {
    ++variants;
    const std::vector<int> dosages(file->dosages().begin(), file->dosages().end());
    const bool last = variants == 128;
    EXPECT_EQ(dosages, last ? (std::vector<int>{1, 2, 3}) : (std::vector<int>{0, 0, 3}));
    EXPECT_EQ(file->count().alternative, last ? 3U : 0U);
    EXPECT_EQ(file->count().alleles, 4U);
  }
  EXPECT_EQ(variants, 129);
}

TEST_F(Genotypes, PlinkKnowsMenAndAllelesThatNobodyHas) {
  // A man and two women; on chromosome 1, X, its part shared with Y, Y, and mitochondria.
  write("p.fam", "f a 0 0 1 1\nf b 0 0 2 1\nf c 0 0 2 1\n");
  write("p.bim",
        "1 v1 0 10 G A\n23 v2 0 10 G A\n25 v3 0 11 G A\n24 v4 0 10 G A\n26 v5 0 10 G A\n"
        "1 v6 0 20 0 A\n1 v7 0 30 G 0\n1 v8 0 40 G A\n");
  // Bits 00: two of A1, 10: one, 11: none. The man two of A1, the women one and none.
  const auto path = write("p.bed", std::string("\x6c\x1b\x01", 3) + std::string(8, '\x38'));
  const auto file = GenotypeFile::open(path);
  std::vector<std::string> places;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts;
  while (file->next()) {
    places.push_back(file->variant().chrom + ":" + std::to_string(file->variant().position));
    counts.emplace_back(file->count().alternative, file->count().alleles);
  }
  EXPECT_EQ(places, (std::vector<std::string>{"1:10", "X:10", "X:11", "Y:10", "MT:10", "1:40"}));
  // 3 of 6; his X counts one; shared with Y as any other; of Y only his; of MT one each, and she
  // who is called as both is left out.
  using Counts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  EXPECT_EQ(counts, (Counts{{3, 6}, {2, 5}, {3, 6}, {1, 1}, {1, 2}, {3, 6}}));
}

// Of five people the fam file has lost one: a block is as long as before, and whose genotype a pair
// of bits is nobody can tell.
TEST_F(Genotypes, PlinkNamesPeopleByTheirFamilyWhereOthersHaveTheirName) {
  write("p.fam", "f1 1 0 0 1 1\nf1 2 0 0 2 1\nf2 1 0 0 2 1\n");
  write("p.bim", "1 v1 0 10 G A\n");
  const auto path = write("p.bed", std::string("\x6c\x1b\x01", 3) + "\x38");
  EXPECT_EQ(GenotypeFile::open(path)->samples(), (std::vector<std::string>{"f1_1", "2", "f2_1"}));
}

TEST_F(Genotypes, PlinkOfMorePeopleThanAreNamedIsRefused) {
  write("p.bim", "1 v1 0 10 G A\n1 v2 0 20 G A\n");
  const auto with = [&](std::size_t people, const std::string& blocks) {
    std::string fam;
    for (std::size_t p = 0; p < people; ++p) fam += "f p" + std::to_string(p) + " 0 0 2 1\n";
    write("p.fam", fam);
    const auto path = write("p.bed", std::string("\x6c\x1b\x01", 3) + blocks);
    const auto file = GenotypeFile::open(path);
    while (file->next()) {
    }
  };
  // Three, two of A1, none, one and none: 00, 11, 10; a fourth would be the two highest bits.
  EXPECT_NO_THROW(with(3, "\x2c\x2c"));
  EXPECT_THROW(with(3, "\x2c\x6c"), Error);
  EXPECT_THROW(with(3, "\xac\x2c"), Error);
  EXPECT_NO_THROW(with(4, "\xac\x6c"));
  EXPECT_NO_THROW(with(1, "\x03\x02"));
  EXPECT_THROW(with(1, "\x03\x06"), Error);
}

}  // namespace
}  // namespace pratique::genomes::genotypes_test
