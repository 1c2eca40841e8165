// Connections between programs that speak a protocol of their own, in plain or by TLS. Whatever
// waits has a deadline; who misses one gets an Error. A process that writes by TLS ignores SIGPIPE.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "pratique/net/tls.h"

namespace pratique::net {

class Stream;

using Deadline = std::chrono::steady_clock::time_point;
[[nodiscard]] inline Deadline within(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

// Refuses a host of which this machine's resolver knows no address.
void require_address(const std::string& host);

class Socket {
 public:
  // The deadline is for connecting and for the handshake; only the resolver keeps its own time.
  // `tls` (a client's) must outlive it; the certificate must be for `host`.
  static Socket connect(const std::string& host, int port, Deadline until,
                        const TlsContext* tls = nullptr);
  ~Socket();
  Socket(Socket&&) noexcept;
  Socket& operator=(Socket&&) noexcept;

  // At least one byte; 0 at the end.
  std::size_t read(char* into, std::size_t bytes, Deadline until);
  // Whether something can be read, or the end has come; false at the deadline.
  [[nodiscard]] bool readable(Deadline until);
  // All of it.
  void write(std::string_view bytes, Deadline until);
  // Of one that Listener::take() gave: whether its handshake is over. False at the deadline, and it
  // may go on later; throws where the other side is not who it must be.
  [[nodiscard]] bool shake_hands(Deadline until);
  // The common name in the other side's certificate; empty without mutual authentication.
  [[nodiscard]] std::string peer() const;

 private:
  friend class Listener;
  explicit Socket(std::unique_ptr<Stream> stream);
  std::unique_ptr<Stream> stream_;
};

class Listener {
 public:
  // The address is numeric; port 0 is any free one.
  Listener(const std::string& address, int port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] int port() const;
  // Whether somebody wants to connect; false at the deadline.
  [[nodiscard]] bool awaited(Deadline until) const;
  // The next one, before its handshake. `tls` is a server's.
  [[nodiscard]] Socket take(Deadline until, const TlsContext* tls = nullptr);
  // Waits for the next one and for its handshake.
  [[nodiscard]] Socket accept(Deadline until, const TlsContext* tls = nullptr);

 private:
  int descriptor_;
};

}  // namespace pratique::net
