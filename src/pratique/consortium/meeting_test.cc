// What those who come late are told when a session ends.
#include "pratique/consortium/internal/meeting.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>
#include <memory>
#include <thread>

#include "pratique/consortium/testing/together.h"

namespace pratique::consortium::meeting_test {
namespace {

using namespace std::chrono_literals;
using testing::Together;

// A site that shakes hands as slowly as the test likes.
class SlowGuest {
 public:
  SlowGuest(const Identity& identity, int port)
      : descriptor_(socket(AF_INET, SOCK_STREAM, 0)), ssl_(SSL_new(identity.client.get())) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<std::uint16_t>(port));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(descriptor_, reinterpret_cast<const sockaddr*>(&at), sizeof(at)) != 0)
      throw Error::machine("nobody listens");
    (void)fcntl(descriptor_, F_SETFL, O_NONBLOCK);
    SSL_set_fd(ssl_.get(), descriptor_);
  }
  ~SlowGuest() {
    ssl_.reset();
    close(descriptor_);
  }
  SlowGuest(const SlowGuest&) = delete;
  SlowGuest& operator=(const SlowGuest&) = delete;

  // Says the first word of the handshake.
  void begin() { EXPECT_LE(SSL_connect(ssl_.get()), 0); }
  void go_on() {
    until([&] { return SSL_connect(ssl_.get()) == 1; });
  }
  void write(const std::string& bytes) {
    until([&] { return SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0; });
  }
  std::string read(std::size_t bytes) {
    std::string text;
    until([&] {
      char c = 0;
      while (text.size() < bytes && SSL_read(ssl_.get(), &c, 1) == 1) text += c;
      return text.size() == bytes;
    });
    return text;
  }

 private:
  static void until(const std::function<bool()>& done) {
    for (int tries = 0; !done(); ++tries) {
      if (tries > 500) throw Error::machine("the other said nothing");
      std::this_thread::sleep_for(10ms);
    }
  }
  struct Free {
    void operator()(SSL* owned) const { SSL_free(owned); }
  };
  int descriptor_;
  std::unique_ptr<SSL, Free> ssl_;
};

// Handshakes go on beside each other: one that is under way when the session ends is not dropped.
TEST(Meeting, WhoIsShakingHandsWhenItEndsIsToldWhy) {
  const Together together(2, 2);
  const Identity authority = Identity::load(together.configuration, "A");
  const Identity site = Identity::load(together.configuration, "H00");
  const auto& at = together.configuration.address("A");
  std::promise<void> listens;
  std::promise<void> half_known;
  std::jthread presiding([&] {
    Report report;
    Meeting meeting(together.configuration, authority, report);
    EXPECT_THROW(meeting.preside([&] {
      meeting.listener = listen_for(at);
      meeting.reception =
          std::make_unique<Reception>(*meeting.listener, authority, meeting.traffic, meeting.stop);
      listens.set_value();
      half_known.get_future().wait();
      EXPECT_EQ(meeting.reception->next(net::within(300ms)), nullptr);  // it is not done
      throw Error::input("the reason");
    }),
                 Error);
  });
  listens.get_future().wait();
  SlowGuest guest(site, at.port);
  guest.begin();
  half_known.set_value();
  std::this_thread::sleep_for(600ms);  // it has ended by now
  guest.go_on();
  const std::string hello = seal({{}, "H00", "A", 0, MessageType::hello, "hello"}, site.key);
  guest.write(ByteWriter().number(hello.size(), 4).take() + hello);
  const std::string size = guest.read(4);
  const std::string told = guest.read(*ByteReader(size).number(4));
  const auto sealed = open_sealed(told);
  ASSERT_TRUE(sealed);
  EXPECT_EQ(sealed->message.type, MessageType::abort);
  EXPECT_EQ(std::string(aborted_by("A", sealed->message.payload).message()), "A: the reason");
}

}  // namespace
}  // namespace pratique::consortium::meeting_test
