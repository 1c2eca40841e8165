// What the authority and the sites of a union share: what is signed and proven, and how sealed
// texts are opened.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "pratique/consortium/configuration.h"
#include "pratique/consortium/session.h"

namespace pratique::consortium {

[[nodiscard]] std::string union_context(const Sha256Digest& session, const std::string& what,
                                        const std::string& owner, const std::string& by,
                                        std::uint64_t number);
// What a site signs of its mix.
[[nodiscard]] std::string mix_text(const Sha256Digest& session, const std::string& site,
                                   const Sha256Digest& before, const Sha256Digest& after);
[[nodiscard]] Sha256Digest digest_of_points(std::span<const Point> points);
[[nodiscard]] std::size_t union_batches(std::uint64_t size, std::uint64_t batch);

// A point of which nobody knows the logarithm, for the proof that a key's secret number is known.
[[nodiscard]] Point key_base(const Sha256Digest& session);
// Everybody's second key, after its proof was checked; their sum. Throws CheckFailed.
[[nodiscard]] Point read_keys(std::string_view payload, const Configuration& configuration,
                              const Sha256Digest& session, std::map<std::string, Point>& keys);

// What a site multiplied to open the last list, with its proofs.
struct Share {
  std::vector<Point> points;
  std::string proofs;
};
[[nodiscard]] Share share_of(const Scalar& secret, const Point& key, const std::string& site,
                             std::span<const Point> texts, const Sha256Digest& session);
// The elements, after every site's share was checked; the sites do it, too, and believe nobody.
// Throws CheckFailed where a share is not its site's, or a text is none or is there twice.
[[nodiscard]] std::vector<std::string> opened_texts(std::span<const Point> texts,
                                                    const std::map<std::string, Share>& shares,
                                                    const std::map<std::string, Point>& keys,
                                                    const Sha256Digest& session);

}  // namespace pratique::consortium
