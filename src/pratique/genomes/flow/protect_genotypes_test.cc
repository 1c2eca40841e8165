// Genotypes that are masked, and frequencies in their place, from files to figures.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/genomes/flow/frequency_release.h"
#include "pratique/genomes/flow/protect.h"
#include "pratique/genomes/flow/testing/genomes_flow_fixture.h"

namespace pratique::genomes::flow::protect_genotypes_test {
namespace {

class GenotypesProtect : public GenomesFlowFixture {
 protected:
  std::string out = path("out.csv");

  Json result_of(const ProtectRequest& request) { return *protect(request, run()).result; }
  std::string why_not(const ProtectRequest& request) {
    return refusal([&] { return protect(request, run()); });
  }
  // People whose sites are inherited together in blocks of six.
  static Calls blocks(std::size_t count, int sites, std::uint64_t seed = 8) {
    SeededRandom random(seed, 3);
    std::vector<std::vector<std::vector<int>>> kinds;
    for (int b = 0; b < sites / 6; ++b) {
      auto& of_block = kinds.emplace_back();
      for (int kind = 0; kind < 3; ++kind) {
        auto& alleles = of_block.emplace_back();
        for (int s = 0; s < 6; ++s) alleles.push_back(random.chance(0.5) ? 1 : 0);
      }
    }
    Calls people(count);
    for (auto& person : people) {
      for (const auto& of_block : kinds) {
        const auto& first = of_block[random.below(3)];
        const auto& second = of_block[random.below(3)];
        for (std::size_t s = 0; s < 6; ++s) person.push_back(first[s] + second[s]);
      }
    }
    return people;
  }
};

TEST_F(GenotypesProtect, GenotypesAreMaskedAndNothingElseChanges) {
  auto people = blocks(40, 30);
  people[4][20] = -1;
  const auto at = sites(30);
  const auto in = vcf("in.vcf", names("Anna", 40), people, at);
  out = path("out.vcf");
  const ProtectRequest request{
      .file = in, .method = "mask", .loci = {"chr1:301"}, .tolerance = 0.15, .out = out, .seed = 4};
  const Json result = result_of(request);
  EXPECT_EQ(result.at("people"), 40);
  EXPECT_EQ(result.at("variants_in"), 30);
  EXPECT_EQ(result.at("variants_out"), 30);
  EXPECT_EQ(result.at("loci"), (Json{"chr1:301"}));
  std::set<std::string> hidden;
  for (const auto& place : result.at("hidden_loci")) hidden.insert(place.get<std::string>());
  EXPECT_EQ(result.at("hidden"), hidden.size());
  EXPECT_TRUE(hidden.contains("1:301"));
  std::multiset<std::vector<int>> expected;
  for (auto person : people) {
    for (std::size_t s = 0; s < at.size(); ++s) {
      if (hidden.contains(fmt::format("1:{}", at[s].position))) person[s] = -1;
    }
    expected.insert(person);
  }
  Calls columns(40);
  for (const auto& line : lines_of(out)) {
    for (const char* word : {"Anna", "WHO", "rs1", "PASS", "|"})
      EXPECT_EQ(line.find(word), std::string::npos);
    if (line.starts_with('#')) continue;
    const auto cells = parts_of(line, '\t');
    for (std::size_t p = 0; p < 40; ++p) {
      const auto& call = cells.at(9 + p);
      columns[p].push_back(
          call == "./." ? -1 : static_cast<int>(std::count(call.begin(), call.end(), '1')));
    }
  }
  EXPECT_EQ(std::multiset<std::vector<int>>(columns.begin(), columns.end()), expected);
  EXPECT_EQ(manifest_of(out).at("claims").at(0).at("model"), "masked-genotypes");
  for (const char* locus : {"2:301", "1:302", "301", "1:", "1:x", ""}) {
    auto wrong = request;
    wrong.loci = {locus};
    EXPECT_NE(why_not(wrong).find("no variant there"), std::string::npos) << locus;
  }
  // All alternatives of a place go together.
  auto two = sites(3);
  two[1].position = two[0].position;
  two[1].alt = "T";
  SeededRandom random(1);
  Calls few(40, std::vector<int>(3, 0));
  for (auto& person : few)
    person = {random.chance(0.5) ? 1 : 0, random.chance(0.5) ? 1 : 0, random.chance(0.5) ? 1 : 0};
  auto both = request;
  both.file = vcf("two.vcf", names("B", 40), few, two);
  both.loci = {"1:1"};
  both.tolerance = 1;
  EXPECT_EQ(result_of(both).at("hidden_loci"), (Json{"1:1"}));
  for (const auto& line : lines_of(out)) {
    if (line.starts_with("1\t1\t")) {
      EXPECT_EQ(line.find("0/"), std::string::npos);
    }
  }
}

TEST_F(GenotypesProtect, LinesThatAreAboutAHiddenPlaceAreHiddenWhereverTheyBegin) {
  // One of forty carries the locus 2000, which no neighbour can learn from others; lines that span
  // it say the same.
  Calls people(40, {1, 0, 0, 0, 0, 1, 0});
  for (std::size_t p = 0; p < 40; ++p) people[p][0] = static_cast<int>(p % 3);
  for (std::size_t v = 1; v < 5; ++v) people[7][v] = 1;
  const std::vector<Site> at = {{.position = 500},
                                {.position = 1990, .ref = "ACGTACGTACG", .alt = "A"},
                                {.position = 1999, .ref = "AC", .alt = "AT"},
                                {.position = 2000, .ref = "C", .alt = "T"},
                                {.position = 2000, .ref = "CA", .alt = "C"},
                                {.position = 2001},
                                {.position = 2010}};
  const auto in = vcf("in.vcf", names("s", 40), people, at);
  out = path("out.vcf");
  const Json result =
      result_of({.file = in, .method = "mask", .loci = {"1:2000"}, .out = out, .seed = 2});
  // The deletion of 2000 and 2001 tells of both.
  EXPECT_EQ(result.at("hidden_loci"), (Json{"1:1990", "1:1999", "1:2000", "1:2001"}));
  for (const auto& line : lines_of(out)) {
    if (line.starts_with('#')) continue;
    const auto cells = parts_of(line, '\t');
    const int position = std::stoi(cells.at(1));
    EXPECT_EQ(line.find("0/") == std::string::npos, position >= 1990 && position <= 2001) << line;
  }
}

// Each line is about the place of the next: a chain as long as the file.
TEST_F(GenotypesProtect, AChainOfOverlappingLinesIsFollowedToItsBeginning) {
  constexpr int kLines = 150'000;
  std::string text =
      "##fileformat=VCFv4.2\n##contig=<ID=1>\n"
      "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"g\">\n"
      "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts1\ts2\n";
  for (int position = 1; position <= kLines; ++position)
    text += fmt::format("1\t{}\t.\tAA\tA\t.\t.\t.\tGT\t0/1\t0/0\n", position);
  const auto in = file("in.vcf", text);
  try {
    (void)protect({.file = in,
                   .method = "mask",
                   .loci = {fmt::format("1:{}", kLines)},
                   .out = path("out.vcf"),
                   .seed = 2},
                  run());
    ADD_FAILURE() << "there was something left";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("nothing is left"), std::string::npos) << error.message();
  }
}

TEST_F(GenotypesProtect, ASymbolicAlleleIsAboutAllUpToItsEnd) {
  std::string text =
      "##fileformat=VCFv4.2\n##contig=<ID=1>\n"
      "##INFO=<ID=END,Number=1,Type=Integer,Description=\"e\">\n"
      "##INFO=<ID=SVLEN,Number=A,Type=Integer,Description=\"l\">\n"
      "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"g\">\n"
      "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT";
  for (int p = 0; p < 20; ++p) text += fmt::format("\ts{}", p);
  const auto line = [&](const std::string& begin, int carrier) {
    text += "\n" + begin + "\tGT";
    for (int p = 0; p < 20; ++p) text += p == carrier ? "\t0/1" : "\t0/0";
  };
  line("1\t100\t.\tA\t<DEL>\t.\t.\tEND=5000", 3);
  line("1\t200\t.\tA\t<DEL>\t.\t.\tSVLEN=-1800", 3);
  line("1\t300\t.\tA\t<DEL>\t.\t.\tSVLEN=-1699", 3);  // ends before
  line("1\t400\t.\tA\t<INS>\t.\t.\tSVLEN=5000", 3);   // stands between two bases
  line("1\t2000\t.\tC\tT\t.\t.\t.", 3);
  line("1\t6000\t.\tC\tT\t.\t.\t.", 5);
  const auto in = file("in.vcf", text + "\n");
  out = path("out.vcf");
  const Json result =
      result_of({.file = in, .method = "mask", .loci = {"1:2000"}, .out = out, .seed = 2});
  EXPECT_EQ(result.at("hidden_loci"), (Json{"1:100", "1:200", "1:2000"}));
}

TEST_F(GenotypesProtect, OfFewPeopleNothingIsLearned) {
  for (const std::size_t count : {1U, 19U, 20U}) {
    Calls people(count, {0, 1, 2});
    people[0][0] = 1;
    for (std::size_t p = 0; p < count; ++p) people[p][2] = static_cast<int>(p % 3);
    const auto in = vcf("in.vcf", names("s", count), people, sites(3));
    out = path(fmt::format("{}.vcf", count));
    const auto asked =
        ProtectRequest{.file = in, .method = "mask", .loci = {"1:1"}, .out = out, .seed = 2};
    if (count == 1) {
      EXPECT_NE(why_not(asked).find("one person"), std::string::npos);
      continue;
    }
    const Json result = result_of(asked);
    EXPECT_EQ(result.at("within_tolerance"), count == 20);
    EXPECT_EQ(result.value("note", "").find("too little is learned") != std::string::npos,
              count == 19);
  }
}

TEST_F(GenotypesProtect, LinesInAnyOrderGiveTheSameRelease) {
  const auto people = blocks(40, 30);
  auto at = sites(30);
  for (std::size_t s = 0; s < 30; ++s) at[s].chrom = s < 10 ? "2" : s < 20 ? "10" : "X";
  auto turned = at;
  std::reverse(turned.begin(), turned.end());
  auto calls = people;
  for (auto& person : calls) std::reverse(person.begin(), person.end());
  // A variant that stands there again, with its alleles exchanged and other calls.
  turned.push_back({.chrom = "2", .position = at[4].position, .ref = "G", .alt = "A"});
  for (auto& person : calls) person.push_back(2);
  const auto in = vcf("in.vcf", names("s", 40), people, at);
  const auto other = vcf("other.vcf", names("s", 40), calls, turned);
  for (const char* method : {"frequencies", "mask"}) {
    const bool masks = method == std::string("mask");
    std::string texts[2];
    for (const bool in_order : {true, false}) {
      out = path(masks ? "out.vcf" : "out.csv");
      (void)result_of(
          {.file = in_order ? in : other,
           .method = method,
           .loci = masks ? std::vector<std::string>{"2:401"} : std::vector<std::string>{},
           .tolerance = 0.5,
           .out = out,
           .seed = 2});
      texts[in_order ? 0 : 1] = read_file(out);
      std::filesystem::remove(out);
      std::filesystem::remove(out + ".manifest.json");
    }
    EXPECT_EQ(texts[0], texts[1]) << method;
    EXPECT_LT(texts[0].find("\n2"), texts[0].find("\n10")) << method;
    EXPECT_LT(texts[0].find("\n10"), texts[0].find("\nX")) << method;
  }
}

TEST_F(GenotypesProtect, NamesThatSomebodyMadeUpDoNotLeave) {
  const auto people = blocks(40, 12);
  out = path("out.csv");
  for (const auto& [chrom, alt] :
       std::vector<std::pair<std::string, std::string>>{{"SMITH", "G"},
                                                        {"1 Anna", "G"},
                                                        {"1_Anna", "G"},
                                                        {"1", "<INS:SMITH>"},
                                                        {"1", "A[SMITH:17["}}) {
    auto at = sites(12);
    at[5].chrom = chrom;
    at[5].alt = alt;
    const auto in = vcf("in.vcf", names("s", 40), people, at);
    EXPECT_NE(why_not({.file = in, .method = "frequencies", .out = out}).find("in.vcf"),
              std::string::npos)
        << chrom;
    EXPECT_EQ(why_not({.file = in, .method = "frequencies", .out = out}).find("mith"),
              std::string::npos);
    EXPECT_NE(why_not({.file = in, .method = "mask", .loci = {"1:1"}, .out = path("out.vcf")})
                  .find("in.vcf"),
              std::string::npos)
        << chrom;
  }
  for (const auto& [chrom, alt] :
       std::vector<std::pair<std::string, std::string>>{{"chr22", "G"},
                                                        {"MT", "ACGT"},
                                                        {"GL000191.1", "G"},
                                                        {"chr1_KI270706v1_random", "G"},
                                                        {"NC_000001.11", "<DEL>"},
                                                        {"HLA-A*01:01:01:01", "<INS:ME:ALU>"},
                                                        {"hs37d5", "<CN2>"}}) {
    auto at = sites(12);
    at[11].chrom = chrom;
    at[11].alt = alt;
    const auto in = vcf("in.vcf", names("s", 40), people, at);
    std::filesystem::remove(out);
    std::filesystem::remove(out + ".manifest.json");
    EXPECT_EQ(result_of({.file = in, .method = "frequencies", .step = 0.1, .out = out, .seed = 1})
                  .at("variants_out"),
              12)
        << chrom;
  }
}

TEST_F(GenotypesProtect, AllelesLeaveInCapitals) {
  const auto people = blocks(40, 12);
  auto at = sites(12);
  at[11].alt = "<DEL>";
  auto soft = at;
  for (std::size_t s = 0; s < 11; ++s)
    (s % 2 == 0 ? soft[s].ref : soft[s].alt) = s % 2 == 0 ? "a" : "g";
  for (const char* method : {"frequencies", "mask"}) {
    const bool masks = method == std::string("mask");
    std::string texts[2];
    for (const bool is_soft : {false, true}) {
      out = path(masks ? "out.vcf" : "out.csv");
      (void)result_of(
          {.file = vcf("in.vcf", names("s", 40), people, is_soft ? soft : at),
           .method = method,
           .loci = masks ? std::vector<std::string>{"1:101"} : std::vector<std::string>{},
           .tolerance = 0.5,
           .out = out,
           .seed = 2});
      texts[is_soft ? 1 : 0] = read_file(out);
      std::filesystem::remove(out);
      std::filesystem::remove(out + ".manifest.json");
    }
    EXPECT_EQ(texts[0], texts[1]) << method;
    EXPECT_NE(texts[1].find("<DEL>"), std::string::npos) << method;
  }
}

TEST_F(GenotypesProtect, CarriersAreOfThoseWhoAreCounted) {
  // Everybody carries the first; of the second five are among cases and controls, of the third one.
  Calls people(60, {0, 0, 0});
  std::string trait = "sample,case\n";
  for (std::size_t p = 0; p < 60; ++p) {
    people[p][0] = p % 2 == 0 ? 1 : 0;
    people[p][1] = p < 5 ? 1 : 0;
    people[p][2] = p == 0 || p >= 40 ? 1 : 0;
    if (p < 40) trait += fmt::format("s{},{}\n", p, p % 2);
  }
  const auto in = vcf("in.vcf", names("s", 60), people, sites(3));
  out = path("out.csv");
  const Json result = result_of({.file = in,
                                 .method = "frequencies",
                                 .step = 0.1,
                                 .carriers = 5,
                                 .trait = file("trait.csv", trait),
                                 .out = out});
  EXPECT_EQ(result.at("variants_out"), 2);
  EXPECT_EQ(result.at("rare_variants"), 0);
  EXPECT_EQ(rows_of(out).at(1).at("pos"), "101");
}

TEST_F(GenotypesProtect, AStepThatDoesNotDivideOneRoundsToFrequencies) {
  Calls people(10, {2});
  const auto in = vcf("in.vcf", names("s", 10), people, sites(1));
  out = path("out.csv");
  (void)result_of({.file = in, .method = "frequencies", .step = 0.4, .out = out});
  EXPECT_EQ(rows_of(out).at(0).at("frequency"), "0.8");
}

TEST_F(GenotypesProtect, MaskingThatLeavesNothingIsNoRelease) {
  Calls people(40);
  for (std::size_t p = 0; p < 40; ++p) people[p].assign(12, p % 2 == 0 ? 0 : 2);
  const auto in = vcf("in.vcf", names("s", 40), people, sites(12));
  const auto error = error_of([&] {
    return protect({.file = in, .method = "mask", .loci = {"1:101"}, .out = path("out.vcf")},
                   run());
  });
  EXPECT_EQ(error.code(), ErrorCode::check_failed);
  EXPECT_TRUE(nothing_written(path("out.vcf")));
}

TEST_F(GenotypesProtect, FrequenciesAreCountedAndRounded) {
  const Calls people = {{1, 0, 2}, {2, 1, 2}, {0, -1, 2}};
  out = path("out.csv");
  const auto in = vcf("in.vcf", names("p", 3), people, sites(3));
  ProtectRequest request{
      .file = in, .method = "frequencies", .step = 0.1, .fewest = 1, .out = out, .seed = 5};
  const Json result = result_of(request);
  EXPECT_EQ(result.at("people"), 3);
  EXPECT_EQ(result.at("variants_in"), 3);
  EXPECT_EQ(result.at("variants_out"), 3);
  EXPECT_EQ(result.at("step"), 0.1);
  EXPECT_EQ(result.at("few_calls"), 0);
  EXPECT_EQ(result.at("rare_variants"), 2);
  EXPECT_NE(result.at("note").get<std::string>().find("2 variants"), std::string::npos);
  // 3 of 6, 1 of 4, 6 of 6.
  const auto rows = rows_of(out);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0],
            (std::map<std::string, std::string>{
                {"chrom", "1"}, {"pos", "1"}, {"ref", "A"}, {"alt", "G"}, {"frequency", "0.5"}}));
  EXPECT_EQ(rows[1].at("frequency"), "0.3");
  EXPECT_EQ(rows[2].at("frequency"), "1");
  EXPECT_NEAR(result.at("utility").at("frequency_error").get<double>(), 0.05 / 3, 1e-9);
  // Two of three vary; the noise of rounding is that of a step that is evenly spread.
  const double v0 = 0.25 / 6;
  const double v1 = 0.25 * 0.75 / 6;
  const double e = 0.01 / 12;
  const double after = v0 / (v0 + e) / 3 + v1 / (v1 + e) / 3;
  EXPECT_EQ(result.at("after"), expected_power(after));
  EXPECT_EQ(result.at("before"), expected_power(2.0 / 3));
  EXPECT_EQ(manifest_of(out).at("claims").at(0).at("model"), "rounded-frequencies");
  EXPECT_EQ(manifest_of(out).at("claims").at(0).at("step"), 0.1);
  EXPECT_EQ(manifest_of(out).at("parameters").at("read_as"), "genotypes");
  request.snps = 1;
  EXPECT_EQ(result_of(request).at("variants_out"), 1);
  EXPECT_EQ(rows_of(out).size(), 1U);
  request.snps = 3;
  EXPECT_EQ(result_of(request).at("variants_out"), 3);
  // Two people carry the first, one the second, nobody lacks the third.
  request.carriers = 1;
  EXPECT_EQ(result_of(request).at("variants_out"), 2);
  request.carriers = 3;
  EXPECT_NE(why_not(request).find("no variant is left"), std::string::npos);
  request.carriers = 0;
  request.step = 0.51;
  EXPECT_NE(why_not(request).find("too coarse"), std::string::npos);
  request.step = 0.5;
  (void)result_of(request);
}

