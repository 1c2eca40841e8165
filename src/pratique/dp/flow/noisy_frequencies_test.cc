// Allele frequencies that a budget pays for: with next to no noise they are those of counting.
#include "pratique/dp/flow/noisy_frequencies.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/dp/flow/testing/budget_fixture.h"
#include "pratique/genomes/flow/frequency_release.h"

namespace pratique::dp::flow::noisy_frequencies_test {
namespace {

namespace gf = genomes::flow;

class NoisyFrequencies : public BudgetFixture {
 protected:
  std::string out = path("out.csv");
  // Of four people: 3 of 6 known alleles, 2 of 8, and the first variant once more, which counts for
  // nothing.
  std::string people =
      vcf("people.vcf", {"1\t100\tA\tC\t0/1\t1/1\t0/0\t./.", "1\t200\tG\tT\t0/1\t0/1\t0/0\t0/0",
                         "1\t100\tA\tC\t1/1\t1/1\t1/1\t1/1"});
  // Known to everybody: the second with its alleles exchanged, and one that nobody has.
  std::string sites = file("sites.csv", "chrom,pos,ref,alt\n1,100,A,C\n1,200,T,G\n1,300,A,G\n");

  [[nodiscard]] std::string vcf(const std::string& name,
                                const std::vector<std::string>& lines) const {
    std::string text =
        "##fileformat=VCFv4.2\n##contig=<ID=1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="
        "\"g\">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\tc\td\n";
    for (const auto& line : lines) {
      const auto fields = parts_of(line, '\t');
      text +=
          fmt::format("{}\t{}\t.\t{}\t{}\t.\t.\t.\tGT", fields[0], fields[1], fields[2], fields[3]);
      for (std::size_t f = 4; f < fields.size(); ++f) text += "\t" + fields[f];
      text += "\n";
    }
    return file(name, text);
  }
  [[nodiscard]] gf::ProtectRequest asked(double epsilon = 600) const {
    return {.file = people,
            .method = "frequencies",
            .ledger = ledger,
            .epsilon = epsilon,
            .sites = sites,
            .out = out,
            .seed = 5};
  }
  Json made(const gf::ProtectRequest& request) { return *noisy_frequencies(request, run()).result; }
  std::string why_not(const gf::ProtectRequest& request) {
    return refusal([&] { return noisy_frequencies(request, run()); });
  }
};

TEST_F(NoisyFrequencies, AreThoseOfCountingWhereNoiseIsNone) {
  open_budget_for(people);
  const Json result = made(asked());
  // Rate 600 / (2 * 3): the chance of any noise is below 1e-40.
  const auto rows = rows_of(out);
  ASSERT_EQ(rows.size(), 3U);
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"100", "0.5"}, {"200", "0.75"}, {"300", "0"}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(rows[i].at("chrom"), "1");
    EXPECT_EQ(rows[i].at("pos"), expected[i].first);
    EXPECT_EQ(rows[i].at("frequency"), expected[i].second) << i;
  }
  EXPECT_EQ(rows[1].at("ref"), "T");
  EXPECT_EQ(rows[1].at("alt"), "G");
  EXPECT_EQ(result.at("method"), "frequencies");
  EXPECT_EQ(result.at("people"), 4);
  EXPECT_EQ(result.at("variants_out"), 3);
  EXPECT_EQ(result.at("utility").at("frequency_error"), 0);
  EXPECT_NE(result.at("steward_only").get<std::string>().find("STEWARD ONLY"), std::string::npos);
  EXPECT_EQ(result.begin().key(), "steward_only");
  EXPECT_EQ(result.at("out"), out);
  EXPECT_TRUE(std::filesystem::exists(result.at("private_manifest").get<std::string>()));
  EXPECT_EQ(result.at("seed"), 5);
  EXPECT_EQ(result.at("epsilon_spent"), 600);
  EXPECT_EQ(result.at("epsilon_left"), 400);
  EXPECT_NEAR(result.at("deviation").get<double>(), 0, 1e-20);
  EXPECT_GE(result.at("seconds").get<double>(), 0);
  EXPECT_LT(result.at("seconds").get<double>(), 600);
  // By the definition, of f = 1/2, 3/4 and 0: a variant that nobody has tells nothing.
  double distance = 0;
  for (const double f : {0.5, 0.75, 0.0}) distance += gf::squared_distance_of(f, 4, 0);
  EXPECT_EQ(result.at("before"), gf::expected_power(distance));
  EXPECT_NEAR(result.at("after").at("power_at_5").get<double>(),
              result["before"].at("power_at_5").get<double>(), 1e-9);
  EXPECT_EQ(charges(), 1U);
}

TEST_F(NoisyFrequencies, TheManifestHasNothingThatIsExact) {
  open_budget_for(people);
  (void)made(asked());
  const Json manifest = manifest_of(out);
  expect_recorded(manifest, "genomes", {people}, {sites, ledger}, 5);
  EXPECT_EQ(manifest.at("parameters"),
            (Json{{"method", "frequencies"}, {"epsilon", 600.0}, {"read_as", "genotypes"}}));
  ASSERT_EQ(manifest.at("claims").size(), 1U);
  const Json& claim = manifest["claims"][0];
  EXPECT_EQ(claim.at("model"), "noisy-frequencies");
  EXPECT_EQ(claim.at("epsilon"), 600);
  EXPECT_EQ(claim.at("variants"), 3);
  EXPECT_EQ(claim.at("standing"), "attested");
  EXPECT_EQ(manifest.at("results"), (Json{{"method", "frequencies"}, {"variants_out", 3}}));
}

