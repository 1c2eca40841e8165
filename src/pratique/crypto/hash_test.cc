#include "pratique/crypto/hash.h"

#include <gtest/gtest.h>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::hash_test {
namespace {

std::vector<std::uint8_t> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

TEST(Hash, MatchesThePublishedVectors) {  // FIPS 180-2, appendix B
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Hash, PiecesGiveTheHashOfTheWhole) {
  const std::string text = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Sha256 hash;
    hash.update(text.substr(0, cut));
    hash.update(text.substr(cut));
    EXPECT_EQ(to_hex(hash.finish()), sha256_hex(text)) << cut;
  }
}

TEST(Hash, OfAFileIsThatOfItsBytes) {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/file";
  // FIPS 180-2, appendix B.3: a million times a.
  write_file_atomically(path, std::string(1'000'000, 'a'));
  EXPECT_EQ(sha256_file(path), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  write_file_atomically(path, "");
  EXPECT_EQ(sha256_file(path), sha256_hex(""));
  EXPECT_THROW((void)sha256_file(folder.path() + "/none"), Error);
}

TEST(Hmac, MatchesThePublishedVectors) {  // RFC 4231, cases 1, 2 and 6
  EXPECT_EQ(to_hex(hmac_sha256(bytes_of(std::string(20, '\x0b')), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(to_hex(hmac_sha256(bytes_of("Jefe"), "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(to_hex(hmac_sha256(bytes_of(std::string(131, '\xaa')),
                               "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Hex, TwoSmallDigitsForEachByte) {
  EXPECT_EQ(to_hex({}), "");
  const std::vector<std::uint8_t> bytes = {0x00, 0x01, 0x0f, 0x10, 0x7f, 0x80, 0x9a, 0xf0, 0xff};
  EXPECT_EQ(to_hex(bytes), "00010f107f809af0ff");
}

}  // namespace
}  // namespace pratique::hash_test