TEST_F(GenotypesProtect, WhatWhoeverKnowsAllOthersGetsFromFrequencies) {
  const auto people = blocks(10, 12);
  out = path("out.csv");
  const auto in = vcf("in.vcf", names("p", 10), people, sites(12));
  for (const double step : {0.01, 0.1, 0.25}) {
    const Json result = result_of({.file = in, .method = "frequencies", .step = step, .out = out});
    const auto shown = [&](int copies) {
      const double steps = copies / 20.0 / step;
      return std::floor(steps) + (steps - std::floor(steps) >= 0.5 ? 1 : 0);
    };
    int recovered = 0;
    for (std::size_t site = 0; site < 12; ++site) {
      int copies = 0;
      for (const auto& person : people) copies += person[site];
      EXPECT_NEAR(std::stod(rows_of(out)[site].at("frequency")),
                  std::clamp(shown(copies) * step, 0.0, 1.0), 1e-9);
      for (const auto& person : people) {
        int possible = 0;
        for (int own = 0; own < 3; ++own)
          possible += shown(copies - person[site] + own) == shown(copies) ? 1 : 0;
        recovered += possible == 1 ? 1 : 0;
      }
    }
    EXPECT_NEAR(result.at("recovered_by_rest").get<double>(), recovered / 120.0, 1e-9) << step;
    EXPECT_EQ(result.value("note", "").find("rounds nothing away") != std::string::npos,
              step == 0.01);
  }
}

