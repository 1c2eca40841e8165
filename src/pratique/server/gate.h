// Who may ask what: every request passes here first.
//
// 1. Host. A page of another site can point its own name at 127.0.0.1 (DNS rebinding) and then talk
//    to this server as "same origin"; but the browser still sends that name as Host. Only the names
//    this server goes by are answered.
// 2. Login. A secret token, in `Authorization: Bearer TOKEN` or as a cookie that is derived from
//    it and a number of its own, which logging out ends. The cookie is HttpOnly and
//    SameSite=Strict. Secrets are compared in constant time.
// 3. Cross-site requests. A browser sends the cookie with requests that other pages on this host
//    cause. So whatever is not a plain read needs, unless it has the token itself, the header
//    `X-Pratique: 1`, which no other origin may send without asking first and nobody is ever
//    allowed, and an Origin, where there is one, that is ours. What the browser marks as coming
//    from another site, or from another port of this machine, is refused outright.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/net/http.h"

namespace pratique::server {

class Gate {
 public:
  // `hosts` as in the Host header, with port. An empty token: nobody needs to log in. Sessions that
  // ended are kept in the file `ended`, so that they stay so after a restart; empty: in memory.
  Gate(std::string token, std::vector<std::string> hosts, bool secure, std::string ended = {});

  // Rule 1. Throws Problem 421.
  void check_host(const net::Request& request) const;
  // Rules 2 and 3. Throws Problem 401 or 403.
  void check_api(const net::Request& request) const;
  // Rule 3 alone, for logging in. Throws Problem 403.
  void check_same_origin(const net::Request& request) const;

  [[nodiscard]] bool is_token(std::string_view text) const;
  // The Set-Cookie of somebody who showed the token, and of somebody who leaves.
  [[nodiscard]] std::string login_cookie() const;
  [[nodiscard]] std::string logout_cookie() const;
  // From now on its cookie, copied by whomever, opens nothing.
  void end_session(const net::Request& request);

 private:
  // The number of the session that the request belongs to; empty where its cookie is not ours.
  [[nodiscard]] std::string session_of(const net::Request& request) const;
  [[nodiscard]] std::string proof_of(std::string_view session) const;
  [[nodiscard]] bool is_ended(const std::string& session) const;
  std::string token_;
  std::string cookie_name_;
  std::vector<std::string> hosts_;
  bool secure_;
  mutable std::mutex mutex_;
  std::string ended_file_;
  std::set<std::string> ended_;
};

// 256 random bits in hexadecimal.
[[nodiscard]] std::string draw_token();

}  // namespace pratique::server
