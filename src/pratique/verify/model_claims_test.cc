// Every model that looks further than k, l, alpha and equal distance: planted breaches, each one
// record away from a release that holds, and figures counted by hand over random tables.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/crypto/random.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::model_claims_test {
namespace {

class ModelClaimsTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});

  Source release_of(const std::string& csv) {
    const std::string path = folder.path() + "/r.csv";
    std::ofstream(path) << csv;
    return engine->open(path, {.delimiter = ','}, Progress::silent());
  }
  ClaimResult check(const Source& release, const Json& claim) {
    return verify_claim(*engine, release, claim, Progress::silent());
  }
  ClaimResult check(const std::string& csv, const Json& claim) {
    return check(release_of(csv), claim);
  }
  // Where a population is, for a claim.
  Json population(const std::string& csv) {
    const std::string path = folder.path() + "/p.csv";
    std::ofstream(path) << csv;
    return {{"path", path}, {"sha256", sha256_file(path)}};
  }

  static Json claim(const std::string& model, const Json& more) {
    Json claim = {{"model", model}, {"quasi_identifiers", {"age"}}};
    if (model != "k-map" && model != "delta-presence") claim["sensitive"] = "s";
    claim.update(more);
    return claim;
  }
  static SeededRandom any_random() {
    return SeededRandom(
        *rc::gen::noShrink(rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>())));
  }
};

// Two people in each class, but one of them in both: who is known to be in both is alone.
TEST_F(ModelClaimsTest, NobodyIsInTwoClasses) {
  const Json two_people = {
      {"model", "k-anonymity"}, {"k", 2}, {"quasi_identifiers", {"age"}}, {"person", "who"}};
  const auto twice = check("who,age\n1,20\n2,20\n2,30\n3,30\n", two_people);
  EXPECT_FALSE(twice.holds);
  EXPECT_NE(twice.explanation.find("several classes"), std::string::npos) << twice.explanation;
  EXPECT_TRUE(check("who,age\n1,20\n1,20\n2,20\n3,30\n4,30\n", two_people).holds);
  EXPECT_FALSE(check("who,age\n1,20\n1,20\n3,30\n4,30\n", two_people).holds);
}

// Half a, half b and one c: with gamma 9 over three values each is released with probability 1/11
// at least, so one c in 2,001 is not the operator's work, and 300 are.
TEST_F(ModelClaimsTest, AColumnThatLeftAsItWasIsNoRandomisedRelease) {
  const auto file = [](std::size_t rare) {
    std::string csv = "age,s\n";
    for (std::size_t i = 0; i < 1000; ++i) csv += "1,a\n1,b\n";
    for (std::size_t i = 0; i < rare; ++i) csv += "1,c\n";
    return csv;
  };
  const Json asked = {
      {"model", "rho1-to-rho2"},  {"sensitive", "s"}, {"rho1", 0.1}, {"rho2", 0.5}, {"gamma", 9},
      {"values", {"a", "b", "c"}}};
  EXPECT_FALSE(check(file(1), asked).holds);
  EXPECT_TRUE(check(file(300), asked).holds);
  EXPECT_NEAR(check(file(300), asked).achieved, 0.5, 1e-12);
}

TEST_F(ModelClaimsTest, OnlyWhatIsTestedHasAConfidence) {
  const std::string csv = "age,s\n1,a\n1,b\n";
  Json tested = claim("delta-growth", {{"delta", 0.9}, {"gamma", 2}, {"values", {"a", "b"}}});
  Json derived = {{"model", "k-anonymity"}, {"quasi_identifiers", {"age"}}, {"k", 2}};
  EXPECT_EQ(check(csv, tested).confidence, 1 - 1e-12);
  EXPECT_EQ(check(csv, derived).confidence, std::nullopt);
  for (const auto& stated : {Json(1 - 1e-12), Json(0.5), Json(1), Json("all"), Json(nullptr)}) {
    tested["confidence"] = stated;
    EXPECT_EQ(check(csv, tested).holds, stated == 1 - 1e-12) << stated;
  }
  derived["confidence"] = 1 - 1e-12;
  EXPECT_FALSE(check(csv, derived).holds);
}

