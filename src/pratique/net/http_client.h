// Asks an HTTP server, in plain or by TLS, with deadlines.
//
// One request a connection, which is then closed. An answer is framed as strictly as a request
// (body.h); redirections are not followed, and no more than `largest_body` bytes are taken.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "pratique/net/tls.h"

namespace pratique::net {

struct HttpClientOptions {
  std::string host;
  int port = 0;
  std::optional<TlsOptions> tls = {};
  std::chrono::milliseconds connect = std::chrono::seconds(10);
  std::chrono::milliseconds pause = std::chrono::seconds(30);  // between two bytes
  std::chrono::milliseconds total = std::chrono::minutes(5);   // of one request
  std::uint64_t largest_body = 64ULL << 20U;
};

struct HttpAnswer {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case; the last of several
  std::string body;
};

struct HttpQuestion {
  std::string method = "GET";
  std::string path = "/";  // with its query, encoded
  std::map<std::string, std::string> headers = {};
  std::string body = {};
};

class HttpClient {
 public:
  // Throws Error when the certificates cannot be used.
  explicit HttpClient(HttpClientOptions options);

  // Whatever its status. Throws Error when nobody answers in time, or not in HTTP.
  [[nodiscard]] HttpAnswer ask(const HttpQuestion& question) const;

 private:
  HttpClientOptions options_;
  std::optional<TlsContext> tls_;
};

}  // namespace pratique::net
