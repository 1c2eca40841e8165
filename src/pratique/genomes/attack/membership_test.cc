#include "pratique/genomes/attack/membership.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/genomes/attack/membership_power.h"

namespace pratique::genomes::membership_test {
namespace {

constexpr const char* kHeader =
    "##fileformat=VCFv4.2\n##contig=<ID=1>\n##contig=<ID=chr2>\n"
    "##INFO=<ID=AF,Number=A,Type=Float,Description=\"f\">\n"
    "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"g\">\n"
    "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO";

class Membership : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    write_file_atomically(folder_.path() + "/" + name, text);
    return folder_.path() + "/" + name;
  }
  PrivateFolder folder_;
};

TEST_F(Membership, EveryKindOfCallIsReadRight) {
  const auto path = write("a.vcf", std::string(kHeader) + "\tFORMAT\ta\tb\tc\td\te\n" +
                                       "1\t10\t.\tA\tG,T\t.\t.\t.\tGT\t0/1\t1|2\t./.\t2\t2/2\n" +
                                       "1\t20\t.\tA\t.\t.\t.\t.\tGT\t0/0\t0/0\t0/0\t0\t0/0\n" +
                                       "chr2\t30\t.\tAC\tA\t.\t.\t.\tGT\t1/1\t.\t0/.\t1\t0|0\n");
  const auto file = GenotypeFile::open(path);
  EXPECT_EQ(file->samples(), (std::vector<std::string>{"a", "b", "c", "d", "e"}));
  const auto dosages = [&] {
    return std::vector<int>(file->dosages().begin(), file->dosages().end());
  };
  ASSERT_TRUE(file->next());
  EXPECT_EQ(file->variant().alternative, "G");
  EXPECT_EQ(dosages(), (std::vector<int>{1, 1, 3, 0, 0}));
  const auto alleles = [&] { return std::pair(file->count().alternative, file->count().alleles); };
  // As bcftools counts: d has one allele.
  EXPECT_EQ(alleles(), std::pair(std::uint64_t{2}, std::uint64_t{7}));
  ASSERT_TRUE(file->next());
  EXPECT_EQ(file->variant().alternative, "T");
  EXPECT_EQ(dosages(), (std::vector<int>{0, 1, 3, 2, 2}));  // d is haploid
  EXPECT_EQ(alleles(), std::pair(std::uint64_t{4}, std::uint64_t{7}));
  ASSERT_TRUE(file->next());  // the site without an alternative is passed over
  EXPECT_EQ(file->variant().chrom, "2");
  EXPECT_EQ(file->variant().position, 30);
  EXPECT_EQ(dosages(), (std::vector<int>{2, 3, 3, 2, 0}));
  EXPECT_EQ(alleles(), std::pair(std::uint64_t{3}, std::uint64_t{6}));  // c has one that is known
  EXPECT_FALSE(file->next());
}

TEST_F(Membership, PlinkSaysTheSame) {
  // Variant 1: two of A1, missing, one, none, and two of A1 in the second byte.
  write("p.fam", "f a 0 0 1 1\nf b 0 0 1 1\nf c 0 0 1 1\nf d 0 0 1 1\nf e 0 0 1 1\n");
  write("p.bim", "1 rs1 0 10 G A\n");
  const auto path = write("p.bed", std::string("\x6c\x1b\x01", 3) + "\xE4" + std::string(1, '\0'));
  for (const std::string& name : {path, path.substr(0, path.size() - 4)}) {
    const auto file = GenotypeFile::open(name);
    ASSERT_TRUE(file->next());
    EXPECT_EQ(std::vector<int>(file->dosages().begin(), file->dosages().end()),
              (std::vector<int>{2, 3, 1, 0, 2}));
    EXPECT_EQ(file->variant().key(), variant_key("chr1", 10, "A", "G"));
    EXPECT_FALSE(file->next());
  }
  write("p.bim", "1 rs1 0 10 G A\n1 rs2 0 20 G A\n");
  const auto file = GenotypeFile::open(path);
  ASSERT_TRUE(file->next());
  EXPECT_THROW((void)file->next(), Error);  // the bed file is too short
}

