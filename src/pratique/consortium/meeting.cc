#include "pratique/consortium/internal/meeting.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "pratique/consortium/accusation.h"
#include "pratique/consortium/internal/reception.h"
#include "pratique/crypto/random.h"

namespace pratique::consortium {

using namespace std::chrono_literals;

namespace {

// Whoever is gone need not be told.
void tell(Channel& channel, const Error& error) {
  try {
    channel.send(MessageType::abort, abort_payload(error), net::within(1s));
  } catch (...) {  // NOLINT(bugprone-empty-catch): it is gone
  }
}

// However it ends.
struct CountAtEnd {
  Participant& participant;
  ~CountAtEnd() { participant.count(); }
};

// An accusation, without a culprit where nothing shows that it is one.
Aborted weighed(const Aborted& error, const Participant& participant) {
  if (participant.roster.sites.empty()) return error;
  return judged(error, participant.configuration, participant.roster, participant.identity);
}

}  // namespace

std::unique_ptr<net::Listener> listen_for(const Address& address) {
  try {
    return std::make_unique<net::Listener>(address.host == "localhost" ? "127.0.0.1" : address.host,
                                           address.port);
  } catch (const Error& error) {
    // A name, or an address that this machine has only as others see it: on all that it has. Who
    // may connect the certificates say.
    try {
      return std::make_unique<net::Listener>("0.0.0.0", address.port);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the first reason is the one to tell
    }
    throw Error::input(error.message())
        .hint(
            "Choose another port in consortium.yaml, for all participants, or end the program "
            "that has it.");
  }
}

void Participant::count() {
  report.operations = operations;
  report.bytes = traffic.sent + traffic.received;
}

std::unique_ptr<net::Listener> Attendance::listen(Progress& progress) {
  try {
    return listen_for(configuration.address(identity.name));
  } catch (const Error&) {
    try {
      come(progress, std::min<std::chrono::milliseconds>(configuration.wait, 5s));
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it is not there yet
    }
    throw;
  }
}

void Attendance::come(Progress& progress, std::chrono::milliseconds patience) {
  const auto met = net::within(patience);
  progress.begin("waiting for the others", 0);
  const Address& at = configuration.address(configuration.authority);
  while (!authority) {
    progress.check();
    try {
      authority = std::make_unique<Channel>(
          net::Socket::connect(at.host, at.port, met, &identity.client), identity, traffic, stop);
    } catch (const CheckFailed&) {
      throw;
    } catch (const Error& error) {
      if (std::chrono::steady_clock::now() + 200ms >= met)
        throw Error::machine(fmt::format("{}: {}", configuration.authority, error.message()))
            .hint("Start the authority within the time that `wait` in consortium.yaml allows.");
      std::this_thread::sleep_for(100ms);
    }
  }
  require_authority(*authority, configuration);
}

Hello Attendance::hello(const Scalar& key, std::uint64_t samples, std::uint64_t people) const {
  Hello hello;
  hello.configuration = configuration.digest();
  secure_bytes(std::as_writable_bytes(std::span(hello.nonce)));
  hello.commitment = key * Point::generator();
  hello.samples = samples;
  hello.people = people;
  hello.time = unix_seconds();
  return hello;
}

void Attendance::say(const Hello& hello) {
  check_hello(identity.name, hello, configuration);
  authority->send(MessageType::hello, hello.encode(), net::within(step()));
}

void Attendance::wait_for_roster(const Hello& said) {
  const Message message =
      authority->expect(MessageType::roster, net::within(configuration.wait) + step());
  roster = read_roster(message.payload, configuration, identity);
  if (roster.sites.at(identity.name).encode() != said.encode())
    throw CheckFailed("roster", configuration.authority,
                      "the roster has another hello of this site");
  authority->set_session(roster.session);
  report.session = to_hex(roster.session);
  report.held("agreement");
}

void Attendance::attend(const std::function<void()>& body) {
  const CountAtEnd count_at_end{*this};
  try {
    body();
  } catch (const Aborted& error) {
    throw weighed(error, *this);
  } catch (const CheckFailed& error) {
    if (authority) tell(*authority, error);
    throw;
  } catch (const Error& error) {
    if (!authority) throw;
    tell(*authority, error);
    if (error.code() != ErrorCode::machine) throw;
    // Somebody is gone; the authority may know why.
    try {
      const auto patience = std::min<std::chrono::milliseconds>(5s, step());
      if (authority->readable(net::within(patience))) (void)authority->receive(net::within(1s));
    } catch (const Aborted& known) {
      throw weighed(known, *this);
    } catch (...) {  // NOLINT(bugprone-empty-catch): it does not
    }
    throw;
  }
}

void Meeting::gather(Progress& progress) {
  const auto& sites = configuration.sites;
  listener = listen_for(configuration.address(identity.name));
  progress.begin("waiting for the sites", sites.size());
  const auto met = net::within(configuration.wait);
  reception = std::make_unique<Reception>(*listener, identity, traffic, stop);
  while (hellos_.size() < sites.size()) {
    progress.check();
    if (std::chrono::steady_clock::now() >= met) {
      std::string missing;
      for (const auto& site : sites)
        if (!hellos_.contains(site)) missing += (missing.empty() ? "" : ", ") + site;
      throw Error::machine(fmt::format("these sites did not come in time: {}", missing))
          .hint("Start all participants within the time that `wait` in consortium.yaml allows.");
    }
    // A site that has come and is gone again is told of at once.
    for (auto& [site, channel] : channels)
      if (channel->readable(net::within(0ms))) (void)channel->receive(net::within(1s));
    auto channel = reception->next(net::within(200ms));
    if (!channel) continue;
    std::string payload;
    try {
      payload = channel->expect(MessageType::hello, net::within(5s)).payload;
    } catch (const Aborted&) {
      throw;
    } catch (const Error&) {
      continue;  // it says something else, or nothing
    }
    const auto hello = Hello::decode(payload);
    const std::string site = channel->peer();
    const bool is_site = std::ranges::find(sites, site) != sites.end();
    if (!hello || !is_site || hellos_.contains(site)) continue;
    hellos_[site] = channel->last();
    channels[site] = std::move(channel);
    check_hello(site, *hello, configuration);
    progress.advance(1);
  }
  report.held("certificates");
}

void Meeting::send_roster(const std::function<void(const Roster&)>& check) {
  std::vector<std::string> in_order;
  for (const auto& site : configuration.sites) in_order.push_back(hellos_.at(site));
  Sha256Digest nonce{};
  secure_bytes(std::as_writable_bytes(std::span(nonce)));
  const std::string payload = roster_payload(in_order, nonce);
  roster = read_roster(payload, configuration, identity);
  check(roster);
  report.held("agreement");
  for (auto& [site, channel] : channels) {
    channel->send(MessageType::roster, payload, net::within(step()));
    channel->set_session(roster.session);
  }
  report.session = to_hex(roster.session);
}

void Meeting::tell_all(const Error& error) {
  for (auto& [site, channel] : channels) tell(*channel, error);
  if (!listener) return;
  // Who has not come yet would wait for nobody.
  const std::atomic<bool> never{false};
  Reception last(*listener, identity, traffic, never);
  if (reception) last.take_over(*reception);
  const auto until = net::within(5s);
  while (channels.size() < configuration.sites.size() && std::chrono::steady_clock::now() < until) {
    auto channel = last.next(net::within(100ms));
    if (!channel) continue;
    try {
      (void)channel->expect(MessageType::hello, net::within(1s));
    } catch (...) {
      continue;  // it is no site, or gone
    }
    tell(*channel, error);
    channels.insert_or_assign(channel->peer(), std::move(channel));
  }
}

void Meeting::preside(const std::function<void()>& body) {
  const CountAtEnd count_at_end{*this};
  try {
    body();
  } catch (const Aborted& error) {
    stop = true;
    const Aborted left = weighed(error, *this);
    tell_all(left);
    throw left;
  } catch (const Error& error) {
    stop = true;
    tell_all(error);
    throw;
  } catch (...) {
    stop = true;
    throw;
  }
}

}  // namespace pratique::consortium
