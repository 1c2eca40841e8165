#include "pratique/consortium/authority.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "pratique/consortium/accusation.h"
#include "pratique/consortium/decision.h"
#include "pratique/core/clock.h"
#include "pratique/core/json.h"
#include "pratique/crypto/random.h"

namespace pratique::consortium {

using namespace std::chrono_literals;

struct Authority::Meeting {
  std::atomic<bool> stop{false};
  Traffic traffic;
  std::unique_ptr<net::Listener> listener;
  std::map<std::string, std::unique_ptr<Channel>> channels;
  std::uint64_t operations = 0;
  Roster roster;  // once it is made
};

namespace {

std::string bitmap(const std::vector<bool>& bits) {
  std::string bytes((bits.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i])
      bytes[i / 8] = static_cast<char>(static_cast<unsigned char>(bytes[i / 8]) | (1U << (i % 8)));
  return bytes;
}

std::vector<Token> tokens_of(const std::vector<Point>& points) {
  std::vector<Token> tokens;
  tokens.reserve(points.size());
  for (const Point& point : points) tokens.push_back(point.bytes());
  return tokens;
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

std::string signed_release(const std::string& statement, const Sha256Digest& commitment) {
  return "pratique consortium release\n" + statement + "\n" + to_hex(commitment);
}

std::optional<Signature> signature_for(const std::string& site, std::string_view commit) {
  ByteReader reader(commit);
  const auto count = reader.number(4);
  for (std::uint64_t i = 0; count && i < *count; ++i) {
    const auto name = reader.text();
    const auto signature = reader.raw<64>();
    if (!signature) return std::nullopt;
    if (*name == site) return *signature;
  }
  return std::nullopt;
}

Authority::Authority(const Configuration& configuration, const Identity& identity, Engine& engine,
                     Progress& progress)
    : configuration_(configuration), identity_(identity), engine_(engine), progress_(progress) {}

Report Authority::run() {
  Meeting meeting;
  meeting.traffic.saw = [this](const Message& message) { saw(message); };
  Report report;
  try {
    serve(meeting, report);
  } catch (...) {
    meeting.stop = true;
    const std::atomic<bool> never{false};
    const auto tell = [&](Channel& channel, const Error& error) {
      try {
        channel.send(MessageType::abort, abort_payload(error), net::within(1s));
      } catch (...) {  // NOLINT(bugprone-empty-catch): whoever is gone need not be told
      }
    };
    const auto tell_all = [&](const Error& error) {
      for (auto& [site, channel] : meeting.channels) tell(*channel, error);
      // Who has not come yet would wait for nobody.
      const auto until = net::within(2s);
      while (meeting.listener && meeting.channels.size() < configuration_.sites.size() &&
             std::chrono::steady_clock::now() < until) {
        if (!meeting.listener->awaited(net::within(100ms))) continue;
        try {
          auto channel = std::make_unique<Channel>(
              meeting.listener->accept(net::within(1s), &identity_.server), identity_,
              meeting.traffic, never);
          (void)channel->expect(MessageType::hello, net::within(1s));
          tell(*channel, error);
          meeting.channels.insert_or_assign(channel->peer(), std::move(channel));
        } catch (...) {  // NOLINT(bugprone-empty-catch): a stranger
        }
      }
    };
    try {
      throw;
    } catch (const Aborted& error) {
      const Aborted left = meeting.roster.sites.empty()
                               ? error
                               : judged(error, configuration_, meeting.roster, identity_);
      tell_all(left);
      throw left;
    } catch (const Error& error) {
      tell_all(error);
      throw;
    }
  }
  report.operations = meeting.operations;
  report.least_operations = meeting.operations;
  report.bytes = meeting.traffic.sent + meeting.traffic.received;
  return report;
}

void Authority::serve(Meeting& meeting, Report& report) {
  meeting.listener = listen_for(configuration_.address(identity_.name));
  const auto step = std::chrono::milliseconds(configuration_.step);

  // 1. Hellos.
  progress_.begin("waiting for the sites", configuration_.sites.size());
  std::map<std::string, std::string> hellos;
  const auto met = net::within(configuration_.wait);
  while (hellos.size() < configuration_.sites.size()) {
    progress_.check();
    if (std::chrono::steady_clock::now() >= met) {
      std::string missing;
      for (const auto& site : configuration_.sites)
        if (!hellos.contains(site)) missing += (missing.empty() ? "" : ", ") + site;
      throw Error::machine(fmt::format("these sites did not come in time: {}", missing))
          .hint("Start all participants within the time that `wait` in consortium.yaml allows.");
    }
    // A site that has come and is gone again is told of at once.
    for (auto& [site, channel] : meeting.channels)
      if (channel->readable(net::within(0ms))) (void)channel->receive(net::within(1s));
    if (!meeting.listener->awaited(net::within(200ms))) continue;
    std::unique_ptr<Channel> channel;
    std::string payload;
    try {
      channel =
          std::make_unique<Channel>(meeting.listener->accept(net::within(3s), &identity_.server),
                                    identity_, meeting.traffic, meeting.stop);
      payload = channel->expect(MessageType::hello, net::within(5s)).payload;
    } catch (const Aborted&) {
      throw;
    } catch (const Error&) {
      continue;  // nobody came, or a stranger
    }
    const auto hello = Hello::decode(payload);
    const std::string site = channel->peer();
    const bool is_site =
        std::ranges::find(configuration_.sites, site) != configuration_.sites.end();
    if (!hello || !is_site || hellos.contains(site)) continue;
    hellos[site] = channel->last();
    meeting.channels[site] = std::move(channel);
    check_hello(site, *hello, configuration_);
    progress_.advance(1);
  }
  report.held("certificates");
  reached(AuthorityStep::has_hellos);

  // 2. The roster.
  std::vector<std::string> in_order;
  for (const auto& site : configuration_.sites) in_order.push_back(hellos.at(site));
  Sha256Digest nonce{};
  secure_bytes(std::as_writable_bytes(std::span(nonce)));
  const std::string payload = roster_payload(in_order, nonce);
  meeting.roster = read_roster(payload, configuration_, identity_);
  const Roster& roster = meeting.roster;
  check_sizes(roster, configuration_);
  report.held("agreement");
  for (auto& [site, channel] : meeting.channels)
    channel->send(MessageType::roster, payload, net::within(step));
  for (auto& [site, channel] : meeting.channels) channel->set_session(roster.session);
  report.session = to_hex(roster.session);
  report.seed = seed_of(roster.session);

  reached(AuthorityStep::sent_roster);
  const bool guarded = configuration_.protocol == "stranon";
  LockSet lock_set(guarded ? configuration_.lock : 0);
  if (guarded) encrypt_lock(meeting, lock_set);

  // 4. The lists, of all sites at once.
  progress_.begin("receiving encrypted lists", configuration_.sites.size());
  SubmittedLists lists;
  lists.people.resize(configuration_.sites.size());
  lists.samples.resize(configuration_.sites.size());
  std::mutex mutex;
  std::exception_ptr first;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < configuration_.sites.size(); ++i) {
      threads.emplace_back([&, i] {
        try {
          const auto& site = configuration_.sites[i];
          Channel& channel = *meeting.channels.at(site);
          const Hello& hello = roster.sites.at(site);
          for (const List list : {List::samples, List::people}) {
            auto& tokens = list == List::samples ? lists.samples[i] : lists.people[i];
            tokens =
                tokens_of(receive_points(channel, static_cast<std::uint8_t>(list),
                                         hello.size(list) + (guarded ? 1 : 0), configuration_));
          }
          progress_.advance(1);
        } catch (const Stopped&) {
        } catch (const Error& error) {
          // Who only saw another go may be faster than who knows why.
          if (error.code() == ErrorCode::machine) std::this_thread::sleep_for(500ms);
          const std::lock_guard lock(mutex);
          if (!first) first = std::current_exception();
          meeting.stop = true;
        }
      });
    }
  }
  if (first) std::rethrow_exception(first);
  report.held("points");
  reached(AuthorityStep::has_lists);

