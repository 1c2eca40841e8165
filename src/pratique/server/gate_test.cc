#include "pratique/server/gate.h"

#include <gtest/gtest.h>

#include "pratique/core/file.h"

namespace pratique::server::gate_test {
namespace {

using Headers = std::map<std::string, std::string>;

const std::string kToken(64, 'a');

int status_of(const Gate& gate, const std::string& method, const Headers& headers) {
  net::Request request;
  request.method = method;
  request.headers = headers;
  try {
    gate.check_host(request);
    gate.check_api(request);
    return 200;
  } catch (const net::Problem& problem) {
    return problem.status();
  }
}

std::string cookie_of(const Gate& gate) {
  const std::string set = gate.login_cookie();
  return set.substr(0, set.find(';'));
}

TEST(Gate, HostMustBeOurs) {
  const Gate gate(kToken, {"127.0.0.1:80", "localhost:80"}, false);
  const std::string bearer = "Bearer " + kToken;
  EXPECT_EQ(status_of(gate, "GET", {{"host", "LocalHost:80"}, {"authorization", bearer}}), 200);
  for (const char* host : {"", "localhost", "localhost:81", "evil:80", "localhost:80.evil"}) {
    EXPECT_EQ(status_of(gate, "GET", {{"host", host}, {"authorization", bearer}}), 421) << host;
  }
}

TEST(Gate, TokenOrCookie) {
  const Gate gate(kToken, {"h:1"}, false);
  const auto with = [&](const char* name, const std::string& value) {
    return status_of(gate, "GET", {{"host", "h:1"}, {name, value}});
  };
  EXPECT_EQ(with("authorization", "Bearer " + kToken), 200);
  EXPECT_EQ(with("cookie", cookie_of(gate)), 200);
  EXPECT_EQ(with("cookie", "x=1; " + cookie_of(gate) + "; y"), 200);
  for (const auto& wrong :
       std::vector<std::string>{"", kToken, "Bearer " + kToken + "a", "bearer",
                                "Bearer " + kToken.substr(1), "Basic " + kToken}) {
    EXPECT_EQ(with("authorization", wrong), 401) << wrong;
  }
  for (const auto& wrong :
       std::vector<std::string>{"pratique_1=", "pratique_1=" + kToken,
                                cookie_of(gate).substr(0, 20), "x" + cookie_of(gate)}) {
    EXPECT_EQ(with("cookie", wrong), 401) << wrong;
  }
  // Another server's cookie: another token, another port.
  EXPECT_EQ(with("cookie", cookie_of(Gate(std::string(64, 'b'), {"h:1"}, false))), 401);
  EXPECT_EQ(with("cookie", cookie_of(Gate(kToken, {"h:2"}, false))), 401);
}

TEST(Gate, ChangesByCookieNeedHeaderAndOrigin) {
  const Gate gate(kToken, {"h:1"}, false);
  Headers headers = {{"host", "h:1"}, {"cookie", cookie_of(gate)}};
  EXPECT_EQ(status_of(gate, "POST", headers), 403);
  headers["x-pratique"] = "1";
  EXPECT_EQ(status_of(gate, "POST", headers), 200);
  headers["origin"] = "http://h:1";
  EXPECT_EQ(status_of(gate, "POST", headers), 200);
  for (const char* origin : {"https://h:1", "http://h", "http://evil", "null", "http://h:1.evil"}) {
    headers["origin"] = origin;
    EXPECT_EQ(status_of(gate, "POST", headers), 403) << origin;
    EXPECT_EQ(status_of(gate, "GET", headers), 403) << origin;
  }
  // Nor with the token itself: no page elsewhere has it.
  EXPECT_EQ(
      status_of(
          gate, "POST",
          {{"host", "h:1"}, {"authorization", "Bearer " + kToken}, {"origin", "http://evil"}}),
      403);
  headers.erase("origin");
  headers["sec-fetch-site"] = "cross-site";
  EXPECT_EQ(status_of(gate, "GET", headers), 403);
}

TEST(Gate, WithoutATokenChangesStillNeedTheHeader) {
  const Gate gate("", {"h:1"}, false);
  EXPECT_EQ(status_of(gate, "GET", {{"host", "h:1"}}), 200);
  EXPECT_EQ(status_of(gate, "POST", {{"host", "h:1"}}), 403);
  EXPECT_EQ(status_of(gate, "POST", {{"host", "h:1"}, {"x-pratique", "1"}}), 200);
  EXPECT_FALSE(gate.is_token(""));
}

TEST(Gate, TheCookieIsNotTheTokenAndSecureUnderTls) {
  const Gate gate(kToken, {"h:1"}, true);
  EXPECT_EQ(gate.login_cookie().find(kToken), std::string::npos);
  EXPECT_NE(gate.login_cookie().find("; Secure"), std::string::npos);
  EXPECT_EQ(draw_token().size(), 64U);
  EXPECT_NE(draw_token(), draw_token());
}

TEST(Gate, LoggingOutEndsThatSessionAlone) {
  Gate gate(kToken, {"h:1"}, false);
  const std::string mine = cookie_of(gate);
  const std::string other = cookie_of(gate);
  EXPECT_NE(mine, other);
  const auto asks = [&](const std::string& cookie) {
    net::Request request;
    request.method = "GET";
    request.headers = {{"host", "h:1"}, {"cookie", cookie}};
    return request;
  };
  EXPECT_NO_THROW(gate.check_api(asks(mine)));
  gate.end_session(asks(mine));
  EXPECT_THROW(gate.check_api(asks(mine)), net::Problem);
  EXPECT_NO_THROW(gate.check_api(asks(other)));
  gate.end_session(asks("pratique_1=x.y"));  // nobody's
  EXPECT_NO_THROW(gate.check_api(asks(other)));
  // A session's number is worth nothing without its proof.
  EXPECT_THROW(gate.check_api(asks(other.substr(0, other.find('.') + 1))), net::Problem);
}

TEST(Gate, ASessionThatEndedStaysSoAfterARestart) {
  const PrivateFolder folder;
  const std::string file = folder.path() + "/ended";
  net::Request request;
  request.method = "GET";
  {
    Gate gate(kToken, {"h:1"}, false, file);
    request.headers = {{"host", "h:1"}, {"cookie", cookie_of(gate)}};
    EXPECT_NO_THROW(gate.check_api(request));
    gate.end_session(request);
  }
  const Gate again(kToken, {"h:1"}, false, file);
  EXPECT_THROW(again.check_api(request), net::Problem);
  request.headers = {{"host", "h:1"}, {"cookie", cookie_of(again)}};
  EXPECT_NO_THROW(again.check_api(request));
}

}  // namespace
}  // namespace pratique::server::gate_test
