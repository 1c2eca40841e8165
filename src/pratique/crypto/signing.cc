#include "pratique/crypto/signing.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sys/stat.h>
#include <unistd.h>

#include <span>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/new_file.h"

namespace pratique {
namespace {

struct FreeKey {
  void operator()(EVP_PKEY* owned) const { EVP_PKEY_free(owned); }
};
struct FreeContext {
  void operator()(EVP_MD_CTX* owned) const { EVP_MD_CTX_free(owned); }
};
struct FreeBio {
  void operator()(BIO* owned) const { BIO_free(owned); }
};
using Key = std::unique_ptr<EVP_PKEY, FreeKey>;
using Context = std::unique_ptr<EVP_MD_CTX, FreeContext>;
using Bio = std::unique_ptr<BIO, FreeBio>;

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

void require(bool ok) {
  if (!ok) throw Error::machine("the Ed25519 of OpenSSL failed");
}

}  // namespace

bool verify_signature(const PublicKey& key, std::string_view message, const Signature& signature) {
  const Key loaded(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.data(), key.size()));
  const Context context(EVP_MD_CTX_new());
  return loaded && context &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, loaded.get()) == 1 &&
         EVP_DigestVerify(context.get(), signature.data(), signature.size(), bytes(message),
                          message.size()) == 1;
}

struct SigningKey::State {
  Key key;
};

SigningKey::SigningKey(std::unique_ptr<State> state) : state_(std::move(state)) {}
SigningKey::~SigningKey() = default;
SigningKey::SigningKey(SigningKey&&) noexcept = default;
SigningKey& SigningKey::operator=(SigningKey&&) noexcept = default;

SigningKey SigningKey::create(const std::string& path) {
  auto state = std::make_unique<State>();
  state->key.reset(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  require(state->key != nullptr);
  const Bio memory(BIO_new(BIO_s_mem()));
  require(memory && PEM_write_bio_PKCS8PrivateKey(memory.get(), state->key.get(), nullptr, nullptr,
                                                  0, nullptr, nullptr) == 1);
  char* text = nullptr;
  const long length = BIO_get_mem_data(memory.get(), &text);
  if (!write_new_file(path, {text, static_cast<std::size_t>(length)}, 0600)) {
    throw Error::input("a file with the key's name already exists")
        .at(path)
        .hint("Name another with --key; a key is never overwritten.");
  }
  return SigningKey(std::move(state));
}

SigningKey SigningKey::load(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    throw Error::input("there is no private key to sign with")
        .at(path)
        .hint("Name its file with --key; without it nothing can be signed.");
  }
  if ((status.st_mode & 077U) != 0 || status.st_uid != geteuid()) {
    throw Error::input("others can read this key, or own it")
        .at(path)
        .hint("Run chmod 600 on it; if others may have seen it, make a new one.");
  }
  const std::string text = read_key_file(path);
  const Bio memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  auto state = std::make_unique<State>();
  // Without a callback OpenSSL would ask for a password on the terminal.
  const auto no_password = [](char*, int, int, void*) { return 0; };
  if (memory)
    state->key.reset(PEM_read_bio_PrivateKey(memory.get(), nullptr, no_password, nullptr));
  if (!state->key || EVP_PKEY_get_id(state->key.get()) != EVP_PKEY_ED25519) {
    throw Error::input("this file does not contain an Ed25519 key")
        .at(path)
        .hint("A key is a PEM file that begins with BEGIN PRIVATE KEY.");
  }
  return SigningKey(std::move(state));
}

PublicKey SigningKey::public_key() const {
  PublicKey key{};
  std::size_t length = key.size();
  require(EVP_PKEY_get_raw_public_key(state_->key.get(), key.data(), &length) == 1 &&
          length == key.size());
  return key;
}

Signature SigningKey::sign(std::string_view message) const {
  Signature signature{};
  std::size_t length = signature.size();
  const Context context(EVP_MD_CTX_new());
  require(context &&
          EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, state_->key.get()) == 1 &&
          EVP_DigestSign(context.get(), signature.data(), &length, bytes(message),
                         message.size()) == 1 &&
          length == signature.size());
  return signature;
}

Sha256Digest SigningKey::secret_for(std::string_view purpose) const {
  // Ed25519 signs the same bytes the same way each time. What is signed elsewhere begins otherwise.
  const Signature signature = sign("pratique secret\n" + std::string(purpose));
  return sha256(std::as_bytes(std::span(signature)));
}

}  // namespace pratique
