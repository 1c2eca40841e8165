// Who comes to a participant's door. Handshakes go on beside each other: whoever connects and says
// nothing, or is no participant, keeps nobody waiting.
#pragma once

#include <atomic>
#include <list>
#include <memory>

#include "pratique/consortium/channel.h"

namespace pratique::consortium {

class Reception {
 public:
  // All of these outlive it.
  Reception(net::Listener& listener, const Identity& identity, Traffic& traffic,
            const std::atomic<bool>& stop)
      : listener_(listener), identity_(identity), traffic_(traffic), stop_(stop) {}

  // The next participant that has shown its certificate; nothing at the deadline.
  [[nodiscard]] std::unique_ptr<Channel> next(net::Deadline until);
  // Those who are still showing theirs at another's come here.
  void take_over(Reception& other) { guests_.splice(guests_.end(), other.guests_); }

 private:
  struct Guest {
    net::Socket socket;
    net::Deadline until;  // by when it must have shown it
  };
  [[nodiscard]] std::unique_ptr<Channel> next_shown();

  net::Listener& listener_;
  const Identity& identity_;
  Traffic& traffic_;
  const std::atomic<bool>& stop_;
  std::list<Guest> guests_;
};

}  // namespace pratique::consortium