  if (guarded) {
    take_common_dummies(lists);
    report.held("full key switch");
  }

  // 5. The decision.
  const Decision decision = decide(configuration_, lists, report.seed, engine_, progress_);
  report.held("no record twice");
  report.held("possible trails");
  if (decision.total > 0) report.held("k-unlinkability");
  report.disclosed = decision.total;
  std::map<std::string, std::string> statements;
  for (std::size_t i = 0; i < configuration_.sites.size(); ++i) {
    const auto& site = configuration_.sites[i];
    const std::string bits = bitmap(decision.disclosed[i]);
    const auto count = static_cast<std::uint64_t>(std::ranges::count(decision.disclosed[i], true));
    const Json statement = {{"statement", "pratique consortium decision 1"},
                            {"session", report.session},
                            {"protocol", configuration_.protocol},
                            {"authority", identity_.name},
                            {"site", site},
                            {"sites", configuration_.sites},
                            {"k", configuration_.k},
                            {"coalition", configuration_.coalition},
                            {"method", configuration_.method},
                            {"seed", report.seed},
                            {"submitted", roster.sites.at(site).samples},
                            {"disclosed", count},
                            {"disclosed_by_all", decision.total},
                            {"bitmap_sha256", guarded ? "" : sha256_hex(bits)},
                            {"created", utc_time()}};
    const std::string text = statements[site] = statement.dump();
    if (!guarded)
      meeting.channels.at(site)->send(
          MessageType::decision,
          ByteWriter().text(text).raw(sign_statement(text)).text(bits).take(), net::within(step));
  }
  if (guarded) {
    return_locked(meeting, lock_set, lists, decision, statements);
    report.held("lock");
  }
  reached(AuthorityStep::sent_decisions);
  // 6. The commit.
  ByteWriter commit;
  commit.number(configuration_.sites.size(), 4);
  for (auto& [site, channel] : meeting.channels) {
    const Message have = channel->expect(MessageType::have, net::within(step));
    ByteReader reader(have.payload);
    const auto commitment = reader.raw<32>();
    if (!reader.ended())
      throw CheckFailed("commit", site, fmt::format("{} did not say what it has", site));
    commit.text(site).raw(identity_.key.sign(signed_release(statements.at(site), *commitment)));
  }
  report.held("everybody has its decision");
  reached(AuthorityStep::has_all);
  const std::string signatures = commit.take();
  report.commit = signatures;
  for (auto& [site, channel] : meeting.channels) {
    try {
      channel->send(MessageType::commit, signatures, net::within(step), true);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): others pass it on
    }
    reached(AuthorityStep::sent_a_commit);
  }
}

