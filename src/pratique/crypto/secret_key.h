// A secret of 256 bits in a file of its own with mode 0600, never beside a release.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "pratique/crypto/hash.h"

namespace pratique {

class SecretKey {
 public:
  // Made from the operating system's randomness when it is not there; of several who make it at
  // once, all get the key that is then in the file. Throws when the file is not
  // ours, is readable by others, or is no key.
  static SecretKey load_or_create(const std::string& path);

  // HMAC-SHA-256.
  [[nodiscard]] Sha256Digest hmac(std::string_view message) const;
  // Says which key was used without giving it away: the start of its hash.
  [[nodiscard]] std::string fingerprint() const;

 private:
  std::array<std::uint8_t, 32> secret_{};
};

}  // namespace pratique
