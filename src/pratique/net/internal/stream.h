// Bytes in and out of a connected socket, in plain or by TLS; whatever waits has a deadline.
#pragma once

#include <openssl/ssl.h>

#include <chrono>
#include <cstddef>
#include <string>

namespace pratique::net {

// True when one of the events of poll() came, false at the deadline.
[[nodiscard]] bool poll_until(int descriptor, short events,
                              std::chrono::steady_clock::time_point until);

class Stream {
 public:
  using Clock = std::chrono::steady_clock;

  // Takes the descriptor, which does not block.
  explicit Stream(int descriptor) : descriptor_(descriptor) {}
  virtual ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Before anything else is sent. A client names the host whose certificate it expects.
  void accept_tls(SSL_CTX* tls);
  void connect_tls(SSL_CTX* tls, const std::string& host);
  // False when the other side takes too long, or shows no certificate that is trusted.
  [[nodiscard]] bool handshake(Clock::time_point until);

  // Whether receive() has something to look at; false at the deadline.
  [[nodiscard]] bool readable(Clock::time_point until);
  // Bytes, 0 at the end, -1 when it failed or took too long.
  std::ptrdiff_t receive(char* into, std::size_t bytes, Clock::time_point until);
  std::ptrdiff_t send(const char* from, std::size_t bytes, Clock::time_point until);

  // Tells the other side that nothing more comes, so that it can tell an end from a cut.
  void end();

  [[nodiscard]] bool secure() const { return ssl_ != nullptr; }
  [[nodiscard]] bool timed_out() const { return timed_out_; }
  // The common name in the other side's certificate, where it had to show one; else empty.
  [[nodiscard]] std::string peer() const;

 protected:
  [[nodiscard]] virtual bool wait_for(short events, Clock::time_point until) {
    return poll_until(descriptor_, events, until);
  }

  int descriptor_;          // NOLINT(*-non-private-member-variables-in-classes)
  SSL* ssl_ = nullptr;      // NOLINT(*-non-private-member-variables-in-classes)
  bool timed_out_ = false;  // NOLINT(*-non-private-member-variables-in-classes)

 private:
  bool broken_ = false;
};

}  // namespace pratique::net