Signature Authority::sign_statement(const std::string& text) const {
  return identity_.key.sign("pratique consortium statement\n" + text);
}

// The lock goes through all sites like a list of theirs.
void Authority::encrypt_lock(Meeting& meeting, LockSet& lock) {
  const auto step = std::chrono::milliseconds(configuration_.step);
  Points points = lock.blinded();
  for (const auto& site : configuration_.sites) {
    Channel& channel = *meeting.channels.at(site);
    send_points(channel, 0, points, configuration_);
    (void)channel.readable(net::within(step));
    points = receive_points(channel, 0, points.size(), configuration_);
  }
  (void)lock.take_encrypted(points);
  meeting.operations += 3 * configuration_.lock;
}

// Theorem 11: whoever used another key for all of somebody's list changed the common dummy in it.
void Authority::take_common_dummies(SubmittedLists& lists) const {
  for (auto* of : {&lists.samples, &lists.people}) {
    for (const auto& list : *of)
      if (list.front() != of->front().front())
        throw CheckFailed("full key switch", "",
                          "the dummy that all sites share is not the same in all lists: somebody "
                          "used another key for a whole list, or left the dummy out");
    for (auto& list : *of) list.erase(list.begin());
  }
}

void Authority::return_locked(Meeting& meeting, const LockSet& lock, const SubmittedLists& lists,
                              const Decision& decision,
                              const std::map<std::string, std::string>& statements) {
  const auto step = std::chrono::milliseconds(configuration_.step);
  std::map<std::string, Scalar> opens;
  for (std::size_t i = 0; i < configuration_.sites.size(); ++i) {
    const auto& site = configuration_.sites[i];
    Points returned;
    for (std::size_t j = 0; j < decision.disclosed[i].size(); ++j)
      if (decision.disclosed[i][j]) returned.push_back(*Point::decode(lists.samples[i][j]));
    const LockSet::Locked locked = lock.lock(returned);
    meeting.operations += locked.mixed.size() + locked.dummies.size();
    opens.emplace(site, locked.unlock);
    Channel& channel = *meeting.channels.at(site);
    channel.send(MessageType::locked, ByteWriter().number(locked.mixed.size(), 4).take(),
                 net::within(step));
    send_points(channel, 0, locked.mixed, configuration_);
    send_points(channel, 1, locked.dummies, configuration_);
  }
  // Nobody's lock is opened before everybody's list was decrypted.
  for (auto& [site, channel] : meeting.channels)
    (void)channel->expect(MessageType::decrypted, net::within(step * 2));
  for (auto& [site, channel] : meeting.channels) {
    const std::string& text = statements.at(site);
    channel->send(
        MessageType::unlock,
        ByteWriter().raw(opens.at(site).bytes()).text(text).raw(sign_statement(text)).take(),
        net::within(step));
  }
}

}  // namespace pratique::consortium