TEST_F(Membership, WhatIsWrongWithPlinkIsSaid) {
  const auto path = write("p.bed", std::string("\x6c\x1b\x01", 3) + "\x01");
  const auto said = [&](const std::string& fam, const std::string& bim) -> std::string {
    write("p.fam", fam);
    write("p.bim", bim);
    try {
      const auto file = GenotypeFile::open(path);
      while (file->next()) {
      }
    } catch (const Error& error) {
      return error.place().substr(error.place().rfind('/') + 1);
    }
    return "read";
  };
  EXPECT_EQ(said("f a 0 0 1 1\n", "1 rs1 0 10 G A\n"), "read");
  EXPECT_EQ(said("f a 0 0 1 1\ng a 0 0 1 1\n", "1 rs1 0 10 G A\n"), "read");
  EXPECT_EQ(said("f a 0 0 1 1\nf a 0 0 1 1\n", "1 rs1 0 10 G A\n"), "p.fam:2");
  EXPECT_EQ(said("f a 0 0\n", "1 rs1 0 10 G A\n"), "p.fam:1");
  EXPECT_EQ(said("f a 0 0 1 1\n", "1 rs1 0 10x G A\n"), "p.bim:1");
  EXPECT_EQ(said("f a 0 0 1 1\n", "1 rs1 0 -10 G A\n"), "p.bim:1");
  EXPECT_EQ(said("f a 0 0 1 1\n", "1 rs1 0 10 G\n"), "p.bim:1");
  EXPECT_EQ(said("f a 0 0 1 1\n", ""), "p.bed");
  EXPECT_EQ(said("", "1 rs1 0 10 G A\n"), "p.fam");
}

TEST_F(Membership, WhatIsNoVcfIsRefused) {
  EXPECT_THROW((void)GenotypeFile::open(write("b.vcf", "hello\n")), Error);
  EXPECT_THROW((void)GenotypeFile::open("http://127.0.0.1/a.vcf"), Error);
  const auto path =
      write("c.vcf", std::string(kHeader) + "\tFORMAT\ta\n1\tx\t.\tA\tG\t.\t.\t.\tGT\t0/1\n");
  const auto file = GenotypeFile::open(path);
  EXPECT_THROW((void)file->next(), Error);
}

TEST_F(Membership, StatisticsByTheirDefinition) {
  // Three sites; one of them with the alleles exchanged in the pool.
  FrequencyTable pool;
  pool.set({"1", 10, "A", "G"}, 0.6);
  pool.set({"1", 20, "T", "C"}, 0.2);  // of C; of T it is 0.8
  pool.set({"2", 5, "A", "C"}, 0.5);
  FrequencyTable reference;
  reference.set({"1", 10, "A", "G"}, 0.3);
  reference.set({"1", 20, "C", "T"}, 0.5);
  reference.set({"2", 5, "A", "C"}, 0.5);
  const auto path = write("t.vcf", std::string(kHeader) + "\tFORMAT\ta\tb\n" +
                                       "1\t10\t.\tA\tG\t.\t.\t.\tGT\t0/1\t1/1\n" +
                                       "1\t20\t.\tC\tT\t.\t.\t.\tGT\t1/1\t./.\n" +
                                       "1\t25\t.\tC\tT\t.\t.\t.\tGT\t1/1\t1/1\n" +
                                       "chr2\t5\t.\tA\tC\t.\t.\t.\tGT\t0/0\t0/1\n");
  const auto file = GenotypeFile::open(path);
  const auto scores =
      score_people(*file, {.pool = &pool, .reference = &reference}, {}, Progress::silent());
  EXPECT_EQ(scores.sites, (std::vector<std::uint64_t>{3, 2}));
  // a: g = 1, 2, 0; p = 0.6, 0.8, 0.5; r = 0.3, 0.5, 0.5
  EXPECT_NEAR(scores.of(MembershipStatistic::lr)[0],
              std::log(0.6 / 0.3) + std::log(0.4 / 0.7) + 2 * std::log(0.8 / 0.5), 1e-6);
  // D = |0.5-0.3|-|0.5-0.6| = 0.1; |1-0.5|-|1-0.8| = 0.3; 0
  const double mean = 0.4 / 3;
  const double variance =
      ((0.1 - mean) * (0.1 - mean) + (0.3 - mean) * (0.3 - mean) + mean * mean) / 2;
  EXPECT_NEAR(scores.of(MembershipStatistic::homer)[0], mean / std::sqrt(variance / 3), 1e-5);
}