TEST_F(ModelClaimsTest, AnOperatorThatTellsTooMuchFails) {
  const std::string csv = "age,s\n1,a\n1,b\n";
  Json asked = {
      {"model", "rho1-to-rho2"}, {"sensitive", "s"}, {"rho1", 0.1}, {"rho2", 0.5}, {"gamma", 9.1},
      {"values", {"a", "b"}}};
  EXPECT_FALSE(check(csv, asked).holds);
  asked["gamma"] = 9;
  EXPECT_TRUE(check(csv, asked).holds);
  asked["values"] = {"a"};  // b is released and should not be
  EXPECT_FALSE(check(csv, asked).holds);
  // (sqrt(4) - 1) / (sqrt(4) + 1) = 1/3.
  Json growth = {{"model", "delta-growth"},
                 {"sensitive", "s"},
                 {"delta", 0.3334},
                 {"gamma", 4},
                 {"values", {"a", "b"}}};
  EXPECT_TRUE(check(csv, growth).holds);
  growth["delta"] = 0.333;
  EXPECT_FALSE(check(csv, growth).holds);
}

const char* kHead = "age,s\n";
std::string rows(const std::string& age, const std::string& values) {
  std::string text;
  std::string value;
  for (const char c : values + " ") {
    if (c != ' ') {
      value += c;
    } else {
      text += age + "," + (value == "-" ? "" : value) + "\n";
      value.clear();
    }
  }
  return text;
}

TEST_F(ModelClaimsTest, RecursiveDiversity) {
  // Counts 3 2 1: for l = 2, 3 < c * 3.
  const std::string release = kHead + rows("1", "a a a b b c") + rows("2", "a b c");
  const auto asked = [](double l, double c) {
    return claim("recursive-l-diversity", {{"l", l}, {"c", c}});
  };
  EXPECT_EQ(check(release, asked(2, 2)).achieved, 1);
  EXPECT_TRUE(check(release, asked(2, 1.01)).holds);
  EXPECT_FALSE(check(release, asked(2, 1)).holds);  // the definition says less than
  EXPECT_EQ(check(release, asked(3, 4)).achieved, 3);
  EXPECT_FALSE(check(release, asked(4, 100)).holds);
  EXPECT_FALSE(check(release + rows("1", "a"), asked(2, 1.01)).holds);
}

TEST_F(ModelClaimsTest, OrderedCloseness) {
  const auto asked = [](double t) {
    return claim("t-closeness", {{"distance", "ordered"}, {"t", t}});
  };
  // Li et al. 2007, section 5.1: 3k to 11k; the class of 3, 4, 5 is at 0.375.
  const std::string release = kHead + rows("1", "3 4 5") + rows("2", "6 7 8 9 10 11");
  EXPECT_NEAR(check(release, asked(1)).achieved, 0.375, 1e-12);
  EXPECT_TRUE(check(release, asked(0.375)).holds);
  EXPECT_FALSE(check(release, asked(0.37)).holds);
  Json with_reference = asked(0.375);
  for (int salary = 3; salary <= 11; ++salary) {
    with_reference["reference"][std::to_string(salary)] = 1.0 / 9;
  }
  EXPECT_TRUE(check(release, with_reference).holds);
  const std::string planted = kHead + rows("1", "3 4 4") + rows("2", "6 7 8 9 10 11");
  EXPECT_FALSE(check(planted, with_reference).holds);
}

TEST_F(ModelClaimsTest, OrderedClosenessHasTheMissingLast) {
  // 1, 2, missing: shares 1/4, 1/4, 1/2. Of the class that is missing, 1/4 and 1/2 lie below what
  // they are in the whole, over two steps; of the other they lie as much above.
  const std::string release = kHead + rows("1", "1 2") + "2,\n2,\n";
  EXPECT_NEAR(check(release, claim("t-closeness", {{"distance", "ordered"}, {"t", 1}})).achieved,
              0.375, 1e-12);
}

