// The curve behind ristretto255 (RFC 9496, section 4), for sums of many points at once: libsodium
// adds encoded points only, and decodes and encodes them each time.
//
// How long it takes depends on the numbers: only for what everybody may see.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace pratique::edwards {

// A number modulo 2^255 - 19 in five parts of 51 bits, each of which may be a little longer.
struct Field {
  std::array<std::uint64_t, 5> part{};

  [[nodiscard]] static Field of(std::span<const std::uint8_t, 32> bytes);  // the highest bit is not
  [[nodiscard]] std::array<std::uint8_t, 32> bytes() const;
  [[nodiscard]] bool is_negative() const { return (bytes()[0] & 1U) != 0; }
  friend Field operator+(const Field& left, const Field& right);
  friend Field operator-(const Field& left, const Field& right);
  friend Field operator*(const Field& left, const Field& right);
  friend bool operator==(const Field& left, const Field& right) {
    return left.bytes() == right.bytes();
  }
};

inline constexpr Field kZero{};
inline constexpr Field kOne{{1}};

// x = X / Z, y = Y / Z, x y = T / Z (Hisil, Wong, Carter and Dawson 2008).
struct Extended {
  Field x = kZero, y = kOne, z = kOne, t = kZero;

  // A point's encoding, which must be one.
  [[nodiscard]] static Extended decode(std::span<const std::uint8_t, 32> bytes);
  [[nodiscard]] std::array<std::uint8_t, 32> encode() const;
  [[nodiscard]] Extended doubled() const;
  friend Extended operator+(const Extended& left, const Extended& right);
};

// One that is added often: y - x, y + x, 2 d x y, with Z = 1.
struct Addend {
  explicit Addend(const Extended& decoded);
  [[nodiscard]] Addend negative() const;
  friend Extended operator+(const Extended& left, const Addend& right);

  Field difference, sum, product;
};

}  // namespace pratique::edwards
