#include "pratique/verify/claims.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::verify::claims_test {
namespace {

class ClaimsTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});

  ClaimResult check(const std::string& csv, const Json& claim) {
    const std::string path = folder.path() + "/r.csv";
    std::ofstream(path) << csv;
    return verify_claim(*engine, engine->open(path, {}, Progress::silent()), claim,
                        Progress::silent());
  }

  static Json claim(const std::string& model, const std::string& parameter, double value) {
    Json claim = {{"model", model}, {"quasi_identifiers", {"age", "zip"}}, {parameter, value}};
    if (model != "k-anonymity") claim["sensitive"] = "illness";
    if (model == "t-closeness") claim["distance"] = "equal";
    return claim;
  }
};

// Two classes of three: one with three illnesses, one with two.
constexpr const char* kRelease =
    "age,zip,illness\n"
    "20..29,130**,flu\n20..29,130**,gout\n20..29,130**,asthma\n"
    "30..39,*,flu\n30..39,*,flu\n30..39,*,gout\n";

// The words that the first group of a pattern takes out of a file.
std::set<std::string> words_in(const std::string& path, const std::string& pattern) {
  const std::string text = read_file(path);
  const std::regex expression(pattern);
  std::set<std::string> words;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    words.insert((*at)[1]);
  return words;
}