TEST_F(GenotypesProtect, StatisticsOfAnAssociationFollowFromWhatIsShown) {
  const auto people = blocks(40, 12);
  const auto in = vcf("in.vcf", names("Anna", 40), people, sites(12));
  std::string trait = "sample,case\n";
  const char* words[] = {"1", "0", "TRUE", "false", "yes", "no", "case", "control"};
  // The first and the last person are in nobody's list, and Zoe is nobody.
  for (int i = 0; i < 38; ++i) trait += fmt::format("Anna{},{}\n", i + 1, words[i % 8]);
  out = path("out.csv");
  ProtectRequest request{.file = in,
                         .method = "frequencies",
                         .step = 0.05,
                         .trait = file("trait.csv", trait + "Zoe,1\n"),
                         .out = out};
  const Json result = result_of(request);
  EXPECT_EQ(result.at("cases"), 19);
  EXPECT_EQ(result.at("controls"), 19);
  EXPECT_EQ(manifest_of(out).at("inputs").size(), 2U);
  double error = 0;
  for (std::size_t site = 0; site < 12; ++site) {
    const auto row = rows_of(out)[site];
    const double f = std::stod(row.at("cases"));
    const double q = std::stod(row.at("controls"));
    const double p = (f + q) / 2;
    const double expected = p > 0 && p < 1 ? (f - q) * (f - q) / (p * (1 - p) * (2.0 / 38)) : 0;
    EXPECT_NEAR(std::stod(row.at("chi_square")), expected, 1e-3);
    EXPECT_NEAR(std::stod(row.at("p_value")), std::erfc(std::sqrt(expected / 2)), 1e-4);
    double of_cases = 0;
    double of_controls = 0;
    for (std::size_t i = 0; i < 38; ++i)
      (i % 2 == 0 ? of_cases : of_controls) += people[i + 1][site] / 38.0;
    EXPECT_NEAR(f, of_cases, 0.025 + 1e-9);
    EXPECT_NEAR(q, of_controls, 0.025 + 1e-9);
    error += (std::abs(f - of_cases) + std::abs(q - of_controls)) / 2;
  }
  EXPECT_NEAR(result.at("utility").at("frequency_error").get<double>(), error / 12, 1e-9);
  const Json claim = manifest_of(out).at("claims").at(0);
  EXPECT_EQ(claim.at("model"), "association-statistics");
  EXPECT_EQ(claim.at("cases"), 19);
  request.trait = file("bad.csv", "sample,case\nAnna0,1\nAnna1,maybe\n");
  EXPECT_NE(why_not(request).find("bad.csv:3"), std::string::npos);
  request.trait = file("twice.csv", "sample,case\nAnna0,1\nAnna1,0\nAnna2,0\nAnna0,0\n");
  EXPECT_NE(why_not(request).find("twice.csv:5"), std::string::npos);
  request.trait = file("alone.csv", "sample,case\nAnna0,1\nZoe,0\n");
  EXPECT_NE(why_not(request).find("no controls"), std::string::npos);
}

