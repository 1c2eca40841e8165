#include "pratique/server/gate.h"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <span>
#include <sstream>

#include "pratique/core/ascii.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/crypto/random.h"

namespace pratique::server {
namespace {

// The lengths of secrets are no secret.
bool same_secret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string port_of(const std::string& host) {
  const auto colon = host.rfind(':');
  return colon == std::string::npos ? "" : host.substr(colon + 1);
}

}  // namespace

Gate::Gate(std::string token, std::vector<std::string> hosts, bool secure, std::string ended)
    : token_(std::move(token)),
      hosts_(std::move(hosts)),
      secure_(secure),
      ended_file_(std::move(ended)) {
  std::error_code none;
  if (!ended_file_.empty() && std::filesystem::is_regular_file(ended_file_, none)) {
    std::istringstream lines(read_file(ended_file_));
    // Of a cookie by another token, proof_of() is another.
    for (std::string session; std::getline(lines, session);) ended_.insert(session);
  }
  for (auto& host : hosts_) host = lower(host);
  // Cookies do not know ports: two workbenches on one machine must not log each other out.
  cookie_name_ = "pratique_" + (hosts_.empty() ? "" : port_of(hosts_.front()));
}

void Gate::check_host(const net::Request& request) const {
  const std::string host = lower(request.header("host"));
  if (std::find(hosts_.begin(), hosts_.end(), host) == hosts_.end()) {
    throw net::Problem(421, "this server is not known by that name")
        .hint("Open the address it printed; --host-name adds another name.");
  }
}

void Gate::check_same_origin(const net::Request& request) const {
  // To a browser another port of this machine is the same site, but it is not us.
  const std::string from = request.header("sec-fetch-site");
  if (!from.empty() && from != "same-origin" && from != "none") {
    throw net::Problem(403, "another site may not use this server");
  }
  const std::string origin = lower(request.header("origin"));
  const std::string ours = (secure_ ? "https://" : "http://") + lower(request.header("host"));
  if (!origin.empty() && origin != ours) throw net::Problem(403, "the Origin is not this server");
}

void Gate::check_api(const net::Request& request) const {
  const std::string authorization = request.header("authorization");
  constexpr std::string_view bearer = "Bearer ";
  const bool has_token = !token_.empty() && authorization.starts_with(bearer) &&
                         is_token(std::string_view(authorization).substr(bearer.size()));
  // A browser says where a request comes from; programs say nothing.
  check_same_origin(request);
  if (has_token) return;
  if (!token_.empty() && session_of(request).empty()) {
    throw net::Problem(401, "log in first")
        .hint("Open the address with the token that pratique serve printed.");
  }
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (!reads && request.header("x-pratique") != "1") {
    throw net::Problem(403, "a request that changes something needs the header X-Pratique: 1");
  }
}

bool Gate::is_token(std::string_view text) const {
  return !token_.empty() && same_secret(text, token_);
}

std::string Gate::proof_of(std::string_view session) const {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(token_.data());
  return to_hex(
      hmac_sha256(std::span(bytes, token_.size()), fmt::format("pratique session {}", session)));
}

bool Gate::is_ended(const std::string& session) const {
  const std::lock_guard lock(mutex_);
  return ended_.contains(session);
}

void Gate::end_session(const net::Request& request) {
  const std::string session = session_of(request);
  const std::lock_guard lock(mutex_);
  if (session.empty() || !ended_.insert(session).second || ended_file_.empty()) return;
  std::string lines;
  for (const auto& job : ended_) lines += job + "\n";
  AtomicFile file(ended_file_, 0600);
  file.write(lines);
  file.commit();
}

std::string Gate::session_of(const net::Request& request) const {
  const std::string all = request.header("cookie");
  std::string_view rest = all;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(';'), rest.size());
    std::string_view cookie = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    cookie.remove_prefix(std::min(cookie.find_first_not_of(' '), cookie.size()));
    const auto equals = cookie.find('=');
    if (equals == std::string_view::npos || cookie.substr(0, equals) != cookie_name_) continue;
    const std::string_view value = cookie.substr(equals + 1);
    std::string session(value.substr(0, value.find('.')));
    if (session.size() == value.size() || is_ended(session)) continue;
    if (same_secret(value.substr(session.size() + 1), proof_of(session))) return session;
  }
  return {};
}

std::string Gate::login_cookie() const {
  const std::string session = draw_token();
  return fmt::format("{}={}.{}; Path=/; HttpOnly; SameSite=Strict{}", cookie_name_, session,
                     proof_of(session), secure_ ? "; Secure" : "");
}

std::string Gate::logout_cookie() const {
  return fmt::format("{}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict{}", cookie_name_,
                     secure_ ? "; Secure" : "");
}

std::string draw_token() {
  std::array<std::byte, 32> bytes{};
  secure_bytes(bytes);
  const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return to_hex(std::span(begin, bytes.size()));
}

}  // namespace pratique::server
