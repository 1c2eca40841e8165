#include "pratique/crypto/secret_key.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <barrier>
#include <set>
#include <thread>
#include <vector>

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
    unlink(path.c_str());  // nothing replaces a key
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

// As processes that start together do: whatever a release was made with is what is kept.
TEST(SecretKey, AllWhoMakeItAtOnceGetTheOneThatIsKept) {
  constexpr std::size_t kProcesses = 4;
  const PrivateFolder folder;
  for (int round = 0; round < 200; ++round) {
    const std::string path = folder.path() + "/" + std::to_string(round);
    std::vector<std::string> fingerprints(kProcesses);
    std::barrier start(kProcesses);
    std::vector<std::thread> threads;
    for (auto& fingerprint : fingerprints) {
      threads.emplace_back([&] {
        start.arrive_and_wait();
        fingerprint = SecretKey::load_or_create(path).fingerprint();
      });
    }
    for (auto& thread : threads) thread.join();
    const std::string kept = SecretKey::load_or_create(path).fingerprint();
    EXPECT_EQ(fingerprints, std::vector<std::string>(kProcesses, kept)) << round;
  }
}

TEST(SecretKey, IsNeverReadAsDataNorReplaced) {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/a.key";
  const std::string fingerprint = SecretKey::load_or_create(path).fingerprint();
  EXPECT_THROW((void)read_file(path), Error);
  EXPECT_THROW(write_file_atomically(path, "name\n"), Error);
  EXPECT_EQ(SecretKey::load_or_create(path).fingerprint(), fingerprint);
}

class KnownKey : public testing::Test {
 protected:
  const std::string secret = "052a4f7499bee3082d52779cc1e60b30557a9fc4e90e33587da2c7ec11365b80";
  PrivateFolder folder;
  std::string path = folder.path() + "/key";

  void write(const std::string& text, unsigned mode = 0600) const {
    unlink(path.c_str());  // nothing replaces a key
    write_file_atomically(path, text);
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
  }
  [[nodiscard]] bool refused() const {
    try {
      (void)SecretKey::load_or_create(path);
      return false;
    } catch (const Error& error) {
      EXPECT_EQ(error.place(), path);
      EXPECT_FALSE(error.hint().empty());
      // What is in the file may be half a key.
      EXPECT_EQ(error.message().find(secret.substr(0, 8)), std::string::npos);
      return error.code() == ErrorCode::bad_input;
    }
  }
};

TEST_F(KnownKey, AKeyIsItsHeaderAndSixtyFourDigits) {
  const std::string head = "pratique key 1 ";
  for (const std::string& text : {head + secret + "\n", head + secret}) {
    write(text);
    EXPECT_FALSE(refused());
  }
  std::string capital = secret;
  capital[1] = '5';
  capital[3] = 'A';
  for (const std::string& text :
       {std::string(), std::string("\n"), secret + "\n", "pratique key 2 " + secret, head,
        head + secret.substr(1) + "\n", head + secret.substr(2), head + secret + "0\n",
        head + secret + secret, head + capital, " " + head + secret}) {
    write(text);
    EXPECT_TRUE(refused()) << text;
  }
  for (const char wrong : {'/', ':', '`', 'g', 'G', ' ', '-'}) {
    for (const std::size_t at : {0U, 1U, 62U, 63U}) {
      std::string changed = secret;
      changed[at] = wrong;
      write(head + changed + "\n");
      EXPECT_TRUE(refused()) << wrong << at;
    }
  }
}

TEST_F(KnownKey, EveryDigitCounts) {
  std::set<std::string> fingerprints;
  for (std::size_t at = 0; at < secret.size(); ++at) {
    for (const char digit : {'0', '9', 'a', 'f'}) {
      std::string changed = secret;
      changed[at] = digit;
      if (changed == secret) continue;
      write("pratique key 1 " + changed + "\n");
      EXPECT_TRUE(fingerprints.insert(SecretKey::load_or_create(path).fingerprint()).second);
    }
  }
}

TEST_F(KnownKey, AKeyThatOthersMayReadIsRefused) {
  const std::string text = "pratique key 1 " + secret + "\n";
  for (const unsigned mode : {0600U, 0400U, 0700U}) {
    write(text, mode);
    EXPECT_FALSE(refused()) << mode;
  }
  for (const unsigned mode : {0640U, 0620U, 0610U, 0604U, 0602U, 0601U}) {
    write(text, mode);
    EXPECT_TRUE(refused()) << mode;
  }
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  write(text);
  ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
  EXPECT_TRUE(refused());
}

}  // namespace
}  // namespace pratique::secret_key_test