// A check that nobody can read about is as bad as one that is written about and does not exist.
TEST_F(ClaimsTest, EveryModelThatIsCheckedIsDescribedAndNoOther) {
  const auto known = known_models();
  const std::set<std::string> models(known.begin(), known.end());
  EXPECT_EQ(models.size(), known.size());
  EXPECT_EQ(words_in("src/pratique/verify/claims.h", R"~(\{"model": "([^"]+)")~"), models);
  EXPECT_EQ(
      words_in("docs/attack-model.md", R"~(\n\| `([^`]+)` \| (?:derived|tested|attested) \|)~"),
      models);
}

// A model of a name that nothing checks is refused, whatever else the claim has.
TEST_F(ClaimsTest, EveryKnownModelHasACheck) {
  for (const auto model : known_models()) {
    try {
      EXPECT_EQ(check(kRelease, {{"model", model}}).model, model);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("unknown model"), std::string::npos) << model;
    }
  }
  EXPECT_THROW((void)check(kRelease, {{"model", "k-anonymit"}}), Error);
}

TEST_F(ClaimsTest, KAnonymityIsTheSmallestClass) {
  EXPECT_TRUE(check(kRelease, claim("k-anonymity", "k", 3)).holds);
  const auto planted = check(kRelease, claim("k-anonymity", "k", 4));
  EXPECT_FALSE(planted.holds);
  EXPECT_EQ(planted.achieved, 3);
}

TEST_F(ClaimsTest, OneRecordMovedToAnotherCellIsSeen) {
  std::string text = kRelease;
  text.replace(text.find("20..29"), 6, "20..28");
  EXPECT_FALSE(check(text, claim("k-anonymity", "k", 3)).holds);
}

TEST_F(ClaimsTest, SuppressedRecordsAreAClassToo) {
  const auto planted = check(std::string(kRelease) + "*,*,asthma\n", claim("k-anonymity", "k", 3));
  EXPECT_FALSE(planted.holds);
  EXPECT_EQ(planted.achieved, 1);
}

TEST_F(ClaimsTest, DistinctDiversity) {
  EXPECT_TRUE(check(kRelease, claim("distinct-l-diversity", "l", 2)).holds);
  EXPECT_FALSE(check(kRelease, claim("distinct-l-diversity", "l", 3)).holds);
}

// E11.9 in four spellings is one illness; of codes in figures a point is part of the number.
TEST_F(ClaimsTest, SpellingsOfOneValueAreNoDiversity) {
  const auto release = [](const std::vector<std::string>& illnesses) {
    std::string csv = "age,zip,illness\n";
    for (const auto& illness : illnesses) csv += "20..29,*,\"" + illness + "\"\n";
    return csv;
  };
  const auto l = [&](const std::vector<std::string>& illnesses) {
    return check(release(illnesses), claim("distinct-l-diversity", "l", 1)).achieved;
  };
  EXPECT_EQ(l({"E11.9", "e11.9", "E119", " E11.9 "}), 1);
  EXPECT_EQ(l({"Type  2 diabetes", "type 2 Diabetes"}), 1);
  EXPECT_EQ(l({"E11.9", "E11.8", "I10"}), 3);
  EXPECT_EQ(l({"1.5", "15"}), 2);
  EXPECT_EQ(l({"a.b", "ab"}), 1);  // a point that stands between no figures: H.I.V.
  EXPECT_EQ(l({"type 2", "type2"}), 2);
  // Three of four are one value.
  EXPECT_NEAR(check(release({"E11.9", "e119", "E119", "I10"}), claim("alpha", "alpha", 1)).achieved,
              0.75, 1e-12);
  const auto found = check(release({"E11.9", "e119"}), claim("entropy-l-diversity", "l", 2));
  EXPECT_FALSE(found.holds);
  EXPECT_NEAR(found.achieved, 1, 1e-12);
  EXPECT_NE(found.explanation.find("spelling"), std::string::npos);
}

TEST_F(ClaimsTest, EntropyDiversity) {
  // The second class has shares 2/3 and 1/3.
  const double l = std::exp(-(2.0 / 3 * std::log(2.0 / 3) + 1.0 / 3 * std::log(1.0 / 3)));
  EXPECT_NEAR(check(kRelease, claim("entropy-l-diversity", "l", 1.5)).achieved, l, 1e-12);
  EXPECT_TRUE(check(kRelease, claim("entropy-l-diversity", "l", 1.8)).holds);
  EXPECT_FALSE(check(kRelease, claim("entropy-l-diversity", "l", 1.9)).holds);
}

TEST_F(ClaimsTest, Alpha) {
  EXPECT_NEAR(check(kRelease, claim("alpha", "alpha", 0.7)).achieved, 2.0 / 3, 1e-12);
  EXPECT_FALSE(check(kRelease, claim("alpha", "alpha", 0.66)).holds);
}

TEST_F(ClaimsTest, Closeness) {
  // Whole table: flu 1/2, gout 1/3, asthma 1/6. First class: each 1/3, so 1/6 from it.
  // Second: flu 2/3, gout 1/3, asthma 0: also 1/6.
  EXPECT_NEAR(check(kRelease, claim("t-closeness", "t", 0.2)).achieved, 1.0 / 6, 1e-12);
  EXPECT_TRUE(check(kRelease, claim("t-closeness", "t", 0.17)).holds);
  EXPECT_FALSE(check(kRelease, claim("t-closeness", "t", 0.16)).holds);
}

TEST_F(ClaimsTest, ExplanationsHoldNoValue) {
  for (const auto& [model, parameter] : std::map<std::string, std::string>{
           {"k-anonymity", "k"}, {"distinct-l-diversity", "l"}, {"t-closeness", "t"}}) {
    const double asked = parameter == "t" ? 0.01 : 9;
    const auto text = check(kRelease, claim(model, parameter, asked)).explanation;
    for (const char* value : {"flu", "gout", "20..29", "130"}) {
      EXPECT_EQ(text.find(value), std::string::npos) << text;
    }
  }
}

TEST_F(ClaimsTest, AnUnknownModelIsNotPassed) {
  EXPECT_THROW((void)check(kRelease, claim("wishful", "w", 1)), Error);
  EXPECT_THROW((void)check(kRelease, {{"model", "k-anonymity"}, {"k", 2}}), Error);
  try {
    (void)check(kRelease, Json::array());
    FAIL() << "a list is not a claim";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("a claim is not an object"), std::string::npos)
        << error.message();
  }
  // What every table satisfies is no claim.
  EXPECT_THROW((void)check(kRelease, claim("k-anonymity", "k", 0.5)), Error);
  EXPECT_THROW((void)check(kRelease, claim("distinct-l-diversity", "l", -5)), Error);
}

// Every figure against a direct count over random tables.
RC_GTEST_FIXTURE_PROP(ClaimsTest, AgreesWithACountByHand, ()) {
  const auto rows = *rc::gen::inRange(1, 30);
  std::string csv = "age,zip,illness\n";
  std::map<std::string, std::map<std::string, double>> classes;
  std::map<std::string, double> whole;
  for (int i = 0; i < rows; ++i) {
    const std::string key =
        std::to_string(*rc::gen::inRange(0, 3)) + "," + std::to_string(*rc::gen::inRange(0, 2));
    const std::string illness(1, *rc::gen::elementOf(std::string("abc")));
    csv += key + "," + illness + "\n";
    ++classes[key][illness];
    ++whole[illness];
  }
  double k = rows;
  double l = rows;
  double entropy_l = 1e9;
  double alpha = 0;
  double t = 0;
  for (const auto& [key, histogram] : classes) {
    double size = 0;
    double largest = 0;
    double entropy = 0;
    double distance = 0;
    for (const auto& [illness, count] : histogram) size += count;
    for (const auto& [illness, count] : histogram) {
      largest = std::max(largest, count / size);
      entropy -= count / size * std::log(count / size);
    }
    for (const auto& [illness, count] : whole) {
      const double here = histogram.count(illness) != 0 ? histogram.at(illness) / size : 0;
      distance += std::max(0.0, here - count / rows);
    }
    k = std::min(k, size);
    l = std::min(l, static_cast<double>(histogram.size()));
    entropy_l = std::min(entropy_l, std::exp(entropy));
    alpha = std::max(alpha, largest);
    t = std::max(t, distance);
  }
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  RC_ASSERT(near(check(csv, claim("k-anonymity", "k", 1)).achieved, k));
  RC_ASSERT(near(check(csv, claim("distinct-l-diversity", "l", 1)).achieved, l));
  RC_ASSERT(near(check(csv, claim("entropy-l-diversity", "l", 1)).achieved, entropy_l));
  RC_ASSERT(near(check(csv, claim("alpha", "alpha", 1)).achieved, alpha));
  RC_ASSERT(near(check(csv, claim("t-closeness", "t", 1)).achieved, t));
}

}  // namespace
}  // namespace pratique::verify::claims_test
