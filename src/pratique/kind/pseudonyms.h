// What becomes of identifiers: they are dropped, or replaced so that equal stays equal.
//
//   pseudonym   HMAC-SHA-256 of column and value under a secret key, 128 bits of it in hexadecimal:
//               the same in every release made with the key, so that the holder of the key can
//               follow a patient; without the key nobody can try names against it.
//   surrogate   a number from 1 on, in the order of the pseudonyms: readable, the same for equal
//   values
//               of one release, and of no meaning outside it.
//
// The key lies in a file of its own with mode 0600, never beside a release; it is made when it is
// not there. A seed would not do: the manifest names it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pratique/data/table.h"

namespace pratique::release {

enum class IdentifierTreatment { drop, pseudonym, surrogate };

class PseudonymKey {
 public:
  // Throws when the file is not ours, is readable by others, or is no key.
  static PseudonymKey load_or_create(const std::string& path);

  [[nodiscard]] std::string pseudonym(const std::string& column, std::string_view value) const;
  // Says which key was used without giving it away: the start of its hash.
  [[nodiscard]] std::string fingerprint() const;

 private:
  std::array<std::uint8_t, 32> secret_{};
};

// By code of the column; a missing value stays missing.
[[nodiscard]] std::vector<std::string> replace_identifiers(const Column& column,
                                                           IdentifierTreatment treatment,
                                                           const PseudonymKey& key);

}  // namespace pratique::release
