// A signature of a report, in a file of its own beside it (REPORT.signature.json), so that it
// covers every byte, whatever the format:
//
//   format: pratique-signature-1, file, sha256, time, key, signature
//
// Ed25519 over these bytes, which no signed head of a ledger begins with:
//   pratique-signature-1\n<SHA-256 of the file in hex>\n<time>\n
// It tells that whoever holds the key had this very file then. Whose key it is, a ledger tells.
#pragma once

#include <string>

#include "pratique/core/json.h"
#include "pratique/crypto/signing.h"

namespace pratique::release {

struct SignatureFinding {
  bool matches_file = false;  // the hash is this file's
  bool authentic = false;     // by the key that it names
  std::string time;
  std::string key;  // public, in hex

  [[nodiscard]] bool holds() const { return matches_file && authentic; }
};

[[nodiscard]] std::string signature_path(const std::string& report);
// Signs the report as it is on disk. Written whole or not at all.
void sign_report(const std::string& report, const SigningKey& key);
// What somebody signed stays as it is: throws Error::input where a signature lies beside it.
void refuse_replacing_signed(const std::string& report);
// Throws Error::input where there is no signature beside the report, or it is none.
[[nodiscard]] SignatureFinding check_signature(const std::string& report);

}  // namespace pratique::release