TEST_F(ModelClaimsTest, OrderedClosenessOfDates) {
  const Json asked = claim("t-closeness", {{"distance", "ordered"}, {"t", 0.375}});
  // The same nine places as above, across a year's end, and across the first day of all.
  for (const std::string year : {"2001", "1969"}) {
    const std::string next = std::to_string(std::stoi(year) + 1);
    const std::string early = year + "-12-29 " + year + "-12-30 " + year + "-12-31";
    std::string late;
    for (int day = 1; day <= 6; ++day) late += " " + next + "-01-0" + std::to_string(day);
    const auto verdict = check(kHead + rows("1", early) + rows("2", late.substr(1)), asked);
    EXPECT_NEAR(verdict.achieved, 0.375, 1e-12) << year;
    EXPECT_TRUE(verdict.holds) << year;
  }
}

TEST_F(ModelClaimsTest, OrderedClosenessOfCategories) {
  Json asked = claim("t-closeness", {{"distance", "ordered"}, {"t", 0.5}});
  const std::string release = kHead + rows("1", "low middle") + rows("2", "high middle");
  EXPECT_THROW((void)check(release, asked), Error);
  asked["order"] = {"low", "middle", "high"};
  // Shares 1/4 1/2 1/4. Low, middle: carries 1/4 over both links of 1/2.
  EXPECT_NEAR(check(release, asked).achieved, 0.25, 1e-12);
  asked["order"] = {"low", "middle"};
  EXPECT_THROW((void)check(release, asked), Error);
  asked["order"] = {"low", "middle", "high", "low"};
  EXPECT_THROW((void)check(release, asked), Error);
  // One number among words makes them no numbers, one date no dates.
  asked.erase("order");
  EXPECT_THROW((void)check(kHead + rows("1", "7 middle") + rows("2", "high 7"), asked), Error);
  EXPECT_THROW((void)check(kHead + rows("1", "1970-01-01 7") + rows("2", "7 1970-01-01"), asked),
               Error);
}

TEST_F(ModelClaimsTest, HierarchicalCloseness) {
  const Json paths = {{"flu", "lungs", "*"},
                      {"asthma", "lungs", "*"},
                      {"ulcer", "stomach", "*"},
                      {"gastritis", "stomach", "*"}};
  const auto asked = [&](double t) {
    return claim("t-closeness", {{"distance", "hierarchical"}, {"t", t}, {"paths", paths}});
  };
  // A class of lungs alone sends half its mass to the stomach, over the root: cost 1.
  EXPECT_NEAR(
      check(kHead + rows("1", "flu asthma") + rows("2", "ulcer gastritis"), asked(1)).achieved, 0.5,
      1e-12);
  // Flu and ulcer send a quarter each to their sisters, over level 1 of 2.
  const std::string good = kHead + rows("1", "flu ulcer") + rows("2", "asthma gastritis");
  EXPECT_NEAR(check(good, asked(1)).achieved, 0.25, 1e-12);
  EXPECT_TRUE(check(good, asked(0.25)).holds);
  EXPECT_FALSE(check(good + rows("1", "flu"), asked(0.25)).holds);
  EXPECT_THROW((void)check(kHead + rows("1", "flu gout"), asked(1)), Error);
  Json without = asked(1);
  without.erase("paths");
  EXPECT_THROW((void)check(good, without), Error);
  Json two_parents = asked(1);
  two_parents["paths"].push_back({"flu", "stomach", "*"});
  EXPECT_THROW((void)check(good, two_parents), Error);
}