TEST_F(NoisyFrequencies, NoiseLowersWhatAMembershipTestGains) {
  open_budget_for(people);
  const Json result = made(asked(0.6));  // rate 1/10 of a count
  const double q = std::exp(-0.1);
  const double variance = 2 * q / ((1 - q) * (1 - q));
  EXPECT_NEAR(result.at("deviation").get<double>(), std::sqrt(variance), 1e-9);
  double distance = 0;
  for (const auto& [f, alleles] : {std::pair(0.5, 6.0), std::pair(0.75, 8.0)})
    distance +=
        gf::squared_distance_of(f, 4, variance * (f * f + (1 - f) * (1 - f)) / (alleles * alleles));
  EXPECT_NEAR(result.at("after").at("power_at_5").get<double>(),
              gf::expected_power(distance).at("power_at_5").get<double>(), 1e-9);
  EXPECT_LT(result["after"]["power_at_5"].get<double>(),
            result["before"]["power_at_5"].get<double>());
  double error = 0;
  const double exact[] = {0.5, 0.75, 0};
  const auto rows = rows_of(out);
  for (std::size_t i = 0; i < 3; ++i) {
    const double shown = std::stod(rows[i].at("frequency"));
    EXPECT_GE(shown, 0);
    EXPECT_LE(shown, 1);
    error += std::abs(shown - exact[i]);
  }
  EXPECT_NEAR(result.at("utility").at("frequency_error").get<double>(), error / 3, 1e-4);
}

// Counts far below their noise: what is left is 0, 1 or a half, and sometimes both counts are none.
TEST_F(NoisyFrequencies, WhereNothingIsLeftAHalfIsShown) {
  std::string many = "chrom,pos,ref,alt\n";
  for (int place = 1000; place < 1400; ++place) many += fmt::format("1,{},A,C\n", place);
  sites = file("many.csv", many);
  open_budget_for(people);
  (void)made(asked(0.001));
  int halves = 0;
  for (const auto& row : rows_of(out)) halves += row.at("frequency") == "0.5" ? 1 : 0;
  // Both are below 0 with a chance of nearly a quarter: of 400, 20 or fewer are next to impossible.
  EXPECT_GT(halves, 20);
  EXPECT_LT(halves, 250);
}

TEST_F(NoisyFrequencies, SomeSitesAreDrawnByTheSeedInTheirOrder) {
  std::string many = "chrom,pos,ref,alt\n";
  for (int place = 1; place <= 40; ++place) many += fmt::format("1,{},A,C\n", place);
  sites = file("many.csv", many);
  open_budget_for(people);
  const auto places = [&](std::uint64_t seed, std::uint64_t snps, const std::string& name) {
    auto request = asked(10);
    request.seed = seed;
    request.snps = snps;
    request.out = path(name);
    EXPECT_EQ(made(request).at("variants_out"), std::min<std::uint64_t>(snps, 40));
    std::vector<int> all;
    for (const auto& row : rows_of(request.out)) all.push_back(std::stoi(row.at("pos")));
    return all;
  };
  const auto first = places(1, 8, "a.csv");
  EXPECT_EQ(first.size(), 8U);
  EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
  EXPECT_EQ(first, places(1, 8, "b.csv"));
  EXPECT_NE(first, places(2, 8, "c.csv"));
  EXPECT_EQ(places(3, 40, "d.csv").size(), 40U);
  EXPECT_EQ(places(3, 41, "e.csv").size(), 40U);
}

TEST_F(NoisyFrequencies, WhatTheBudgetIsNotForIsRefusedAndCostsNothing) {
  open_budget_for(people);
  auto request = asked();
  request.method = "dnala";
  EXPECT_NE(why_not(request).find("--method frequencies"), std::string::npos);
  request = asked();
  request.epsilon.reset();
  EXPECT_NE(why_not(request).find("--epsilon and --sites"), std::string::npos);
  request = asked();
  request.sites.clear();
  EXPECT_NE(why_not(request).find("--epsilon and --sites"), std::string::npos);
  request = asked();
  request.carriers = 1;
  EXPECT_NE(why_not(request).find("--carriers"), std::string::npos);
  request = asked();
  request.sites = file("none.csv", "chrom,pos,ref,alt\n");
  EXPECT_NE(why_not(request).find("is empty"), std::string::npos);
  request = asked();
  request.file = vcf("others.vcf", {"1\t100\tA\tC\t0/1\t1/1\t0/0\t0/0"});
  EXPECT_NE(why_not(request).find("other data"), std::string::npos);
  for (const auto& taken : {people, sites, ledger}) {
    request = asked();
    request.out = taken;
    EXPECT_FALSE(why_not(request).empty());
  }
  // The same file, with another person in it.
  (void)vcf("people.vcf", {"1\t100\tA\tC\t0/1\t1/1\t0/0\t0/1"});
  EXPECT_EQ(error_of([&] { return noisy_frequencies(asked(), run()); }).code(),
            ErrorCode::check_failed);
  EXPECT_EQ(charges(), 0U);
  EXPECT_TRUE(nothing_written(out));
}

TEST_F(NoisyFrequencies, ABudgetOfATableIsNone) {
  const auto table = file("people.csv", "id,a\n1,2\n");
  open_budget_for(table, 10, 0.0001, "id");
  auto request = asked(1);
  request.file = table;
  EXPECT_NE(why_not(request).find("--person"), std::string::npos);
}

}  // namespace
}  // namespace pratique::dp::flow::noisy_frequencies_test
