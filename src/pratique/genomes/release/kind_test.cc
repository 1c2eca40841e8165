#include "pratique/genomes/release/kind.h"

#include <nlohmann/json.hpp>

#include "pratique/genomes/flow/protect.h"
#include "pratique/genomes/flow/testing/genomes_flow_fixture.h"
#include "pratique/genomes/release/requested_claims.h"

namespace pratique::genomes::kind_test {
namespace {

using Words = std::vector<std::string>;

class GenomesKind : public flow::GenomesFlowFixture {
 protected:
  // What is wrong with the manifest of a release once its results are changed so.
  static Words wrong_with(const std::string& out, const Json& changes) {
    const auto file = release::ReleaseFile::read(out);
    Manifest manifest = file.manifest();
    Json results = *manifest.results;
    results.update(changes);
    manifest.results = results;
    const auto opened = file.open(engine(), Progress::silent());
    EXPECT_TRUE(opened.has_value());
    Words wrong;
    kind().contradict({engine(), file, manifest, opened, std::nullopt, true, Progress::silent()},
                      wrong);
    return wrong;
  }
  static Words miscounted(const std::string& key) {
    return {"its figures for " + key + " do not match the released file"};
  }
};

TEST_F(GenomesKind, FiguresAreThoseOfTheSequences) {
  const auto out = path("out.fasta");
  (void)flow::protect({.file = fasta("in.fasta", relatives(11)), .k = 2, .out = out, .seed = 1},
                      run());
  std::set<std::string> different;
  for (const auto& [name, letters] : entries_of(out)) different.insert(letters);
  EXPECT_EQ(wrong_with(out, Json::object()), Words{});
  EXPECT_EQ(wrong_with(out, {{"sequences", 12}}), miscounted("sequences"));
  EXPECT_EQ(wrong_with(out, {{"sequences", "11"}}), miscounted("sequences"));
  EXPECT_EQ(wrong_with(out, {{"groups", different.size()}}), Words{});
  EXPECT_EQ(wrong_with(out, {{"groups", different.size() - 1}}), miscounted("groups"));
  EXPECT_EQ(wrong_with(out, {{"groups", 12}}), miscounted("groups"));
  EXPECT_EQ(wrong_with(out, {{"k", 3}}), Words{"its figures have a different k than requested"});
  EXPECT_EQ(wrong_with(out, {{"method", "binning"}}),
            Words{"its figures are of another method than requested"});
}

TEST_F(GenomesKind, FiguresAreThoseOfTheMaskedPlaces) {
  const auto out = path("out.vcf");
  const Calls people = {{0, 1, 0}, {1, 0, 1}, {0, 0, 2}, {1, 1, 0}};
  const auto in = vcf("in.vcf", names("p", 4), people, sites(3));
  (void)flow::protect(
      {.file = in, .method = "mask", .loci = {"1:101"}, .tolerance = 1, .out = out, .seed = 1},
      run());
  EXPECT_EQ(wrong_with(out, Json::object()), Words{});
  EXPECT_EQ(wrong_with(out, {{"hidden", 2}}), miscounted("hidden"));
  EXPECT_EQ(wrong_with(out, {{"hidden", 0}}), miscounted("hidden"));
  EXPECT_EQ(wrong_with(out, {{"variants_out", 2}}), miscounted("variants_out"));
}

TEST_F(GenomesKind, FiguresAreThoseOfTheFrequencies) {
  const auto out = path("out.csv");
  const Calls people = {{0, 1, 0}, {1, 0, 1}, {0, 0, 2}, {1, 1, 0}, {2, 1, 1}};
  const auto in = vcf("in.vcf", names("p", 5), people, sites(3));
  (void)flow::protect({.file = in, .method = "frequencies", .out = out, .seed = 1}, run());
  EXPECT_EQ(wrong_with(out, Json::object()), Words{});
  EXPECT_EQ(wrong_with(out, {{"variants_out", 4}}), miscounted("variants_out"));
  EXPECT_EQ(wrong_with(out, {{"step", 0.1}}),
            Words{"its figures have a different step than requested"});
}

Manifest manifest_with(const Json& options, const Json& parameters, const Json& claim) {
  Manifest manifest;
  manifest.options = options;
  manifest.parameters = parameters;
  manifest.claims = Json::array({claim});
  manifest.results = Json::object();
  return manifest;
}

TEST(RequestedClaims, NumbersAreThoseThatWereAskedFor) {
  struct Example {
    const char* method;
    const char* model;
    const char* key;
  };
  for (const auto& [method, model, key] : {Example{"binning", "snp-bins", "within"},
                                           {"binning", "snp-bins", "across"},
                                           {"frequencies", "rounded-frequencies", "step"},
                                           {"frequencies", "association-statistics", "step"},
                                           {"frequencies", "noisy-frequencies", "epsilon"}}) {
    const std::string said(key);
    const Json asked = {{"method", method}, {said, 0.5}};
    const Json claim = {{"model", model}, {said, 0.5}};
    const Json other_claim = {{"model", model}, {said, 0.25}};
    EXPECT_EQ(unrequested_claims(manifest_with(asked, asked, claim)), Words{});
    EXPECT_EQ(unrequested_claims(manifest_with(Json::object(), Json::object(), claim)), Words{});
    const Words differs{"the claim of " + std::string(model) + " has a different " + said +
                        " than requested"};
    EXPECT_EQ(unrequested_claims(manifest_with(asked, asked, other_claim)), differs);
    EXPECT_EQ(unrequested_claims(manifest_with(asked, Json::object(), other_claim)), differs);
    const Json other_options = {{"method", method}, {said, 0.25}};
    EXPECT_EQ(unrequested_claims(manifest_with(other_options, asked, claim)),
              (Words{"the recorded options ask for another " + said, differs.front()}));
  }
}

TEST(RequestedClaims, AMethodHasItsClaims) {
  const Json claim = {{"model", "sequence-anonymity"}, {"k", 2}};
  const Json dnala = {{"method", "dnala"}};
  const Json mask = {{"method", "mask"}};
  EXPECT_EQ(unrequested_claims(manifest_with(dnala, dnala, claim)), Words{});
  EXPECT_EQ(unrequested_claims(manifest_with(mask, mask, claim)),
            Words{"the method that was requested does not claim sequence-anonymity"});
  EXPECT_EQ(unrequested_claims(manifest_with(mask, dnala, claim)),
            Words{"the recorded options ask for another method"});
}

TEST(RequestedClaims, EveryLocusThatWasToBeHiddenIsClaimed) {
  const auto wrong = [](const Json& asked, const Json& claimed, const Json& reference = {}) {
    const Json claim = {{"model", "masked-loci"}, {"loci", claimed}};
    const auto words = unrequested_claims(
        manifest_with({{"loci", asked}, {"reference", reference}}, Json::object(), claim));
    if (!words.empty()) {
      EXPECT_EQ(words, Words{"the claim of masked-loci lacks a locus that was to be hidden"});
    }
    return !words.empty();
  };
  EXPECT_FALSE(wrong({"6", "9"}, {6, 7, 9}));
  EXPECT_FALSE(wrong({"06"}, Json::array({6})));
  EXPECT_TRUE(wrong({"6", "9"}, {6, 7}));
  EXPECT_TRUE(wrong({"6", "9"}, Json::array()));
  EXPECT_FALSE(wrong(Json::array({"chr1:301"}), {"1:301", "1:401"}));
  EXPECT_TRUE(wrong(Json::array({"1:301"}), Json::array({"2:301"})));
  // With a reference columns have other numbers.
  EXPECT_FALSE(wrong({"6", "9"}, {7, 12}, "reference.fasta"));
  EXPECT_TRUE(wrong({"6", "9"}, Json::array({7}), "reference.fasta"));
}

}  // namespace
}  // namespace pratique::genomes::kind_test
