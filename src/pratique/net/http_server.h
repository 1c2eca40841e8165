// HTTP and HTTPS on a socket, one thread per connection.
//
// cpp-httplib reads and writes the messages. Connections are ours, because its own have a time
// limit only between two bytes: a client that sends one byte every few seconds (slow-loris) would
// keep a thread for ever. Here
//   - the head of a request must be there 10 seconds after its first byte, in at most 32 kB;
//   - a body may pause for 15 seconds and must come at 16 kB a second over all;
//   - an answer must be taken within 20 seconds a block;
//   - a connection that is idle for 30 seconds is closed;
//   - when there are `connections` of them, the next one closes the one whose client has kept us
//     waiting longest, or that has been told nothing for longest, but for half a second at least:
//     until then there may be twice as many. So clients that wait never keep out one that works.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "pratique/net/http.h"
#include "pratique/net/tls.h"

namespace pratique::net {

struct HttpOptions {
  std::string address = "127.0.0.1";
  int port = 8080;          // 0: any free one
  std::string certificate;  // PEM files; empty: no TLS
  std::string key;
  // PEM file: only clients are answered whose certificate this authority signed, by TLS 1.3.
  std::string client_authority;
  std::size_t connections = 256;
};

class HttpServer {
 public:
  using Handler = std::function<Response(const Request&)>;

  // Binds. Throws Error when the port is taken or the certificate does not fit.
  explicit HttpServer(const HttpOptions& options);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] int port() const { return port_; }
  // Answers until stop() is called, and until every connection is closed.
  void serve(const Handler& handler);
  void stop();

  class Connection;
  class Parser;

 private:
  void accept_one();
  void converse(Connection& connection);
  // False where none was found in time.
  bool find_place(Connection* connection);
  // Closes some that have kept us waiting for so long, when there are too many.
  void make_room(std::chrono::milliseconds grace);

  HttpOptions options_;
  int port_ = 0;
  int listener_ = -1;
  int wake_ = -1;  // an eventfd: stop() was called
  std::unique_ptr<TlsContext> tls_;
  std::unique_ptr<Parser> parser_;
  std::mutex mutex_;
  std::condition_variable closed_;
  std::set<Connection*> connections_;
};

}  // namespace pratique::net
