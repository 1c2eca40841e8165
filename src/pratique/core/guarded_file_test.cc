#include "pratique/core/guarded_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "pratique/core/file.h"
#include "pratique/core/new_file.h"

namespace pratique::guarded_file_test {
namespace {

namespace fs = std::filesystem;

const std::string kPem = "-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----\n";
const std::string kPseudonymKey = "pratique key 1 " + std::string(64, 'a') + "\n";
const std::string kLedger = R"({"entry":{"body":{"format":"pratique-ledger-1","public_key":"00"}}})"
                            "\n";

class GuardedFile : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const {
    return folder.path() + "/" + name;
  }
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  [[nodiscard]] std::string text_of(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  template <class Action>
  static std::string refusal_of(const Action& action) {
    try {
      action();
      return "none";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
      EXPECT_FALSE(error.place().empty());
      return error.message();
    }
  }
  PrivateFolder folder;
};

TEST_F(GuardedFile, AKeyIsKnownByHowItBegins) {
  const std::string certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
  for (const std::string& text :
       {kPem, kPseudonymKey, "\n \t" + kPem, "\xef\xbb\xbf" + kPem, "\r\n" + kPseudonymKey,
        certificate + kPem, "Bag Attributes\r\n  name: a\r\n" + kPem,
        std::string("-----BEGIN EC PRIVATE KEY-----"),
        std::string("-----BEGIN ENCRYPTED PRIVATE KEY-----"),
        std::string("-----BEGIN OPENSSH PRIVATE KEY-----"),
        std::string("-----BEGIN PGP PRIVATE KEY BLOCK-----"), std::string("pratique key 1 ")}) {
    EXPECT_TRUE(begins_secret_key(text)) << text;
  }
  for (const std::string& text :
       {std::string(), certificate, std::string("-----BEGIN PUBLIC KEY-----\n"),
        std::string("name,age\nAda,36\n"), std::string("pratique key"),
        "note,key\n1," + kPseudonymKey, std::string("a private key: -----BEGIN PRIVATE KEY-----"),
        std::string(kGuardBytes, '\n') + kPem}) {
    EXPECT_FALSE(begins_secret_key(text)) << text;
  }
}

TEST_F(GuardedFile, AKeyInDerIsKnownToo) {
  // As openssl begins them.
  const auto bytes = [](std::initializer_list<int> values) {
    return std::string(values.begin(), values.end());
  };
  const std::string ed25519 = bytes({0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70});
  for (const std::string& text :
       {ed25519, bytes({0x30, 0x82, 4, 0xa2, 2, 1, 0, 2, 0x82, 1, 1}),  // PKCS#1
        bytes({0x30, 0x77, 2, 1, 1, 4, 0x20, 0xbc}),                    // EC
        bytes({0x30, 0x82, 3, 0x66, 2, 1, 3, 0x30, 0x82, 3})}) {        // PKCS#12
    EXPECT_TRUE(begins_secret_key(text));
    EXPECT_FALSE(begins_secret_key(text.substr(0, text.find(2) + 2)));
    EXPECT_FALSE(begins_secret_key("x" + text));
  }
  for (const std::string& text :
       {bytes({0x30, 0x82, 1, 0x2c, 0x30, 0x81, 0xdf, 0xa0, 3, 2, 1, 2}),  // a certificate
        bytes({0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70}),              // a public key
        bytes({0x30, 0x2e, 2, 1, 2, 0x30, 5}), bytes({0x30, 0x2e, 2, 1, 0, 0x31, 5}),
        bytes({0x30, 0x2e, 2, 2, 0, 0x30, 5}), bytes({0x30, 0x2e, 4, 1, 0, 0x30, 5}),
        bytes({0x30, 0xff, 2, 1, 0, 0x30}), std::string("0.\n"), std::string("0")}) {
    EXPECT_FALSE(begins_secret_key(text));
  }
}

TEST_F(GuardedFile, ALedgerIsKnownByHowItBegins) {
  EXPECT_TRUE(begins_ledger(kLedger));
  for (const char* text :
       {"", "{}", R"({"entry":1})", R"({"body":{"format":"pratique-ledger-1"}})"}) {
    EXPECT_FALSE(begins_ledger(text)) << text;
  }
}

TEST_F(GuardedFile, AKeyIsNeverReadAsData) {
  const std::string refused = "this is a secret key, which is never read as data";
  for (const std::string& key : {kPem, kPseudonymKey}) {
    const std::string file = put("table.csv", key);
    EXPECT_EQ(refusal_of([&] { (void)read_file(file); }), refused);
    EXPECT_EQ(refusal_of([&] { require_readable_file(file); }), refused);
    EXPECT_EQ(refusal_of([&] { read_in_blocks(file, [](std::string_view) { FAIL(); }); }), refused);
    EXPECT_EQ(read_key_file(file), key);
    fs::remove(path("link"));
    fs::create_symlink("table.csv", path("link"));
    EXPECT_EQ(refusal_of([&] { require_readable_file(path("link")); }), refused);
  }
  require_readable_file(put("ledger", kLedger));
  EXPECT_EQ(read_file(path("ledger")), kLedger);
}

TEST_F(GuardedFile, NorFromAPipeThatGivesItInParts) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    const int end = open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
    for (const std::string part : {"-----BEGIN PRI", "VATE KEY-----\n", "MC4CAQ\n"}) {
      if (write(end, part.data(), part.size()) < 0) break;
      usleep(20'000);
    }
    close(end);
  });
  std::string given;
  // The reader hangs up in the middle.
  ASSERT_NE(std::signal(SIGPIPE, SIG_IGN), SIG_ERR);
  EXPECT_EQ(
      refusal_of([&] { read_in_blocks(pipe, [&](std::string_view block) { given += block; }); }),
      "this is a secret key, which is never read as data");
  writer.join();
  EXPECT_EQ(given.find("MC4"), std::string::npos);
}