TEST_F(Membership, FilesMayHaveTheAllelesExchanged) {
  FrequencyTable pool;
  FrequencyTable other_pool;
  FrequencyTable reference;
  FrequencyTable other_reference;
  for (int s = 0; s < 50; ++s) {
    const double f = 0.2 + s / 100.0;
    pool.set({"1", s, "A", "C"}, f);
    other_pool.set({"chr1", s, "c", "a"}, 1 - f);
    reference.set({"1", s, "A", "C"}, 0.5);
    other_reference.set({"1", s, "C", "A"}, 0.5);
    EXPECT_NEAR(pool.of({"1", s, "C", "A"}).value(), 1 - f, 1e-6);
    EXPECT_NEAR(other_pool.of({"1", s, "A", "C"}).value(), f, 1e-6);
  }
  // People who are simulated are those of the same sites.
  const auto scores = [&](const FrequencyTable& of_pool, const FrequencyTable& of_reference) {
    return simulate_people({.pool = &of_pool, .reference = &of_reference}, true, 10, 1,
                           Progress::silent());
  };
  const auto expected = scores(pool, reference);
  EXPECT_EQ(expected.sites, std::vector<std::uint64_t>(10, 50));
  for (const auto& found : {scores(other_pool, reference), scores(pool, other_reference)}) {
    EXPECT_EQ(found.sites, expected.sites);
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_NEAR(found.of(MembershipStatistic::lr)[i], expected.of(MembershipStatistic::lr)[i],
                  0.01);
  }
}

TEST_F(Membership, EverySecondPersonOfTheReferenceIsTheNull) {
  const auto path = write("r.vcf", std::string(kHeader) + "\tFORMAT\ta\tb\tc\td\n" +
                                       "1\t10\t.\tA\tG\t.\t.\t.\tGT\t0/0\t1/1\t0/1\t1/1\n");
  FrequencyTable pool;
  pool.set({"1", 10, "A", "G"}, 0.5);
  FrequencyTable reference;
  FrequencyTable of_null;
  const auto file = GenotypeFile::open(path);
  const auto null =
      split_reference(*file, {.pool = &pool}, {}, reference, of_null, Progress::silent());
  EXPECT_EQ(of_null.of({"1", 10, "A", "G"}), 1);  // of b and d
  EXPECT_EQ(null.names, (std::vector<std::string>{"b", "d"}));
  EXPECT_FLOAT_EQ(reference.by_variant.begin()->value, 0.25F);  // of a and c
}

TEST_F(Membership, NobodyIsComparedAtWhatTheTargetsHaveNot) {
  const auto path = write("r.vcf", std::string(kHeader) + "\tFORMAT\ta\tb\tc\td\n" +
                                       "1\t10\t.\tA\tG\t.\t.\t.\tGT\t0/0\t1/1\t0/1\t1/1\n" +
                                       "1\t20\t.\tA\tG\t.\t.\t.\tGT\t0/0\t1/1\t0/1\t./.\n" +
                                       "1\t30\t.\tA\tG\t.\t.\t.\tGT\t./.\t./.\t./.\t./.\n");
  FrequencyTable pool;
  for (const int position : {10, 20, 30}) pool.set({"1", position, "A", "G"}, 0.5);
  FrequencyTable targets;
  targets.set({"chr1", 20, "G", "A"}, 0.1);
  FrequencyTable reference;
  FrequencyTable of_null;
  MembershipKnowledge knowledge{.pool = &pool, .reference = &reference, .targets = &targets};
  const auto null = split_reference(*GenotypeFile::open(path), knowledge, {}, reference, of_null,
                                    Progress::silent());
  EXPECT_EQ(null.sites, (std::vector<std::uint64_t>{1, 0}));
  EXPECT_EQ(reference.by_variant.size(), 2U);
  EXPECT_EQ(of_null.by_variant.size(), 1U);
  const auto score = [&](FrequencyTable* compared) {
    return score_people(*GenotypeFile::open(path), knowledge, {}, Progress::silent(), compared);
  };
  EXPECT_EQ(score(nullptr).sites, (std::vector<std::uint64_t>{1, 1, 1, 0}));
  for (const bool members : {true, false})
    EXPECT_EQ(simulate_people(knowledge, members, 2, 1, Progress::silent()).sites,
              (std::vector<std::uint64_t>{1, 1}));
  // What somebody has a call of is told.
  knowledge.targets = nullptr;
  reference.set({"1", 30, "A", "G"}, 0.5);
  FrequencyTable compared;
  EXPECT_EQ(score(&compared).sites, (std::vector<std::uint64_t>{2, 2, 2, 1}));
  EXPECT_EQ(compared.by_variant.size(), 2U);
  EXPECT_FALSE(compared.of({"1", 30, "A", "G"}));
}

