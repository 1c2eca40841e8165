// What a claim must say to be checked at all, what it comes to at its exact bounds, and the words
// in which the result is told.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::claim_forms_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class ClaimForms : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});

  ClaimResult of_table(const std::string& csv, const Json& claim) {
    const std::string path = folder.path() + "/r.csv";
    std::ofstream(path) << csv;
    return verify_claim(*engine, engine->open(path, {.delimiter = ','}, Progress::silent()), claim,
                        Progress::silent());
  }
  ClaimResult of_sets(const std::string& text, const Json& claim) {
    const std::string path = folder.path() + "/r.dat";
    std::ofstream(path) << text;
    return verify_claim(*engine, engine->open_sets(path, Progress::silent()), claim,
                        Progress::silent());
  }
  Json population(const std::string& csv) {
    const std::string path = folder.path() + "/p.csv";
    std::ofstream(path) << csv;
    return {{"path", path}, {"sha256", sha256_file(path)}};
  }
  // Written out, since {{"a", "b"}} alone would be an object.
  static Json lists(const std::vector<std::vector<std::string>>& texts) { return texts; }
  static Json changed(Json claim, const std::string& key, const Json& value) {
    claim[key] = value;
    return claim;
  }

  // Claims about "age,s" that are well formed.
  std::vector<Json> table_claims() {
    const Json paths = {{"a", "x", "*"}, {"b", "x", "*"}};
    const Json guards = Json::array({{{"class", {"1"}}, {"nodes", {"x"}}}});
    const Json values = {"a", "b"};
    std::vector<Json> claims = {
        {{"model", "k-anonymity"}, {"k", 2}},
        {{"model", "k-map"}, {"k", 2}, {"population", population("age\n1\n1\n")}},
        {{"model", "delta-presence"},
         {"delta_min", 0},
         {"delta_max", 1},
         {"population", population("age\n1\n1\n")}},
        {{"model", "distinct-l-diversity"}, {"sensitive", "s"}, {"l", 2}},
        {{"model", "entropy-l-diversity"}, {"sensitive", "s"}, {"l", 2}},
        {{"model", "recursive-l-diversity"}, {"sensitive", "s"}, {"l", 2}, {"c", 3}},
        {{"model", "alpha"}, {"sensitive", "s"}, {"alpha", 0.5}},
        {{"model", "value-risk"}, {"sensitive", "s"}, {"value", "a"}, {"share", 0.5}},
        {{"model", "t-closeness"}, {"sensitive", "s"}, {"t", 0}, {"distance", "equal"}},
        {{"model", "em-anonymity"}, {"sensitive", "s"}, {"e", 1}, {"m", 2}},
        {{"model", "range-diversity"}, {"sensitive", "s"}, {"e", 1}},
        {{"model", "personalised-privacy"},
         {"sensitive", "s"},
         {"guard", "wish"},
         {"p", 1},
         {"paths", paths},
         {"guards", guards}}};
    for (Json& claim : claims) claim["quasi_identifiers"] = {"age"};
    claims.push_back({{"model", "rho1-to-rho2"},
                      {"sensitive", "s"},
                      {"rho1", 0.1},
                      {"rho2", 0.5},
                      {"gamma", 9},
                      {"values", values}});
    claims.push_back({{"model", "delta-growth"},
                      {"sensitive", "s"},
                      {"delta", 0.5},
                      {"gamma", 9},
                      {"values", values}});
    return claims;
  }
  // And about sets of codes.
  static std::vector<Json> set_claims() {
    const Json none = Json::object();
    const Json rule = {{"known", {"a"}}, {"inferred", {"b"}}};
    return {{{"model", "km-anonymity"}, {"k", 2}, {"m", 2}, {"labels", none}},
            {{"model", "complete-anonymity"}, {"k", 2}},
            {{"model", "policy-anonymity"},
             {"k", 2},
             {"privacy", lists({{"a"}})},
             {"utility", Json::array()}},
            {{"model", "hkp-coherence"},
             {"h", 1},
             {"k", 2},
             {"p", 2},
             {"sensitive", {"s"}},
             {"labels", none}},
            {{"model", "ps-rules"},
             {"k", 2},
             {"c", 0.9},
             {"rules", Json::array({rule})},
             {"labels", none}},
            {{"model", "rho-uncertainty"}, {"rho", 0.9}, {"sensitive", {"s"}}, {"labels", none}}};
  }
};

