// One connection between two participants, with messages that are signed, numbered and bound to the
// session. Of one thread at a time. Whatever waits has a deadline, and ends early when the session
// was stopped.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "pratique/consortium/identity.h"
#include "pratique/consortium/message.h"
#include "pratique/net/socket.h"

namespace pratique::consortium {

// What came and went, of all connections of a participant.
struct Traffic {
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> received{0};
  std::function<void(const Message&)> saw = {};  // of any thread; none: nobody looks
};

// Thrown where somebody else's failure stopped this thread: that failure is the one to tell.
struct Stopped {};

class Channel {
 public:
  // `peer` is empty where it is whoever the certificate names.
  Channel(net::Socket socket, const Identity& self, Traffic& traffic,
          const std::atomic<bool>& stop);

  [[nodiscard]] const std::string& peer() const { return peer_; }
  void set_session(const Sha256Digest& session) { session_ = session; }

  void send(MessageType type, std::string_view payload, net::Deadline until, bool to_all = false);
  // The bytes of a message that somebody else signed.
  [[nodiscard]] bool readable(net::Deadline until);
  // The next message. Throws CheckFailed where it is not what it must be, Aborted where it says so.
  [[nodiscard]] Message receive(net::Deadline until);
  [[nodiscard]] Message expect(MessageType type, net::Deadline until);
  // The last one, with its signature.
  [[nodiscard]] const std::string& last() const { return last_; }
  // False at the end of the connection.
  [[nodiscard]] bool receive_or_end(Message& message, net::Deadline until);

 private:
  [[nodiscard]] bool read_exactly(char* into, std::size_t bytes, net::Deadline until, bool may_end);

  net::Socket socket_;
  const Identity& self_;
  Traffic& traffic_;
  const std::atomic<bool>& stop_;
  std::string peer_;
  Sha256Digest session_{};
  std::uint64_t next_sent_ = 0;
  std::uint64_t next_received_ = 0;
  std::string last_;
};

// A message that another participant passed on: signed by `from`, of this session.
[[nodiscard]] Message open_passed_on(std::string_view bytes, const std::string& from,
                                     const Sha256Digest& session, const Identity& self);

}  // namespace pratique::consortium
