#include "pratique/consortium/channel.h"

#include <fmt/format.h>

#include <algorithm>

namespace pratique::consortium {
namespace {

constexpr const char* kMessages = "signed messages in order";

bool is_signed(const Sealed& sealed, const PublicKey& key) {
  return verify_signature(key, "pratique consortium 1\n" + std::string(sealed.signed_bytes),
                          sealed.signature);
}

}  // namespace

Channel::Channel(net::Socket socket, const Identity& self, Traffic& traffic,
                 const std::atomic<bool>& stop)
    : socket_(std::move(socket)),
      self_(self),
      traffic_(traffic),
      stop_(stop),
      peer_(socket_.peer()) {
  if (!self_.everybody.contains(peer_))
    throw CheckFailed("certificates", peer_,
                      "a stranger connected, with a certificate of nobody here");
}

void Channel::send(MessageType type, std::string_view payload, net::Deadline until, bool to_all) {
  const std::string bytes =
      seal({session_, self_.name, to_all ? "" : peer_, next_sent_++, type, std::string(payload)},
           self_.key);
  std::string framed = ByteWriter().number(bytes.size(), 4).take() + bytes;
  try {
    socket_.write(framed, until);
  } catch (const Error& error) {
    throw Error::machine(fmt::format("{}: {}", peer_, error.message()));
  }
  traffic_.sent += framed.size();
}

bool Channel::readable(net::Deadline until) {
  try {
    return socket_.readable(until);
  } catch (const Error& error) {
    throw Error::machine(fmt::format("{}: {}", peer_, error.message()));
  }
}

bool Channel::read_exactly(char* into, std::size_t bytes, net::Deadline until, bool may_end) {
  std::size_t got = 0;
  while (got < bytes) {
    using namespace std::chrono_literals;
    while (!readable(std::min(until, net::within(50ms)))) {
      if (stop_) throw Stopped{};
      if (std::chrono::steady_clock::now() >= until)
        throw Error::machine(fmt::format("{} did not answer in time", peer_))
            .hint("Ask its people whether it runs; time limits are in consortium.yaml.");
    }
    std::size_t part = 0;
    try {
      part = socket_.read(into + got, bytes - got, until);
    } catch (const Error& error) {
      throw Error::machine(fmt::format("{}: {}", peer_, error.message()));
    }
    if (part == 0 && got == 0 && may_end) return false;
    if (part == 0)
      throw Error::machine(fmt::format("{} closed the connection", peer_))
          .hint("It stopped, or the network was cut; nothing was written.");
    got += part;
  }
  traffic_.received += bytes;
  return true;
}

bool Channel::receive_or_end(Message& message, net::Deadline until) {
  std::string length(4, '\0');
  if (!read_exactly(length.data(), 4, until, true)) return false;
  const std::size_t size = *ByteReader(length).number(4);
  if (size > kLargestMessage)
    throw CheckFailed(kMessages, peer_, fmt::format("{} sent a message that is too long", peer_));
  last_.resize(size);
  (void)read_exactly(last_.data(), size, until, false);
  auto sealed = open_sealed(last_);
  if (!sealed || !is_signed(*sealed, self_.everybody.at(peer_)))
    throw CheckFailed(
        kMessages, peer_,
        fmt::format("{} sent a message that it did not sign, or that is broken", peer_));
  const Message& got = sealed->message;
  const bool ours =
      got.from == peer_ && (got.to.empty() || got.to == self_.name) && got.number == next_received_;
  // Whoever ends before the session began does not know it.
  const bool of_session = got.session == session_ || got.type == MessageType::abort;
  if (!ours || !of_session)
    throw CheckFailed(
        kMessages, peer_,
        fmt::format("{} sent a message of another session, to another, or out of order", peer_));
  ++next_received_;
  if (got.type == MessageType::abort) throw aborted_by(peer_, got.payload);
  message = std::move(sealed->message);
  if (traffic_.saw) traffic_.saw(message);
  return true;
}

Message Channel::receive(net::Deadline until) {
  Message message;
  if (!receive_or_end(message, until))
    throw Error::machine(fmt::format("{} closed the connection", peer_))
        .hint("It stopped, or the network was cut; nothing was written.");
  return message;
}

Message Channel::expect(MessageType type, net::Deadline until) {
  Message message = receive(until);
  if (message.type != type)
    throw CheckFailed(kMessages, peer_,
                      fmt::format("{} sent another message than the one that is due", peer_));
  return message;
}

Message open_passed_on(std::string_view bytes, const std::string& from, const Sha256Digest& session,
                       const Identity& self) {
  const auto sealed = open_sealed(bytes);
  const auto key = self.everybody.find(from);
  if (!sealed || key == self.everybody.end() || sealed->message.from != from ||
      sealed->message.session != session || !is_signed(*sealed, key->second))
    throw CheckFailed(kMessages, from,
                      fmt::format("a message of {} that was passed on is not its own", from));
  return sealed->message;
}

}  // namespace pratique::consortium
