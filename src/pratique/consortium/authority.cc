#include "pratique/consortium/authority.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "pratique/consortium/internal/meeting.h"
#include "pratique/core/clock.h"
#include "pratique/core/json.h"
#include "pratique/crypto/random.h"

namespace pratique::consortium {

using namespace std::chrono_literals;

namespace {

std::string bitmap(const std::vector<bool>& bits) {
  std::string bytes((bits.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i])
      bytes[i / 8] = static_cast<char>(static_cast<unsigned char>(bytes[i / 8]) | (1U << (i % 8)));
  return bytes;
}

}  // namespace

std::string bitmap_commitment(std::string_view bits, const Sha256Digest& salt) {
  return sha256_hex(fmt::format("pratique consortium bitmap\n{}\n{}", to_hex(salt), bits));
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
  Meeting meeting(configuration_, identity_, report_);
  meeting.traffic.saw = [this](const Message& message) { saw(message); };
  meeting.preside([&] { serve(meeting); });
  report_.least_operations = report_.operations;
  return report_;
}

void Authority::serve(Meeting& meeting) {
  const auto step = meeting.step();
  Report& report = meeting.report;
  // 1. Hellos.
  meeting.gather(progress_);
  reached(AuthorityStep::has_hellos);
  // 2. The roster.
  meeting.send_roster([&](const Roster& roster) { check_sizes(roster, configuration_); });
  reached(AuthorityStep::sent_roster);
  const bool guarded = configuration_.protocol == "stranon";
  LockSet lock_set(guarded ? configuration_.lock : 0);
  if (guarded) encrypt_lock(meeting, lock_set);

  // 4. The lists, of all sites at once.
  SubmittedLists lists(configuration_.sites.size());
  receive_lists(meeting, lists);
  report.held("points");
  if (guarded) report.held("full key switch");
  reached(AuthorityStep::has_lists);

  // 5. The decision.
  // Whoever knew it could run the method again and see which of equal records leave.
  report.seed = draw_seed();
  Decision decision = decide(configuration_, lists, report.seed, engine_, progress_);
  decided(decision);
  report.held("no record twice");
  report.held("possible trails");
  if (decision.total > 0) report.held("k-unlinkability");
  report.disclosed = decision.total;
  std::map<std::string, std::string> statements;
  for (std::size_t i = 0; i < configuration_.sites.size(); ++i) {
    const auto& site = configuration_.sites[i];
    const std::string bits = bitmap(decision.disclosed[i]);
    Sha256Digest salt{};
    secure_bytes(std::as_writable_bytes(std::span(salt)));
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
                            {"disclosed", count},
                            {"disclosed_by_all", decision.total},
                            {"bitmap_commitment", guarded ? "" : bitmap_commitment(bits, salt)},
                            {"created", utc_time()}};
    const std::string text = statements[site] = statement.dump();
    if (!guarded)
      meeting.of(site).send(
          MessageType::decision,
          ByteWriter().text(text).raw(sign_statement(text)).text(bits).raw(salt).take(),
          net::within(step));
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

void Authority::receive_lists(Meeting& meeting, SubmittedLists& lists) {
  const auto& sites = configuration_.sites;
  const bool guarded = configuration_.protocol == "stranon";
  progress_.begin("receiving encrypted lists", sites.size());
  std::vector<std::optional<Point>> dummies(2 * sites.size());  // of stranon: samples, people
  std::mutex mutex;
  std::exception_ptr first;
  const auto receive = [&](std::size_t site) {
    Channel& channel = meeting.of(sites[site]);
    const Hello& hello = meeting.roster.sites.at(sites[site]);
    for (const List list : {List::samples, List::people}) {
      TokenFile& file = list == List::samples ? lists.samples[site] : lists.people[site];
      auto& dummy = dummies[2 * site + static_cast<std::size_t>(list)];
      receive_points(channel, static_cast<std::uint8_t>(list), hello.size(list) + (guarded ? 1 : 0),
                     configuration_, [&](std::span<const Point> points) {
                       const bool is_first = guarded && !dummy;
                       if (is_first) dummy = points.front();
                       file.add(points.subspan(is_first ? 1 : 0));
                     });
    }
    progress_.advance(1);
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t site = 0; site < sites.size(); ++site) {
      threads.emplace_back([&, site] {
        try {
          receive(site);
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
  // Theorem 11: whoever used another key for all of somebody's list changed its common dummy.
  for (std::size_t i = 2; guarded && i < dummies.size(); ++i)
    if (dummies[i] != dummies[i % 2])
      throw CheckFailed("full key switch", "",
                        "the dummy that all sites share is not the same in all lists: somebody "
                        "used another key for a whole list, or left the dummy out");
}

// The lock goes through all sites like a list of theirs.
void Authority::encrypt_lock(Meeting& meeting, LockSet& lock) {
  const auto step = meeting.step();
  Points points = lock.blinded();
  for (const auto& site : configuration_.sites) {
    Channel& channel = meeting.of(site);
    send_points(channel, 0, points, configuration_);
    (void)channel.readable(net::within(step));
    points = receive_points(channel, 0, points.size(), configuration_);
  }
  (void)lock.take_encrypted(points);
  meeting.operations += 3 * configuration_.lock;
}

void Authority::return_locked(Meeting& meeting, const LockSet& lock, const SubmittedLists& lists,
                              const Decision& decision,
                              const std::map<std::string, std::string>& statements) {
  const auto step = meeting.step();
  std::map<std::string, Scalar> opens;
  for (std::size_t i = 0; i < configuration_.sites.size(); ++i) {
    const auto& site = configuration_.sites[i];
    Points returned;
    lists.samples[i].for_each([&](std::uint64_t place, const Token& token) {
      if (decision.disclosed[i][place]) returned.push_back(*Point::decode(token));
    });
    const LockSet::Locked locked = lock.lock(returned);
    meeting.operations += locked.mixed.size() + locked.dummies.size();
    opens.emplace(site, locked.unlock);
    Channel& channel = meeting.of(site);
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
