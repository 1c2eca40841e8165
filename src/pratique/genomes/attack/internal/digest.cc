#include "pratique/genomes/attack/internal/digest.h"

#include <openssl/evp.h>
#include <zlib.h>

#include <algorithm>
#include <array>

#include "pratique/core/error.h"
#include "pratique/crypto/hash.h"

namespace pratique::genomes {
namespace {

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
struct FreeDigest {
  void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
};

const char* openssl_name(DigestKind kind) {
  switch (kind) {
    case DigestKind::md5:
      return "MD5";
    case DigestKind::sha1:
      return "SHA1";
    default:
      return "SHA256";
  }
}

}  // namespace

struct Digester::State {
  DigestKind kind;
  std::string key;
  std::unique_ptr<EVP_MD, FreeDigest> digest;
  std::unique_ptr<EVP_MD_CTX, FreeContext> context;
  bool begun = false;
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> bytes{};
};

Digester::Digester(DigestKind kind, std::string key) : state_(std::make_unique<State>()) {
  state_->kind = kind;
  state_->key = std::move(key);
  if (kind == DigestKind::crc32 || kind == DigestKind::hmac) return;
  state_->digest.reset(EVP_MD_fetch(nullptr, openssl_name(kind), nullptr));
  state_->context.reset(EVP_MD_CTX_new());
  if (!state_->digest || !state_->context)
    throw Error::machine("this machine's OpenSSL does not offer the digest");
}

Digester::~Digester() = default;

std::string Digester::hex_of(std::string_view text) { return to_hex(bytes_of(text)); }

std::span<const std::uint8_t> Digester::bytes_of(std::string_view text) {
  auto& bytes = state_->bytes;
  if (state_->kind == DigestKind::crc32) {
    const auto sum = static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
    for (std::size_t i = 0; i < sizeof sum; ++i)
      bytes[i] = static_cast<std::uint8_t>(sum >> (24U - 8U * i));
    return std::span(bytes).first(sizeof sum);
  }
  if (state_->kind == DigestKind::hmac) {
    const std::span<const std::uint8_t> key(
        reinterpret_cast<const std::uint8_t*>(state_->key.data()), state_->key.size());
    const auto sum = hmac_sha256(key, text);
    std::copy(sum.begin(), sum.end(), bytes.begin());
    return std::span(bytes).first(sum.size());
  }
  unsigned size = 0;
  // Once begun, the same digest begins again.
  const EVP_MD* digest = state_->begun ? nullptr : state_->digest.get();
  if (EVP_DigestInit_ex2(state_->context.get(), digest, nullptr) != 1 ||
      EVP_DigestUpdate(state_->context.get(), text.data(), text.size()) != 1 ||
      EVP_DigestFinal_ex(state_->context.get(), bytes.data(), &size) != 1)
    throw Error::machine("a digest could not be computed");
  state_->begun = true;
  return std::span(bytes).first(size);
}

std::size_t digest_bytes(DigestKind kind) {
  switch (kind) {
    case DigestKind::md5:
      return 16;
    case DigestKind::sha1:
      return 20;
    case DigestKind::crc32:
      return 4;
    default:
      return 32;
  }
}

}  // namespace pratique::genomes
