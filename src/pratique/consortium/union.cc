#include "pratique/consortium/union.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "pratique/consortium/guarded_list.h"
#include "pratique/consortium/internal/union_parts.h"
#include "pratique/consortium/sealed_text.h"
#include "pratique/crypto/random.h"

namespace pratique::consortium {

using namespace std::chrono_literals;

struct UnionAuthority::Meeting {
  std::atomic<bool> stop{false};
  Traffic traffic;
  std::unique_ptr<net::Listener> listener;
  std::map<std::string, std::unique_ptr<Channel>> channels;
  Roster roster;
  std::map<std::string, Point> keys;
  std::uint64_t operations = 0;

  [[nodiscard]] Channel& of(const std::string& site) { return *channels.at(site); }
};

UnionAuthority::UnionAuthority(const Configuration& configuration, const Identity& identity,
                               const UnionQuestion& question, Progress& progress)
    : configuration_(configuration),
      identity_(identity),
      question_(question),
      progress_(progress) {}

Report UnionAuthority::run() {
  Meeting meeting;
  Report report;
  try {
    serve(meeting, report);
  } catch (const Error& error) {
    for (auto& [site, channel] : meeting.channels) {
      try {
        channel->send(MessageType::abort, abort_payload(error), net::within(1s));
      } catch (...) {  // NOLINT(bugprone-empty-catch): whoever is gone need not be told
      }
    }
    throw;
  }
  report.operations = meeting.operations;
  report.least_operations = meeting.operations;
  report.bytes = meeting.traffic.sent + meeting.traffic.received;
  return report;
}

void UnionAuthority::meet(Meeting& meeting, Report& report) {
  meeting.listener = listen_for(configuration_.address(identity_.name));
  const auto met = net::within(configuration_.wait);
  std::map<std::string, std::string> hellos;
  progress_.begin("waiting for the sites", configuration_.sites.size());
  while (hellos.size() < configuration_.sites.size()) {
    progress_.check();
    if (std::chrono::steady_clock::now() >= met)
      throw Error::machine("not all sites came in time")
          .hint("Start all participants within the time that `wait` in consortium.yaml allows.");
    if (!meeting.listener->awaited(net::within(200ms))) continue;
    try {
      auto channel =
          std::make_unique<Channel>(meeting.listener->accept(net::within(3s), &identity_.server),
                                    identity_, meeting.traffic, meeting.stop);
      const std::string site = channel->peer();
      (void)channel->expect(MessageType::hello, net::within(5s));
      const bool is_site =
          std::ranges::find(configuration_.sites, site) != configuration_.sites.end();
      if (!is_site || hellos.contains(site)) continue;
      hellos[site] = channel->last();
      meeting.channels[site] = std::move(channel);
      progress_.advance(1);
    } catch (const Aborted&) {
      throw;
    } catch (const Error&) {
      continue;  // a stranger
    }
  }
  std::vector<std::string> in_order;
  for (const auto& site : configuration_.sites) in_order.push_back(hellos.at(site));
  Sha256Digest nonce{};
  secure_bytes(std::as_writable_bytes(std::span(nonce)));
  const std::string payload = roster_payload(in_order, nonce);
  meeting.roster = read_roster(payload, configuration_, identity_);
  for (auto& [site, channel] : meeting.channels) {
    channel->send(MessageType::roster, payload, net::within(configuration_.step));
    channel->set_session(meeting.roster.session);
  }
  report.session = to_hex(meeting.roster.session);
  report.held("agreement");
}

void UnionAuthority::pass_on_raised(Meeting& meeting) {
  const auto step = std::chrono::milliseconds(configuration_.step);
  const auto pass = [&](const std::string& from, const std::string& to) {
    const Message message = meeting.of(from).expect(MessageType::relay, net::within(step));
    meeting.of(to).send(MessageType::relay, message.payload, net::within(step));
  };
  for (const auto& owner : configuration_.sites) {
    const auto batches =
        union_batches(meeting.roster.sites.at(owner).samples, configuration_.batch);
    for (const auto& hop : configuration_.sites) {
      if (hop == owner) continue;
      for (std::size_t i = 0; i < batches; ++i) {
        pass(owner, hop);
        pass(hop, owner);
      }
    }
  }
}

std::vector<Point> UnionAuthority::chosen_texts(Meeting& meeting) {
  struct Kept {
    std::size_t sites = 0;
    std::string first;
    std::size_t place = 0;
  };
  std::map<Point, Kept> by_element;
  std::map<std::string, std::vector<Point>> texts;
  for (const auto& site : configuration_.sites) {
    const std::uint64_t size = meeting.roster.sites.at(site).samples;
    const auto tokens = receive_points(meeting.of(site), 0, size, configuration_);
    texts[site] = receive_points(meeting.of(site), 1, size * kSealedPoints, configuration_);
    if (std::set<Point>(tokens.begin(), tokens.end()).size() != tokens.size())
      throw CheckFailed("no record twice", site, fmt::format("{} submitted a record twice", site));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      auto& kept = by_element.try_emplace(tokens[i], Kept{0, site, i}).first->second;
      ++kept.sites;
    }
  }
  std::vector<Point> chosen;
  std::size_t count = 0;
  for (const auto& [token, kept] : by_element) {
    if (question_.common && kept.sites < configuration_.sites.size()) continue;
    const auto& of = texts.at(kept.first);
    const auto begin = of.begin() + static_cast<std::ptrdiff_t>(kept.place * kSealedPoints);
    chosen.insert(chosen.end(), begin, begin + kSealedPoints);
    ++count;
  }
  if (count < std::max<std::uint64_t>(question_.minimum, 1))
    throw CheckFailed("minimum", "",
                      "fewer elements would be revealed than the least that may be, or none");
  return chosen;
}

