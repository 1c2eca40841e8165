#include "pratique/tables/flow/column_roles.h"

#include <nlohmann/json.hpp>

#include "pratique/kind/testing/table_flow_fixture.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::flow::column_roles_test {
namespace {

using Names = std::vector<std::string>;

class ColumnRolesFlow : public TableFlowFixture {
 protected:
  Names columns{"name", "age", "sex", "diagnosis"};
  ColumnRoles roles;

  [[nodiscard]] Schema schema() const { return roles.schema(columns, "people.csv"); }
};

TEST_F(ColumnRolesFlow, WordsAloneSayWhatColumnsAre) {
  roles.said.quasi_identifiers = {"age", "sex"};
  roles.said.sensitive = {"diagnosis"};
  roles.hierarchies = {"age=interval:10"};
  const Schema resolved = schema();
  EXPECT_EQ(resolved.quasi_identifiers, (Names{"age", "sex"}));
  EXPECT_EQ(resolved.sensitive, Names{"diagnosis"});
  EXPECT_EQ(resolved.role_of("name"), Role::insensitive);
  EXPECT_EQ(resolved.hierarchies, (std::map<std::string, std::string>{{"age", "interval:10"}}));
}

TEST_F(ColumnRolesFlow, WordsOverrideTheSettingsFile) {
  roles.config = file("roles.yaml",
                      "identifiers: [name]\nquasi_identifiers: [age, sex]\nsensitive: [diagnosis]\n"
                      "hierarchies: {age: 'interval:10', sex: flat}\nsuppression: 0.1\n");
  // Another command's setting (suppression) is not this one's to refuse.
  EXPECT_EQ(schema().quasi_identifiers, (Names{"age", "sex"}));
  roles.said.quasi_identifiers = {"age"};
  roles.hierarchies = {"age=interval:5"};
  const Schema resolved = schema();
  EXPECT_EQ(resolved.quasi_identifiers, Names{"age"});
  EXPECT_EQ(resolved.identifiers, Names{"name"});
  EXPECT_EQ(resolved.sensitive, Names{"diagnosis"});
  EXPECT_EQ(resolved.hierarchies.at("age"), "interval:5");
  EXPECT_EQ(resolved.hierarchies.at("sex"), "flat");
}

TEST_F(ColumnRolesFlow, AColumnThatIsNotThereIsNamedWithItsNeighbours) {
  roles.said.quasi_identifiers = {"agee"};
  const Error error = error_of([&] { return schema(); });
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_NE(error.message().find("agee"), std::string::npos);
  EXPECT_NE(error.hint().find("age"), std::string::npos);
  EXPECT_EQ(error.place(), "people.csv");
}

TEST_F(ColumnRolesFlow, AHierarchyNeedsAColumn) {
  roles.hierarchies = {"interval:10"};
  EXPECT_THROW((void)schema(), Error);
  roles.hierarchies = {"weight=interval:10"};
  EXPECT_THROW((void)schema(), Error);
}

TEST_F(ColumnRolesFlow, SomeQuasiIdentifierIsNeeded) {
  EXPECT_THROW(require_quasi_identifiers({}), Error);
  Schema some;
  some.quasi_identifiers = {"age"};
  EXPECT_NO_THROW(require_quasi_identifiers(some));
}

TEST_F(ColumnRolesFlow, HierarchiesAreMadeForTheColumnsThatHaveOne) {
  Schema said;
  said.hierarchies = {{"age", "interval:10"}, {"sex", "flat"}};
  const Table table = table_of({"age", "zip", "sex"}, {{"21", "1", "F"}, {"35", "2", "M"}});
  // zip stands between two that have one.
  for (const auto& trees : {make_hierarchies(said, {"age", "zip", "sex"}, table),
                            make_linking_hierarchies(said, {"age", "zip", "sex"}, table)}) {
    ASSERT_EQ(trees.size(), 2U);
    EXPECT_EQ(trees.at("age").height(), 3);  // as it is, tens, all
    EXPECT_TRUE(trees.at("age").find("20..29"));
    EXPECT_TRUE(trees.at("age").find("30..39"));
    EXPECT_EQ(trees.at("sex").height(), 2);
  }
  EXPECT_EQ(make_hierarchies(said, {"sex"}, table).size(), 1U);
}

TEST_F(ColumnRolesFlow, FilesOfHierarchiesAreRead) {
  Schema said;
  said.hierarchies = {{"pet", file("pets.csv", "cat;pet;*\ndog;pet;*\n")}};
  const Table pets = table_of({"pet"}, {{"cat"}, {"dog"}});
  EXPECT_EQ(make_hierarchies(said, {"pet"}, pets).at("pet").height(), 3);
  // People to link to may have values that the release never had.
  const Table people = table_of({"pet"}, {{"cat"}, {"unicorn"}});
  EXPECT_THROW((void)make_hierarchies(said, {"pet"}, people), Error);
  EXPECT_TRUE(make_linking_hierarchies(said, {"pet"}, people).at("pet").find("dog"));
}

TEST_F(ColumnRolesFlow, NoValueOfPeopleToLinkToIsInAnError) {
  Schema said;
  said.hierarchies = {{"age", "interval:10"}};
  const Table people = table_of({"age"}, {{"thirty"}});
  const Error error = error_of([&] { return make_linking_hierarchies(said, {"age"}, people); });
  EXPECT_EQ((error.message() + error.hint()).find("thirty"), std::string::npos);
  EXPECT_NE(error.message().find("interval:10"), std::string::npos);
  EXPECT_NE(error.message().find("'age'"), std::string::npos);
}

TEST_F(ColumnRolesFlow, FilesThatWereReadAreTheSettingsAndHierarchies) {
  Schema said;
  said.hierarchies = {{"age", "interval:10"}, {"pet", "pets.csv"}};
  EXPECT_EQ(files_of(roles, said), Names{"pets.csv"});
  roles.config = "roles.yaml";
  EXPECT_EQ(files_of(roles, said), (Names{"roles.yaml", "pets.csv"}));
  EXPECT_EQ(files_of({}, {}), Names{});
}

}  // namespace
}  // namespace pratique::tables::flow::column_roles_test
