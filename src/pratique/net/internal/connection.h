// One connection: bytes in and out, in plain or by TLS, each with a time limit.
#pragma once

#include <openssl/ssl.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "pratique/net/http_server.h"

namespace pratique::net {

class HttpServer::Connection {
 public:
  using Clock = std::chrono::steady_clock;

  // Takes the descriptor. `tls` may be null.
  Connection(int descriptor, SSL_CTX* tls);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Before a request, and after its head.
  void begin_head();
  void begin_body();

  // Bytes, 0 at the end, -1 when the client took too long or sent too much.
  std::ptrdiff_t read(char* into, std::size_t bytes);
  std::ptrdiff_t write(const char* from, std::size_t bytes);
  [[nodiscard]] bool wait_readable(std::chrono::milliseconds patience);
  [[nodiscard]] bool handshake();
  // Lets the client read the last answer although we did not read all it sent.
  void linger();
  // From another thread: whatever waits, returns.
  void shut();

  // There is nothing to say at the moment: until the next write this counts as waiting.
  void begin_rest();

  // Since when the client has kept us waiting, in ticks of Clock; 0: it does not.
  [[nodiscard]] std::int64_t waiting_since() const { return waiting_since_; }
  [[nodiscard]] bool was_shut() const { return was_shut_; }
  [[nodiscard]] bool timed_out() const { return timed_out_; }
  bool close_after = false;     // this request
  std::string accept_encoding;  // of this request

 private:
  [[nodiscard]] bool wait_for(short events, Clock::time_point until);
  [[nodiscard]] Clock::time_point read_deadline() const;
  std::ptrdiff_t receive(char* into, std::size_t bytes, Clock::time_point until);

  int descriptor_;
  SSL* ssl_ = nullptr;
  std::array<char, 32768> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool in_head_ = true;
  bool timed_out_ = false;
  std::uint64_t read_bytes_ = 0;  // of this head, or this body
  Clock::time_point began_;
  std::atomic<std::int64_t> waiting_since_ = 0;
  std::atomic<bool> was_shut_ = false;
};

}  // namespace pratique::net
