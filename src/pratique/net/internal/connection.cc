#include "pratique/net/internal/connection.h"

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

HttpServer::Connection::Connection(int descriptor, SSL_CTX* tls) : Stream(descriptor) {
  if (tls != nullptr) accept_tls(tls);
}

void HttpServer::Connection::begin_head() {
  in_head_ = true;
  head_.clear();
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
  const bool ready = Stream::wait_for(events, until);
  waiting_since_ = 0;
  return ready;
}

bool HttpServer::Connection::wait_readable(std::chrono::milliseconds patience) {
  if (begin_ < end_ || (ssl_ != nullptr && SSL_pending(ssl_) > 0)) return true;
  began_ = Clock::now();
  return wait_for(POLLIN, began_ + patience);
}

bool HttpServer::Connection::handshake() {
  began_ = Clock::now();
  return Stream::handshake(began_ + kHandshake);
}

HttpServer::Connection::Clock::time_point HttpServer::Connection::read_deadline() const {
  if (in_head_) return began_ + kHead;
  // A whole minute is never too long, so that a small body may stumble.
  return std::min(Clock::now() + kBodyPause,
                  began_ + 60s + std::chrono::seconds(read_bytes_ / kSlowestBody));
}

std::ptrdiff_t HttpServer::Connection::read(char* into, std::size_t bytes) {
  if (begin_ == end_) {
    const std::ptrdiff_t received = receive(buffer_.data(), buffer_.size(), read_deadline());
    if (received <= 0) return received;
    begin_ = 0;
    end_ = static_cast<std::size_t>(received);
  }
  if (in_head_ && read_bytes_ >= kLongestHead) return -1;
  if (!in_head_ && Clock::now() > read_deadline()) {
    timed_out_ = true;
    return -1;
  }
  const std::size_t given = std::min(bytes, end_ - begin_);
  std::memcpy(into, buffer_.data() + begin_, given);
  if (in_head_) head_.append(into, given);
  begin_ += given;
  read_bytes_ += given;
  return static_cast<std::ptrdiff_t>(given);
}

std::ptrdiff_t HttpServer::Connection::write(const char* from, std::size_t bytes) {
  waiting_since_ = 0;
  return send(from, bytes, Clock::now() + kWrite);
}

void HttpServer::Connection::begin_rest() {
  if (waiting_since_ == 0) waiting_since_ = Clock::now().time_since_epoch().count();
}

void HttpServer::Connection::linger() {
  end();
  const auto until = Clock::now() + kLinger;
  std::uint64_t drained = 0;
  while (drained < kMostLingering && wait_for(POLLIN, until)) {
    const ssize_t received = recv(descriptor_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (received <= 0) return;
    drained += static_cast<std::uint64_t>(received);
  }
}

void HttpServer::Connection::shut() {
  was_shut_ = true;
  shutdown(descriptor_, SHUT_RDWR);
}

}  // namespace pratique::net