// Each claim is checked as it is, and refused when any part of it is missing or of another type.
TEST_F(ClaimForms, EveryPartOfAClaimIsNeeded) {
  const auto try_all = [&](const std::vector<Json>& claims, const auto& check) {
    for (const Json& claim : claims) {
      EXPECT_EQ(check(claim).model, claim["model"]);
      const auto refused = [&](const Json& bad) {
        try {
          (void)check(bad);
          return false;
        } catch (const Error& error) {
          EXPECT_FALSE(error.hint().empty());
          return error.code() == ErrorCode::bad_input;
        }
      };
      for (const auto& [key, value] : claim.items()) {
        Json less = claim;
        less.erase(key);
        EXPECT_TRUE(refused(less)) << claim["model"] << " without " << key;
        EXPECT_TRUE(refused(changed(claim, key, nullptr))) << claim["model"] << key;
        EXPECT_TRUE(refused(changed(claim, key, true))) << claim["model"] << key;
        if (value.is_number()) {
          EXPECT_TRUE(refused(changed(claim, key, "2"))) << claim["model"] << key;
          EXPECT_TRUE(refused(changed(claim, key, -0.01))) << claim["model"] << key;
        } else {
          EXPECT_TRUE(refused(changed(claim, key, 3))) << claim["model"] << key;
        }
        if (value.is_array()) {
          EXPECT_TRUE(refused(changed(claim, key, Json::array({3})))) << claim["model"] << key;
        }
      }
      EXPECT_TRUE(refused(changed(claim, "model", "another")));
    }
  };
  try_all(table_claims(), [&](const Json& claim) { return of_table("age,s\n1,a\n1,b\n", claim); });
  try_all(set_claims(), [&](const Json& claim) { return of_sets("a b\na b\n", claim); });
}

TEST_F(ClaimForms, AClaimThatEveryFileSatisfiesIsRefused) {
  const auto least_is_one = [](const std::string& key) {
    return key == "k" || key == "m" || key == "l" || key == "h" || key == "gamma";
  };
  for (const Json& claim : table_claims()) {
    for (const auto& [key, value] : claim.items()) {
      if (!least_is_one(key)) continue;
      EXPECT_THROW((void)of_table("age,s\n1,a\n", changed(claim, key, 0.99)), Error) << key;
      EXPECT_NO_THROW((void)of_table("age,s\n1,a\n", changed(claim, key, 1))) << key;
    }
  }
  for (const Json& claim : set_claims()) {
    for (const auto& [key, value] : claim.items()) {
      if (!least_is_one(key) && key != "p") continue;
      EXPECT_THROW((void)of_sets("a b\n", changed(claim, key, 0.99)), Error) << key;
      EXPECT_NO_THROW((void)of_sets("a b\n", changed(claim, key, 1))) << key;
    }
  }
  const Json rules = set_claims()[4];
  EXPECT_THROW((void)of_sets("a b\n", changed(rules, "c", 1)), Error);
  EXPECT_NO_THROW((void)of_sets("a b\n", changed(rules, "c", 0.999)));
  const Json uncertainty = set_claims()[5];
  EXPECT_THROW((void)of_sets("a b\n", changed(uncertainty, "rho", 1.001)), Error);
  EXPECT_NO_THROW((void)of_sets("a b\n", changed(uncertainty, "rho", 1)));
  const Json belief = {
      {"model", "rho1-to-rho2"}, {"sensitive", "s"}, {"rho1", 1}, {"rho2", 1}, {"gamma", 2},
      {"values", {"a", "b"}}};
  EXPECT_THROW((void)of_table("age,s\n1,a\n", belief), Error);
  EXPECT_NO_THROW((void)of_table("age,s\n1,a\n", changed(belief, "rho1", 0.999)));
}

// 2 patients do not satisfy a claim of 2.5, and 1e30 is no number of codes.
TEST_F(ClaimForms, NumbersOfPatientsAndCodesAreWhole) {
  for (const Json& claim : set_claims()) {
    for (const char* key : {"k", "m", "p"}) {
      if (!claim.contains(key) || claim["model"] == "complete-anonymity") continue;
      for (const double number : {2.5, 1e30, 2147483648.0}) {
        EXPECT_THROW((void)of_sets("a b\n", changed(claim, key, number)), Error) << claim << key;
      }
      EXPECT_NO_THROW((void)of_sets("a b\n", changed(claim, key, 2147483647))) << claim << key;
    }
  }
}

