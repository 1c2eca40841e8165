#include "pratique/net/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <string_view>

#include "pratique/core/error.h"

namespace pratique::net {
namespace {

SSL_CTX* new_context(const SSL_METHOD* method, bool allow_tls12) {
  SSL_CTX* context = SSL_CTX_new(method);
  if (context == nullptr) throw Error::machine("the TLS of OpenSSL failed");
  SSL_CTX_set_min_proto_version(context, allow_tls12 ? TLS1_2_VERSION : TLS1_3_VERSION);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
  return context;
}

}  // namespace

void TlsContext::Free::operator()(SSL_CTX* owned) const { SSL_CTX_free(owned); }

TlsContext TlsContext::server(const TlsOptions& options) {
  TlsContext context(new_context(TLS_server_method(), options.allow_tls12));
  context.use_identity(options);
  if (options.authority.empty()) return context;
  context.trust(options.authority);
  // Without a name of its own for sessions, a server that asks for certificates resumes none.
  constexpr std::string_view kSessions = "pratique";
  SSL_CTX_set_session_id_context(context.get(),
                                 reinterpret_cast<const unsigned char*>(kSessions.data()),
                                 static_cast<unsigned>(kSessions.size()));
  return context;
}

TlsContext TlsContext::client(const TlsOptions& options) {
  TlsContext context(new_context(TLS_client_method(), options.allow_tls12));
  if (!options.certificate.empty()) context.use_identity(options);
  if (options.authority.empty()) {
    throw Error::input("without an authority nobody knows who answers")
        .hint("Name the PEM file of the authority that signed the server's certificate.");
  }
  context.trust(options.authority);
  return context;
}

void TlsContext::use_identity(const TlsOptions& options) {
  SSL_CTX* context = context_.get();
  const bool fits =
      SSL_CTX_use_certificate_chain_file(context, options.certificate.c_str()) == 1 &&
      SSL_CTX_use_PrivateKey_file(context, options.key.c_str(), SSL_FILETYPE_PEM) == 1 &&
      SSL_CTX_check_private_key(context) == 1;
  // What OpenSSL keeps of it would be taken for the next failure on this thread.
  ERR_clear_error();
  if (fits) return;
  throw Error::input("the certificate and the key cannot be used")
      .at(options.certificate)
      .hint("Both are PEM files, and the key is the certificate's.");
}

void TlsContext::trust(const std::string& authority) {
  const bool loaded = SSL_CTX_load_verify_file(context_.get(), authority.c_str()) == 1;
  ERR_clear_error();
  if (!loaded) {
    throw Error::input("the authority's certificate cannot be used")
        .at(authority)
        .hint("It is a PEM file with one certificate or several.");
  }
  SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
}

}  // namespace pratique::net
