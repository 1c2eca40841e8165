#include "pratique/crypto/ristretto.h"

#include <sodium.h>

#include <algorithm>

#include "pratique/core/error.h"

namespace pratique {
namespace {

using Wide = std::array<std::uint8_t, 64>;  // a hash by SHA-512
static_assert(std::tuple_size_v<Wide> == crypto_hash_sha512_BYTES);
static_assert(std::tuple_size_v<Wide> == crypto_core_ristretto255_HASHBYTES);
static_assert(std::tuple_size_v<Wide> == crypto_core_ristretto255_NONREDUCEDSCALARBYTES);

void start_sodium() {
  static const bool started = sodium_init() >= 0;
  if (!started) throw Error::machine("libsodium cannot be started");
}

class Sha512 {
 public:
  Sha512() { crypto_hash_sha512_init(&state_); }
  Sha512& add(std::span<const std::uint8_t> bytes) {
    crypto_hash_sha512_update(&state_, bytes.data(), bytes.size());
    return *this;
  }
  Sha512& add(std::string_view text) {
    crypto_hash_sha512_update(&state_, reinterpret_cast<const std::uint8_t*>(text.data()),
                              text.size());
    return *this;
  }
  Sha512& add(std::uint8_t byte) { return add(std::span(&byte, 1)); }
  Wide finish() {
    Wide digest{};
    crypto_hash_sha512_final(&state_, digest.data());
    return digest;
  }

 private:
  crypto_hash_sha512_state state_{};
};

// expand_message_xmd of RFC 9380, section 5.3.1, with SHA-512, for 64 bytes.
Wide expand_message(std::string_view message, std::string_view domain) {
  constexpr std::array<std::uint8_t, 128> kBlockOfZeros{};
  Wide shortened{};
  std::string_view tag = domain;
  if (domain.size() > 255) {
    shortened = Sha512().add("H2C-OVERSIZE-DST-").add(domain).finish();
    tag = {reinterpret_cast<const char*>(shortened.data()), shortened.size()};
  }
  const auto tag_length = static_cast<std::uint8_t>(tag.size());
  constexpr std::array<std::uint8_t, 2> kLength = {0, 64};
  const Wide first = Sha512()
                         .add(kBlockOfZeros)
                         .add(message)
                         .add(kLength)
                         .add(std::uint8_t{0})
                         .add(tag)
                         .add(tag_length)
                         .finish();
  return Sha512().add(first).add(std::uint8_t{1}).add(tag).add(tag_length).finish();
}

bool is_zero(std::span<const std::uint8_t> bytes) {
  return sodium_is_zero(bytes.data(), bytes.size()) == 1;
}

}  // namespace

Scalar::~Scalar() { sodium_memzero(bytes_.data(), bytes_.size()); }

Scalar Scalar::random() {
  start_sodium();
  Scalar number;
  crypto_core_ristretto255_scalar_random(number.bytes_.data());
  return number;
}

std::optional<Scalar> Scalar::decode(std::span<const std::uint8_t> bytes) {
  start_sodium();
  if (bytes.size() != kBytes || is_zero(bytes)) return std::nullopt;
  Scalar number;
  std::copy(bytes.begin(), bytes.end(), number.bytes_.begin());
  // A number below the order is what is left of it.
  Wide wide{};
  std::copy(bytes.begin(), bytes.end(), wide.begin());
  Scalar reduced;
  crypto_core_ristretto255_scalar_reduce(reduced.bytes_.data(), wide.data());
  sodium_memzero(wide.data(), wide.size());
  if (!(reduced == number)) return std::nullopt;
  return number;
}

Scalar Scalar::hash(std::string_view message, std::string_view domain) {
  start_sodium();
  const Wide expanded = expand_message(message, domain);
  Scalar number;
  crypto_core_ristretto255_scalar_reduce(number.bytes_.data(), expanded.data());
  return number;
}

Scalar Scalar::inverse() const {
  Scalar result;
  if (crypto_core_ristretto255_scalar_invert(result.bytes_.data(), bytes_.data()) != 0)
    throw Error::machine("0 has no inverse");
  return result;
}

Scalar operator*(const Scalar& left, const Scalar& right) {
  Scalar result;
  crypto_core_ristretto255_scalar_mul(result.bytes_.data(), left.bytes_.data(),
                                      right.bytes_.data());
  return result;
}

Scalar operator-(const Scalar& left, const Scalar& right) {
  Scalar result;
  crypto_core_ristretto255_scalar_sub(result.bytes_.data(), left.bytes_.data(),
                                      right.bytes_.data());
  return result;
}

bool operator==(const Scalar& left, const Scalar& right) {
  return sodium_memcmp(left.bytes_.data(), right.bytes_.data(), Scalar::kBytes) == 0;
}

Point Point::generator() {
  start_sodium();
  std::array<std::uint8_t, Scalar::kBytes> one{1};
  Point point;
  if (crypto_scalarmult_ristretto255_base(point.bytes_.data(), one.data()) != 0)
    throw Error::machine("libsodium has no generator");
  return point;
}

std::optional<Point> Point::decode(std::span<const std::uint8_t> bytes) {
  start_sodium();
  if (bytes.size() != kBytes || is_zero(bytes)) return std::nullopt;
  if (crypto_core_ristretto255_is_valid_point(bytes.data()) != 1) return std::nullopt;
  Point point;
  std::copy(bytes.begin(), bytes.end(), point.bytes_.begin());
  return point;
}

Point Point::hash(std::string_view message, std::string_view domain) {
  start_sodium();
  const Wide expanded = expand_message(message, domain);
  Point point;
  crypto_core_ristretto255_from_hash(point.bytes_.data(), expanded.data());
  return point;
}

Point operator*(const Scalar& number, const Point& point) {
  Point result;
  // It is the identity only for 0, which no secret number is and a hash is with 2^-252.
  if (crypto_scalarmult_ristretto255(result.bytes_.data(), number.bytes().data(),
                                     point.bytes_.data()) != 0)
    throw Error::machine("a point was multiplied by 0");
  return result;
}

void PointSum::add(const Point& point) {
  start_sodium();
  if (crypto_core_ristretto255_add(sum_.data(), sum_.data(), point.bytes_.data()) != 0)
    throw Error::machine("libsodium cannot add two points");
}

std::optional<Point> PointSum::total() const { return Point::decode(sum_); }

}  // namespace pratique