TEST_F(ClaimForms, ATableWithoutRecordsShowsNobody) {
  for (const Json& claim : table_claims()) {
    if (claim["model"] == "delta-presence") continue;
    const auto result = of_table("age,s\n", claim);
    EXPECT_TRUE(result.holds) << claim["model"] << result.explanation;
  }
  EXPECT_EQ(of_table("age,s\n", table_claims()[0]).achieved, kInfinity);
  // Everybody of the population is known to be absent, which is what delta_min forbids.
  Json presence = table_claims()[2];
  EXPECT_TRUE(of_table("age,s\n", presence).holds);
  EXPECT_FALSE(of_table("age,s\n", changed(presence, "delta_min", 0.1)).holds);
}

// At the bound it holds, one record beside it does not; and what is achieved is told.
TEST_F(ClaimForms, AtTheExactBound) {
  const std::string three = "age,s\n1,a\n1,b\n1,c\n";
  const auto about = [](const std::string& model, const Json& more) {
    Json claim = {{"model", model}, {"quasi_identifiers", {"age"}}, {"sensitive", "s"}};
    claim.update(more);
    return claim;
  };
  EXPECT_TRUE(of_table(three, about("alpha", {{"alpha", 1.0 / 3}})).holds);
  EXPECT_FALSE(of_table(three, about("alpha", {{"alpha", 0.3333}})).holds);
  const std::string two_of_three = "age,s\n1,a\n1,a\n1,b\n2,b\n2,b\n2,c\n";
  const auto risk = [&](const char* value, double share) {
    return of_table(two_of_three, about("value-risk", {{"value", value}, {"share", share}}));
  };
  EXPECT_TRUE(risk("a", 2.0 / 3).holds);
  EXPECT_FALSE(risk("a", 0.6666).holds);
  EXPECT_FALSE(risk("b", 0.5).holds);  // in the second class
  EXPECT_DOUBLE_EQ(risk("c", 0.5).achieved, 1.0 / 3);
  EXPECT_TRUE(risk("nobody's", 0).holds);
  EXPECT_DOUBLE_EQ(risk(" A", 0.5).achieved, 2.0 / 3);  // however it is spelled
  EXPECT_TRUE(of_table(three, about("entropy-l-diversity", {{"l", 3}})).holds);
  EXPECT_FALSE(of_table(three, about("entropy-l-diversity", {{"l", 3.0001}})).holds);
  EXPECT_TRUE(of_table(three, about("distinct-l-diversity", {{"l", 3}})).holds);
  EXPECT_FALSE(of_table(three, about("distinct-l-diversity", {{"l", 3.5}})).holds);

  const auto k = [](double number) {
    return Json{{"model", "k-anonymity"}, {"quasi_identifiers", {"age"}}, {"k", number}};
  };
  const std::string release = "age,s\n1,a\n1,b\n1,c\n2,a\n2,b\n3,a\n";
  const auto verdict = of_table(release, k(3));
  EXPECT_EQ(verdict.achieved, 1);
  EXPECT_EQ(verdict.required, 3);
  // 2 of the class of two and 1 of the class of one; the class of three is no matter.
  EXPECT_EQ(verdict.explanation, "3 records are in classes of fewer than 3");
  EXPECT_EQ(of_table(release, k(2)).explanation, "1 records are in classes of fewer than 2");
  EXPECT_EQ(of_table(release, k(1)).explanation, "every one of 3 classes holds at least 1 records");
  EXPECT_EQ(verdict.attribute, "");
  EXPECT_EQ(of_table(three, about("alpha", {{"alpha", 1}})).attribute, "s");
}

