// How a session begins: every site says hello to the authority, and the authority answers with a
// roster of all hellos. The session's name is the hash of the roster, so nobody chooses it, two
// sessions never have the same, and everybody who knows its name knows the same participants,
// commitments and sizes.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "pratique/consortium/channel.h"
#include "pratique/consortium/configuration.h"
#include "pratique/consortium/element.h"

namespace pratique::consortium {

struct Hello {
  Sha256Digest configuration{};
  Sha256Digest nonce{};
  Point commitment = Point::generator();  // the session key times the generator
  std::uint64_t samples = 0;
  std::uint64_t people = 0;
  std::uint64_t time = 0;  // seconds since 1970, UTC

  [[nodiscard]] std::uint64_t size(List list) const {
    return list == List::samples ? samples : people;
  }
  [[nodiscard]] std::string encode() const;
  [[nodiscard]] static std::optional<Hello> decode(std::string_view bytes);
};

[[nodiscard]] std::uint64_t unix_seconds();

struct Roster {
  Sha256Digest session{};
  std::map<std::string, Hello> sites;
};

// From the hellos as they came, signed, in the order of the sites.
[[nodiscard]] std::string roster_payload(const std::vector<std::string>& hellos,
                                         const Sha256Digest& nonce);
// Throws CheckFailed where a hello is not its site's, or Error::input where sites disagree.
[[nodiscard]] Roster read_roster(std::string_view payload, const Configuration& configuration,
                                 const Identity& self);
// Throws CheckFailed where somebody else answers at the authority's address: a site of the same
// host has a certificate for it, too.
void require_authority(const Channel& channel, const Configuration& configuration);
// Before any data is sent: the same configuration, clocks, sizes that can be. Error::input.
void check_hello(const std::string& site, const Hello& hello, const Configuration& configuration);
void check_sizes(const Roster& roster, const Configuration& configuration);

// A list of points in batches, and as many as were announced. Throws CheckFailed where it is none.
void send_points(Channel& channel, std::uint8_t which, std::span<const Point> points,
                 const Configuration& configuration);
// Batch by batch to `take`, or all of it.
void receive_points(Channel& channel, std::uint8_t which, std::uint64_t size,
                    const Configuration& configuration,
                    const std::function<void(std::span<const Point>)>& take);
[[nodiscard]] std::vector<Point> receive_points(Channel& channel, std::uint8_t which,
                                                std::uint64_t size,
                                                const Configuration& configuration);

// What a participant tells of its session.
struct Check {
  std::string name;
  bool held = true;
  std::string culprit = {};
};
struct Report {
  std::vector<Check> checks;
  std::uint64_t disclosed = 0;
  std::uint64_t operations = 0;        // multiplications of points
  std::uint64_t least_operations = 0;  // that the protocol needs
  std::uint64_t bytes = 0;             // sent and received
  std::uint64_t seed = 0;              // what decided ties; only the authority knows it
  std::string session;
  std::string commit = {};  // the authority's signatures for all sites (signature_for)

  void held(const std::string& name) { checks.push_back({name}); }
};

}  // namespace pratique::consortium
