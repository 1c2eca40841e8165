// Ed25519 signatures (RFC 8032), by OpenSSL. The private key lies in a file of its own, PEM as
// every tool reads it, with mode 0600.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "pratique/crypto/hash.h"

namespace pratique {

using PublicKey = std::array<std::uint8_t, 32>;
using Signature = std::array<std::uint8_t, 64>;

[[nodiscard]] bool verify_signature(const PublicKey& key, std::string_view message,
                                    const Signature& signature);

class SigningKey {
 public:
  // Refuses a file that is there.
  static SigningKey create(const std::string& path);
  // Throws when it is not there, not ours alone to read, or no Ed25519 key.
  static SigningKey load(const std::string& path);
  ~SigningKey();
  SigningKey(SigningKey&&) noexcept;
  SigningKey& operator=(SigningKey&&) noexcept;

  [[nodiscard]] PublicKey public_key() const;
  [[nodiscard]] Signature sign(std::string_view message) const;
  // A secret that follows from the key, another one for each purpose; nobody without the key can
  // tell it.
  [[nodiscard]] Sha256Digest secret_for(std::string_view purpose) const;

 private:
  struct State;
  explicit SigningKey(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace pratique