// With gamma = 4 over two values: 4/5 stay, 1/5 change. Growth of a belief: (sqrt(4) - 1) /
// (sqrt(4) + 1) = 1/3; a belief of 0.2 becomes 4 * 0.2 / (0.8 + 4 * 0.2) = 0.5.
TEST_F(ClaimForms, BeliefsAtTheirBounds) {
  const auto file = [](int of_a, int of_b) {
    std::string csv = "s\n";
    for (int i = 0; i < of_a; ++i) csv += "a\n";
    for (int i = 0; i < of_b; ++i) csv += "b\n";
    return csv;
  };
  const Json growth = {{"model", "delta-growth"},
                       {"sensitive", "s"},
                       {"delta", 1.0 / 3},
                       {"gamma", 4},
                       {"values", {"a", "b"}}};
  EXPECT_TRUE(of_table(file(1, 1), growth).holds);
  EXPECT_NEAR(of_table(file(1, 1), growth).achieved, 1.0 / 3, 1e-12);
  EXPECT_FALSE(of_table(file(1, 1), changed(growth, "delta", 0.3333)).holds);
  // An operator that keeps nothing tells nothing.
  EXPECT_EQ(of_table(file(1, 1), changed(growth, "gamma", 1)).achieved, 0);
  const Json belief = {
      {"model", "rho1-to-rho2"}, {"sensitive", "s"}, {"rho1", 0.2}, {"rho2", 0.5}, {"gamma", 4},
      {"values", {"a", "b"}}};
  EXPECT_TRUE(of_table(file(1, 1), belief).holds);
  EXPECT_NEAR(of_table(file(1, 1), belief).achieved, 0.5, 1e-12);
  EXPECT_FALSE(of_table(file(1, 1), changed(belief, "rho2", 0.4999)).holds);
  // Whatever the original was, between 1/5 and 4/5 of the records are a. Where the share is
  // beyond, what Chernoff's bound calls less likely than 10^-12 is no work of the operator: of n
  // records all b, a has (4/5)^n, and 123 is the last n with more than 10^-12.
  EXPECT_TRUE(of_table(file(200, 800), belief).holds);
  EXPECT_TRUE(of_table(file(800, 200), belief).holds);
  EXPECT_TRUE(of_table(file(0, 123), belief).holds);
  EXPECT_TRUE(of_table(file(123, 0), belief).holds);
  const auto planted = of_table(file(0, 124), belief);
  EXPECT_FALSE(planted.holds);
  EXPECT_EQ(planted.achieved, 1);
  EXPECT_FALSE(of_table(file(124, 0), belief).holds);
  // 100 of 1000 where 200 are expected at least: exp(-1000 D(0.1 || 0.2)) is about 10^-16.
  EXPECT_FALSE(of_table(file(100, 900), belief).holds);
  EXPECT_FALSE(of_table(file(900, 100), belief).holds);
  // 120 of 1000: about 10^-10.
  EXPECT_TRUE(of_table(file(120, 880), belief).holds);
  EXPECT_TRUE(of_table(file(880, 120), belief).holds);
  // Of a hundred values with gamma = 100, one has 100/199 of the records at most. Too many of it
  // are missing from each other value by so few that those look well: exp(-1000 D(0.703 || 0.5025))
  // is about 10^-36, and 3 where 5 are expected is nothing.
  Json hundred = changed(belief, "gamma", 100);
  hundred["rho2"] = 1;
  for (int v = 2; v < 100; ++v) hundred["values"].push_back("v" + std::to_string(v));
  const auto many = [&](int of_a, int of_others) {
    std::string csv = file(of_a, of_others);
    for (int v = 2; v < 100; ++v) {
      for (int i = 0; i < of_others; ++i) csv += "v" + std::to_string(v) + "\n";
    }
    return csv;
  };
  EXPECT_TRUE(of_table(many(505, 5), hundred).holds);
  EXPECT_FALSE(of_table(many(703, 3), hundred).holds);
  // One value alone is always itself.
  EXPECT_TRUE(of_table(file(500, 0), changed(belief, "values", {"a"})).holds);
  EXPECT_FALSE(of_table(file(1, 1), changed(belief, "values", {"a"})).holds);
}

