#include "pratique/consortium/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace pratique::consortium {

std::uint64_t unix_seconds() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(
                                        std::chrono::system_clock::now().time_since_epoch())
                                        .count());
}

std::string Hello::encode() const {
  return ByteWriter()
      .raw(configuration)
      .raw(nonce)
      .raw(commitment.bytes())
      .number(samples, 8)
      .number(people, 8)
      .number(time, 8)
      .take();
}

std::optional<Hello> Hello::decode(std::string_view bytes) {
  ByteReader reader(bytes);
  Hello hello;
  const auto configuration = reader.raw<32>();
  const auto nonce = reader.raw<32>();
  const auto commitment = reader.raw<Point::kBytes>();
  const auto samples = reader.number(8);
  const auto people = reader.number(8);
  const auto time = reader.number(8);
  if (!reader.ended()) return std::nullopt;
  const auto point = Point::decode(*commitment);
  if (!point) return std::nullopt;
  return Hello{*configuration, *nonce, *point, *samples, *people, *time};
}

std::string roster_payload(const std::vector<std::string>& hellos, const Sha256Digest& nonce) {
  ByteWriter writer;
  writer.raw(nonce).number(hellos.size(), 4);
  for (const auto& hello : hellos) writer.text(hello);
  return writer.take();
}

Roster read_roster(std::string_view payload, const Configuration& configuration,
                   const Identity& self) {
  Roster roster;
  Sha256 hash;
  hash.update("pratique consortium session\n");
  hash.update(payload);
  roster.session = hash.finish();
  ByteReader reader(payload);
  const auto nonce = reader.raw<32>();
  const auto count = reader.number(4);
  const auto refuse = [&](const std::string& what) {
    throw CheckFailed("roster", configuration.authority, what);
  };
  if (!nonce || !count || *count != configuration.sites.size())
    refuse("the roster is not of all sites");
  for (const auto& site : configuration.sites) {
    const auto bytes = reader.text();
    if (!bytes) refuse("the roster is cut");
    const Message message = open_passed_on(*bytes, site, Sha256Digest{}, self);
    const auto hello = Hello::decode(message.payload);
    if (message.type != MessageType::hello || !hello) refuse("the roster has no hello of " + site);
    check_hello(site, *hello, configuration);
    roster.sites.emplace(site, *hello);
  }
  if (!reader.ended()) refuse("the roster is too long");
  return roster;
}

void require_authority(const Channel& channel, const Configuration& configuration) {
  if (channel.peer() != configuration.authority)
    throw CheckFailed("certificates", channel.peer(),
                      fmt::format("{} answers at the address of the authority", channel.peer()));
}

void check_hello(const std::string& site, const Hello& hello, const Configuration& configuration) {
  if (hello.configuration != configuration.digest())
    throw Error::input(fmt::format("{} has another configuration", site))
        .hint("All participants need the same consortium.yaml.");
  const std::uint64_t now = unix_seconds();
  const std::uint64_t off = now > hello.time ? now - hello.time : hello.time - now;
  if (off > static_cast<std::uint64_t>(configuration.clock.count()))
    throw Error::input(fmt::format("the clocks of {} and this machine differ by {} s", site, off))
        .hint("Set them; consortium.yaml says by how much they may differ.");
  if (hello.samples > configuration.records || hello.people > configuration.records)
    throw Error::input(fmt::format("{} has more records than consortium.yaml allows", site))
        .hint("Raise `records` there, for all participants.");
  if (hello.samples > hello.people)
    throw Error::input(fmt::format("{} has more samples than people", site))
        .hint("Everybody who has a sample must be in identified.csv.");
}

void check_sizes(const Roster& roster, const Configuration& configuration) {
  std::uint64_t most = 0;
  for (const auto& [site, hello] : roster.sites)
    most = std::max(most, std::min(hello.people, hello.samples));
  if (configuration.k > most)
    throw Error::input(
        fmt::format("k is {}, and no site has as many people with samples", configuration.k))
        .hint("Choose a smaller k in consortium.yaml, for all participants.");
}

void send_points(Channel& channel, std::uint8_t which, std::span<const Point> points,
                 const Configuration& configuration) {
  for (std::size_t begin = 0; begin < points.size(); begin += configuration.batch) {
    const auto part =
        points.subspan(begin, std::min<std::size_t>(configuration.batch, points.size() - begin));
    channel.send(
        MessageType::list,
        ByteWriter().number(which, 1).number(begin / configuration.batch, 4).points(part).take(),
        net::within(configuration.step));
  }
}

void receive_points(Channel& channel, std::uint8_t which, std::uint64_t size,
                    const Configuration& configuration,
                    const std::function<void(std::span<const Point>)>& take) {
  std::uint64_t got = 0;
  for (std::uint64_t number = 0; got < size; ++number) {
    const Message message = channel.expect(
        MessageType::list, net::within(std::chrono::milliseconds(configuration.step) * 2));
    ByteReader reader(message.payload);
    const auto of = reader.number(1);
    const auto batch = reader.number(4);
    const auto points = reader.points(configuration.batch);
    if (!points || !reader.ended() || *of != which || *batch != number || points->empty() ||
        got + points->size() > size)
      throw CheckFailed(
          "points", channel.peer(),
          fmt::format("{} sent a list that is not a list of points, or too long", channel.peer()));
    got += points->size();
    take(*points);
  }
}

std::vector<Point> receive_points(Channel& channel, std::uint8_t which, std::uint64_t size,
                                  const Configuration& configuration) {
  std::vector<Point> all;
  receive_points(channel, which, size, configuration, [&](std::span<const Point> points) {
    all.insert(all.end(), points.begin(), points.end());
  });
  return all;
}

}  // namespace pratique::consortium
