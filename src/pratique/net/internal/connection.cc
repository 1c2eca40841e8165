#include "pratique/net/internal/connection.h"

#include <openssl/err.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace pratique::net {
namespace {

using namespace std::chrono_literals;
constexpr auto kHead = 10s;
constexpr std::uint64_t kLongestHead = 32768;
constexpr auto kBodyPause = 15s;
constexpr std::uint64_t kSlowestBody = 16384;  // bytes a second
constexpr auto kWrite = 20s;
constexpr auto kHandshake = 10s;
constexpr auto kLinger = 3s;
constexpr std::uint64_t kMostLingering = 256ULL << 20U;

}  // namespace

HttpServer::Connection::Connection(int descriptor, SSL_CTX* tls) : descriptor_(descriptor) {
  if (tls != nullptr) {
    ssl_ = SSL_new(tls);
    SSL_set_fd(ssl_, descriptor_);
    SSL_set_accept_state(ssl_);
  }
}

HttpServer::Connection::~Connection() {
  if (ssl_ != nullptr) SSL_free(ssl_);
  close(descriptor_);
}

void HttpServer::Connection::begin_head() {
  in_head_ = true;
  read_bytes_ = 0;
  began_ = Clock::now();
  close_after = false;
}

void HttpServer::Connection::begin_body() {
  in_head_ = false;
  read_bytes_ = 0;
  began_ = Clock::now();
}

bool HttpServer::Connection::wait_for(short events, Clock::time_point until) {
  // A head has begun once: a byte now and then makes its client no younger.
  waiting_since_ = (in_head_ ? began_ : Clock::now()).time_since_epoch().count();
  bool ready = false;
  while (!ready) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left < 0) break;
    pollfd waiting{descriptor_, events, 0};
    const int got = poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left + 1, 60'000)));
    if (got < 0 && errno != EINTR) break;
    ready = got > 0;
  }
  waiting_since_ = 0;
  return ready;
}

bool HttpServer::Connection::wait_readable(std::chrono::milliseconds patience) {
  if (begin_ < end_ || (ssl_ != nullptr && SSL_pending(ssl_) > 0)) return true;
  began_ = Clock::now();
  return wait_for(POLLIN, began_ + patience);
}

bool HttpServer::Connection::handshake() {
  if (ssl_ == nullptr) return true;
  began_ = Clock::now();
  const auto until = Clock::now() + kHandshake;
  while (true) {
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl_);
    if (result == 1) return true;
    const int wanted = SSL_get_error(ssl_, result);
    if (wanted != SSL_ERROR_WANT_READ && wanted != SSL_ERROR_WANT_WRITE) return false;
    if (!wait_for(wanted == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, until)) return false;
  }
}

HttpServer::Connection::Clock::time_point HttpServer::Connection::read_deadline() const {
  if (in_head_) return began_ + kHead;
  // A whole minute is never too long, so that a small body may stumble.
  return std::min(Clock::now() + kBodyPause,
                  began_ + 60s + std::chrono::seconds(read_bytes_ / kSlowestBody));
}

std::ptrdiff_t HttpServer::Connection::receive(char* into, std::size_t bytes,
                                               Clock::time_point until) {
  while (true) {
    short events = POLLIN;
    if (ssl_ != nullptr) {
      ERR_clear_error();
      const int got = SSL_read(ssl_, into, static_cast<int>(bytes));
      if (got > 0) return got;
      const int wanted = SSL_get_error(ssl_, got);
      if (wanted == SSL_ERROR_ZERO_RETURN) return 0;
      if (wanted == SSL_ERROR_WANT_WRITE) {
        events = POLLOUT;
      } else if (wanted != SSL_ERROR_WANT_READ) {
        return -1;
      }
    } else {
      const ssize_t got = recv(descriptor_, into, bytes, MSG_DONTWAIT);
      if (got >= 0) return got;
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
    }
    if (!wait_for(events, until)) {
      timed_out_ = true;
      return -1;
    }
  }
}

std::ptrdiff_t HttpServer::Connection::read(char* into, std::size_t bytes) {
  if (begin_ == end_) {
    const std::ptrdiff_t got = receive(buffer_.data(), buffer_.size(), read_deadline());
    if (got <= 0) return got;
    begin_ = 0;
    end_ = static_cast<std::size_t>(got);
  }
  if (in_head_ && read_bytes_ >= kLongestHead) return -1;
  if (!in_head_ && Clock::now() > read_deadline()) {
    timed_out_ = true;
    return -1;
  }
  const std::size_t given = std::min(bytes, end_ - begin_);
  std::memcpy(into, buffer_.data() + begin_, given);
  begin_ += given;
  read_bytes_ += given;
  return static_cast<std::ptrdiff_t>(given);
}

std::ptrdiff_t HttpServer::Connection::write(const char* from, std::size_t bytes) {
  const auto until = Clock::now() + kWrite;
  waiting_since_ = 0;
  while (true) {
    short events = POLLOUT;
    if (ssl_ != nullptr) {
      ERR_clear_error();
      const int put =
          SSL_write(ssl_, from, static_cast<int>(std::min<std::size_t>(bytes, 1U << 20U)));
      if (put > 0) return put;
      const int wanted = SSL_get_error(ssl_, put);
      if (wanted == SSL_ERROR_WANT_READ) {
        events = POLLIN;
      } else if (wanted != SSL_ERROR_WANT_WRITE) {
        return -1;
      }
    } else {
      const ssize_t put = send(descriptor_, from, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (put >= 0) return put;
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
    }
    if (!wait_for(events, until)) return -1;
  }
}

void HttpServer::Connection::begin_rest() {
  if (waiting_since_ == 0) waiting_since_ = Clock::now().time_since_epoch().count();
}

void HttpServer::Connection::linger() {
  if (ssl_ != nullptr) SSL_shutdown(ssl_);
  shutdown(descriptor_, SHUT_WR);
  const auto until = Clock::now() + kLinger;
  std::uint64_t drained = 0;
  while (drained < kMostLingering && wait_for(POLLIN, until)) {
    const ssize_t got = recv(descriptor_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (got <= 0) return;
    drained += static_cast<std::uint64_t>(got);
  }
}

void HttpServer::Connection::shut() {
  was_shut_ = true;
  shutdown(descriptor_, SHUT_RDWR);
}

}  // namespace pratique::net