TEST_F(GenotypesProtect, FrequenciesOfFewPeopleAreRefused) {
  out = path("out.csv");
  const auto asked = [&](const Calls& people, std::uint64_t fewest = 5,
                         const std::string& trait = "") {
    ProtectRequest request{.file = vcf("in.vcf", names("p", people.size()), people,
                                       sites(static_cast<int>(people[0].size()))),
                           .method = "frequencies",
                           .fewest = fewest,
                           .out = out};
    request.trait = trait;
    return request;
  };
  EXPECT_EQ(result_of(asked(blocks(5, 12))).at("variants_out"), 12);
  EXPECT_NE(why_not(asked(blocks(4, 12))).find("of 4 people"), std::string::npos);
  std::string trait = "sample,case\n";
  for (int i = 0; i < 6; ++i) trait += fmt::format("p{},{}\n", i, i == 2 ? 1 : 0);
  EXPECT_NE(why_not(asked(blocks(6, 12), 5, file("trait.csv", trait))).find("of 1 person"),
            std::string::npos);
  // One person under six names is one, where there are sites enough to tell.
  EXPECT_NE(why_not(asked(Calls(6, blocks(1, 66)[0]))).find("of 1 person"), std::string::npos);
  (void)result_of(asked(Calls(6, blocks(1, 60)[0])));
  EXPECT_NE(why_not(asked(Calls(6, std::vector<int>(64, 1)))).find("of 1 person"),
            std::string::npos);
  // Read three times, with a call missing or wrong here and there, two people are two, and one is
  // one.
  const Calls two = {blocks(1, 300, 1)[0], blocks(1, 300, 2)[0]};
  for (const bool wrong : {false, true}) {
    for (const std::size_t times : {std::size_t{3}, std::size_t{6}}) {
      Calls read_again;
      for (std::size_t p = 0; p < 6; ++p) {
        read_again.push_back(two[p / times]);
        for (std::size_t s = 10 * p; s < 10 * p + 4; ++s)
          read_again[p][s] = wrong ? (read_again[p][s] + 1) % 3 : -1;
      }
      EXPECT_NE(why_not(asked(read_again)).find(times == 3 ? "of 2 people" : "of 1 person"),
                std::string::npos)
          << wrong;
    }
  }
  // Five who differ where anybody does are five, though each has what all have nearly everywhere.
  Calls rare(5, std::vector<int>(400, 0));
  for (std::size_t p = 0; p < 5; ++p) rare[p][p] = 1;
  EXPECT_EQ(result_of(asked(rare)).at("people"), 5);
  // Brothers, who have every second block of sites alike, are two people.
  Calls family = blocks(5, 300);
  for (std::size_t s = 0; s < 300; ++s) {
    if (s / 6 % 2 == 0) family[1][s] = family[0][s];
  }
  EXPECT_EQ(result_of(asked(family)).at("people"), 5);
  // A variant of which four have a call is theirs alone.
  auto people = blocks(6, 12);
  people[0][3] = people[1][3] = -1;
  people[0][4] = -1;
  const Json result = result_of(asked(people));
  EXPECT_EQ(result.at("variants_out"), 11);
  EXPECT_EQ(result.at("few_calls"), 1);
  for (const auto& row : rows_of(out)) EXPECT_NE(row.at("pos"), "301");
}

