#include "pratique/consortium/internal/union_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pratique/consortium/guarded_list.h"
#include "pratique/consortium/sealed_text.h"
#include "pratique/crypto/equal_logarithms.h"

namespace pratique::consortium {
namespace {

// A proof for more points than one can be of: one for each part.
constexpr std::size_t kProofPart = 16'384;

}  // namespace

std::string union_context(const Sha256Digest& session, const std::string& what,
                          const std::string& owner, const std::string& by, std::uint64_t number) {
  return fmt::format("pratique-consortium-v1-union-{}-{}-{}-{}-{}", what, to_hex(session), owner,
                     by, number);
}

std::string mix_text(const Sha256Digest& session, const std::string& site,
                     const Sha256Digest& before, const Sha256Digest& after) {
  return fmt::format("pratique consortium mix\n{}\n{}\n{}\n{}", to_hex(session), site,
                     to_hex(before), to_hex(after));
}

Sha256Digest digest_of_points(std::span<const Point> points) {
  Sha256 hash;
  for (const Point& point : points) hash.update(std::as_bytes(std::span(point.bytes())));
  return hash.finish();
}

std::size_t union_batches(std::uint64_t size, std::uint64_t batch) {
  return (size + batch - 1) / batch;
}

Point key_base(const Sha256Digest& session) {
  return Point::hash("key", "pratique-consortium-v1-union-key-" + to_hex(session));
}

Point read_keys(std::string_view payload, const Configuration& configuration,
                const Sha256Digest& session, std::map<std::string, Point>& keys) {
  ByteReader reader(payload);
  const Point base = key_base(session);
  std::optional<Point> sum;
  for (const auto& site : configuration.sites) {
    const auto points = reader.points(2);
    const auto bytes = reader.raw<EqualLogarithms::kBytes>();
    const auto proof = bytes ? EqualLogarithms::decode(*bytes) : std::nullopt;
    const bool fits = proof && points->size() == 2;
    const std::vector<Point> before = {base};
    const std::vector<Point> after = fits ? std::vector<Point>{(*points)[1]} : before;
    if (!fits || !verify_equal_logarithms({Point::generator(), (*points)[0], before, after}, *proof,
                                          union_context(session, "key", site, site, 0)))
      throw CheckFailed("keys", site, fmt::format("{} did not show that it knows its key", site));
    keys.insert_or_assign(site, (*points)[0]);
    sum = sum ? sum_of(*sum, (*points)[0]) : (*points)[0];
  }
  if (!reader.ended()) throw CheckFailed("keys", "", "there are more keys than sites");
  return *sum;
}

Share share_of(const Scalar& secret, const Point& key, const std::string& site,
               std::span<const Point> texts, const Sha256Digest& session) {
  const auto to_multiply = to_open(texts);
  Share share{multiplied(secret, to_multiply), {}};
  ByteWriter proofs;
  for (std::size_t begin = 0; begin < share.points.size(); begin += kProofPart) {
    const std::size_t size = std::min(kProofPart, share.points.size() - begin);
    proofs.raw(prove_equal_logarithms(
                   secret,
                   {Point::generator(), key, std::span(to_multiply).subspan(begin, size),
                    std::span(share.points).subspan(begin, size)},
                   union_context(session, "open", site, site, begin))
                   .encode());
  }
  share.proofs = proofs.take();
  return share;
}

std::vector<std::string> opened_texts(std::span<const Point> texts,
                                      const std::map<std::string, Share>& shares,
                                      const std::map<std::string, Point>& keys,
                                      const Sha256Digest& session) {
  const auto to_multiply = to_open(texts);
  std::vector<Point> sums;
  for (const auto& [site, key] : keys) {
    const Share& share = shares.at(site);
    ByteReader reader(share.proofs);
    for (std::size_t begin = 0; begin < to_multiply.size(); begin += kProofPart) {
      const std::size_t size = std::min(kProofPart, to_multiply.size() - begin);
      const auto bytes = reader.raw<EqualLogarithms::kBytes>();
      const auto proof = bytes ? EqualLogarithms::decode(*bytes) : std::nullopt;
      if (!proof || share.points.size() != to_multiply.size() ||
          !verify_equal_logarithms(
              {Point::generator(), key, std::span(to_multiply).subspan(begin, size),
               std::span(share.points).subspan(begin, size)},
              *proof, union_context(session, "open", site, site, begin)))
        throw CheckFailed("proofs", site, fmt::format("{} did not open texts with its key", site));
    }
    if (sums.empty()) {
      sums = share.points;
    } else {
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = sum_of(sums[i], share.points[i]);
    }
  }
  std::set<std::string> elements;
  for (std::size_t i = 0; i < texts.size() / kSealedPoints; ++i) {
    const auto text = open_text(texts.subspan(i * kSealedPoints, kSealedPoints),
                                std::span(sums).subspan(i * kTextPoints, kTextPoints));
    if (!text || !elements.insert(*text).second)
      throw CheckFailed(
          "texts", "", "an element was replaced by something that is not text, or is listed twice");
  }
  return {elements.begin(), elements.end()};
}

}  // namespace pratique::consortium
