#include "pratique/tables/profile/profile.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/tables/attack/assess.h"
#include "pratique/tables/attack/linkage_attack.h"
#include "pratique/tables/format/to_json.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::profile_test {
namespace {

// 60 people; name is unique, birth and zip together are, the rest are few values.
Table patients() {
  Rows rows;
  for (int i = 0; i < 60; ++i) {
    const std::string letter(1, static_cast<char>('a' + i % 26));
    rows.push_back({"Ann Q" + letter + std::string(1, static_cast<char>('a' + i / 26)),
                    "19" + std::to_string(40 + i % 10) + "-0" + std::to_string(1 + i % 5) + "-11",
                    "0213" + std::to_string(i % 6), i % 2 == 0 ? "F" : "M",
                    i % 3 == 0 ? "296.00" : "V30.01", "clinic", i % 7 == 0 ? "" : "stable",
                    std::to_string(i % 4)});
  }
  return table_of(
      {"name", "birth_date", "zip", "sex", "diagnosis", "source", "state_at_exit", "field"}, rows);
}

const ColumnProfile& column(const Profile& profile, const std::string& name) {
  return *std::find_if(profile.columns.begin(), profile.columns.end(),
                       [&](const auto& candidate) { return candidate.name == name; });
}

TEST(Profile, SuggestsRolesWithAReason) {
  const Profile result = profile(patients());
  EXPECT_EQ(result.rows, 60U);
  EXPECT_EQ(column(result, "name").suggested_role, Role::identifier);
  EXPECT_EQ(column(result, "birth_date").suggested_role, Role::quasi_identifier);
  EXPECT_EQ(column(result, "zip").suggested_role, Role::quasi_identifier);
  EXPECT_EQ(column(result, "sex").suggested_role, Role::quasi_identifier);
  EXPECT_EQ(column(result, "diagnosis").suggested_role, Role::sensitive);
  EXPECT_EQ(column(result, "source").suggested_role, Role::insensitive);
  EXPECT_EQ(column(result, "zip").type, ColumnType::code);
  EXPECT_EQ(column(result, "birth_date").type, ColumnType::date);
  EXPECT_EQ(column(result, "state_at_exit").missing, 9U);
  EXPECT_EQ(column(result, "state_at_exit").distinct, 1U);
  for (const auto& each : result.columns) EXPECT_FALSE(each.why.empty()) << each.name;
}

// What DP and DAS1 of a French file are called says nothing, but what they hold does.
TEST(Profile, CodesOfIllnessesAreSensitiveWhateverTheyAreCalled) {
  Rows rows;
  const std::vector<std::string> codes = {"E11.9", "I10", "J45.0", "B20", "C50.9", "K35.8"};
  for (int i = 0; i < 60; ++i)
    rows.push_back({codes[i % 6], std::to_string(i % 9), std::to_string(i % 7)});
  const Profile result = profile(table_of({"DP", "p", "q"}, rows));
  EXPECT_EQ(column(result, "DP").suggested_role, Role::sensitive);
  EXPECT_EQ(column(result, "DP").hierarchy, "icd10");
  EXPECT_NE(column(result, "p").suggested_role, Role::sensitive);
}

TEST(Profile, AColumnOfASearchedSetIsAQuasiIdentifier) {
  Rows rows;
  for (int i = 0; i < 100; ++i) rows.push_back({std::to_string(i % 10), std::to_string(i / 10)});
  const Profile result = profile(table_of({"p", "q"}, rows));
  ASSERT_EQ(result.quasi_identifiers.size(), 1U);
  EXPECT_EQ(result.quasi_identifiers[0].unique_share, 1);
  EXPECT_EQ(result.columns[0].suggested_role, Role::quasi_identifier);
  EXPECT_TRUE(result.columns[0].by_search);
  EXPECT_EQ(to_json(result)["columns"][0]["by_search"], true);
  EXPECT_TRUE(result.safe_harbor.empty());
  // What a name says, a search need not.
  EXPECT_FALSE(profile(table_of({"sex", "q"}, rows)).columns[0].by_search);
}

TEST(Profile, FreeTextIsNotReleasedUnread) {
  Rows rows;
  for (int i = 0; i < 30; ++i) {
    rows.push_back(
        {"the patient was seen on the ward and felt well again, day " + std::to_string(i)});
  }
  EXPECT_EQ(profile(table_of({"remarks"}, rows)).columns[0].suggested_role, Role::identifier);
}

TEST(Profile, IsDefinedAtTheEdges) {
  EXPECT_TRUE(profile(Table{}).columns.empty());
  const Profile header_only = profile(table_of({"a", "b"}, {}));
  EXPECT_EQ(header_only.columns.size(), 2U);
  EXPECT_EQ(header_only.columns[0].type, ColumnType::empty);
  EXPECT_EQ(profile(table_of({"a"}, {{"x"}})).rows, 1U);
}

TEST(Profile, ShowsNoValue) {
  const Table table = patients();
  const std::string text = to_text(to_json(profile(table)));
  for (const auto& each : table.columns) {
    for (const auto value : each.dictionary.values()) {
      if (value.size() < 5) continue;  // "F" is in any text
      EXPECT_EQ(text.find(value), std::string::npos) << value;
    }
  }
}

std::vector<std::string> keys(const Json& json) {
  std::vector<std::string> result;
  for (const auto& [key, value] : json.items()) result.push_back(key);
  return result;
}

TEST(ToJson, ProfileHasTheKeysScriptsRelyOn) {
  const Json json = to_json(profile(patients()));
  EXPECT_EQ(keys(json), (std::vector<std::string>{"rows", "columns", "quasi_identifiers",
                                                  "searched_columns", "safe_harbor"}));
  EXPECT_EQ(keys(json["columns"][0]),
            (std::vector<std::string>{"name", "type", "distinct", "missing", "suggested_role",
                                      "why", "may_name_people"}));
  EXPECT_EQ(keys(json["quasi_identifiers"][0]),
            (std::vector<std::string>{"columns", "distinction", "separation", "unique_share"}));
  EXPECT_EQ(keys(json["safe_harbor"][0]),
            (std::vector<std::string>{"column", "identifier", "paragraph", "by", "share", "why"}));
  EXPECT_EQ(json["columns"][0]["suggested_role"], "identifier");
  EXPECT_EQ(to_json(profile(table_of({"a"}, {})))["safe_harbor"], Json::array());
}

TEST(ToJson, AssessmentNamesTheWorstSensitiveColumn) {
  const Table table = table_of(
      {"q", "s", "r"}, {{"a", "1", "x"}, {"a", "2", "x"}, {"b", "1", "x"}, {"b", "2", "y"}});
  const Json json = to_json(assess(table, {"q"}, {"s", "r"}, Population{table, {}}));
  EXPECT_EQ(keys(json), (std::vector<std::string>{"rows", "suppressed", "classes", "k", "unique",
                                                  "risk", "class_sizes", "l_distinct", "l_entropy",
                                                  "t", "alpha", "sensitive", "k_map",
                                                  "population_unmatched", "population_unique"}));
  EXPECT_EQ(keys(json["risk"]), (std::vector<std::string>{"prosecutor_max", "prosecutor_mean",
                                                          "journalist_max", "marketer"}));
  EXPECT_EQ(json["l_distinct"], 1);
  EXPECT_EQ(json["sensitive"][0]["l_distinct"], 2);
  EXPECT_EQ(json["sensitive"][1]["column"], "r");
  EXPECT_EQ(json["alpha"], 1.0);
  EXPECT_EQ(json["k_map"], 2);
  EXPECT_FALSE(to_json(assess(table, {"q"}, {})).contains("t"));
}

TEST(ToJson, AttackHasSharesBesideCounts) {
  const Table people = table_of({"q"}, {{"a"}, {"c"}});
  const Table release = table_of({"q", "s"}, {{"a", "1"}});
  const Json json = to_json(attack_by_linkage(release, people, {"q"}, "s"));
  EXPECT_EQ(json["targets"], 2);
  EXPECT_EQ(json["linked_uniquely"], 1);
  EXPECT_EQ(json["linked_uniquely_share"], 0.5);
  EXPECT_EQ(json["sensitive_disclosed_share"], 0.5);
  EXPECT_FALSE(json.contains("correct"));
}

}  // namespace
}  // namespace pratique::tables::profile_test
