#include "pratique/net/internal/listen.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "pratique/core/error.h"

namespace pratique::net {

int listen_on(const std::string& address, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST;
  addrinfo* resolved = nullptr;
  if (getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &resolved) != 0) {
    throw Error::input(fmt::format("'{}' is not an address to listen on", address))
        .hint("Give it as numbers, such as 127.0.0.1 or ::1.");
  }
  const int listener = socket(resolved->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  const bool bound = listener >= 0 &&
                     bind(listener, resolved->ai_addr, resolved->ai_addrlen) == 0 &&
                     listen(listener, SOMAXCONN) == 0;
  const int failed = errno;
  freeaddrinfo(resolved);
  if (!bound) {
    if (listener >= 0) close(listener);
    throw Error::machine(fmt::format("cannot listen on {} port {}: {}", address, port,
                                     std::error_code(failed, std::generic_category()).message()))
        .hint("Another program may use the port; choose one with --port.");
  }
  return listener;
}

int port_of(int listener) {
  sockaddr_storage bound{};
  socklen_t length = sizeof(bound);
  getsockname(listener, reinterpret_cast<sockaddr*>(&bound), &length);
  return bound.ss_family == AF_INET6 ? ntohs(reinterpret_cast<sockaddr_in6*>(&bound)->sin6_port)
                                     : ntohs(reinterpret_cast<sockaddr_in*>(&bound)->sin_port);
}

}  // namespace pratique::net
