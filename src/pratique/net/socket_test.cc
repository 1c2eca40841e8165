#include "pratique/net/socket.h"

#include <gtest/gtest.h>

#include <csignal>
#include <future>

#include "pratique/core/error.h"
#include "pratique/net/testing/certificates_for_test.h"

namespace pratique::net::socket_test {
namespace {

using namespace std::chrono_literals;

class SocketTest : public testing::Test {
 protected:
  SocketTest() { std::signal(SIGPIPE, SIG_IGN); }

  // What the server read, up to `bytes`, or its error.
  std::future<std::string> serve(std::size_t bytes, const TlsContext* tls = nullptr) {
    return std::async(std::launch::async, [this, bytes, tls]() -> std::string {
      try {
        Socket client = listener.accept(within(10s), tls);
        std::string text = client.peer() + ":";
        std::string block(bytes, '\0');
        std::size_t read = 0;
        while (read < bytes) {
          const std::size_t received = client.read(block.data(), bytes - read, within(10s));
          if (received == 0) break;
          text += block.substr(0, received);
          read += received;
        }
        client.write("thanks", within(10s));
        return text;
      } catch (const Error& error) {
        return "error: " + error.message();
      }
    });
  }

  [[nodiscard]] Socket connect(const TlsContext* tls = nullptr) const {
    return Socket::connect("127.0.0.1", listener.port(), within(10s), tls);
  }

  static std::string read_all(Socket& socket) {
    std::string text;
    std::string block(64, '\0');
    while (const std::size_t received = socket.read(block.data(), block.size(), within(10s))) {
      text += block.substr(0, received);
    }
    return text;
  }

  Listener listener{"127.0.0.1", 0};
  CertificatesForTest certificates;
};

TEST_F(SocketTest, PlainBytesGoBothWays) {
  auto served = serve(5);
  Socket client = connect();
  client.write("hello", within(10s));
  EXPECT_EQ(read_all(client), "thanks");
  EXPECT_EQ(served.get(), ":hello");
}

TEST_F(SocketTest, BothSidesKnowEachOther) {
  const auto server = TlsContext::server(certificates.identity("hospital-1"));
  const auto ours = TlsContext::client(certificates.identity("hospital-2"));
  auto served = serve(5, &server);
  Socket client = connect(&ours);
  EXPECT_EQ(client.peer(), "hospital-1");
  client.write("hello", within(10s));
  EXPECT_EQ(read_all(client), "thanks");
  EXPECT_EQ(served.get(), "hospital-2:hello");
}

TEST_F(SocketTest, AClientWithoutACertificateIsRefused) {
  const auto server = TlsContext::server(certificates.identity("hospital-1"));
  TlsOptions nameless;
  nameless.authority = certificates.authority();
  const auto ours = TlsContext::client(nameless);
  auto served = serve(5, &server);
  // TLS 1.3 tells the client only when it reads.
  EXPECT_THROW(
      {
        Socket client = connect(&ours);
        client.write("hello", within(10s));
        (void)read_all(client);
      },
      Error);
  EXPECT_TRUE(served.get().starts_with("error: a client is not who it must be"));
}

TEST_F(SocketTest, ACertificateOfAnotherAuthorityIsRefused) {
  CertificatesForTest others;
  const auto server = TlsContext::server(certificates.identity("hospital-1"));
  // It trusts our authority, but shows what the other one signed.
  TlsOptions forged = others.identity("hospital-2");
  forged.authority = certificates.authority();
  const auto ours = TlsContext::client(forged);
  auto served = serve(5, &server);
  EXPECT_THROW(
      {
        Socket client = connect(&ours);
        client.write("hello", within(10s));
        (void)read_all(client);
      },
      Error);
  EXPECT_TRUE(served.get().starts_with("error: "));

  const auto distrustful = TlsContext::client(others.identity("hospital-3"));
  served = serve(5, &server);
  EXPECT_THROW((void)connect(&distrustful), Error);
  EXPECT_TRUE(served.get().starts_with("error: "));
}

TEST_F(SocketTest, ACertificateForAnotherHostIsRefused) {
  const auto server = TlsContext::server(certificates.identity("hospital-1", "127.0.0.2"));
  const auto ours = TlsContext::client(certificates.identity("hospital-2"));
  auto served = serve(5, &server);
  EXPECT_THROW((void)connect(&ours), Error);
  EXPECT_TRUE(served.get().starts_with("error: "));
}

TEST_F(SocketTest, DeadlinesHold) {
  EXPECT_THROW((void)listener.accept(within(10ms)), Error);
  // Connected by the kernel, accepted by nobody: whoever reads, waits.
  Socket client = connect();
  char byte = 0;
  EXPECT_THROW((void)client.read(&byte, 1, within(10ms)), Error);
  // More than the kernel's buffers take.
  const std::string much(64U << 20U, 'x');
  EXPECT_THROW(client.write(much, within(50ms)), Error);
  const auto ours = TlsContext::client(certificates.identity("hospital-2"));
  EXPECT_THROW((void)Socket::connect("127.0.0.1", listener.port(), within(10ms), &ours), Error);
}

// Whoever says nothing keeps nobody waiting.
TEST_F(SocketTest, AHandshakeMayGoOnLater) {
  const auto server = TlsContext::server(certificates.identity("hospital-1"));
  const auto ours = TlsContext::client(certificates.identity("hospital-2"));
  const Socket silent = connect();
  Socket first = listener.take(within(10s), &server);
  EXPECT_FALSE(first.shake_hands(within(10ms)));
  auto client = std::async(std::launch::async, [&] { return connect(&ours).peer(); });
  Socket second = listener.take(within(10s), &server);
  while (!second.shake_hands(within(10ms))) EXPECT_FALSE(first.shake_hands(within(0ms)));
  EXPECT_EQ(second.peer(), "hospital-2");
  EXPECT_EQ(client.get(), "hospital-1");
  Socket stranger = connect();
  stranger.write("GET / HTTP/1.0\r\n\r\n", within(10s));
  Socket third = listener.take(within(10s), &server);
  EXPECT_THROW((void)third.shake_hands(within(10s)), Error);
}

TEST_F(SocketTest, NobodyThereIsAnError) {
  int port = 0;
  {
    const Listener gone("127.0.0.1", 0);
    port = gone.port();
  }
  EXPECT_THROW((void)Socket::connect("127.0.0.1", port, within(10s)), Error);
}

TEST(Tls, FilesThatCannotBeUsedAreNamed) {
  CertificatesForTest certificates;
  TlsOptions options = certificates.identity("hospital-1");
  EXPECT_THROW((void)TlsContext::client({}), Error);
  options.key = certificates.identity("hospital-2").key;
  try {
    (void)TlsContext::server(options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), options.certificate);
  }
  options = certificates.identity("hospital-3");
  options.authority += ".none";
  EXPECT_THROW((void)TlsContext::server(options), Error);
}

}  // namespace
}  // namespace pratique::net::socket_test
