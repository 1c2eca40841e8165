#include "pratique/genomes/flow/protect.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/genomes/flow/testing/genomes_flow_fixture.h"

namespace pratique::genomes::flow::protect_test {
namespace {

class GenomesProtect : public GenomesFlowFixture {
 protected:
  std::string out = path("out.fasta");

  Json result_of(const ProtectRequest& request) { return *protect(request, run()).result; }
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
  const Json result = result_of({.file = in, .k = 2, .out = out, .seed = 7});
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
  (void)result_of({.file = fasta("turned.fasta", Entries(people.rbegin(), people.rend())),
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
      const Json result = result_of(
          {.file = in, .k = static_cast<std::uint64_t>(k), .pairing = pairing, .out = out});
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
  EXPECT_EQ(result_of({.file = in, .out = out}).at("aligned"), false);
  EXPECT_GE(smallest(released()), 2);
  // Against a reference, which is recorded and is one sequence.
  const auto reference = fasta("reference.fasta", {people[0]});
  (void)result_of({.file = in, .reference = reference, .out = out});
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
  (void)result_of({.file = in, .names_repeat = true, .out = out});
  EXPECT_NE(why_not({.file = in, .names_repeat = true, .out = in}), "");
  EXPECT_EQ(entries_of(in).size(), 6U);
}

TEST_F(GenomesProtect, BinnedSnpsAreAlikeWithinAndAcross) {
  const auto people = relatives(18);
  const Json result = result_of({.file = fasta("in.fasta", people),
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
  const Json result = result_of(request);
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
  EXPECT_EQ(result_of(last).at("hidden_columns"), (Json{12}));
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
  const Json result = result_of(request);
  EXPECT_EQ(result.at("loci"), (Json{8}));
  EXPECT_EQ(result.at("hidden_columns"), (Json{11}));
  for (const auto& [name, letters] : entries_of(out)) EXPECT_EQ(letters.at(10), 'N');
  request.loci = {"61"};
  EXPECT_NE(why_not(request).find("position of the reference from 1 to 60"), std::string::npos);
}

}  // namespace
}  // namespace pratique::genomes::flow::protect_test