TEST_F(ModelClaimsTest, TheReferenceIsTheOriginalTable) {
  Json asked = claim("t-closeness", {{"distance", "equal"}, {"t", 0.3}});
  const std::string release = kHead + rows("1", "a a a") + rows("2", "a a a");
  EXPECT_TRUE(check(release, asked).holds);  // against itself
  asked["reference"] = {{"a", 0.7}, {"b", 0.3}};
  EXPECT_NEAR(check(release, asked).achieved, 0.3, 1e-12);
  EXPECT_TRUE(check(release, asked).holds);
  asked["reference"] = {{"a", 0.6}, {"b", 0.4}};
  EXPECT_FALSE(check(release, asked).holds);
  // Six records of a in the file are 0.6 of at least ten.
  asked["t"] = 0.4;
  asked["records"] = 10;
  EXPECT_TRUE(check(release, asked).holds);
  asked["records"] = 9;
  EXPECT_FALSE(check(release, asked).holds);
  EXPECT_EQ(check(release, asked).achieved, std::numeric_limits<double>::infinity());
  asked.erase("records");
  // A value that the original never had.
  const auto odd = check(release + rows("2", "c"), asked);
  EXPECT_FALSE(odd.holds);
  EXPECT_EQ(odd.achieved, std::numeric_limits<double>::infinity());
  for (const Json& bad :
       {Json{{"a", 0.7}, {"b", 0.2}}, Json{{"a", 1.5}, {"b", -0.5}}, Json{{"a", "1"}}, Json(1)}) {
    asked["reference"] = bad;
    EXPECT_THROW((void)check(release, asked), Error);
  }
}

TEST_F(ModelClaimsTest, EmAnonymity) {
  const auto asked = [](double e, int m) { return claim("em-anonymity", {{"e", e}, {"m", m}}); };
  const std::string release = kHead + rows("1", "0 2 4 6") + rows("2", "10 20 30 40");
  EXPECT_TRUE(check(release, asked(1, 4)).holds);
  EXPECT_FALSE(check(release, asked(2, 2)).holds);  // 0 2 4 are within 2 of 2
  EXPECT_NEAR(check(release, asked(2, 2)).achieved, 0.75, 1e-12);
  std::string planted = release;
  planted.replace(planted.find("2,20"), 4, "2,11");
  EXPECT_FALSE(check(planted, asked(1, 4)).holds);
  EXPECT_FALSE(check(release + rows("1", "many"), asked(1, 1)).holds);
  EXPECT_FALSE(check(kHead + rows("1", "- - 5"), asked(1, 2)).holds);  // two of three are missing
}

TEST_F(ModelClaimsTest, RangeDiversity) {
  const auto asked = [](double e) { return claim("range-diversity", {{"e", e}}); };
  const std::string release = kHead + rows("1", "-3 2 0.5") + rows("2", "10 15 -");
  EXPECT_EQ(check(release, asked(5)).achieved, 5);
  EXPECT_TRUE(check(release, asked(5)).holds);
  std::string planted = release;
  planted.replace(planted.find("2,15"), 4, "2,14");
  EXPECT_FALSE(check(planted, asked(5)).holds);
  EXPECT_FALSE(check(kHead + rows("1", "- -"), asked(1)).holds);
  EXPECT_FALSE(check(release + rows("1", "many"), asked(5)).holds);
}