TEST_F(GenotypesProtect, PowerFollowsFromTheDistance) {
  // At a distance of nothing the power is the rate; at z(0.95) + 1.2816 it is 0.9.
  const Json none = expected_power(0);
  for (const auto& [rate, value] :
       {std::pair("0.05", 0.05), std::pair("0.01", 0.01), std::pair("0.001", 0.001)})
    EXPECT_NEAR(none.at("power").at(rate).get<double>(), value, 1e-7);
  EXPECT_EQ(none.at("power_at_5"), none.at("power").at("0.05"));
  const double apart = 1.6448536 + 1.2815516;
  EXPECT_NEAR(expected_power(apart * apart).at("power_at_5").get<double>(), 0.9, 1e-6);
  EXPECT_EQ(squared_distance_of(0, 10, 0.1), 0);
  EXPECT_EQ(squared_distance_of(1, 10, 0.1), 0);
  EXPECT_DOUBLE_EQ(squared_distance_of(0.5, 10, 0), 0.1);
  EXPECT_DOUBLE_EQ(squared_distance_of(0.5, 10, 0.0125), 0.05);
  for (const auto& [value, text] :
       {std::pair(0.5, "0.5"), std::pair(1.0, "1"), std::pair(0.0, "0"), std::pair(0.25, "0.25"),
        std::pair(10.0, "10"), std::pair(0.1234567891, "0.123456789")})
    EXPECT_EQ(decimal_text(value), text);
}

