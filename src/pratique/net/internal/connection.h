// One connection of a client to the server: what it may take its time for, and for how long.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "pratique/net/http_server.h"
#include "pratique/net/internal/stream.h"

namespace pratique::net {

class HttpServer::Connection final : public Stream {
 public:
  // Takes the descriptor. `tls` may be null.
  Connection(int descriptor, SSL_CTX* tls);

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
  // The bytes of this request's head that were read so far.
  [[nodiscard]] const std::string& head() const { return head_; }
  bool close_after = false;     // this request
  std::string accept_encoding;  // of this request

 private:
  [[nodiscard]] bool wait_for(short events, Clock::time_point until) override;
  [[nodiscard]] Clock::time_point read_deadline() const;

  std::array<char, 32768> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool in_head_ = true;
  std::string head_;
  std::uint64_t read_bytes_ = 0;  // of this head, or this body
  Clock::time_point began_;
  std::atomic<std::int64_t> waiting_since_ = 0;
  std::atomic<bool> was_shut_ = false;
};

}  // namespace pratique::net
