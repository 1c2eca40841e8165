#include "pratique/kind/pseudonyms.h"

#include <gtest/gtest.h>

#include <set>

#include "pratique/core/file.h"

namespace pratique::release::pseudonyms_test {
namespace {

Column names() {
  Column column;
  column.name = "name";
  for (const char* value : {"Ann", "Bob", "", "Ann", "Cid"}) {
    column.codes.push_back(column.dictionary.intern(value));
  }
  return column;
}

TEST(Pseudonyms, AreTheSameUnderOneKeyAndOthersUnderAnother) {
  const PrivateFolder folder;
  const auto key = SecretKey::load_or_create(folder.path() + "/a.key");
  const auto again = SecretKey::load_or_create(folder.path() + "/a.key");
  const auto other = SecretKey::load_or_create(folder.path() + "/b.key");
  const auto first = replace_identifiers(names(), IdentifierTreatment::pseudonym, key);
  EXPECT_EQ(first, replace_identifiers(names(), IdentifierTreatment::pseudonym, again));
  EXPECT_NE(first, replace_identifiers(names(), IdentifierTreatment::pseudonym, other));
  EXPECT_EQ(std::set<std::string>(first.begin(), first.end()).size(), 4U);
  EXPECT_EQ(first[2], "");
}

TEST(Pseudonyms, DependOnTheColumn) {
  const PrivateFolder folder;
  const auto key = SecretKey::load_or_create(folder.path() + "/a.key");
  EXPECT_NE(pseudonym(key, "ab", "c"), pseudonym(key, "a", "bc"));
}

TEST(Pseudonyms, SurrogatesNumberTheValues) {
  const PrivateFolder folder;
  const auto key = SecretKey::load_or_create(folder.path() + "/a.key");
  const auto numbers = replace_identifiers(names(), IdentifierTreatment::surrogate, key);
  EXPECT_EQ(std::multiset<std::string>(numbers.begin(), numbers.end()),
            (std::multiset<std::string>{"", "1", "2", "3"}));
}

}  // namespace
}  // namespace pratique::release::pseudonyms_test