TEST_F(GenotypesProtect, VariantsAreListedOnce) {
  auto twice = sites(4);
  twice[2] = twice[0];
  const auto by_calls =
      listed_variants(vcf("in.vcf", names("p", 2), {{0, 1, 0, 1}, {1, 1, 1, 1}}, twice), run());
  ASSERT_EQ(by_calls.size(), 3U);
  EXPECT_EQ(by_calls[2].position, 301);
  const auto by_table =
      listed_variants(file("t.csv", "CHROM,pos,ref,alt\nchr1,1,A,G\n1,101,A,G\n1,1,A,G\n"), run());
  ASSERT_EQ(by_table.size(), 2U);
  EXPECT_EQ(by_table[0].key(), by_calls[0].key());
  EXPECT_EQ(by_table[1].reference, "A");
  EXPECT_EQ(by_table[1].alternative, "G");
  const auto small =
      listed_variants(file("s.csv", "chrom,pos,ref,alt\n1,1,a,Gt\n1,1,A,gT\n"), run());
  ASSERT_EQ(small.size(), 1U);
  EXPECT_EQ(small[0].reference, "A");
  EXPECT_EQ(small[0].alternative, "GT");
  for (const char* position : {"x", "-1"})
    EXPECT_NE(refusal([&] {
                return listed_variants(
                    file("b.csv", fmt::format("chrom,pos,ref,alt\n1,5,A,G\n1,{},A,G\n", position)),
                    run());
              }).find("b.csv:3"),
              std::string::npos);
}

}  // namespace
}  // namespace pratique::genomes::flow::protect_genotypes_test
