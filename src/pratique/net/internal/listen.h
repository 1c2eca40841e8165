// Sockets that wait for connections.
#pragma once

#include <string>

namespace pratique::net {

// A listening socket that does not block; port 0 is any free one. The address is numeric. Throws
// Error.
[[nodiscard]] int listen_on(const std::string& address, int port);
[[nodiscard]] int port_of(int listener);

}  // namespace pratique::net
