#include "pratique/genomes/flow/protect.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/genomes/flow/frequency_release.h"
#include "pratique/genomes/flow/testing/genomes_flow_fixture.h"

namespace pratique::genomes::flow::protect_test {
namespace {

class GenomesProtect : public GenomesFlowFixture {
 protected:
  std::string out = path("out.fasta");

  Json made(const ProtectRequest& request) { return *protect(request, run()).result; }
  std::string why_not(const ProtectRequest& request) {
    return refusal([&] { return protect(request, run()); });
  }
  std::map<std::string, int> released() const {
    std::map<std::string, int> counts;
    for (const auto& [name, letters] : entries_of(out)) ++counts[letters];
    return counts;
  }
  static int smallest(const std::map<std::string, int>& counts) {
    int least = counts.begin()->second;
    for (const auto& [letters, count] : counts) least = std::min(least, count);
    return least;
  }
};

TEST_F(GenomesProtect, SequencesAreHiddenAmongKLetterByLetter) {
  const auto people = relatives(24);
  const auto in = fasta("in.fasta", people);
  const Json result = made({.file = in, .k = 2, .out = out, .seed = 7});
  EXPECT_EQ(result.at("method"), "dnala");
  EXPECT_EQ(result.at("pairing"), "optimal");
  EXPECT_EQ(result.at("k"), 2);
  EXPECT_EQ(result.at("sequences"), 24);
  EXPECT_EQ(result.at("aligned"), true);
  EXPECT_EQ(result.at("length"), 60);
  EXPECT_EQ(result.at("groups"), 12);
  EXPECT_EQ(result.at("seed"), 7);
  EXPECT_EQ(result.at("out"), out);
  EXPECT_GE(result.at("seconds").get<double>(), 0);
  EXPECT_TRUE(std::filesystem::exists(result.at("private_manifest").get<std::string>()));
  int variable = 0;
  for (std::size_t column = 0; column < 60; ++column) {
    std::set<char> letters;
    for (const auto& [who, own] : people) letters.insert(own[column]);
    variable += letters.size() > 1 ? 1 : 0;
  }
  EXPECT_EQ(result.at("variable_regions"), variable);
  const auto counts = released();
  EXPECT_EQ(result.at("k_verified"), smallest(counts));
  EXPECT_GE(smallest(counts), 2);
  // Whom each original fits, counted over the entries.
  const auto entries = entries_of(out);
  ASSERT_EQ(entries.size(), 24U);
  std::map<std::string, int> alike;
  for (const auto& [who, letters] : people) ++alike[letters];
  std::uint64_t fewest = 24;
  double sum = 0;
  int alone = 0;
  int unique = 0;
  for (const auto& [who, letters] : people) {
    std::uint64_t candidates = 0;
    for (const auto& [name, other] : entries) candidates += fits(letters, other) ? 1 : 0;
    fewest = std::min(fewest, candidates);
    sum += static_cast<double>(candidates);
    alone += alike[letters] == 1 ? 1 : 0;
    unique += candidates == 1 ? 1 : 0;
  }
  EXPECT_EQ(result.at("after").at("fewest_candidates"), fewest);
  EXPECT_NEAR(result["after"].at("mean_candidates").get<double>(), sum / 24, 1e-9);
  EXPECT_EQ(result["after"].at("unique"), unique);
  EXPECT_EQ(result.at("before").at("unique"), alone);
  EXPECT_DOUBLE_EQ(result["before"].at("unique_share").get<double>(), alone / 24.0);
  // Levels of the letters that leave, all originals being bases.
  int distance = 0;
  int unchanged = 0;
  for (const auto& [name, letters] : entries) {
    const int before = distance;
    for (const char letter : letters) distance += static_cast<int>(bases_of(letter).size()) - 1;
    unchanged += distance == before ? 1 : 0;
  }
  const Json& loss = result.at("loss");
  EXPECT_EQ(loss.at("distance"), distance);
  EXPECT_DOUBLE_EQ(loss.at("per_sequence").get<double>(), distance / 24.0);
  EXPECT_GE(loss.at("greedy_distance"), distance);
  EXPECT_GT(loss.at("bits").get<double>(), 0);
  EXPECT_EQ(result.at("unchanged"), unchanged);
  EXPECT_TRUE(result.at("utility").at("before").contains("chi_square_at_cause"));
  // Neither names nor their order.
  std::set<std::string> names;
  for (const auto& [name, letters] : entries) {
    EXPECT_EQ(name.find_first_not_of("0123456789"), std::string::npos);
    names.insert(name);
  }
  EXPECT_EQ(names.size(), 24U);
  const auto text = read_file(out);
  EXPECT_EQ((text + read_file(out + ".manifest.json")).find("Patient"), std::string::npos);
  const Json manifest = manifest_of(out);
  expect_recorded(manifest, "genomes", {in}, {}, 7);
  EXPECT_EQ(manifest.at("parameters"),
            (Json{{"method", "dnala"}, {"k", 2}, {"pairing", "optimal"}}));
  EXPECT_EQ(manifest.at("claims").at(0).at("model"), "sequence-anonymity");
  EXPECT_EQ(manifest["claims"][0].at("k"), 2);
  (void)made({.file = fasta("turned.fasta", Entries(people.rbegin(), people.rend())),
              .k = 2,
              .out = path("again.fasta"),
              .seed = 7});
  EXPECT_EQ(read_file(path("again.fasta")), text);
}

TEST_F(GenomesProtect, OtherSizesOfGroupsAndPairings) {
  for (const auto& [count, k] :
       {std::pair(11, 2), std::pair(11, 3), std::pair(20, 5), std::pair(3, 2)}) {
    const auto in = fasta("in.fasta", relatives(static_cast<std::size_t>(count)));
    for (const char* pairing : {"optimal", "greedy"}) {
      const Json result =
          made({.file = in, .k = static_cast<std::uint64_t>(k), .pairing = pairing, .out = out});
      const auto counts = released();
      EXPECT_GE(smallest(counts), k);
      EXPECT_EQ(result.at("k_verified"), smallest(counts));
      if (std::string(pairing) == "greedy") {
        EXPECT_EQ(result.at("loss").at("distance"), result["loss"].at("greedy_distance"));
      }
    }
  }
}

TEST_F(GenomesProtect, SequencesOfOtherLengthsAreAligned) {
  auto people = relatives(8);
  people[3].second.insert(30, "GG");
  people[5].second.erase(20, 1);
  const auto in = fasta("in.fasta", people);
  EXPECT_EQ(made({.file = in, .out = out}).at("aligned"), false);
  EXPECT_GE(smallest(released()), 2);
  // Against a reference, which is recorded and is one sequence.
  const auto reference = fasta("reference.fasta", {people[0]});
  (void)made({.file = in, .reference = reference, .out = out});
  EXPECT_EQ(manifest_of(out).at("inputs").size(), 2U);
  EXPECT_NE(why_not({.file = in, .reference = in, .out = out}).find("not one sequence"),
            std::string::npos);
  EXPECT_NE(
      why_not({.file = in, .reference = reference, .aligner = "mafft", .out = out}).find("mafft"),
      std::string::npos);
  EXPECT_NE(why_not({.file = in, .reference = reference, .out = reference}), "");
}

TEST_F(GenomesProtect, ANameThatRepeatsIsOnePersonTwiceUnlessSomebodySaysOtherwise) {
  auto people = relatives(6);
  people[1].first = people[0].first;
  const auto in = fasta("in.fasta", people);
  EXPECT_NE(why_not({.file = in, .out = out}), "");
  (void)made({.file = in, .names_repeat = true, .out = out});
  EXPECT_NE(why_not({.file = in, .names_repeat = true, .out = in}), "");
  EXPECT_EQ(entries_of(in).size(), 6U);
}

TEST_F(GenomesProtect, BinnedSnpsAreAlikeWithinAndAcross) {
  const auto people = relatives(18);
  const Json result = made({.file = fasta("in.fasta", people),
                            .method = "binning",
                            .within = 3,
                            .across = 3,
                            .out = out,
                            .seed = 2});
  const auto counts = released();
  EXPECT_EQ(entries_of(out).size(), 18U);
  EXPECT_GE(smallest(counts), 3);
  EXPECT_EQ(result.at("k_verified"), smallest(counts));
  EXPECT_EQ(result.at("within"), 3);
  EXPECT_EQ(result.at("across"), 3);
  EXPECT_GE(result.at("after").at("fewest_candidates"), 3);
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < 60; ++column) {
    std::set<char> letters;
    for (const auto& [who, own] : people) letters.insert(own[column]);
    if (letters.size() > 1) columns.push_back(column);
  }
  int distance = 0;
  for (const auto& [letters, count] : counts) {
    EXPECT_EQ(letters.size(), columns.size());
    EXPECT_EQ(letters.find_first_not_of("ACGTRYN"), std::string::npos);
    std::map<char, int> within;
    for (const char letter : letters) {
      ++within[letter];
      distance += count * (letter == 'N' ? 2 : letter == 'R' || letter == 'Y' ? 1 : 0);
    }
    for (const auto& [letter, times] : within) EXPECT_GE(times, 3) << letter;
  }
  EXPECT_EQ(result.at("loss").at("distance"), distance);
  EXPECT_EQ(result["loss"].at("bits"), distance);
  EXPECT_DOUBLE_EQ(result["loss"].at("per_sequence").get<double>(), distance / 18.0);
  EXPECT_EQ(manifest_of(out).at("claims").at(0).at("model"), "snp-bins");
  EXPECT_EQ(manifest_of(out).at("parameters"),
            (Json{{"method", "binning"}, {"within", 3}, {"across", 3}}));
  EXPECT_NE(why_not({.file = fasta("alike.fasta", {{"a", "ACGT"}, {"b", "ACGT"}}),
                     .method = "binning",
                     .out = out})
                .find("no SNPs"),
            std::string::npos);
}

TEST_F(GenomesProtect, AMaskedLocusTakesThoseThatTellOfIt) {
  // Columns 5 to 8 are inherited together; the four before are anybody's.
  SeededRandom random(9);
  Entries people;
  for (int i = 0; i < 60; ++i) {
    std::string letters;
    for (int c = 0; c < 4; ++c) letters += random.chance(0.5) ? 'G' : 'T';
    letters += std::string(4, random.chance(0.5) ? 'A' : 'C');
    people.emplace_back("p" + std::to_string(i), letters + "ACGT");
  }
  const auto in = fasta("in.fasta", people);
  const ProtectRequest request{
      .file = in, .method = "mask", .loci = {"6"}, .tolerance = 0.2, .out = out, .seed = 3};
  const Json result = made(request);
  EXPECT_GT(result.at("before").at("accuracy").get<double>(), 0.9);
  EXPECT_NEAR(
      result["before"].at("gain").get<double>(),
      result["before"].at("accuracy").get<double>() - result["before"].at("baseline").get<double>(),
      1e-9);
  EXPECT_LE(result.at("after").at("gain").get<double>(), 0.2);
  EXPECT_EQ(result.at("within_tolerance"), true);
  EXPECT_EQ(result.at("tolerance"), 0.2);
  EXPECT_EQ(result.at("sequences"), 60);
  EXPECT_EQ(result.at("aligned"), true);
  EXPECT_EQ(result.at("length"), 12);
  EXPECT_EQ(result.at("variable_regions"), 8);
  EXPECT_EQ(result.at("loci"), (Json{6}));
  const auto hidden = result.at("hidden_columns").get<std::set<std::size_t>>();
  EXPECT_EQ(result.at("hidden"), hidden.size());
  for (const std::size_t column : {5, 6, 7, 8}) EXPECT_TRUE(hidden.contains(column)) << column;
  std::multiset<std::string> expected;
  for (auto [who, letters] : people) {
    for (const auto column : hidden) letters[column - 1] = 'N';
    expected.insert(letters);
  }
  std::multiset<std::string> leaving;
  for (const auto& [name, letters] : entries_of(out)) leaving.insert(letters);
  EXPECT_EQ(leaving, expected);
  const Json claim = manifest_of(out).at("claims").at(0);
  EXPECT_EQ(claim.at("model"), "masked-loci");
  EXPECT_EQ(claim.at("loci"), result.at("hidden_columns"));
  EXPECT_FALSE(result.contains("k_verified"));
  EXPECT_EQ(result.contains("note"), 2 * hidden.size() > 8);
  for (const char* locus : {"0", "13", "x", "", "-1", "6x"}) {
    auto wrong = request;
    wrong.loci = {locus};
    EXPECT_NE(why_not(wrong).find("column from 1 to 12"), std::string::npos) << locus;
  }
  auto last = request;
  last.loci = {"12"};
  EXPECT_EQ(made(last).at("hidden_columns"), (Json{12}));
  auto none = request;
  none.loci = {};
  EXPECT_NE(why_not(none).find("--method mask needs"), std::string::npos);
  auto same = request;
  same.out = in;
  EXPECT_NE(why_not(same), "");
}

TEST_F(GenomesProtect, LociOfUnalignedSequencesAreTheReferences) {
  auto people = relatives(12);
  const auto reference = fasta("reference.fasta", {{"reference", people[0].second}});
  people[3].second.insert(2, "GGG");
  const auto in = fasta("in.fasta", people);
  ProtectRequest request{.file = in, .method = "mask", .loci = {"8"}, .tolerance = 1, .out = out};
  EXPECT_NE(why_not(request).find("--reference"), std::string::npos);
  request.reference = reference;
  const Json result = made(request);
  EXPECT_EQ(result.at("loci"), (Json{8}));
  EXPECT_EQ(result.at("hidden_columns"), (Json{11}));
  for (const auto& [name, letters] : entries_of(out)) EXPECT_EQ(letters.at(10), 'N');
  request.loci = {"61"};
  EXPECT_NE(why_not(request).find("position of the reference from 1 to 60"), std::string::npos);
}

class GenotypesProtect : public GenomesProtect {
 protected:
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
  const Json result = made(request);
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
  EXPECT_EQ(made(both).at("hidden_loci"), (Json{"1:1"}));
  for (const auto& line : lines_of(out)) {
    if (line.starts_with("1\t1\t")) {
      EXPECT_EQ(line.find("0/"), std::string::npos);
    }
  }
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
  const Json result = made(request);
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
  EXPECT_EQ(made(request).at("variants_out"), 1);
  EXPECT_EQ(rows_of(out).size(), 1U);
  request.snps = 3;
  EXPECT_EQ(made(request).at("variants_out"), 3);
  // Two people carry the first, one the second, nobody lacks the third.
  request.carriers = 1;
  EXPECT_EQ(made(request).at("variants_out"), 2);
  request.carriers = 3;
  EXPECT_NE(why_not(request).find("no variant is left"), std::string::npos);
  request.carriers = 0;
  request.step = 0.51;
  EXPECT_NE(why_not(request).find("too coarse"), std::string::npos);
  request.step = 0.5;
  (void)made(request);
}

TEST_F(GenotypesProtect, WhatWhoeverKnowsAllOthersGetsFromFrequencies) {
  const auto people = blocks(10, 12);
  out = path("out.csv");
  const auto in = vcf("in.vcf", names("p", 10), people, sites(12));
  for (const double step : {0.01, 0.1, 0.25}) {
    const Json result = made({.file = in, .method = "frequencies", .step = step, .out = out});
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
  const Json result = made(request);
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
  EXPECT_EQ(made(asked(blocks(5, 12))).at("variants_out"), 12);
  EXPECT_NE(why_not(asked(blocks(4, 12))).find("of 4 people"), std::string::npos);
  std::string trait = "sample,case\n";
  for (int i = 0; i < 6; ++i) trait += fmt::format("p{},{}\n", i, i == 2 ? 1 : 0);
  EXPECT_NE(why_not(asked(blocks(6, 12), 5, file("trait.csv", trait))).find("of 1 person"),
            std::string::npos);
  // One person under six names is one, where there are sites enough to tell.
  EXPECT_NE(why_not(asked(Calls(6, blocks(1, 66)[0]))).find("of 1 person"), std::string::npos);
  (void)made(asked(Calls(6, blocks(1, 60)[0])));
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
  EXPECT_EQ(made(asked(rare)).at("people"), 5);
  // Brothers, who have every second block of sites alike, are two people.
  Calls family = blocks(5, 300);
  for (std::size_t s = 0; s < 300; ++s) {
    if (s / 6 % 2 == 0) family[1][s] = family[0][s];
  }
  EXPECT_EQ(made(asked(family)).at("people"), 5);
  // A variant of which four have a call is theirs alone.
  auto people = blocks(6, 12);
  people[0][3] = people[1][3] = -1;
  people[0][4] = -1;
  const Json result = made(asked(people));
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
  for (const char* position : {"x", "-1"})
    EXPECT_NE(refusal([&] {
                return listed_variants(
                    file("b.csv", fmt::format("chrom,pos,ref,alt\n1,5,A,G\n1,{},A,G\n", position)),
                    run());
              }).find("b.csv:3"),
              std::string::npos);
}

}  // namespace
}  // namespace pratique::genomes::flow::protect_test
