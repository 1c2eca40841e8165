#include "pratique/verify/columns_together.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pratique::verify::columns_together_test {
namespace {

using Columns = std::vector<std::string>;

Json claim(const Columns& quasi_identifiers, const std::string& sensitive = "") {
  Json claim = {{"model", "k-anonymity"}, {"quasi_identifiers", quasi_identifiers}};
  if (!sensitive.empty()) claim["sensitive"] = sensitive;
  return claim;
}

TEST(ColumnsTogether, AreThoseOfAllClaims) {
  EXPECT_EQ(columns_read_together({claim({"a", "b"}), claim({"a", "b"}, "s"),
                                   claim({"a", "b"}, "t"), claim({"a", "b"}, "s")}),
            (Columns{"a", "b", "s", "t"}));
  EXPECT_EQ(columns_read_together({claim({"a"}), Json("no claim"), claim({"a"}, "a")}),
            Columns{"a"});
}

TEST(ColumnsTogether, AreNoneWhereOneReadingDoesNotServe) {
  EXPECT_EQ(columns_read_together(Json::array()), Columns{});
  EXPECT_EQ(columns_read_together(Json::array({claim({"a"}, "s")})), Columns{});
  EXPECT_EQ(columns_read_together({claim({"a"}), claim({"b"})}), Columns{});
  EXPECT_EQ(columns_read_together(
                {claim({"a"}, "s"), claim({"a"}, "t"), claim({"a"}, "u"), claim({"a"}, "v")}),
            Columns{});
  Json of_people = claim({"a"}, "s");
  of_people["person"] = "p";
  EXPECT_EQ(columns_read_together({claim({"a"}), of_people}), Columns{});
  Json odd = claim({"a"});
  odd["quasi_identifiers"] = {1, 2};
  EXPECT_EQ(columns_read_together({odd, odd}), Columns{});
}

}  // namespace
}  // namespace pratique::verify::columns_together_test
