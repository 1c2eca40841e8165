#include "pratique/release/signature.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/clock.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/ledger/ledger.h"

namespace pratique::release {
namespace {

constexpr const char* kSignatureFormat = "pratique-signature-1";

std::string signed_text(const std::string& sha256, const std::string& time) {
  return fmt::format("{}\n{}\n{}\n", kSignatureFormat, sha256, time);
}

}  // namespace

std::string signature_path(const std::string& report) { return report + ".signature.json"; }

void sign_report(const std::string& report, const SigningKey& key) {
  const std::string sha256 = sha256_file(report);
  const std::string time = utc_time();
  const Json signature = {{"format", kSignatureFormat},
                          {"file", std::filesystem::path(report).filename().string()},
                          {"sha256", sha256},
                          {"time", time},
                          {"key", to_hex(key.public_key())},
                          {"signature", to_hex(key.sign(signed_text(sha256, time)))}};
  AtomicFile file(signature_path(report), 0644);
  file.write(pratique::to_text(signature));
  file.commit();
}

void refuse_replacing_signed(const std::string& report) {
  if (!std::filesystem::exists(signature_path(report))) return;
  throw Error::input("this report is signed, and nothing replaces it")
      .at(report)
      .hint("Choose another name; whoever means to withdraw it deletes it with its signature.");
}

SignatureFinding check_signature(const std::string& report) {
  const std::string path = signature_path(report);
  if (!std::filesystem::exists(path)) {
    throw Error::input("there is no signature beside this file")
        .at(path)
        .hint("pratique report --sign KEY writes one beside the report.");
  }
  const Json json = parse_json(read_file(path), path);
  const auto malformed = [&] {
    return Error::input("this is not a signature of a report")
        .at(path)
        .hint("It was changed after it was written.");
  };
  PublicKey key{};
  Signature signature{};
  SignatureFinding finding;
  try {
    if (json.at("format") != kSignatureFormat) throw malformed();
    finding.time = json.at("time").get<std::string>();
    finding.key = json.at("key").get<std::string>();
    if (!ledger::from_hex(finding.key, key) ||
        !ledger::from_hex(json.at("signature").get<std::string>(), signature))
      throw malformed();
    const std::string sha256 = json.at("sha256").get<std::string>();
    finding.matches_file = sha256 == sha256_file(report);
    finding.authentic = verify_signature(key, signed_text(sha256, finding.time), signature);
  } catch (const Json::exception&) {
    throw malformed();
  }
  return finding;
}

}  // namespace pratique::release