TEST_F(GuardedFile, NothingReplacesAKeyOrALedger) {
  for (const std::string& text : {kPem, kPseudonymKey, kLedger}) {
    const std::string refused = text == kLedger
                                    ? "this would overwrite a ledger, which can only grow"
                                    : "this would overwrite a secret key";
    put("a", text);
    EXPECT_EQ(refusal_of([&] { write_file_atomically(path("a"), "new"); }), refused);
    fs::remove(path("link"));
    fs::create_symlink("a", path("link"));
    EXPECT_EQ(refusal_of([&] { write_file_atomically(path("link"), "new"); }), refused);
    EXPECT_EQ(text_of("a"), text);

    // One that came while the output was being made.
    AtomicFile file(path("b"));
    file.write("new");
    put("b", text);
    EXPECT_EQ(refusal_of([&] { file.commit(); }), refused);
    EXPECT_EQ(text_of("b"), text);
    fs::remove(path("b"));
  }
}

TEST_F(GuardedFile, ANewFileIsWholeAndPrivateOrNotThere) {
  EXPECT_TRUE(write_new_file(path("a"), kPseudonymKey, 0600));
  struct stat status {};
  ASSERT_EQ(stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(status.st_nlink, 1U);
  EXPECT_FALSE(write_new_file(path("a"), "other", 0600));
  EXPECT_EQ(text_of("a"), kPseudonymKey);
  fs::create_symlink("nowhere", path("dangling"));
  EXPECT_FALSE(write_new_file(path("dangling"), "other", 0600));
  EXPECT_FALSE(fs::exists(path("nowhere")));
  // Somebody was faster.
  AtomicFile late(path("b"), 0600, AtomicFile::Existing::keep);
  late.write("late");
  put("b", "first");
  EXPECT_FALSE(late.commit_as_new());
  EXPECT_EQ(text_of("b"), "first");
}

}  // namespace
}  // namespace pratique::guarded_file_test
