#include "pratique/columns/role_advice.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pratique::columns::role_advice_test {
namespace {

ColumnContent content_of(const std::vector<std::string>& values) {
  Column column;
  for (const auto& value : values) column.codes.push_back(column.dictionary.intern(value));
  return read_content(column);
}

// `alone` values of one record each, and the others alike.
ColumnContent amounts(std::size_t alone, std::size_t rows) {
  std::vector<std::string> values;
  for (std::size_t row = 0; row < rows; ++row)
    values.push_back(row < alone ? std::to_string(1000 + 7 * row) + ".5" : "12.5");
  return content_of(values);
}

std::optional<Role> role_of(const std::string& name, const ColumnContent& content) {
  const auto advice = advise(name, content, safe_harbor_findings(name, content));
  if (!advice) return std::nullopt;
  return advice->role;
}

// Advice that is taken unread must lead to a release: nothing is suggested to leave as it is that
// may not.
TEST(RoleAdvice, WhatMayNotLeaveAsItIsIsNotSuggestedTo) {
  for (const std::size_t alone : {0U, 9U, 10U, 11U, 20U}) {
    const auto content = amounts(alone, 20);
    for (const std::string name : {"cost", "x", "weight", "diagnosis"}) {
      const auto role = role_of(name, content).value_or(Role::insensitive);
      const bool leaves = role == Role::sensitive || role == Role::insensitive;
      EXPECT_FALSE(leaves && why_not_as_it_is(name, content)) << name << ", " << alone;
    }
  }
}

TEST(RoleAdvice, AValueOfOnesOwnIsLeftOut) {
  EXPECT_EQ(role_of("cost", amounts(10, 20)), Role::identifier);
  EXPECT_EQ(role_of("cost", amounts(9, 20)), Role::sensitive);
  EXPECT_EQ(role_of("x", amounts(10, 20)), Role::identifier);
  EXPECT_EQ(role_of("x", amounts(9, 20)), std::nullopt);
  // What others know is made coarser.
  EXPECT_EQ(role_of("weight", amounts(20, 20)), Role::quasi_identifier);
}

}  // namespace
}  // namespace pratique::columns::role_advice_test
