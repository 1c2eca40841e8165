// Files that are more than data, told by how they begin and never by their names: a secret key,
// which is never read as data and never replaced, and a ledger, which can only grow. file.h holds
// to that for whatever is read and written, and the workbench for what it lists and gives out.
#pragma once

#include <string>
#include <string_view>

#include "pratique/core/error.h"

namespace pratique {

// How many bytes of a file are looked at.
inline constexpr std::size_t kGuardBytes = 4096;
// The key for pseudonyms (crypto/secret_key.h) begins so.
inline constexpr std::string_view kSecretKeyHeader = "pratique key 1 ";

// A private key in PEM, also behind a certificate or a remark, or in DER (PKCS#1, 8 or 12), or a
// key for pseudonyms.
[[nodiscard]] bool begins_secret_key(std::string_view beginning);
// ledger/ledger.h
[[nodiscard]] bool begins_ledger(std::string_view beginning);

// The first kGuardBytes of an open file; empty where it cannot be read.
[[nodiscard]] std::string read_guarded_bytes(int descriptor);

[[nodiscard]] Error secret_key_is_no_data(const std::string& path);
// Throw Error; a file that is not there, or is no regular one, passes.
void refuse_reading_secret_key(const std::string& path);
void refuse_replacing_guarded(const std::string& path);

// For what a manifest names, which anybody may have written: a device never ends, a pipe waits for
// somebody, and "-" is whatever comes in now. Throws Error; what is not there passes.
void refuse_recorded_device(const std::string& path);

}  // namespace pratique
