#include "pratique/net/http_client.h"

#include <gtest/gtest.h>

#include <csignal>
#include <future>
#include <thread>

#include "pratique/core/error.h"
#include "pratique/net/http_server.h"
#include "pratique/net/socket.h"
#include "pratique/net/testing/certificates_for_test.h"

namespace pratique::net::http_client_test {
namespace {

using namespace std::chrono_literals;

// A server that tells what it was asked.
class EchoServer {
 public:
  explicit EchoServer(const HttpOptions& options = with_any_port({})) : server_(options) {
    std::signal(SIGPIPE, SIG_IGN);
    thread_ = std::thread([this] { server_.serve(answer); });
  }
  ~EchoServer() {
    server_.stop();
    thread_.join();
  }
  EchoServer(const EchoServer&) = delete;
  EchoServer& operator=(const EchoServer&) = delete;

  static HttpOptions with_any_port(const TlsOptions& tls) {
    HttpOptions options;
    options.port = 0;
    options.certificate = tls.certificate;
    options.key = tls.key;
    options.client_authority = tls.authority;
    return options;
  }

  [[nodiscard]] HttpClientOptions client() const {
    HttpClientOptions options;
    options.host = "127.0.0.1";
    options.port = server_.port();
    return options;
  }

 private:
  static Response answer(const Request& request) {
    Response response;
    response.type = "text/plain";
    if (request.path == "/stream") {
      response.stream = [n = 0](const std::function<bool(std::string_view)>& send) mutable {
        return send("block ") && ++n < 3;
      };
      return response;
    }
    response.status = request.path == "/missing" ? 404 : 200;
    response.headers.emplace_back("X-Peer", request.peer);
    response.body = request.method + " " + request.path + " " + read_whole_body(request, 1000000);
    return response;
  }

  HttpServer server_;
  std::thread thread_;
};

TEST(HttpClient, AsksAndIsAnswered) {
  const EchoServer server;
  const HttpClient client(server.client());
  HttpAnswer answer = client.ask({.path = "/a"});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers["content-type"], "text/plain");
  EXPECT_EQ(answer.body, "GET /a ");
  const std::string much(300000, 'x');
  EXPECT_EQ(client.ask({.method = "POST", .path = "/b", .body = much}).body, "POST /b " + much);
  EXPECT_EQ(client.ask({.path = "/missing"}).status, 404);
  EXPECT_EQ(client.ask({.path = "/stream"}).body, "block block block ");
  EXPECT_EQ(client.ask({.method = "HEAD", .path = "/a"}).body, "");
}

TEST(HttpClient, ServerAndClientKnowEachOther) {
  CertificatesForTest certificates;
  const EchoServer server(EchoServer::with_any_port(certificates.identity("authority-node")));
  HttpClientOptions options = server.client();
  options.tls = certificates.identity("hospital-7");
  HttpAnswer answer = HttpClient(options).ask({.path = "/a"});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers["x-peer"], "hospital-7");

  TlsOptions nameless;
  nameless.authority = certificates.authority();
  options.tls = nameless;
  EXPECT_THROW((void)HttpClient(options).ask({}), Error);
  options.tls.reset();
  EXPECT_THROW((void)HttpClient(options).ask({}), Error);
}

TEST(HttpClient, TakesNoMoreThanItMay) {
  const EchoServer server;
  HttpClientOptions options = server.client();
  options.largest_body = 1000;
  EXPECT_THROW((void)HttpClient(options).ask({.method = "POST", .body = std::string(2000, 'x')}),
               Error);
}

TEST(HttpClient, NothingIsPutIntoAHead) {
  const EchoServer server;
  const HttpClient client(server.client());
  EXPECT_THROW((void)client.ask({.path = "/a HTTP/1.1\r\nX: y"}), Error);
  EXPECT_THROW((void)client.ask({.headers = {{"X", "a\r\nY: b"}}}), Error);
}

// Answers with these bytes and then waits for the client to leave.
class RawServer {
 public:
  explicit RawServer(std::string bytes)
      : served_(std::async(std::launch::async, [this, bytes = std::move(bytes)] {
          Socket client = listener_.accept(within(10s));
          client.write(bytes, within(10s));
          if (bytes.ends_with("END")) return;
          char byte = 0;
          try {
            while (client.read(&byte, 1, within(10s)) != 0) continue;
          } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it left in the middle
          }
        })) {}

  [[nodiscard]] HttpClientOptions client() const {
    HttpClientOptions options;
    options.host = "127.0.0.1";
    options.port = listener_.port();
    return options;
  }

 private:
  Listener listener_{"127.0.0.1", 0};
  std::future<void> served_;
};

TEST(HttpClient, ASilentOrDawdlingServerIsGivenUp) {
  const RawServer silent("");
  HttpClientOptions options = silent.client();
  options.pause = 20ms;
  EXPECT_THROW((void)HttpClient(options).ask({}), Error);
  const RawServer dawdling("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
  options = dawdling.client();
  options.total = 50ms;
  EXPECT_THROW((void)HttpClient(options).ask({}), Error);
}

TEST(HttpClient, WhatIsNotHttpIsAnError) {
  const std::string too_long(40000, 'x');
  for (const std::string& bytes :
       {std::string("SSH-2.0-OpenSSH\r\n\r\n"), std::string("HTTP/1.1 OK\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\nno colon\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        "HTTP/1.1 200 OK\r\nX: " + too_long + "\r\n\r\n"}) {
    const RawServer server(bytes);
    EXPECT_THROW((void)HttpClient(server.client()).ask({}), Error) << bytes.substr(0, 60);
  }
}

TEST(HttpClient, AnAnswerMayEndWithItsConnection) {
  const RawServer server("HTTP/1.0 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\nall of it END");
  EXPECT_EQ(HttpClient(server.client()).ask({}).body, "all of it END");
}

}  // namespace
}  // namespace pratique::net::http_client_test
