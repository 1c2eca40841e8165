#include "pratique/crypto/hash.h"

#include <gtest/gtest.h>

#include <span>

namespace pratique::hash_test {
namespace {

TEST(Hash, MatchesThePublishedVectors) {  // FIPS 180-2, appendix B
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Hmac, MatchesThePublishedVector) {  // RFC 4231, test case 2
  const std::string key = "Jefe";
  EXPECT_EQ(to_hex(hmac_sha256(std::span(reinterpret_cast<const std::uint8_t*>(key.data()), 4),
                               "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

}  // namespace
}  // namespace pratique::hash_test
