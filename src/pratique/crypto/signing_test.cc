#include "pratique/crypto/signing.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"

namespace pratique::signing_test {
namespace {

std::string bytes_of(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}
template <class Array>
Array array_of(const std::string& hex) {
  Array array{};
  const std::string bytes = bytes_of(hex);
  EXPECT_EQ(bytes.size(), array.size());
  std::copy(bytes.begin(), bytes.end(), array.begin());
  return array;
}

// RFC 8032, section 7.1, tests 1 and 2. The secret key is in the form of RFC 8410: base64 of
// 302e020100300506032b657004220420 and the key.
struct Known {
  const char* secret;
  const char* key;
  const char* message;
  const char* signature;
};
constexpr std::array<Known, 2> kKnown = {
    {{"MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9"
      "b46bd25bf5f0595bbe24655141438e7a100b"},
     {"MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f1"
      "1d8c387b2eaeb4302aeeb00d291612bb0c00"}}};

class KeyFile : public testing::Test {
 protected:
  PrivateFolder folder;
  std::string path = folder.path() + "/key";

  void write(const std::string& text, unsigned mode = 0600) const {
    unlink(path.c_str());  // nothing replaces a key
    write_file_atomically(path, text);
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
  }
  void write_pem(const std::string& base64, unsigned mode = 0600) const {
    write("-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n", mode);
  }
  // The message with which it is refused; empty when it is not.
  [[nodiscard]] std::string refusal() const {
    try {
      (void)SigningKey::load(path);
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
      EXPECT_EQ(error.place(), path);
      EXPECT_FALSE(error.hint().empty());
      return error.message();
    }
  }
};

TEST(Signing, KnownSignaturesHoldAndNoOthers) {
  for (const Known& known : kKnown) {
    const auto key = array_of<PublicKey>(known.key);
    const auto signature = array_of<Signature>(known.signature);
    const std::string message = bytes_of(known.message);
    EXPECT_TRUE(verify_signature(key, message, signature));
    EXPECT_FALSE(verify_signature(key, message + "x", signature));
    for (std::size_t i = 0; i < signature.size(); ++i) {
      auto changed = signature;
      changed[i] ^= 1U;
      EXPECT_FALSE(verify_signature(key, message, changed)) << i;
    }
  }
  EXPECT_FALSE(verify_signature(array_of<PublicKey>(kKnown[1].key), "",
                                array_of<Signature>(kKnown[0].signature)));
  // Not a point of the curve.
  PublicKey none{};
  none.fill(0xff);
  EXPECT_FALSE(verify_signature(none, "", array_of<Signature>(kKnown[0].signature)));
}

TEST_F(KeyFile, AKnownKeySignsAsPublished) {
  for (const Known& known : kKnown) {
    write_pem(known.secret);
    const SigningKey key = SigningKey::load(path);
    EXPECT_EQ(to_hex(key.public_key()), known.key);
    EXPECT_EQ(to_hex(key.sign(bytes_of(known.message))), known.signature);
  }
}

TEST_F(KeyFile, WhatIsMadeIsLoadedAgain) {
  const SigningKey created = SigningKey::create(path);
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  const SigningKey loaded = SigningKey::load(path);
  EXPECT_EQ(loaded.public_key(), created.public_key());
  EXPECT_TRUE(verify_signature(created.public_key(), "text", loaded.sign("text")));
  EXPECT_NE(SigningKey::create(path + "2").public_key(), created.public_key());
}

TEST_F(KeyFile, NothingIsWrittenOver) {
  write("something else");
  EXPECT_THROW((void)SigningKey::create(path), Error);
  EXPECT_EQ(read_file(path), "something else");
}

TEST_F(KeyFile, OnlyItsOwnerMayReadIt) {
  for (const unsigned mode : {0600U, 0400U, 0700U}) {
    write_pem(kKnown[0].secret, mode);
    EXPECT_EQ(refusal(), "") << mode;
  }
  for (const unsigned mode : {0640U, 0620U, 0610U, 0604U, 0602U, 0601U, 0644U, 0666U}) {
    write_pem(kKnown[0].secret, mode);
    EXPECT_NE(refusal().find("others can read"), std::string::npos) << mode;
  }
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  write_pem(kKnown[0].secret);
  ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
  EXPECT_NE(refusal().find("others can read"), std::string::npos);
}

TEST_F(KeyFile, WhatIsNoKey) {
  EXPECT_NE(refusal().find("there is no private key"), std::string::npos);
  for (const char* text : {"", "text", "-----BEGIN PRIVATE KEY-----\nMC4=\n"}) {
    write(text);
    EXPECT_NE(refusal().find("not contain an Ed25519 key"), std::string::npos) << text;
  }
  // A key of X25519, which cannot sign; and one with a password, which nobody is asked for.
  write_pem("MC4CAQAwBQYDK2VuBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7");
  EXPECT_NE(refusal().find("not contain an Ed25519 key"), std::string::npos);
  write(R"(-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiEeDu2mqlENgICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEFivxVDm6Ddhs15o/kdi0ooEQA77
yXX8kS6EumehDhClWhwoBBVPkgEVCt4tfsWTA6pg0jjXW69+U4gJ/Xtgd5h5qL1T
8KP9qMUrafMQXuvK8rw=
-----END ENCRYPTED PRIVATE KEY-----
)");
  EXPECT_NE(refusal().find("not contain an Ed25519 key"), std::string::npos);
}

}  // namespace
}  // namespace pratique::signing_test
