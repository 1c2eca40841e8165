// Pseudonyms turned back, from files to figures, and what is said where nothing was tried.
#include "pratique/genomes/flow/attack_dictionary.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/genomes/flow/testing/genomes_flow_fixture.h"

namespace pratique::genomes::flow::attack_dictionary_test {
namespace {

class GenomesDictionary : public GenomesFlowFixture {
 protected:
  const std::vector<std::pair<std::string, std::string>> people = {
      {"Anna Berg", "123-45-6789"}, {"Ben Olsen", "987-65-4321"}, {"Carla Weiss", "111-22-3333"}};
  std::string registered = [this] {
    std::string text = "name,ssn\n";
    for (const auto& [name, ssn] : people) text += name + "," + ssn + "\n";
    return file("register.csv", text);
  }();

  [[nodiscard]] std::string study(const std::vector<std::string>& pseudonyms) const {
    std::string text = "Pseudonym,result\n";
    for (const auto& pseudonym : pseudonyms) text += pseudonym + ",1\n";
    return file("study.csv", text);
  }
  [[nodiscard]] std::vector<std::string> hashed(const std::string& salt = "") const {
    std::vector<std::string> all;
    for (const auto& [name, ssn] : people) all.push_back(sha256_hex(salt + name + ssn));
    return all;
  }
  [[nodiscard]] DictionaryRequest request(const std::vector<std::string>& pseudonyms) const {
    return {.pseudonyms = study(pseudonyms),
            .column = "pseudonym",
            .register_file = registered,
            .on = {"NAME", "ssn"}};
  }
  Json attacked(const DictionaryRequest& asked, bool passed = true) {
    const auto outcome = attack_dictionary(asked, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
};

TEST_F(GenomesDictionary, WhoeverIsInTheRegisterIsFound) {
  auto hashes = hashed();
  const auto stranger = sha256_hex("Eve Adams555-55-5555");
  hashes[2] = stranger;
  auto asked = request({hashes[0], hashes[1], stranger, hashes[0], "?"});
  asked.out = path("who.csv");
  const Json result = attacked(asked);
  EXPECT_EQ(result.at("broken"), 2);
  EXPECT_EQ(result.at("of"), 4);  // each once, what cannot be a digest, too
  EXPECT_EQ(result.at("unreadable"), 1);
  EXPECT_DOUBLE_EQ(result.at("share").get<double>(), 0.5);
  EXPECT_EQ(result.at("people"), 3);
  EXPECT_FALSE(result.contains("values"));
  EXPECT_EQ(result.at("scheme"), "sha256");
  EXPECT_EQ(result.at("tried"), true);
  EXPECT_EQ(result.at("ambiguous"), 0);
  EXPECT_GE(result.at("tries"), 3);
  EXPECT_NE(result.at("made_as"), nullptr);
  EXPECT_NEAR(result.at("tries_per_second").get<double>(),
              result.at("tries").get<double>() / std::max(result.at("seconds").get<double>(), 1e-9),
              1e-3 * result.at("tries_per_second").get<double>());
  EXPECT_NEAR(
      result.at("all_ssns_seconds").get<double>() * result.at("tries_per_second").get<double>(),
      898.0 * 99 * 9999, 1);
  EXPECT_EQ(result.at("out"), path("who.csv"));
  std::set<std::string> rows;
  for (const auto& row : rows_of(path("who.csv")))
    rows.insert(row.at("pseudonym") + row.at("name") + row.at("ssn"));
  EXPECT_EQ(rows, (std::set<std::string>{hashes[0] + "Anna Berg123-45-6789",
                                         hashes[1] + "Ben Olsen987-65-4321"}));
  EXPECT_EQ(static_cast<unsigned>(std::filesystem::status(path("who.csv")).permissions()), 0600U);
}

TEST_F(GenomesDictionary, ASaltThatIsKnownIsNoHelpAndOneThatIsNotIs) {
  auto asked = request(hashed("pepper"));
  const Json unsalted = attacked(asked);
  EXPECT_EQ(unsalted.at("broken"), 0);
  EXPECT_EQ(unsalted.at("made_as"), nullptr);
  EXPECT_FALSE(unsalted.contains("out"));
  asked.scheme = "sha256:pepper";
  const Json salted = attacked(asked);
  EXPECT_EQ(salted.at("broken"), 3);
  EXPECT_EQ(salted.at("scheme"), "sha256 with a salt");
}

TEST_F(GenomesDictionary, AGateIsPassedByWhatWasTriedAlone) {
  auto asked = request({hashed()[0], sha256_hex("nobody")});
  asked.fail_above = 0.5;
  (void)attacked(asked);
  asked.fail_above = 0.49;
  (void)attacked(asked, false);
  for (const auto& none : {std::vector<std::string>{}, std::vector<std::string>{"?", "-"}}) {
    auto untried = request(none);
    untried.fail_above = 1;
    const Json result = attacked(untried, false);
    EXPECT_EQ(result.at("tried"), false);
    EXPECT_EQ(result.at("share"), nullptr);
    EXPECT_TRUE(result.contains("note"));
  }
  // Nor where nobody could be behind a pseudonym.
  auto by_nobody = request(hashed());
  by_nobody.register_file = file("nobody.csv", "name,ssn\n");
  by_nobody.fail_above = 1;
  const Json result = attacked(by_nobody, false);
  EXPECT_EQ(result.at("tried"), false);
  EXPECT_EQ(result.at("tries"), 0);
  EXPECT_EQ(result.at("share"), nullptr);
}

TEST_F(GenomesDictionary, KnownPairsBreakEqualPseudonymsAlone) {
  auto asked = request({"x1", "x2", "x3", "x1"});
  for (const char* header : {"pseudonym,name\n", "PSEUDONYM,name\n"}) {
    asked.known = file("known.csv", std::string(header) + "x1,Anna\nx9,Zoe\nx3,Ben\n");
    const Json result = attacked(asked);
    EXPECT_EQ(result.at("known_pairs"), 3);
    EXPECT_EQ(result.at("broken_by_pairs"), 2);
  }
  asked.column = "result";  // a column that the pairs do not have: theirs is called pseudonym
  EXPECT_EQ(attacked(asked).at("broken_by_pairs"), 0);
}

TEST_F(GenomesDictionary, KnownPairsCountInTheGate) {
  // Of five pseudonyms one is broken by the register, two by pairs; one of these is the same.
  const auto hashes = hashed();
  auto asked = request({hashes[0], "a1b2c3d4", "x2", "x3", hashes[0], "x4"});
  asked.known = file("known.csv", "pseudonym,name\n" + hashes[0] + ",Anna\na1b2c3d4,Zoe\n");
  asked.fail_above = 0.4;
  const Json result = attacked(asked);
  EXPECT_DOUBLE_EQ(result.at("share").get<double>(), 0.2);
  EXPECT_DOUBLE_EQ(result.at("share_with_pairs").get<double>(), 0.4);
  asked.fail_above = 0.39;
  (void)attacked(asked, false);
  asked.known.clear();
  EXPECT_FALSE(attacked(asked).contains("share_with_pairs"));
}

TEST_F(GenomesDictionary, OneFootholdDoesNotEndTheSearch) {
  // In capitals, numbers without dashes. One name has no capitals, and its number has no dashes in
  // the register: it is broken as written, too.
  auto asked = request({sha256_hex("ANNA BERG|123456789"), sha256_hex("BEN OLSEN|987654321"),
                        sha256_hex("CARLA WEISS|111223333"), sha256_hex("李明|222334444")});
  asked.register_file =
      file("more.csv",
           "name,ssn\n李明,222334444\nAnna Berg,123-45-6789\nBen Olsen,987-65-4321\nCarla "
           "Weiss,111-22-3333\n");
  EXPECT_EQ(attacked(asked).at("broken"), 4);
}

TEST_F(GenomesDictionary, WithoutARegisterAllThereAreAreTried) {
  auto asked = request({sha256_hex("1950-02-03"), sha256_hex("Anna")});
  asked.register_file.clear();
  asked.on.clear();
  EXPECT_NE(refusal([&] { return attack_dictionary(asked, run()); }).find("--every"),
            std::string::npos);
  asked.every = "date";
  asked.out = path("who.csv");
  const Json result = attacked(asked);
  EXPECT_EQ(result.at("broken"), 1);
  EXPECT_EQ(result.at("of"), 2);
  EXPECT_GT(result.at("values"), 30000);
  EXPECT_FALSE(result.contains("people"));
  EXPECT_EQ(result.at("made_as"), "date as 1950-02-03");
  const auto rows = rows_of(path("who.csv"));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("pseudonym"), sha256_hex("1950-02-03"));
  EXPECT_EQ(rows[0].at("date"), "1950-02-03");
  for (const auto& change : std::vector<std::function<void(DictionaryRequest&)>>{
           [](auto& r) { r.scheme = "rot13"; }, [](auto& r) { r.areas = "900"; },
           [](auto& r) { r.column = "nobody"; }}) {
    auto wrong = asked;
    change(wrong);
    EXPECT_NE(refusal([&] { return attack_dictionary(wrong, run()); }), "");
  }
  auto on = request({});
  on.on = {};
  EXPECT_NE(refusal([&] { return attack_dictionary(on, run()); }).find("--on"), std::string::npos);
}

}  // namespace
}  // namespace pratique::genomes::flow::attack_dictionary_test