TEST_F(ModelClaimsTest, PersonalisedPrivacy) {
  const Json paths = {{"flu", "lungs", "*"}, {"asthma", "lungs", "*"}, {"ulcer", "stomach", "*"}};
  Json asked = claim("personalised-privacy", {{"guard", "wish"}, {"p", 0.5}, {"paths", paths}});
  const std::string good = "age,s,wish\n1,flu,lungs\n1,ulcer,\n2,asthma,flu\n2,asthma,\n";
  EXPECT_EQ(check(good, asked).achieved, 0.5);
  EXPECT_TRUE(check(good, asked).holds);
  EXPECT_FALSE(check("age,s,wish\n1,flu,lungs\n1,asthma,\n2,asthma,flu\n", asked).holds);
  EXPECT_FALSE(check(good + "2,asthma,lungs\n", asked).holds);
  EXPECT_FALSE(check(good + "2,asthma,liver\n", asked).holds);  // no such node
  EXPECT_FALSE(check(good + "2,hiccups,\n", asked).holds);      // no such value

  // Without the column, what the claim says of each class.
  const std::string bare = "age,s\n1,flu\n1,ulcer\n2,asthma\n2,asthma\n";
  EXPECT_THROW((void)check(bare, asked), Error);
  asked["guards"] = {{{"class", {"1"}}, {"nodes", {"lungs"}}},
                     {{"class", {"2"}}, {"nodes", {"flu"}}}};
  EXPECT_TRUE(check(bare, asked).holds);
  EXPECT_FALSE(check(bare + "1,flu\n", asked).holds);
  EXPECT_FALSE(check(bare + "3,flu\n", asked).holds);  // a class that the claim does not know
  // Two classes that look alike are one.
  asked["guards"].push_back({{"class", {"2"}}, {"nodes", {"asthma"}}});
  EXPECT_FALSE(check(bare, asked).holds);
  for (const Json& entry : {Json("1"), Json{{"class", {"1"}}}, Json{{"nodes", {"lungs"}}}}) {
    asked["guards"] = Json::array({entry});
    EXPECT_THROW((void)check(bare, asked), Error) << entry;
  }
}

TEST_F(ModelClaimsTest, KMap) {
  const Json people = population("name,age\na,21\nb,25\nc,29\nd,31\ne,38\nf,99\n");
  const Json asked = claim("k-map", {{"k", 2}, {"population", people}});
  EXPECT_EQ(check("age,s\n20..29,a\n30..39,b\n", asked).achieved, 2);
  EXPECT_TRUE(check("age,s\n20..29,a\n30..39,b\n", asked).holds);
  EXPECT_FALSE(check("age,s\n20..29,a\n30..37,b\n", asked).holds);
  EXPECT_FALSE(check("age,s\n20..29,a\n50,b\n", asked).holds);
  EXPECT_TRUE(check("age,s\n{21|25},a\n*,b\n", asked).holds);
}

TEST_F(ModelClaimsTest, LabelsMeanWhatTheirHierarchySays) {
  const Json people = population("age\n21\n25\n38\n");
  Json asked = claim("k-map", {{"k", 2}, {"population", people}});
  const std::string release = "age,s\nyoung,a\n";
  EXPECT_FALSE(check(release, asked).holds);
  asked["hierarchies"] = {
      {"age", {{"21", "young", "*"}, {"25", "young", "*"}, {"38", "old", "*"}}}};
  EXPECT_TRUE(check(release, asked).holds);
  EXPECT_FALSE(check("age,s\nyoung,a\nold,a\n", asked).holds);
}

TEST_F(ModelClaimsTest, AnotherPopulationProvesNothing) {
  const Json people = population("age\n21\n25\n");
  const Json of_k = claim("k-map", {{"k", 2}, {"population", people}});
  const Json of_delta =
      claim("delta-presence", {{"delta_min", 0}, {"delta_max", 1}, {"population", people}});
  EXPECT_TRUE(check("age,s\n20..29,a\n", of_k).holds);
  EXPECT_TRUE(check("age,s\n20..29,a\n", of_delta).holds);
  (void)population("age\n21\n25\n26\n");
  EXPECT_FALSE(check("age,s\n20..29,a\n", of_k).holds);
  EXPECT_FALSE(check("age,s\n20..29,a\n", of_delta).holds);
  EXPECT_THROW((void)check("age,s\n20..29,a\n", claim("k-map", {{"k", 2}})), Error);
}

