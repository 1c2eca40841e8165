#include "pratique/net/http_server.h"

#define CPPHTTPLIB_OPENSSL_SUPPORT
#include <fcntl.h>
#include <fmt/format.h>
#include <httplib.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/net/body.h"
#include "pratique/net/head.h"
#include "pratique/net/internal/connection.h"
#include "pratique/net/internal/listen.h"

namespace pratique::net {
namespace {

using namespace std::chrono_literals;
constexpr auto kIdle = 30s;
constexpr auto kMakeRoom = 2s;
// A client that has kept us waiting for less may be one whose request is on its way.
constexpr auto kGrace = 500ms;
constexpr std::size_t kMostRequests = 1000;  // of one connection
constexpr std::size_t kFileBlock = 64U << 10U;

// What the library sees of a connection.
class LibraryStream final : public httplib::Stream {
 public:
  explicit LibraryStream(HttpServer::Connection& connection) : connection_(connection) {}
  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* into, size_t bytes) override { return connection_.read(into, bytes); }
  ssize_t write(const char* from, size_t bytes) override { return connection_.write(from, bytes); }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  // It compares this with FD_SETSIZE, for a select() that it never calls here.
  socket_t socket() const override { return 0; }

 private:
  HttpServer::Connection& connection_;
};

// The connection whose request this thread works on: handlers are not told.
thread_local HttpServer::Connection* current = nullptr;

std::vector<std::pair<std::string, std::string>> headers_of(const httplib::Request& from) {
  std::vector<std::pair<std::string, std::string>> headers;
  for (const auto& [name, value] : from.headers) headers.emplace_back(lower(name), value);
  return headers;
}

Request to_request(const httplib::Request& from, const BodyFrame& frame, bool secure) {
  Request request;
  request.method = from.method;
  request.path = from.path;
  request.secure = secure;
  request.peer = current->peer();
  for (const auto& [name, value] : from.params) request.query.emplace(name, value);
  for (auto& [name, value] : headers_of(from)) {
    const auto [there, added] = request.headers.emplace(name, value);
    // Two answers to the question who is asked are none.
    if (!added && name == "host") there->second.clear();
  }
  request.headers["accept-encoding"] = current->accept_encoding;
  if (!frame.chunked) request.body_bytes = frame.bytes;
  return request;
}

void give_file(Response& from, httplib::Response& to) {
  const int file = from.file;
  to.set_content_provider(
      from.file_bytes, from.type,
      [file](size_t offset, size_t length, httplib::DataSink& sink) {
        std::string block(std::min(length, kFileBlock), '\0');
        const ssize_t bytes_read =
            pread(file, block.data(), block.size(), static_cast<off_t>(offset));
        return bytes_read > 0 && sink.write(block.data(), static_cast<size_t>(bytes_read));
      },
      [file](bool) { close(file); });
}

void give(Response from, httplib::Response& to) {
  to.status = from.status;
  for (const auto& [name, value] : from.headers) to.set_header(name, value);
  if (current->close_after) to.set_header("Connection", "close");
  if (from.file >= 0) {
    give_file(from, to);
  } else if (from.stream) {
    to.set_chunked_content_provider(from.type, [stream = std::move(from.stream)](
                                                   size_t, httplib::DataSink& sink) mutable {
      current->begin_rest();
      const bool more =
          stream([&](std::string_view block) { return sink.write(block.data(), block.size()); });
      if (!more) sink.done();
      return !current->was_shut();
    });
  } else if (!from.fixed.empty()) {
    to.set_content_provider(
        from.fixed.size(), from.type,
        [bytes = from.fixed](size_t offset, size_t length, httplib::DataSink& sink) {
          return sink.write(bytes.data() + offset, length);
        });
  } else if (!from.body.empty()) {
    to.set_content(from.body, from.type);
  }
}

}  // namespace

// The library, for its messages only: it never sees a socket.
class HttpServer::Parser : public httplib::Server {
 public:
  Parser(const HttpServer::Handler& handler, bool secure, int listener) {
    svr_sock_ = listener;  // while it has one, it does not think that it is shutting down
    set_keep_alive_timeout(kIdle.count());
    set_keep_alive_max_count(kMostRequests);
    // The library would read bodies in its own, lenient way: handlers read them from the
    // connection.
    set_pre_routing_handler([=](const httplib::Request& from, httplib::Response& to) {
      try {
        check_head(current->head());
        const BodyFrame frame = body_frame(headers_of(from));
        bool unread = !frame.empty();
        Request request = to_request(from, frame, secure);
        if (unread) {
          request.read_body = [&](const std::function<bool(std::string_view)>& take) {
            const bool complete = read_body(
                frame, [](char* into, std::size_t bytes) { return current->read(into, bytes); },
                take);
            unread = !complete;
            return complete;
          };
        }
        Response response = handler(request);
        current->close_after = current->close_after || unread;
        give(std::move(response), to);
      } catch (const Problem& problem) {  // nobody knows where the next request begins
        current->close_after = true;
        give(problem_response(problem), to);
      }
      return HandlerResponse::Handled;
    });
    set_error_handler(HandlerWithResponse([](const httplib::Request&, httplib::Response& to) {
      // What the library refused by itself: a head that is no HTTP, or too long.
      if (!to.body.empty() || to.content_provider_) return HandlerResponse::Unhandled;
      current->close_after = true;
      to.status = current->timed_out() ? 408 : to.status;
      const Response response =
          problem_response(Problem(to.status, "this request cannot be understood"));
      to.set_content(response.body, response.type);
      to.set_header("Connection", "close");
      return HandlerResponse::Handled;
    }));
  }

