#include "pratique/kind/decided_columns.h"

#include <gtest/gtest.h>

namespace pratique::release::decided_columns_test {
namespace {

columns::ColumnContent content_of(const std::vector<std::string>& values) {
  Column column;
  for (const auto& value : values) column.codes.push_back(column.dictionary.intern(value));
  return columns::read_content(column);
}

std::string_view option_of(Role role) {
  if (role == Role::identifier || role == Role::quasi_identifier) return "id";
  return "insensitive";
}

TEST(Undecided, SaysWhatEachLooksLikeAndWhatToAdd) {
  const Error error = undecided({{"name", Role::identifier, "A name."},
                                 {"ward", Role::insensitive, "Nothing."},
                                 {"zip", Role::quasi_identifier, "A place."},
                                 {"day, month", Role::insensitive, "Nothing."}},
                                "f.csv", option_of, "Or else. ");
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_EQ(error.place(), "f.csv");
  EXPECT_NE(error.message().find("nobody decided about 4 of its columns"), std::string::npos);
  EXPECT_NE(error.message().find("\n    name: identifier. A name."), std::string::npos);
  EXPECT_NE(error.message().find("\n    zip: quasi-identifier. A place."), std::string::npos);
  // What is to be pasted ends the hint, in a line of its own.
  EXPECT_TRUE(error.hint().starts_with("Or else. ")) << error.hint();
  EXPECT_TRUE(error.hint().ends_with("add:\n    --id name,zip --insensitive 'ward,day\\, month'"))
      << error.hint();
}

TEST(Advised, ANameOrValuesThatSayNothingAreHarmless) {
  EXPECT_EQ(advised("patient_name", content_of({"Ann Lee", "Bob Ray"})).role, Role::identifier);
  EXPECT_EQ(advised("diagnosis", content_of({"flu", "flu"})).role, Role::sensitive);
  const auto plain = advised("x", content_of({"a", "b", "a"}));
  EXPECT_EQ(plain.role, Role::insensitive);
  EXPECT_EQ(plain.name, "x");
  EXPECT_FALSE(plain.why.empty());
}

TEST(LeavesAsItIs, OnlyByItsNameWhereItLooksLikeAnIdentifier) {
  LeavesAsItIs looks({});
  looks.look_at("ward", content_of({"1", "2", "1", "2"}));
  EXPECT_NO_THROW(looks.check("f.csv"));
  looks.look_at("email", content_of({"a@b.org", "", "", ""}));
  looks.look_at("x", content_of({"p", "q", "r", "s"}));  // another value in every record
  try {
    looks.check("f.csv");
    FAIL() << "two columns leave as they are";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    EXPECT_NE(error.message().find("2 columns would leave as they are"), std::string::npos);
    EXPECT_EQ(error.message().find("a@b.org"), std::string::npos);
    EXPECT_NE(error.message().find("100 % of its values stand in one record only"),
              std::string::npos)
        << error.message();
    EXPECT_NE(error.hint().find("--allow email,x"), std::string::npos) << error.hint();
  }
  LeavesAsItIs allowed({"x", "ward"});
  allowed.look_at("ward", content_of({"1", "2", "1", "2"}));
  allowed.look_at("x", content_of({"p", "q", "r", "s"}));
  EXPECT_NO_THROW(allowed.check("f.csv"));
  EXPECT_EQ(allowed.allowed(), std::vector<std::string>{"x"});  // ward needs no leave
}

// Who is alone by a column in half of all records is as good as named by it.
TEST(LeavesAsItIs, HalfOfAllRecordsAloneIsTooMany) {
  const auto refused = [](std::size_t different, std::size_t rows) {
    std::vector<std::string> values;
    for (std::size_t row = 0; row < rows; ++row)
      values.push_back(row < different ? "v" + std::to_string(row) : "same");
    LeavesAsItIs looks({});
    looks.look_at("x", content_of(values));
    try {
      looks.check("");
    } catch (const Error&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused(10, 20));
  EXPECT_FALSE(refused(9, 20));
  EXPECT_FALSE(refused(1, 1));  // one record has nobody to be told from
  EXPECT_TRUE(refused(2, 2));
}

}  // namespace
}  // namespace pratique::release::decided_columns_test