// A manifest that leaves has a commitment in place of the hash: whoever has the key compares, and
// whoever has it not is told that nothing was compared.
TEST_F(ModelClaimsTest, ACommittedPopulationIsComparedByWhoHasTheKey) {
  Json people = population("age\n21\n25\n");
  const std::string key = "a key of its own";
  const std::string said = "pratique input 1\n" + people["sha256"].get<std::string>() + "\n10\n";
  people["commitment"] = to_hex(
      hmac_sha256(std::span(reinterpret_cast<const std::uint8_t*>(key.data()), key.size()), said));
  people.erase("sha256");
  const Json asked = claim("k-map", {{"k", 2}, {"population", people}});
  const Source release = release_of("age,s\n20..29,a\n");
  const auto with = [&](const std::string& given) {
    return verify_claim(*engine, release, asked, Progress::silent(), {}, given);
  };
  const auto has_remark = [](const ClaimResult& result) {
    return result.explanation.find("only its private manifest can show") != std::string::npos;
  };
  EXPECT_TRUE(with(key).holds);
  EXPECT_FALSE(has_remark(with(key))) << with(key).explanation;
  EXPECT_FALSE(with("another key").holds);
  EXPECT_TRUE(with("").holds);
  EXPECT_TRUE(has_remark(with(""))) << with("").explanation;
  (void)population("age\n21\n26\n");
  EXPECT_FALSE(with(key).holds);
}

TEST_F(ModelClaimsTest, DeltaPresence) {
  const Json people = population("age\n21\n25\n29\n31\n38\n39\n39\n");
  const auto asked = [&](double low, double high) {
    return claim("delta-presence",
                 {{"delta_min", low}, {"delta_max", high}, {"population", people}});
  };
  // 1 of 3, and 2 of 4.
  const std::string release = "age,s\n20..29,a\n30..39,b\n30..39,b\n";
  EXPECT_EQ(check(release, asked(0, 1)).achieved, 0.5);
  EXPECT_TRUE(check(release, asked(0.33, 0.5)).holds);
  EXPECT_FALSE(check(release, asked(0.34, 0.5)).holds);
  EXPECT_FALSE(check(release, asked(0.33, 0.49)).holds);
  EXPECT_FALSE(check(release + "30..39,b\n", asked(0.33, 0.5)).holds);
  // More records than people, and nobody who fits.
  EXPECT_FALSE(check("age,s\n50..59,a\n", asked(0, 1)).holds);
  // The people in their thirties are known to be absent.
  EXPECT_TRUE(check("age,s\n20..29,a\n", asked(0, 0.5)).holds);
  const auto absent = check("age,s\n20..29,a\n", asked(0.1, 0.5));
  EXPECT_FALSE(absent.holds);
  EXPECT_NE(absent.explanation.find("4 people"), std::string::npos) << absent.explanation;
}

TEST_F(ModelClaimsTest, PeopleInTwoClassesAreLikelierThereThanEitherTells) {
  // Two people, two records: both are in the table, and each class says one half.
  const Json people = population("age\n21\n25\n");
  const Json asked =
      claim("delta-presence", {{"delta_min", 0}, {"delta_max", 0.5}, {"population", people}});
  const auto result = check("age,s\n21..25,a\n20..29,b\n", asked);
  EXPECT_EQ(result.achieved, 0.5);
  EXPECT_FALSE(result.holds);
  EXPECT_NE(result.explanation.find("2 people"), std::string::npos) << result.explanation;
  EXPECT_TRUE(check("age,s\n21..25,a\n", asked).holds);
  // One of them is enough to say so.
  const auto alone = check("age,s\n21,a\n21..25,b\n", asked);
  EXPECT_NE(alone.explanation.find("1 people"), std::string::npos) << alone.explanation;
}

