// What becomes of identifiers: they are dropped, or replaced so that equal stays equal.
//
//   pseudonym   HMAC-SHA-256 of column and value under a secret key, 128 bits of it in hexadecimal:
//               the same in every release made with the key, so that the holder of the key can
//               follow a patient; without the key nobody can try names against it.
//   surrogate   a number from 1 on, in the order of the pseudonyms: readable, the same for equal
//               values of one release, and of no meaning outside it.
//
// The key is made when it is not there (crypto/secret_key.h). A seed would not do: the manifest
// names it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pratique/crypto/secret_key.h"
#include "pratique/data/table.h"

namespace pratique::release {

enum class IdentifierTreatment { drop, pseudonym, surrogate };

[[nodiscard]] std::string pseudonym(const SecretKey& key, const std::string& column,
                                    std::string_view value);

// By code of the column; a missing value stays missing.
[[nodiscard]] std::vector<std::string> replace_identifiers(const Column& column,
                                                           IdentifierTreatment treatment,
                                                           const SecretKey& key);

}  // namespace pratique::release
