// What makes pseudonyms, letters and surrogates: HMAC-SHA-256 under a secret. With the same key
// file a later batch agrees; without one a secret is drawn, used once and forgotten, so that nobody
// can try names against what was released.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pratique/crypto/secret_key.h"

namespace pratique::notes {

class NoteKey {
 public:
  // `path` empty: drawn.
  explicit NoteKey(const std::string& path);

  // 32 hexadecimal digits; `use` keeps ids, patients and names apart.
  [[nodiscard]] std::string pseudonym(std::string_view use, std::string_view value) const;
  // The first 64 bits.
  [[nodiscard]] std::uint64_t number(std::string_view use, std::string_view scope,
                                     std::string_view value) const;
  // None of a drawn key.
  [[nodiscard]] std::optional<std::string> fingerprint() const;

 private:
  [[nodiscard]] Sha256Digest digest(std::string_view message) const;
  std::optional<SecretKey> kept_;
  std::array<std::uint8_t, 32> drawn_{};
};

}  // namespace pratique::notes
