#include "pratique/crypto/secret_key.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::secret_key_test {
namespace {

TEST(SecretKey, IsTheSameWhenItIsLoadedAgain) {
  const PrivateFolder folder;
  const auto key = SecretKey::load_or_create(folder.path() + "/a.key");
  const auto again = SecretKey::load_or_create(folder.path() + "/a.key");
  const auto other = SecretKey::load_or_create(folder.path() + "/b.key");
  EXPECT_EQ(key.hmac("text"), again.hmac("text"));
  EXPECT_NE(key.hmac("text"), other.hmac("text"));
  EXPECT_EQ(key.fingerprint(), again.fingerprint());
  EXPECT_NE(key.fingerprint(), other.fingerprint());
}

// The bytes 00 01 ... 1f, and their HMAC of the empty message as Python's hmac module has it.
TEST(SecretKey, IsReadFromHexadecimalDigits) {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/a.key";
  const std::string digits = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
  write_file_atomically(path, "pratique key 1 " + digits + "\n");
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  EXPECT_EQ(to_hex(SecretKey::load_or_create(path).hmac("")),
            "d38b42096d80f45f826b44a9d5607de72496a415d3f4a1a8c88e3bb9da8dc1cb");
  for (const std::string& bad :
       {digits.substr(1), "g" + digits.substr(1), "F" + digits.substr(1)}) {
    write_file_atomically(path, "pratique key 1 " + bad + "\n");
    ASSERT_EQ(chmod(path.c_str(), 0600), 0);
    EXPECT_THROW((void)SecretKey::load_or_create(path), Error) << bad;
  }
}

TEST(SecretKey, IsOurs) {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/a.key";
  (void)SecretKey::load_or_create(path);
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  EXPECT_THROW((void)SecretKey::load_or_create(path), Error);
  write_file_atomically(folder.path() + "/no.key", "something else");
  ASSERT_EQ(chmod((folder.path() + "/no.key").c_str(), 0600), 0);
  EXPECT_THROW((void)SecretKey::load_or_create(folder.path() + "/no.key"), Error);
}

}  // namespace
}  // namespace pratique::secret_key_test