// Five sites, to have some in one code and some in the next; those that are missing stand at all of
// their places. What is left is as far from the null's mean, in deviations, as over all.
TEST_F(Membership, WithoutACallTheNullIsThatOfTheOthers) {
  const std::vector<double> p = {0.6, 0.2, 0.5, 0.9, 0.3};
  const std::vector<double> r = {0.3, 0.4, 0.6, 0.7, 0.5};
  const std::vector<double> n = {0.4, 0.5, 0.5, 0.6, 0.4};
  const std::vector<int> calls = {1, 2, 0, 1, 2};
  FrequencyTable pool;
  FrequencyTable reference;
  FrequencyTable null;
  std::vector<std::string> rows(5);
  std::string names = "\tFORMAT";
  for (int s = 0; s < 5; ++s) {
    pool.set({"1", s + 1, "A", "G"}, p[s]);
    reference.set({"1", s + 1, "A", "G"}, r[s]);
    null.set({"1", s + 1, "A", "G"}, n[s]);
    rows[s] = "1\t" + std::to_string(s + 1) + "\t.\tA\tG\t.\t.\t.\tGT";
  }
  // Everybody who misses some of the five.
  for (unsigned missing = 0; missing < 32; ++missing) {
    names += "\tm" + std::to_string(missing);
    for (unsigned s = 0; s < 5; ++s)
      rows[s] += (missing >> s & 1U) != 0 ? "\t./."
                 : calls[s] == 0          ? "\t0/0"
                 : calls[s] == 1          ? "\t0/1"
                                          : "\t1/1";
  }
  std::string text = kHeader + names + "\n";
  for (const auto& row : rows) text += row + "\n";
  const auto file = GenotypeFile::open(write("m.vcf", text));
  const auto scores = score_people(*file, {.pool = &pool, .reference = &reference, .null = &null},
                                   {}, Progress::silent());
  const auto ratio = [&](std::size_t s, int g) {
    return g * std::log(p[s] / r[s]) + (2 - g) * std::log((1 - p[s]) / (1 - r[s]));
  };
  const auto difference = [&](std::size_t s, int g) {
    return std::abs(g / 2.0 - r[s]) - std::abs(g / 2.0 - p[s]);
  };
  // Over two draws of an allele.
  const auto expected = [&](const auto& term, std::size_t s) {
    return (1 - n[s]) * (1 - n[s]) * term(s, 0) + 2 * n[s] * (1 - n[s]) * term(s, 1) +
           n[s] * n[s] * term(s, 2);
  };
  const auto variance = [&](std::size_t s) {
    const double mean = expected(ratio, s);
    return expected([&](std::size_t, int g) { return std::pow(ratio(s, g) - mean, 2); }, s);
  };
  double all_mean = 0;
  double all_variance = 0;
  double all_difference = 0;
  for (std::size_t s = 0; s < 5; ++s) {
    all_mean += expected(ratio, s);
    all_variance += variance(s);
    all_difference += expected(difference, s);
  }
  for (unsigned missing = 0; missing < 32; ++missing) {
    double sum = 0;
    double spread = 0;
    double apart = 0;
    std::vector<double> terms;
    for (unsigned s = 0; s < 5; ++s) {
      if ((missing >> s & 1U) != 0) continue;
      sum += ratio(s, calls[s]) - expected(ratio, s);
      spread += variance(s);
      terms.push_back(difference(s, calls[s]));
      apart += terms.back() - expected(difference, s);
    }
    ASSERT_EQ(scores.sites[missing], terms.size());
    const double by_hand =
        all_mean + (spread > 0 ? sum / std::sqrt(spread) * std::sqrt(all_variance) : 0);
    EXPECT_NEAR(scores.of(MembershipStatistic::lr)[missing], by_hand, 1e-5) << missing;
    if (terms.size() < 2) continue;
    const NullDistribution own(terms);
    if (own.deviation() < 1e-6) continue;  // of equal terms: nothing but rounding
    EXPECT_NEAR(
        scores.of(MembershipStatistic::homer)[missing],
        (apart / std::sqrt(static_cast<double>(terms.size())) + all_difference / std::sqrt(5.0)) /
            own.deviation(),
        1e-4)
        << missing;
  }
}

