#include "pratique/kind/pseudonyms.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

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

// A key of known bytes, and what HMAC-SHA-256 makes of them: computed with Python's hmac.
SecretKey known_key(const PrivateFolder& folder) {
  const std::string path = folder.path() + "/key";
  write_file_atomically(
      path, "pratique key 1 052a4f7499bee3082d52779cc1e60b30557a9fc4e90e33587da2c7ec11365b80\n");
  EXPECT_EQ(chmod(path.c_str(), 0600), 0);
  return SecretKey::load_or_create(path);
}

TEST(Pseudonyms, PseudonymsFollowTheirDefinition) {
  const PrivateFolder folder;
  const SecretKey key = known_key(folder);
  // HMAC of "4:name:Ann" and so on.
  EXPECT_EQ(pseudonym(key, "name", "Ann"), "449959db08a7f35cdc3c5af112957e02");
  EXPECT_EQ(pseudonym(key, "name", "Bob"), "63bcca20e15d61398eaa72c786f74e44");
  EXPECT_EQ(pseudonym(key, "name", "\u00c4nn"), "36a03472552f59310af9020bd265e4f8");
  EXPECT_EQ(key.fingerprint(), "9bdc3236eba0116d");
  EXPECT_EQ(replace_identifiers(names(), IdentifierTreatment::pseudonym, key),
            (std::vector<std::string>{"449959db08a7f35cdc3c5af112957e02",
                                      "63bcca20e15d61398eaa72c786f74e44", "",
                                      "981e1b26c6b02f3f2cdafdcd976669ba"}));
}

// Numbered by pseudonym, so that neither the alphabet nor the order of the file shows.
TEST(Pseudonyms, SurrogatesAreInTheOrderOfThePseudonyms) {
  const PrivateFolder folder;
  const SecretKey key = known_key(folder);
  Column column;
  column.name = "name";
  for (const char* value : {"Cid", "Ann", "", "Bob", "\u00c4nn"}) {
    column.codes.push_back(column.dictionary.intern(value));
  }
  EXPECT_EQ(replace_identifiers(column, IdentifierTreatment::surrogate, key),
            (std::vector<std::string>{"4", "2", "", "3", "1"}));
}

}  // namespace
}  // namespace pratique::release::pseudonyms_test
