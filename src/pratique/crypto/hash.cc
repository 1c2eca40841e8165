#include "pratique/crypto/hash.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique {
namespace {

void require(int ok) {
  if (ok != 1) throw Error::machine("the SHA-256 of OpenSSL failed");
}

}  // namespace

struct Sha256::State {
  struct Free {
    void operator()(EVP_MD_CTX* owned) const { EVP_MD_CTX_free(owned); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  require(EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr));
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
  require(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()));
}

Sha256Digest Sha256::finish() {
  Sha256Digest digest;
  require(EVP_DigestFinal_ex(state_->context.get(), digest.data(), nullptr));
  return digest;
}

Sha256Digest sha256(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

Sha256Digest hmac_sha256(std::span<const std::uint8_t> key, std::string_view message) {
  Sha256Digest digest;
  unsigned length = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(message.data());
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, message.size(),
           digest.data(), &length) == nullptr) {
    throw Error::machine("the HMAC of OpenSSL failed");
  }
  return digest;
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string sha256_hex(std::string_view text) {
  return to_hex(sha256(std::as_bytes(std::span(text))));
}

std::string sha256_file(const std::string& path) {
  Sha256 hash;
  read_in_blocks(path, [&](std::string_view block) { hash.update(block); });
  return to_hex(hash.finish());
}

}  // namespace pratique
