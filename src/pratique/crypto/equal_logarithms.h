// A proof that many points were multiplied by one secret number, without telling the number:
// RFC 9497, section 2.2 (Chaum and Pedersen's proof, batched, made non-interactive by a hash).
//
// Given points C[i] and D[i] and the public B = key * A, the proof convinces everybody that
// D[i] = key * C[i] for all i. A prover for whom it does not hold of one pair is believed with a
// chance of about 2^-252 for each hash she tries: the weights of the pairs in the sums M and Z
// follow from a hash of all of them, so that she cannot choose a second wrong pair that mends the
// first. Verifiers learn that it holds and nothing else of the key.
//
// In the RFC the weight of a pair follows from that pair alone. A prover may then try many wrong
// points for each of many pairs until their errors cancel (Wagner's generalised birthday): 2^34
// hashes for 512 pairs, 2^31 for 16,384. Here the context of the RFC's hashes holds a hash of all
// pairs; whoever changes one changes all weights.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/crypto/ristretto.h"

namespace pratique {

// The pairs of one proof are numbered by two bytes.
constexpr std::size_t kMostEqualLogarithms = 65535;

struct EqualLogarithms {
  Scalar challenge;
  Scalar response;

  static constexpr std::size_t kBytes = 2 * Scalar::kBytes;
  [[nodiscard]] std::array<std::uint8_t, kBytes> encode() const;
  [[nodiscard]] static std::optional<EqualLogarithms> decode(std::span<const std::uint8_t> bytes);
};

enum class Weighing : std::uint8_t { by_all_pairs, as_published };

// Of what a proof is about. The context keeps proofs of different protocols and sessions apart.
struct Multiplied {
  Point base;        // A
  Point public_key;  // B = key * A
  std::span<const Point> before;
  std::span<const Point> after;
  Weighing weighing = Weighing::by_all_pairs;  // as published only for the RFC's vectors
};

// What each pair counts in the sums.
[[nodiscard]] std::vector<Scalar> weights_of_pairs(const Multiplied& multiplied,
                                                   std::string_view context);

// `nonce` must be drawn anew for each proof: two with the same tell the key. Throws where there are
// no pairs, too many, or not as many before as after.
[[nodiscard]] EqualLogarithms prove_equal_logarithms(const Scalar& key,
                                                     const Multiplied& multiplied,
                                                     std::string_view context,
                                                     const Scalar& nonce = Scalar::random());
[[nodiscard]] bool verify_equal_logarithms(const Multiplied& multiplied,
                                           const EqualLogarithms& proof, std::string_view context);

}  // namespace pratique
