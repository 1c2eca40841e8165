#include "pratique/consortium/identity.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <memory>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/new_file.h"
#include "pratique/crypto/random.h"

namespace pratique::consortium {
namespace {

struct FreeX509Part {
  void operator()(EVP_PKEY* owned) const { EVP_PKEY_free(owned); }
  void operator()(X509* owned) const { X509_free(owned); }
  void operator()(X509_REQ* owned) const { X509_REQ_free(owned); }
  void operator()(X509_EXTENSION* owned) const { X509_EXTENSION_free(owned); }
  void operator()(BIO* owned) const { BIO_free(owned); }
  void operator()(X509_STORE* owned) const { X509_STORE_free(owned); }
  void operator()(X509_STORE_CTX* owned) const { X509_STORE_CTX_free(owned); }
};
template <class Part>
using X509Owned = std::unique_ptr<Part, FreeX509Part>;

void must(bool ok) {
  if (!ok) throw Error::machine("OpenSSL cannot make a certificate");
}

X509Owned<BIO> memory_of(const std::string& text) {
  return X509Owned<BIO>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::string text_of(BIO* memory) {
  char* text = nullptr;
  const long length = BIO_get_mem_data(memory, &text);
  return {text, static_cast<std::size_t>(length)};
}

X509Owned<EVP_PKEY> read_private(const std::string& path) {
  (void)SigningKey::load(path);  // says what is wrong with it
  const std::string text = read_key_file(path);
  const auto memory = memory_of(text);
  X509Owned<EVP_PKEY> key(PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, nullptr));
  must(key != nullptr);
  return key;
}

X509Owned<X509> read_certificate(const std::string& path) {
  const std::string text = read_file(path);
  const auto memory = memory_of(text);
  X509Owned<X509> certificate(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (!certificate)
    throw Error::input("this file does not contain a certificate")
        .at(path)
        .hint("A certificate is a PEM file that begins with BEGIN CERTIFICATE.");
  return certificate;
}

void name_subject(X509_NAME* subject, const std::string& name) {
  must(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                  reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1,
                                  0) == 1);
}

void add_extension(X509* certificate, X509* issuer, int what, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const X509Owned<X509_EXTENSION> extension(
      X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str()));
  must(extension && X509_add_ext(certificate, extension.get(), -1) == 1);
}

bool is_numeric(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

// Signed by the authority's key, or its own certificate where there is no host.
void write_certificate(const std::string& path, const std::string& name, EVP_PKEY* subject_key,
                       const std::string& host, X509* issuer, EVP_PKEY* issuer_key, int days) {
  const X509Owned<X509> certificate(X509_new());
  X509* x509 = certificate.get();
  X509* signer = issuer != nullptr ? issuer : x509;
  must(X509_set_version(x509, X509_VERSION_3) == 1);
  must(ASN1_INTEGER_set_uint64(X509_get_serialNumber(x509), secure_u64() >> 1U) == 1);
  X509_gmtime_adj(X509_getm_notBefore(x509), -300);
  X509_gmtime_adj(X509_getm_notAfter(x509), 86'400L * days);
  must(X509_set_pubkey(x509, subject_key) == 1);
  name_subject(X509_get_subject_name(x509), name);
  must(X509_set_issuer_name(x509, X509_get_subject_name(signer)) == 1);
  if (issuer == nullptr) {
    add_extension(x509, signer, NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
    add_extension(x509, signer, NID_key_usage, "critical,keyCertSign,cRLSign");
  } else {
    add_extension(x509, signer, NID_basic_constraints, "critical,CA:FALSE");
    add_extension(x509, signer, NID_key_usage, "critical,digitalSignature");
    add_extension(x509, signer, NID_ext_key_usage, "serverAuth,clientAuth");
    add_extension(x509, signer, NID_subject_alt_name, (is_numeric(host) ? "IP:" : "DNS:") + host);
  }
  must(X509_sign(x509, issuer_key, nullptr) > 0);  // Ed25519 hashes by itself
  const X509Owned<BIO> memory(BIO_new(BIO_s_mem()));
  must(PEM_write_bio_X509(memory.get(), x509) == 1);
  if (!write_new_file(path, text_of(memory.get()), 0644))
    throw Error::input("a certificate with this name already exists")
        .at(path)
        .hint("Name another folder; certificates are never overwritten.");
}

void certify_key(const std::string& folder, const std::string& name, EVP_PKEY* key,
                 const std::string& host, int days) {
  const auto issuer = read_certificate(folder + "/ca.pem");
  const auto issuer_key = read_private(folder + "/ca.key");
  write_certificate(folder + "/" + name + ".pem", name, key, host, issuer.get(), issuer_key.get(),
                    days);
}

std::string common_name(X509* certificate) {
  std::array<char, 256> name{};
  const int length = X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName,
                                               name.data(), name.size());
  return length < 0 ? std::string() : std::string(name.data(), static_cast<std::size_t>(length));
}

PublicKey public_key_of(X509* certificate, const std::string& path) {
  PublicKey bytes{};
  std::size_t length = bytes.size();
  EVP_PKEY* key = X509_get0_pubkey(certificate);
  if (key == nullptr || EVP_PKEY_get_id(key) != EVP_PKEY_ED25519 ||
      EVP_PKEY_get_raw_public_key(key, bytes.data(), &length) != 1)
    throw Error::input("this certificate is not for an Ed25519 key")
        .at(path)
        .hint("Make the key with consortium request, or openssl genpkey -algorithm ed25519.");
  return bytes;
}

void check_certificate(X509* authority, X509* certificate, const std::string& name,
                       const std::string& path) {
  if (common_name(certificate) != name)
    throw Error::input(fmt::format("this certificate is not {}'s", name))
        .at(path)
        .hint("Its common name must be the participant's name; ask for another.");
  const X509Owned<X509_STORE> store(X509_STORE_new());
  const X509Owned<X509_STORE_CTX> context(X509_STORE_CTX_new());
  must(store && context && X509_STORE_add_cert(store.get(), authority) == 1 &&
       X509_STORE_CTX_init(context.get(), store.get(), certificate, nullptr) == 1);
  if (X509_verify_cert(context.get()) == 1) return;
  const int why = X509_STORE_CTX_get_error(context.get());
  ERR_clear_error();
  if (why == X509_V_ERR_CERT_HAS_EXPIRED)
    throw Error::input(fmt::format("the certificate of {} has expired", name))
        .at(path)
        .hint("Ask for a new one, or set this machine's clock.");
  if (why == X509_V_ERR_CERT_NOT_YET_VALID)
    throw Error::input(fmt::format("the certificate of {} is not valid yet", name))
        .at(path)
        .hint("Set this machine's clock.");
  throw Error::input(fmt::format("the certificate of {} is not signed by this consortium", name))
      .at(path)
      .hint(
          "It must be signed by the authority whose certificate is ca.pem beside the "
          "configuration.");
}

}  // namespace

void make_certificate_authority(const std::string& folder, int days) {
  make_key(folder, "ca");
  const auto key = read_private(folder + "/ca.key");
  // With a blank, which no participant's name has: a certificate whose issuer and subject are
  // called alike is taken for one that signs itself.
  write_certificate(folder + "/ca.pem", "the consortium", key.get(), "", nullptr, key.get(), days);
}

void make_key(const std::string& folder, const std::string& name) {
  (void)SigningKey::create(folder + "/" + name + ".key");
}

void make_request(const std::string& folder, const std::string& name) {
  const auto key = read_private(folder + "/" + name + ".key");
  const X509Owned<X509_REQ> request(X509_REQ_new());
  name_subject(X509_REQ_get_subject_name(request.get()), name);
  must(X509_REQ_set_pubkey(request.get(), key.get()) == 1 &&
       X509_REQ_sign(request.get(), key.get(), nullptr) > 0);
  const X509Owned<BIO> memory(BIO_new(BIO_s_mem()));
  must(PEM_write_bio_X509_REQ(memory.get(), request.get()) == 1);
  const std::string path = folder + "/" + name + ".csr";
  if (!write_new_file(path, text_of(memory.get()), 0644))
    throw Error::input("a request with this name already exists").at(path).hint("Remove it first.");
}

void certify(const std::string& folder, const std::string& name, const std::string& host,
             int days) {
  const auto key = read_private(folder + "/" + name + ".key");
  certify_key(folder, name, key.get(), host, days);
}

void sign_request(const std::string& folder, const std::string& request, const std::string& name,
                  const std::string& host, int days) {
  const std::string text = read_file(request);
  const auto memory = memory_of(text);
  const X509Owned<X509_REQ> asked(PEM_read_bio_X509_REQ(memory.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (!asked || X509_REQ_verify(asked.get(), X509_REQ_get0_pubkey(asked.get())) != 1)
    throw Error::input("this file does not contain a signing request")
        .at(request)
        .hint("The site makes it with consortium request.");
  certify_key(folder, name, X509_REQ_get0_pubkey(asked.get()), host, days);
}

PublicKey key_of_certificate(const std::string& path) {
  return public_key_of(read_certificate(path).get(), path);
}

Identity Identity::load(const Configuration& configuration, const std::string& name) {
  (void)configuration.address(name);
  const std::string authority_path = configuration.file("ca.pem");
  const auto authority = read_certificate(authority_path);
  std::map<std::string, PublicKey> everybody;
  for (const auto& participant : configuration.everybody()) {
    const std::string path = configuration.file(participant + ".pem");
    const auto certificate = read_certificate(path);
    check_certificate(authority.get(), certificate.get(), participant, path);
    everybody[participant] = public_key_of(certificate.get(), path);
  }
  SigningKey key = SigningKey::load(configuration.file(name + ".key"));
  if (key.public_key() != everybody.at(name))
    throw Error::input("the key is not the one of the certificate")
        .at(configuration.file(name + ".key"))
        .hint("Use the key that the certificate was asked for with.");
  const net::TlsOptions options{.certificate = configuration.file(name + ".pem"),
                                .key = configuration.file(name + ".key"),
                                .authority = authority_path};
  Identity identity{name, std::move(key), net::TlsContext::server(options),
                    net::TlsContext::client(options), std::move(everybody)};
  // A ticket would look like a message that has come.
  SSL_CTX_set_num_tickets(identity.server.get(), 0);
  return identity;
}

}  // namespace pratique::consortium
