// An authority and certificates that it signed, as PEM files in a folder that goes away.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#include "pratique/core/file.h"
#include "pratique/net/tls.h"

namespace pratique::net {

class CertificatesForTest {
 public:
  CertificatesForTest() : key_(new_key()) {
    certificate_ = signed_by_us("authority", key_.get(), nullptr);
    write_certificate(authority(), certificate_.get());
  }

  [[nodiscard]] std::string authority() const { return folder_.path() + "/authority.pem"; }

  // Signed by the authority, for that address, with that common name.
  [[nodiscard]] TlsOptions identity(const std::string& name,
                                    const std::string& address = "127.0.0.1") {
    const Key key = new_key();
    const std::string alternative = "IP:" + address;
    const Certificate certificate = signed_by_us(name, key.get(), alternative.c_str());
    TlsOptions options;
    options.certificate = folder_.path() + "/" + name + ".pem";
    options.key = folder_.path() + "/" + name + ".key";
    options.authority = authority();
    write_certificate(options.certificate, certificate.get());
    std::FILE* file = std::fopen(options.key.c_str(), "w");
    PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
    return options;
  }

 private:
  struct Free {
    void operator()(EVP_PKEY* owned) const { EVP_PKEY_free(owned); }
    void operator()(X509* owned) const { X509_free(owned); }
    void operator()(X509_EXTENSION* owned) const { X509_EXTENSION_free(owned); }
  };
  using Key = std::unique_ptr<EVP_PKEY, Free>;
  using Certificate = std::unique_ptr<X509, Free>;

  static Key new_key() { return Key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256")); }

  static void extend(X509* certificate, X509* issuer, int what, const char* value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    const std::unique_ptr<X509_EXTENSION, Free> extension(
        X509V3_EXT_conf_nid(nullptr, &context, what, value));
    if (!extension || X509_add_ext(certificate, extension.get(), -1) != 1) {
      throw std::runtime_error("a certificate for a test cannot be made");
    }
  }

  // The authority's own when there is no alternative name.
  Certificate signed_by_us(const std::string& name, EVP_PKEY* key, const char* alternative) {
    Certificate certificate(X509_new());
    X509* x509 = certificate.get();
    X509* issuer = certificate_ ? certificate_.get() : x509;
    X509_set_version(x509, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(x509), ++serial_);
    X509_gmtime_adj(X509_getm_notBefore(x509), -60);
    X509_gmtime_adj(X509_getm_notAfter(x509), 3600);
    X509_set_pubkey(x509, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x509), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(x509, X509_get_subject_name(issuer));
    extend(x509, issuer, NID_basic_constraints,
           alternative == nullptr ? "critical,CA:TRUE" : "critical,CA:FALSE");
    if (alternative != nullptr) extend(x509, issuer, NID_subject_alt_name, alternative);
    if (X509_sign(x509, key_.get(), EVP_sha256()) == 0) {
      throw std::runtime_error("a certificate for a test cannot be signed");
    }
    return certificate;
  }

  static void write_certificate(const std::string& path, X509* certificate) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    PEM_write_X509(file, certificate);
    std::fclose(file);
  }

  PrivateFolder folder_;
  long serial_ = 0;
  Key key_;
  Certificate certificate_;
};

}  // namespace pratique::net
