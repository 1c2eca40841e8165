#include "pratique/release/signature.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/kind/testing/folder_fixture.h"

namespace pratique::release::signature_test {
namespace {

class SignatureTest : public FolderFixture {
 protected:
  SigningKey key = SigningKey::create(path("key"));
  std::string report = file("r.html", "<html>");

  void change(const char* name, const Json& value) {
    Json json = parse_json(read_file(signature_path(report)), "r");
    json[name] = value;
    (void)file("r.html.signature.json", pratique::to_text(json));
  }
};

TEST_F(SignatureTest, HoldsForTheFileThatWasSigned) {
  sign_report(report, key);
  const auto finding = check_signature(report);
  EXPECT_TRUE(finding.holds());
  EXPECT_EQ(finding.key, to_hex(key.public_key()));
  EXPECT_EQ(finding.time.size(), std::string_view("2026-11-17T09:00:00Z").size());
}

TEST_F(SignatureTest, AnotherByteIsAnotherFile) {
  sign_report(report, key);
  (void)file("r.html", "<html> ");
  const auto finding = check_signature(report);
  EXPECT_FALSE(finding.matches_file);
  EXPECT_TRUE(finding.authentic);
  EXPECT_FALSE(finding.holds());
}

TEST_F(SignatureTest, NothingInItCanBeChanged) {
  const auto other = SigningKey::create(path("other"));
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, Json>>{{"time", "2020-01-01T00:00:00Z"},
                                                           {"key", to_hex(other.public_key())},
                                                           {"signature", std::string(128, '0')}}) {
    sign_report(report, key);
    change(name, value);
    const auto finding = check_signature(report);
    EXPECT_FALSE(finding.authentic) << name;
    EXPECT_FALSE(finding.holds()) << name;
  }
  // The hash of another file, with that file.
  sign_report(report, key);
  (void)file("r.html", "other");
  change("sha256", sha256_hex("other"));
  EXPECT_TRUE(check_signature(report).matches_file);
  EXPECT_FALSE(check_signature(report).holds());
}

TEST_F(SignatureTest, WhatIsNoSignatureIsRefused) {
  EXPECT_THROW((void)check_signature(report), Error);
  for (const char* text : {"{}", "[]", "no", R"({"format":"pratique-signature-2"})"}) {
    (void)file("r.html.signature.json", text);
    EXPECT_THROW((void)check_signature(report), Error) << text;
  }
  sign_report(report, key);
  change("key", "xyz");
  EXPECT_THROW((void)check_signature(report), Error);
}

}  // namespace
}  // namespace pratique::release::signature_test
