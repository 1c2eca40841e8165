// TLS by OpenSSL 3: who we are and whom we trust, as PEM files.
//
// TLS 1.3 alone, unless older browsers are to be served. With an authority, the other side must
// show a certificate that the authority signed: a server then knows its clients (mutual
// authentication), and a client also checks that the certificate is for the host it asked for.
#pragma once

#include <memory>
#include <string>

struct ssl_ctx_st;  // OpenSSL's SSL_CTX

namespace pratique::net {

struct TlsOptions {
  std::string certificate;   // ours, with its chain; a client may have none
  std::string key;           // of the certificate
  std::string authority;     // of the other side; a client needs one
  bool allow_tls12 = false;  // for browsers
};

class TlsContext {
 public:
  // Both throw Error when a file cannot be used or one that is needed is not named.
  static TlsContext server(const TlsOptions& options);
  static TlsContext client(const TlsOptions& options);

  [[nodiscard]] ssl_ctx_st* get() const { return context_.get(); }

 private:
  struct Free {
    void operator()(ssl_ctx_st* owned) const;
  };
  explicit TlsContext(ssl_ctx_st* context) : context_(context) {}
  void use_identity(const TlsOptions& options);
  void trust(const std::string& authority);

  std::unique_ptr<ssl_ctx_st, Free> context_;
};

}  // namespace pratique::net