TEST_F(Membership, MembersAreDrawnFromThePoolAndNotFromWhatItShows) {
  FrequencyTable pool;
  FrequencyTable reference;
  FrequencyTable shown;
  for (int s = 0; s < 200; ++s) {
    pool.set({"1", s, "A", "C"}, 0);
    reference.set({"1", s, "A", "C"}, 0.5);
    shown.set({"1", s, "A", "C"}, 0.5 + (s % 2 == 0 ? 0.1 : -0.1));
  }
  const auto members = simulate_people({.pool = &shown, .reference = &reference, .members = &pool},
                                       true, 3, 1, Progress::silent());
  // Nobody of the pool has the allele: each person has none at all 200 sites.
  for (const double value : members.of(MembershipStatistic::lr))
    EXPECT_NEAR(value, 200 * (std::log(0.4 / 0.5) + std::log(0.6 / 0.5)), 1e-3);
}

TEST(MembershipPower, ThresholdsAndShares) {
  std::vector<double> values;
  for (int i = 1; i <= 1000; ++i) values.push_back(i);
  const NullDistribution null(values);
  // 50 values are above the threshold of 5 %, 10 above that of 1 %.
  EXPECT_EQ(null.threshold(0.05), 950);
  EXPECT_EQ(null.threshold(0.01), 990);
  EXPECT_EQ(null.lower_threshold(0.05), 51);
  // Of 0.1 % only one would be: by the normal distribution.
  EXPECT_NEAR(null.threshold(0.001), 500.5 + 3.0902 * 288.8, 0.5);
  EXPECT_EQ(power_at(null, {1, 960, 991, 2000}, 0.05).share, 0.75);
  EXPECT_NEAR(normal_quantile(0.975), 1.959964, 1e-5);
}

TEST(MembershipPower, ClopperAndPearson) {
  // Published: 0 of 10 is 0 to 0.3085, 5 of 10 is 0.1871 to 0.8129.
  EXPECT_NEAR(measured_share(0, 10).high, 0.3085, 1e-4);
  EXPECT_EQ(measured_share(0, 10).low, 0);
  EXPECT_NEAR(measured_share(5, 10).low, 0.1871, 1e-4);
  EXPECT_NEAR(measured_share(5, 10).high, 0.8129, 1e-4);
  EXPECT_EQ(measured_share(10, 10).high, 1);
}

TEST(MembershipPower, AreaUnderTheCurveCountsPairs) {
  EXPECT_DOUBLE_EQ(area_under_curve({3, 4}, {1, 2}), 1);
  EXPECT_DOUBLE_EQ(area_under_curve({1, 3}, {2, 3}), (0 + 0 + 1 + 0.5) / 4);
  EXPECT_TRUE(std::isnan(area_under_curve({}, {1})));
}

// A simulated world with a known truth: expected separation of the likelihood ratio. For a member
// of a pool of n the mean exceeds that of others by about s / n, with variance s / n: z =
// sqrt(s/n).
TEST_F(Membership, PowerIsWhatTheoryExpects) {
  FrequencyTable pool;
  FrequencyTable reference;
  constexpr int kSites = 2000;
  constexpr double kPeople = 100;
  for (int s = 0; s < kSites; ++s) {
    // The pool's frequencies scatter around the reference's with the variance of 2n alleles.
    const double f = 0.1 + 0.8 * s / kSites;
    const double scatter = std::sqrt(f * (1 - f) / (2 * kPeople)) * (s % 2 == 0 ? 1 : -1);
    reference.set({"1", s, "A", "C"}, f);
    pool.set({"1", s, "A", "C"}, f + scatter);
  }
  const MembershipKnowledge knowledge{.pool = &pool, .reference = &reference};
  const auto members = simulate_people(knowledge, true, 400, 1, Progress::silent());
  const auto others = simulate_people(knowledge, false, 400, 1, Progress::silent());
  const NullDistribution null(others.of(MembershipStatistic::lr));
  const NullDistribution in(members.of(MembershipStatistic::lr));
  EXPECT_NEAR((in.mean() - null.mean()) / null.deviation(), std::sqrt(kSites / kPeople), 0.5);
}

}  // namespace
}  // namespace pratique::genomes::membership_test
