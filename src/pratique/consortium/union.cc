#include "pratique/consortium/union.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pratique/consortium/guarded_list.h"
#include "pratique/consortium/internal/meeting.h"
#include "pratique/consortium/internal/union_parts.h"
#include "pratique/consortium/sealed_text.h"

namespace pratique::consortium {

using namespace std::chrono_literals;

struct UnionMeeting : Meeting {
  using Meeting::Meeting;
  std::map<std::string, Point> keys;
};

UnionAuthority::UnionAuthority(const Configuration& configuration, const Identity& identity,
                               const UnionQuestion& question, Progress& progress)
    : configuration_(configuration),
      identity_(identity),
      question_(question),
      progress_(progress) {}

Report UnionAuthority::run() {
  UnionMeeting meeting(configuration_, identity_, report_);
  meeting.preside([&] { serve(meeting); });
  report_.least_operations = report_.operations;
  return report_;
}

void UnionAuthority::pass_on_raised(UnionMeeting& meeting) {
  const auto step = meeting.step();
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

std::vector<Point> UnionAuthority::chosen_texts(UnionMeeting& meeting) {
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

void UnionAuthority::serve(UnionMeeting& meeting) {
  const auto step = meeting.step();
  Report& report = meeting.report;
  // 1. Hellos and the roster.
  meeting.gather(progress_);
  meeting.send_roster([](const Roster&) {});
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