  // False when the connection is to be closed.
  bool answer_one(Connection& connection, bool last) {
    LibraryStream stream(connection);
    bool closed = false;
    connection.begin_head();
    const bool answered = process_request(stream, last, closed, [&](httplib::Request& request) {
      connection.begin_body();
      connection.accept_encoding = request.get_header_value("Accept-Encoding");
      // What is sent is compressed beforehand or not at all, and whole.
      request.headers.erase("Accept-Encoding");
      request.ranges.clear();
    });
    return answered && !closed && !last && !connection.close_after;
  }
};

HttpServer::HttpServer(const HttpOptions& options) : options_(options) {
  if (!options_.certificate.empty()) {
    tls_ = std::make_unique<TlsContext>(
        TlsContext::server({options_.certificate, options_.key, options_.client_authority,
                            /*allow_tls12=*/options_.client_authority.empty()}));
  }
  listener_ = listen_on(options_.address, options_.port);
  port_ = port_of(listener_);
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

HttpServer::~HttpServer() {
  close(listener_);
  close(wake_);
}

void HttpServer::stop() {
  const std::uint64_t wake_up = 1;
  (void)!write(wake_, &wake_up, sizeof(wake_up));
}

void HttpServer::serve(const Handler& handler) {
  parser_ = std::make_unique<Parser>(handler, tls_ != nullptr, listener_);
  while (true) {
    std::array<pollfd, 2> waiting{{{listener_, POLLIN, 0}, {wake_, POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) break;
    if (waiting[1].revents != 0) break;
    if (waiting[0].revents != 0) accept_one();
  }
  std::unique_lock lock(mutex_);
  for (auto* connection : connections_) connection->shut();
  closed_.wait(lock, [this] { return connections_.empty(); });
}

void HttpServer::accept_one() {
  const int descriptor = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (descriptor < 0) {
    // Out of descriptors or memory.
    if (errno != EAGAIN && errno != EINTR) {
      make_room(0ms);
      std::this_thread::sleep_for(10ms);
    }
    return;
  }
  const int yes = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  auto connection =
      std::make_shared<Connection>(descriptor, tls_ == nullptr ? nullptr : tls_->get());
  if (!find_place(connection.get())) return;
  const auto forget = [this](Connection* gone) {
    const std::lock_guard lock(mutex_);
    connections_.erase(gone);
    closed_.notify_all();
  };
  try {
    std::thread([this, connection, forget] {
      converse(*connection);
      forget(connection.get());
    }).detach();
  } catch (const std::system_error&) {  // no more threads
    forget(connection.get());
  }
}

bool HttpServer::find_place(Connection* connection) {
  const auto began = std::chrono::steady_clock::now();
  while (true) {
    const auto waited = std::chrono::steady_clock::now() - began;
    make_room(waited < kGrace ? kGrace : 0ms);
    std::unique_lock lock(mutex_);
    const auto is_room = [this] { return connections_.size() < 2 * options_.connections; };
    // Those that were told to close may need a moment; the next ones wait in the kernel's queue.
    if (closed_.wait_for(lock, 50ms, is_room)) {
      connections_.insert(connection);
      return true;
    }
    if (waited > kMakeRoom) return false;
  }
}

void HttpServer::make_room(std::chrono::milliseconds grace) {
  const std::lock_guard lock(mutex_);
  const auto patience = (std::chrono::steady_clock::now() - grace).time_since_epoch().count();
  std::size_t open = 0;
  std::vector<std::pair<std::int64_t, Connection*>> waiting;
  for (auto* connection : connections_) {
    if (connection->was_shut()) continue;
    ++open;
    const auto since = connection->waiting_since();
    if (since != 0 && since < patience) waiting.emplace_back(since, connection);
  }
  if (open < options_.connections) return;
  const std::size_t shut = std::min(open - options_.connections + 1, waiting.size());
  std::partial_sort(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(shut),
                    waiting.end());
  for (std::size_t i = 0; i < shut; ++i) waiting[i].second->shut();
}

void HttpServer::converse(Connection& connection) {
  current = &connection;
  try {
    if (!connection.handshake()) return;
    bool more = true;
    for (std::size_t i = 1; more && i <= kMostRequests; ++i) {
      if (!connection.wait_readable(kIdle)) return;
      more = parser_->answer_one(connection, i == kMostRequests);
    }
    connection.linger();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): no memory; the client sees it
  }
}

}  // namespace pratique::net