std::vector<std::string> UnionAuthority::reads(std::span<const Point> texts,
                                               const std::map<std::string, Share>& shares,
                                               const std::map<std::string, Point>& keys,
                                               const Sha256Digest& session) {
  return opened_texts(texts, shares, keys, session);
}

void UnionAuthority::serve(Meeting& meeting, Report& report) {
  const auto step = std::chrono::milliseconds(configuration_.step);
  meet(meeting, report);
  const auto& session = meeting.roster.session;
  // 2. Keys.
  std::string keys;
  for (const auto& site : configuration_.sites)
    keys += meeting.of(site).expect(MessageType::hello, net::within(step)).payload;
  (void)read_keys(keys, configuration_, session, meeting.keys);
  for (auto& [site, channel] : meeting.channels)
    channel->send(MessageType::roster, keys, net::within(step));
  report.held("keys");
  // 3. Elements.
  progress_.begin("comparing what only its owners can read", 0);
  pass_on_raised(meeting);
  std::vector<Point> texts = chosen_texts(meeting);
  passes_on(texts);
  report.held("no record twice");
  report.held("minimum");
  // 4. The mix.
  const std::uint64_t size = texts.size();
  for (auto& [site, channel] : meeting.channels)
    channel->send(MessageType::decision, ByteWriter().number(size, 4).take(), net::within(step));
  ByteWriter chain;
  for (const auto& site : configuration_.sites) {
    Channel& channel = meeting.of(site);
    send_points(channel, 3, texts, configuration_);
    texts = receive_points(channel, 3, size, configuration_);
    const Message hashes = channel.expect(MessageType::raised, net::within(step));
    ByteReader reader(hashes.payload);
    const auto before = reader.raw<32>();
    const auto after = reader.raw<32>();
    const auto signature = reader.raw<64>();
    if (!reader.ended() || *after != digest_of_points(texts))
      throw CheckFailed("mix", site, fmt::format("{} did not say what it gave", site));
    chain.raw(*before).raw(*after).raw(*signature);
  }
  // 5. Opening.
  const std::string hashes = chain.take();
  for (auto& [site, channel] : meeting.channels) {
    channel->send(MessageType::locked, hashes, net::within(step));
    send_points(*channel, 4, texts, configuration_);
  }
  std::map<std::string, Share> shares;
  for (const auto& site : configuration_.sites) {
    Share& share = shares[site];
    share.points = receive_points(meeting.of(site), 2, to_open(texts).size(), configuration_);
    share.proofs = meeting.of(site).expect(MessageType::raised, net::within(step)).payload;
    meeting.operations += 2 * share.points.size();
  }
  const auto elements = reads(texts, shares, meeting.keys, session);
  meeting.operations += kTextPoints * elements.size();
  report.held("proofs");
  report.disclosed = elements.size();
  // 6. To all, who open the texts themselves.
  for (auto& [site, channel] : meeting.channels) {
    for (const auto& [owner, share] : shares) {
      send_points(*channel, 5, share.points, configuration_);
      channel->send(MessageType::unlock, share.proofs, net::within(step));
    }
  }
  for (auto& [site, channel] : meeting.channels)
    (void)channel->expect(MessageType::have, net::within(step * 2));
  report.held("everybody found its own");
  for (auto& [site, channel] : meeting.channels) {
    try {
      channel->send(MessageType::commit, {}, net::within(step), true);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it has the result
    }
  }
}

}  // namespace pratique::consortium