TEST_F(ModelClaimsTest, ExplanationsHoldNoValue) {
  const Json paths = {{"flu", "lungs", "*"}, {"gout", "lungs", "*"}};
  const std::string release = "age,s,wish\n17,flu,flu\n17,flu,\n17,flu,\n";
  for (const Json& asked :
       {claim("recursive-l-diversity", {{"l", 2}, {"c", 1}}),
        claim("t-closeness",
              {{"distance", "equal"}, {"t", 0}, {"reference", {{"flu", 0.5}, {"gout", 0.5}}}}),
        claim("em-anonymity", {{"e", 1}, {"m", 2}}), claim("range-diversity", {{"e", 1}}),
        claim("personalised-privacy", {{"guard", "wish"}, {"p", 0.5}, {"paths", paths}}),
        claim("k-map", {{"k", 2}, {"population", population("age\n17\n")}})}) {
    const auto result = check(release, asked);
    EXPECT_FALSE(result.holds) << result.explanation;
    for (const char* value : {"flu", "gout", "lungs", "17"}) {
      EXPECT_EQ(result.explanation.find(value), std::string::npos) << result.explanation;
    }
  }
}

// Two columns of ranges, sets, labels and values against a person by person count.
RC_GTEST_FIXTURE_PROP(ModelClaimsTest, PeopleAreCountedOneByOne, ()) {
  SeededRandom random = any_random();
  struct Person {
    int age;
    std::string sex;
  };
  std::vector<Person> people;
  std::string register_csv = "age,sex\n";
  for (auto left = 1 + random.below(30); left > 0; --left) {
    people.push_back({static_cast<int>(random.below(6)), random.chance(0.5) ? "F" : "M"});
    register_csv += std::to_string(people.back().age) + "," + people.back().sex + "\n";
  }
  std::string release = "age,sex,s\n";
  std::map<std::string, double> fits;
  std::map<std::string, double> records;
  std::map<std::size_t, std::set<std::string>> seen;  // by person: classes
  for (auto left = 1 + random.below(8); left > 0; --left) {
    const int low = static_cast<int>(random.below(6));
    const int high = low + static_cast<int>(random.below(3));
    const std::string sex =
        std::vector<std::string>{"F", "M", "*", "{F|M}", "all"}[random.below(5)];
    const std::string age =
        low == high ? std::to_string(low) : std::to_string(low) + ".." + std::to_string(high);
    const std::string key = age + "," + sex;
    release += key + ",x\n";
    ++records[key];
    fits[key] = 0;
    for (std::size_t i = 0; i < people.size(); ++i) {
      const bool fit = people[i].age >= low && people[i].age <= high &&
                       (sex.size() > 1 || sex == "*" || sex == people[i].sex);
      fits[key] += fit;
      if (fit) seen[i].insert(key);
    }
  }
  double k = 1e9;
  double largest = 0;
  double smallest = seen.size() == people.size() ? 1e9 : 0;
  for (const auto& [key, count] : fits) {
    k = std::min(k, count);
    const double share = count == 0 ? INFINITY : records[key] / count;
    largest = std::max(largest, share);
    smallest = std::min(smallest, share);
  }
  Json more = {{"quasi_identifiers", {"age", "sex"}},
               {"population", population(register_csv)},
               {"hierarchies", {{"sex", {{"F", "some", "all"}, {"M", "some", "all"}}}}},
               {"k", 1},
               {"delta_min", 0.4},
               {"delta_max", 0.8}};
  const Source source = release_of(release);
  RC_ASSERT(check(source, claim("k-map", more)).achieved == k);
  const auto delta = check(source, claim("delta-presence", more));
  RC_ASSERT(delta.achieved == largest);
  const bool apart = std::all_of(seen.begin(), seen.end(),
                                 [](const auto& person) { return person.second.size() == 1; });
  RC_ASSERT(delta.holds == (largest <= 0.8 && smallest >= 0.4 && apart));
}

