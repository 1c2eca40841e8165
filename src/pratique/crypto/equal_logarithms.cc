#include "pratique/crypto/equal_logarithms.h"

#include <sodium.h>

#include <algorithm>

#include "pratique/core/error.h"
#include "pratique/crypto/hash.h"
#include "pratique/crypto/weighted_sum.h"

namespace pratique {
namespace {

// A number in two bytes, the higher first.
void append_number(std::string& text, std::size_t number) {
  text += static_cast<char>(number >> 8U);
  text += static_cast<char>(number & 0xffU);
}

void append(std::string& text, std::span<const std::uint8_t> bytes) {
  append_number(text, bytes.size());
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// The sums of the pairs, each with a weight that follows from all that is proven.
struct Composites {
  Point before;
  Point after;
};

std::string bound_context(const Multiplied& multiplied, std::string_view context) {
  std::string bound(context);
  if (multiplied.weighing == Weighing::as_published) return bound;
  Sha256 hash;
  hash.update(std::as_bytes(std::span(multiplied.base.bytes())));
  hash.update(std::as_bytes(std::span(multiplied.public_key.bytes())));
  for (const auto points : {multiplied.before, multiplied.after})
    for (const Point& point : points) hash.update(std::as_bytes(std::span(point.bytes())));
  return bound + "-" + to_hex(hash.finish());
}

class Weights {
 public:
  Weights(const Multiplied& multiplied, std::string_view context)
      : multiplied_(multiplied), domain_("HashToScalar-") {
    const std::string bound = bound_context(multiplied, context);
    domain_ += bound;
    const std::string seed_domain = "Seed-" + bound;
    std::string transcript;
    append(transcript, multiplied.public_key.bytes());
    append_number(transcript, seed_domain.size());
    transcript += seed_domain;
    crypto_hash_sha512(seed_.data(), reinterpret_cast<const std::uint8_t*>(transcript.data()),
                       transcript.size());
  }

  [[nodiscard]] std::vector<Scalar> of_pairs() const {
    std::vector<Scalar> weights;
    weights.reserve(multiplied_.before.size());
    std::string transcript;
    for (std::size_t pair = 0; pair < multiplied_.before.size(); ++pair) {
      transcript.clear();
      append(transcript, seed_);
      append_number(transcript, pair);
      append(transcript, multiplied_.before[pair].bytes());
      append(transcript, multiplied_.after[pair].bytes());
      transcript += "Composite";
      weights.push_back(Scalar::hash(transcript, domain_));
    }
    return weights;
  }

  [[nodiscard]] Scalar challenge(const Composites& composites, const Point& of_base,
                                 const Point& of_pairs) const {
    std::string transcript;
    for (const Point* point :
         {&multiplied_.public_key, &composites.before, &composites.after, &of_base, &of_pairs})
      append(transcript, point->bytes());
    transcript += "Challenge";
    return Scalar::hash(transcript, domain_);
  }

 private:
  const Multiplied& multiplied_;
  std::string domain_;
  std::array<std::uint8_t, crypto_hash_sha512_BYTES> seed_{};
};

bool may_be_proven(const Multiplied& multiplied) {
  return !multiplied.before.empty() && multiplied.before.size() <= kMostEqualLogarithms &&
         multiplied.before.size() == multiplied.after.size();
}

}  // namespace

std::vector<Scalar> weights_of_pairs(const Multiplied& multiplied, std::string_view context) {
  return Weights(multiplied, context).of_pairs();
}

std::array<std::uint8_t, EqualLogarithms::kBytes> EqualLogarithms::encode() const {
  std::array<std::uint8_t, kBytes> bytes{};
  std::copy(challenge.bytes().begin(), challenge.bytes().end(), bytes.begin());
  std::copy(response.bytes().begin(), response.bytes().end(), bytes.begin() + Scalar::kBytes);
  return bytes;
}

std::optional<EqualLogarithms> EqualLogarithms::decode(std::span<const std::uint8_t> bytes) {
  if (bytes.size() != kBytes) return std::nullopt;
  const auto challenge = Scalar::decode(bytes.first(Scalar::kBytes));
  const auto response = Scalar::decode(bytes.last(Scalar::kBytes));
  if (!challenge || !response) return std::nullopt;
  return EqualLogarithms{*challenge, *response};
}

EqualLogarithms prove_equal_logarithms(const Scalar& key, const Multiplied& multiplied,
                                       std::string_view context, const Scalar& nonce) {
  if (!may_be_proven(multiplied))
    throw Error::machine("a proof of equal logarithms is of 1 to 65,535 pairs");
  const Weights weights(multiplied, context);
  const auto before = weighted_sum(weights.of_pairs(), multiplied.before);
  if (!before) throw Error::machine("the sum of points is the identity");
  const Composites composites{*before, key * *before};
  const Scalar challenge =
      weights.challenge(composites, nonce * multiplied.base, nonce * composites.before);
  return {challenge, nonce - challenge * key};
}

bool verify_equal_logarithms(const Multiplied& multiplied, const EqualLogarithms& proof,
                             std::string_view context) {
  if (!may_be_proven(multiplied)) return false;
  const Weights weights(multiplied, context);
  const auto pair_weights = weights.of_pairs();
  const auto before = weighted_sum(pair_weights, multiplied.before);
  const auto after = weighted_sum(pair_weights, multiplied.after);
  if (!before || !after) return false;
  const auto sum_of = [&](const Point& base, const Point& multiple) {
    PointSum sum;
    sum.add(proof.response * base);
    sum.add(proof.challenge * multiple);
    return sum.total();
  };
  const auto of_base = sum_of(multiplied.base, multiplied.public_key);
  const auto of_pairs = sum_of(*before, *after);
  if (!of_base || !of_pairs) return false;
  return weights.challenge({*before, *after}, *of_base, *of_pairs) == proof.challenge;
}

}  // namespace pratique