TEST_F(ClaimForms, ABreachIsToldInWords) {
  const Json none = Json::object();
  const Json km = {{"model", "km-anonymity"}, {"k", 3}, {"m", 2}, {"labels", none}};
  EXPECT_EQ(of_sets("a b\na\na\nb\nb\n", km).explanation,
            "the items {a, b} stand together in 1 record, fewer than 3");
  EXPECT_EQ(of_sets("a b\na b\na\nb\n", km).explanation,
            "the items {a, b} stand together in 2 records, fewer than 3");
  EXPECT_EQ(of_sets("a b\na b\na b\n", km).explanation,
            "any 2 items of a record are in at least 3 records");
  EXPECT_EQ(of_sets("a b\na b\na b\n", km).achieved, 3);

  const Json complete = {{"model", "complete-anonymity"}, {"k", 3}};
  EXPECT_EQ(of_sets("b a\nc\nc\nc\n", complete).explanation,
            "the set {a, b} belongs to 1 patient, fewer than 3");
  EXPECT_EQ(of_sets("a\na\nc\nc\nc\n", complete).explanation,
            "the set {a} belongs to 2 patients, fewer than 3");
  EXPECT_TRUE(of_sets("a\na\na\n", complete).holds);
  EXPECT_EQ(of_sets("a\na\na\na\n", complete).achieved, 4);

  const Json policy = {{"model", "policy-anonymity"},
                       {"k", 3},
                       {"privacy", lists({{"a", "b"}, {"c"}})},
                       {"utility", Json::array()}};
  EXPECT_EQ(of_sets("a b\na\nb\n", policy).explanation,
            "the codes {a, b} of a constraint match 1 patient, fewer than 3");
  EXPECT_EQ(of_sets("a b\na b\nb\n", policy).explanation,
            "the codes {a, b} of a constraint match 2 patients, fewer than 3");
  EXPECT_EQ(of_sets("a b\na b\na b\n", policy).explanation,
            "each of 2 privacy constraints matches at least 3 patients, or none");
  // Of a constraint that is hidden altogether nobody is found, however few there are.
  EXPECT_TRUE(of_sets("z\n", policy).holds);
  EXPECT_EQ(of_sets("a b\na b\na b\n", changed(policy, "utility", lists({{"x"}}))).explanation,
            "each of 2 privacy constraints matches at least 3 patients, or none; no set crosses "
            "one of 1 utility constraints");
  // The worst constraint is told, wherever it stands.
  EXPECT_EQ(of_sets("a b\na b\nc\n", policy).explanation,
            "the codes {c} of a constraint match 1 patient, fewer than 3");

  const Json coherence = {{"model", "hkp-coherence"}, {"h", 2},        {"k", 3}, {"p", 2},
                          {"sensitive", {"s", "t"}},  {"labels", none}};
  EXPECT_EQ(of_sets("a\na\nb\nb\nb\n", coherence).explanation,
            "the codes {a} together match 2 patients, fewer than 3");
  EXPECT_EQ(of_sets("a\nb\nb\nb\n", coherence).explanation,
            "the codes {a} together match 1 patient, fewer than 3");
  // Too few, and all of them have s: one reason is given.
  EXPECT_EQ(of_sets("a s\na s\nb\nb\nb\n", coherence).explanation,
            "the codes {a} together match 2 patients, fewer than 3");
  EXPECT_EQ(of_sets("a s\na s\na\n", coherence).explanation,
            "of the 3 patients with {a}, 2 have s, more than one in 2");
  EXPECT_TRUE(of_sets("a s\na s\na t\na t\n", coherence).holds);

  const Json rule = {{"known", {"a"}}, {"inferred", {"b"}}};
  const Json rules = {{"model", "ps-rules"},
                      {"k", 2},
                      {"c", 0.5},
                      {"rules", Json::array({rule})},
                      {"labels", none}};
  EXPECT_EQ(of_sets("a b\nb\n", rules).explanation,
            "the codes {a} together match 1 patient, fewer than 2");
  EXPECT_EQ(of_sets("a b\na b\na\n", rules).explanation,
            "of the 3 patients with {a}, 2 have {b}, a larger share than 0.5");
  EXPECT_TRUE(of_sets("a b\na\n", rules).holds);
  EXPECT_EQ(of_sets("a b\na\n", rules).achieved, 0.5);

  const Json uncertainty = {
      {"model", "rho-uncertainty"}, {"rho", 0.5}, {"sensitive", {"s"}}, {"labels", none}};
  EXPECT_EQ(of_sets("a s\na\nb\n", uncertainty).explanation,
            "of the patients with {a}, a share of 0.5 has s, not less than 0.5");
  EXPECT_EQ(of_sets("s\na\n", uncertainty).explanation,
            "of all patients, a share of 0.5 has s, not less than 0.5");
  EXPECT_TRUE(of_sets("a s\na\na\n", uncertainty).holds);
  EXPECT_NEAR(of_sets("a s\na\na\n", uncertainty).achieved, 1.0 / 3, 1e-12);
}

// 64 and more different records: one bit each, in several words.
TEST_F(ClaimForms, ManyDifferentRecordsAreCountedOneByOne) {
  for (const int records : {63, 64, 65, 127, 128, 129, 200}) {
    std::string text;
    for (int i = 0; i < records; ++i) text += "a x" + std::to_string(i) + "\n";
    const Json policy = {{"model", "policy-anonymity"},
                         {"k", records},
                         {"privacy", lists({{"a"}})},
                         {"utility", Json::array()}};
    EXPECT_EQ(of_sets(text, policy).achieved, records);
    EXPECT_TRUE(of_sets(text, policy).holds);
    EXPECT_FALSE(of_sets(text, changed(policy, "k", records + 1)).holds);
    // The last record alone has this pair.
    const std::string last = "x" + std::to_string(records - 1);
    EXPECT_EQ(of_sets(text, changed(policy, "privacy", lists({{"a", last}}))).achieved, 1);
  }
}

}  // namespace
}  // namespace pratique::verify::claim_forms_test
