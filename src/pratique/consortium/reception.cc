#include "pratique/consortium/internal/reception.h"

#include <algorithm>

namespace pratique::consortium {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kMostGuests = 200;  // the oldest go when more come

}  // namespace

std::unique_ptr<Channel> Reception::next(net::Deadline until) {
  while (true) {
    const auto now = std::chrono::steady_clock::now();
    // Whoever is in the middle of a handshake is looked after, too.
    const auto patience = guests_.empty() ? until : std::min(until, now + 5ms);
    if (listener_.awaited(patience)) {
      try {
        guests_.push_back({listener_.take(net::within(0ms), &identity_.server), now + 3s});
      } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it has left again
      }
      if (guests_.size() > kMostGuests) guests_.pop_front();
    }
    if (auto channel = next_shown()) return channel;
    if (now >= until) return nullptr;
  }
}

std::unique_ptr<Channel> Reception::next_shown() {
  for (auto guest = guests_.begin(); guest != guests_.end();) {
    try {
      if (guest->socket.shake_hands(net::within(0ms))) {
        auto channel =
            std::make_unique<Channel>(std::move(guest->socket), identity_, traffic_, stop_);
        guests_.erase(guest);
        return channel;
      }
    } catch (const Error&) {  // a stranger
      guest = guests_.erase(guest);
      continue;
    }
    guest =
        std::chrono::steady_clock::now() < guest->until ? std::next(guest) : guests_.erase(guest);
  }
  return nullptr;
}

}  // namespace pratique::consortium