// Everything about numbers and guarding nodes, record by record.
RC_GTEST_FIXTURE_PROP(ModelClaimsTest, RecordsAreCountedOneByOne, ()) {
  SeededRandom random = any_random();
  struct Record {
    int age;
    int number;
    std::string wish;
  };
  const std::map<std::string, std::set<int>> under = {
      {"0", {0}}, {"low", {0, 1}}, {"high", {2, 3}}, {"*", {0, 1, 2, 3}}, {"", {}}};
  const std::vector<std::string> wishes = {"", "", "0", "low", "high", "*"};
  std::vector<Record> all;
  std::string release = "age,s,wish\n";
  for (auto left = 1 + random.below(14); left > 0; --left) {
    all.push_back({static_cast<int>(random.below(3)), static_cast<int>(random.below(4)),
                   wishes[random.below(wishes.size())]});
    release += std::to_string(all.back().age) + "," + std::to_string(all.back().number) + "," +
               all.back().wish + "\n";
  }
  double densest = 0;
  double breach = 0;
  double narrowest = 1e9;
  double ordered = 0;
  double tree = 0;
  double recursive = 0;
  const auto share = [](const std::vector<Record>& records, const std::set<int>& numbers) {
    double hits = 0;
    for (const auto& record : records) hits += static_cast<double>(numbers.count(record.number));
    return hits / static_cast<double>(records.size());
  };
  for (int age = 0; age < 3; ++age) {
    std::vector<Record> group;
    for (const auto& record : all) {
      if (record.age == age) group.push_back(record);
    }
    if (group.empty()) continue;
    std::vector<double> counts(4, 0);
    int low = 9;
    int high = 0;
    for (const auto& record : group) {
      ++counts[static_cast<std::size_t>(record.number)];
      low = std::min(low, record.number);
      high = std::max(high, record.number);
      densest =
          std::max(densest, share(group, {record.number - 1, record.number, record.number + 1}));
      breach = std::max(breach, share(group, under.at(record.wish)));
    }
    narrowest = std::min(narrowest, static_cast<double>(high - low));
    std::sort(counts.rbegin(), counts.rend());
    const double tail = counts[1] + counts[2] + counts[3];
    recursive = std::max(recursive, tail == 0 ? INFINITY : counts[0] / tail);
    // Cumulative differences from the left; and for the tree what each half and each leaf lacks.
    double work = 0;
    for (const auto& up_to : std::vector<std::set<int>>{{0}, {0, 1}, {0, 1, 2}}) {
      work += std::abs(share(group, up_to) - 1.0 / 4 * static_cast<double>(up_to.size())) / 3;
    }
    ordered = std::max(ordered, work);
    work = 0;
    for (const auto& half : std::vector<std::set<int>>{{0, 1}, {2, 3}}) {
      work += std::abs(share(group, half) - 0.5) / 4;
      for (const int leaf : half) work += std::abs(share(group, {leaf}) - 0.25) / 4;
    }
    tree = std::max(tree, work);
  }
  const Json even = {{"0", 0.25}, {"1", 0.25}, {"2", 0.25}, {"3", 0.25}};
  const Json paths = {{"0", "low", "*"}, {"1", "low", "*"}, {"2", "high", "*"}, {"3", "high", "*"}};
  const Source source = release_of(release);
  const auto achieved = [&](const std::string& model, const Json& more) {
    return check(source, claim(model, more)).achieved;
  };
  const auto near = [](double a, double b) { return a == b || std::abs(a - b) < 1e-9; };
  RC_ASSERT(near(achieved("em-anonymity", {{"e", 1}, {"m", 2}}), densest));
  RC_ASSERT(near(achieved("range-diversity", {{"e", 1}}), narrowest));
  RC_ASSERT(near(
      achieved("personalised-privacy", {{"guard", "wish"}, {"p", 0.5}, {"paths", paths}}), breach));
  RC_ASSERT(near(achieved("recursive-l-diversity", {{"l", 2}, {"c", 1}}), recursive));
  RC_ASSERT(near(achieved("t-closeness", {{"distance", "ordered"}, {"t", 0}, {"reference", even}}),
                 ordered));
  RC_ASSERT(near(
      achieved("t-closeness",
               {{"distance", "hierarchical"}, {"t", 0}, {"reference", even}, {"paths", paths}}),
      tree));
}

}  // namespace
}  // namespace pratique::verify::model_claims_test
