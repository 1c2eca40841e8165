#include "pratique/net/internal/stream.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "pratique/core/error.h"

namespace pratique::net {
namespace {

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

}  // namespace

Stream::~Stream() {
  if (ssl_ != nullptr) SSL_free(ssl_);
  close(descriptor_);
}

void Stream::accept_tls(SSL_CTX* tls) {
  ssl_ = SSL_new(tls);
  SSL_set_fd(ssl_, descriptor_);
  SSL_set_accept_state(ssl_);
}

void Stream::connect_tls(SSL_CTX* tls, const std::string& host) {
  ssl_ = SSL_new(tls);
  SSL_set_fd(ssl_, descriptor_);
  SSL_set_connect_state(ssl_);
  // A certificate of the authority for another host is no proof that this is the one.
  X509_VERIFY_PARAM* expected = SSL_get0_param(ssl_);
  const bool set = is_address(host)
                       ? X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) == 1
                       : X509_VERIFY_PARAM_set1_host(expected, host.c_str(), host.size()) == 1 &&
                             SSL_set_tlsext_host_name(ssl_, host.c_str()) == 1;
  if (!set) throw Error::input("this is not the name of a host");
}

bool Stream::handshake(Clock::time_point until) {
  if (ssl_ == nullptr) return true;
  timed_out_ = false;  // it may go on
  while (true) {
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl_);
    if (result == 1) return true;
    const int wanted = SSL_get_error(ssl_, result);
    if (wanted != SSL_ERROR_WANT_READ && wanted != SSL_ERROR_WANT_WRITE) {
      broken_ = true;
      return false;
    }
    if (!wait_for(wanted == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, until)) {
      timed_out_ = true;
      return false;
    }
  }
}

bool poll_until(int descriptor, short events, std::chrono::steady_clock::time_point until) {
  using Clock = std::chrono::steady_clock;
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left < 0) return false;
    pollfd waiting{descriptor, events, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left + 1, 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool Stream::readable(Clock::time_point until) {
  if (ssl_ != nullptr && SSL_has_pending(ssl_) == 1) return true;
  return poll_until(descriptor_, POLLIN, until);
}

std::ptrdiff_t Stream::receive(char* into, std::size_t bytes, Clock::time_point until) {
  while (true) {
    short events = POLLIN;
    if (ssl_ != nullptr) {
      ERR_clear_error();
      const int received =
          SSL_read(ssl_, into, static_cast<int>(std::min<std::size_t>(bytes, 1U << 20U)));
      if (received > 0) return received;
      const int wanted = SSL_get_error(ssl_, received);
      if (wanted == SSL_ERROR_ZERO_RETURN) return 0;
      if (wanted == SSL_ERROR_WANT_WRITE) {
        events = POLLOUT;
      } else if (wanted != SSL_ERROR_WANT_READ) {
        broken_ = true;
        return -1;
      }
    } else {
      const ssize_t received = recv(descriptor_, into, bytes, MSG_DONTWAIT);
      if (received >= 0) return received;
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
    }
    if (!wait_for(events, until)) {
      timed_out_ = true;
      return -1;
    }
  }
}

std::ptrdiff_t Stream::send(const char* from, std::size_t bytes, Clock::time_point until) {
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
        broken_ = true;
        return -1;
      }
    } else {
      const ssize_t put = ::send(descriptor_, from, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (put >= 0) return put;
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
    }
    if (!wait_for(events, until)) {
      timed_out_ = true;
      return -1;
    }
  }
}

void Stream::end() {
  // After a failure OpenSSL must not be asked.
  if (ssl_ != nullptr && !broken_ && SSL_is_init_finished(ssl_) == 1) SSL_shutdown(ssl_);
  shutdown(descriptor_, SHUT_WR);
}

std::string Stream::peer() const {
  if (ssl_ == nullptr || (SSL_get_verify_mode(ssl_) & SSL_VERIFY_PEER) == 0) return {};
  X509* certificate = SSL_get0_peer_certificate(ssl_);
  if (certificate == nullptr || SSL_get_verify_result(ssl_) != X509_V_OK) return {};
  const X509_NAME* subject = X509_get_subject_name(certificate);
  const int place = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (place < 0) return {};
  const ASN1_STRING* name = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, place));
  unsigned char* text = nullptr;
  const int bytes = ASN1_STRING_to_UTF8(&text, name);
  if (bytes < 0) return {};
  std::string common_name(reinterpret_cast<const char*>(text), static_cast<std::size_t>(bytes));
  OPENSSL_free(text);
  return common_name;
}

}  // namespace pratique::net
