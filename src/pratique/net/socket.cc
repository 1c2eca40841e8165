#include "pratique/net/socket.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "pratique/core/error.h"
#include "pratique/net/internal/listen.h"
#include "pratique/net/internal/stream.h"

namespace pratique::net {
namespace {

struct FreeAddresses {
  void operator()(addrinfo* owned) const { freeaddrinfo(owned); }
};

std::string reason(int number) {
  return std::error_code(number, std::generic_category()).message();
}

// A connected descriptor, or -1 and why.
int connect_to(const addrinfo& address, Deadline until, std::string& why) {
  const int descriptor =
      socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, address.ai_protocol);
  if (descriptor < 0) {
    why = reason(errno);
    return -1;
  }
  int failed = 0;
  if (connect(descriptor, address.ai_addr, address.ai_addrlen) != 0) {
    failed = errno;
    if (failed == EINPROGRESS) {
      socklen_t length = sizeof(failed);
      if (!poll_until(descriptor, POLLOUT, until)) {
        failed = ETIMEDOUT;
      } else if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failed, &length) != 0) {
        failed = errno;
      }
    }
  }
  if (failed == 0) return descriptor;
  why = reason(failed);
  close(descriptor);
  return -1;
}

void send_at_once(int descriptor) {
  const int yes = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

Error failed(const Stream& stream, const char* what) {
  return Error::machine(stream.timed_out() ? fmt::format("the other side took too long to {}", what)
                                           : "the connection broke");
}

std::unique_ptr<addrinfo, FreeAddresses> addresses_of(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* resolved = nullptr;
  if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &resolved) != 0) {
    throw Error::input(fmt::format("no address is known of '{}'", host))
        .hint("Check the name of the host.");
  }
  return std::unique_ptr<addrinfo, FreeAddresses>(resolved);
}

Error not_who_it_must_be() {
  return Error::machine("a client is not who it must be, or does not speak TLS 1.3");
}

}  // namespace

void require_address(const std::string& host) { (void)addresses_of(host, 0); }

Socket::Socket(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
Socket::~Socket() {
  if (stream_) stream_->end();
}
Socket::Socket(Socket&&) noexcept = default;
Socket& Socket::operator=(Socket&&) noexcept = default;

Socket Socket::connect(const std::string& host, int port, Deadline until, const TlsContext* tls) {
  const auto addresses = addresses_of(host, port);
  std::string why;
  int descriptor = -1;
  for (const addrinfo* address = addresses.get(); descriptor < 0 && address != nullptr;
       address = address->ai_next) {
    descriptor = connect_to(*address, until, why);
  }
  if (descriptor < 0) {
    throw Error::machine(fmt::format("cannot connect to {} port {}: {}", host, port, why))
        .hint("Check that the other side runs and that no firewall stands between.");
  }
  send_at_once(descriptor);
  auto stream = std::make_unique<Stream>(descriptor);
  if (tls != nullptr) stream->connect_tls(tls->get(), host);
  if (!stream->handshake(until)) {
    throw Error::machine(
        fmt::format("{} port {} is not who it must be, or not by TLS 1.3", host, port))
        .hint("Check the certificates of both sides and their authorities.");
  }
  return Socket(std::move(stream));
}

std::size_t Socket::read(char* into, std::size_t bytes, Deadline until) {
  const std::ptrdiff_t received = stream_->receive(into, bytes, until);
  if (received < 0) throw failed(*stream_, "send");
  return static_cast<std::size_t>(received);
}

bool Socket::readable(Deadline until) { return stream_->readable(until); }

void Socket::write(std::string_view bytes, Deadline until) {
  while (!bytes.empty()) {
    const std::ptrdiff_t put = stream_->send(bytes.data(), bytes.size(), until);
    if (put < 0) throw failed(*stream_, "take what was sent");
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

bool Socket::shake_hands(Deadline until) {
  if (stream_->handshake(until)) return true;
  if (!stream_->timed_out()) throw not_who_it_must_be();
  return false;
}

std::string Socket::peer() const { return stream_->peer(); }

Listener::Listener(const std::string& address, int port) : descriptor_(listen_on(address, port)) {}
Listener::~Listener() { close(descriptor_); }

int Listener::port() const { return port_of(descriptor_); }

bool Listener::awaited(Deadline until) const { return poll_until(descriptor_, POLLIN, until); }

Socket Listener::take(Deadline until, const TlsContext* tls) {
  while (true) {
    if (!poll_until(descriptor_, POLLIN, until)) throw Error::machine("nobody connected in time");
    const int descriptor = accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0) {
      // The client left again before it was its turn.
      if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED) continue;
      throw Error::machine("no connection can be taken: " + reason(errno));
    }
    send_at_once(descriptor);
    auto stream = std::make_unique<Stream>(descriptor);
    if (tls != nullptr) stream->accept_tls(tls->get());
    return Socket(std::move(stream));
  }
}

Socket Listener::accept(Deadline until, const TlsContext* tls) {
  Socket socket = take(until, tls);
  if (!socket.shake_hands(until)) throw not_who_it_must_be();
  return socket;
}

}  // namespace pratique::net
