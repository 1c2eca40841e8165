#include "pratique/kind/pseudonyms.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"

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

TEST(Hmac, MatchesThePublishedVector) {  // RFC 4231, test case 2
  const std::string key = "Jefe";
  EXPECT_EQ(to_hex(hmac_sha256(std::span(reinterpret_cast<const std::uint8_t*>(key.data()), 4),
                               "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(Pseudonyms, AreTheSameUnderOneKeyAndOthersUnderAnother) {
  const PrivateFolder folder;
  const auto key = PseudonymKey::load_or_create(folder.path() + "/a.key");
  const auto again = PseudonymKey::load_or_create(folder.path() + "/a.key");
  const auto other = PseudonymKey::load_or_create(folder.path() + "/b.key");
  const auto first = replace_identifiers(names(), IdentifierTreatment::pseudonym, key);
  EXPECT_EQ(first, replace_identifiers(names(), IdentifierTreatment::pseudonym, again));
  EXPECT_NE(first, replace_identifiers(names(), IdentifierTreatment::pseudonym, other));
  EXPECT_EQ(std::set<std::string>(first.begin(), first.end()).size(), 4U);
  EXPECT_EQ(first[2], "");
  EXPECT_EQ(key.fingerprint(), again.fingerprint());
  EXPECT_NE(key.fingerprint(), other.fingerprint());
}

TEST(Pseudonyms, DependOnTheColumn) {
  const PrivateFolder folder;
  const auto key = PseudonymKey::load_or_create(folder.path() + "/a.key");
  EXPECT_NE(key.pseudonym("ab", "c"), key.pseudonym("a", "bc"));
}

TEST(Pseudonyms, SurrogatesNumberTheValues) {
  const PrivateFolder folder;
  const auto key = PseudonymKey::load_or_create(folder.path() + "/a.key");
  const auto numbers = replace_identifiers(names(), IdentifierTreatment::surrogate, key);
  EXPECT_EQ(std::multiset<std::string>(numbers.begin(), numbers.end()),
            (std::multiset<std::string>{"", "1", "2", "3"}));
}

TEST(Pseudonyms, TheKeyIsOurs) {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/a.key";
  (void)PseudonymKey::load_or_create(path);
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  EXPECT_THROW((void)PseudonymKey::load_or_create(path), Error);
  write_file_atomically(folder.path() + "/no.key", "something else");
  ASSERT_EQ(chmod((folder.path() + "/no.key").c_str(), 0600), 0);
  EXPECT_THROW((void)PseudonymKey::load_or_create(folder.path() + "/no.key"), Error);
}

}  // namespace
}  // namespace pratique::release::pseudonyms_test
