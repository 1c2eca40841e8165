// The group ristretto255 (RFC 9496), by libsodium: its points, the numbers that multiply them, and
// hashing to both (RFC 9380, as RFC 9497 has it for ristretto255-SHA512).
//
// The group has a prime order, so that every point but the identity generates all of it. What two
// parties multiply by secret numbers, one after the other, is the same in either order, and nobody
// who has not both numbers can tell which point it was (decisional Diffie-Hellman).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pratique {

// A number modulo the order of the group. It may be a secret: it is wiped when it goes.
class Scalar {
 public:
  static constexpr std::size_t kBytes = 32;

  // From the operating system's generator; never 0.
  [[nodiscard]] static Scalar random();
  // Nothing where the bytes are not the only encoding of a number from 1 to the order - 1.
  [[nodiscard]] static std::optional<Scalar> decode(std::span<const std::uint8_t> bytes);
  // `domain` keeps hashes for different purposes apart.
  [[nodiscard]] static Scalar hash(std::string_view message, std::string_view domain);

  Scalar(const Scalar&) = default;
  Scalar(Scalar&&) noexcept = default;
  Scalar& operator=(const Scalar&) = default;
  Scalar& operator=(Scalar&&) noexcept = default;
  ~Scalar();

  [[nodiscard]] const std::array<std::uint8_t, kBytes>& bytes() const { return bytes_; }
  [[nodiscard]] Scalar inverse() const;
  friend Scalar operator*(const Scalar& left, const Scalar& right);
  friend Scalar operator-(const Scalar& left, const Scalar& right);
  // In constant time.
  friend bool operator==(const Scalar& left, const Scalar& right);

 private:
  Scalar() = default;
  std::array<std::uint8_t, kBytes> bytes_{};
};

class Point {
 public:
  static constexpr std::size_t kBytes = 32;

  [[nodiscard]] static Point generator();
  // Nothing where the bytes are not the only encoding of a point, or are the identity's: whoever
  // sends it would learn nothing from an answer, and whoever takes it could be made to give one
  // that is the same for everybody.
  [[nodiscard]] static std::optional<Point> decode(std::span<const std::uint8_t> bytes);
  // Of which nobody knows the logarithm to any base.
  [[nodiscard]] static Point hash(std::string_view message, std::string_view domain);

  [[nodiscard]] const std::array<std::uint8_t, kBytes>& bytes() const { return bytes_; }
  friend Point operator*(const Scalar& number, const Point& point);
  friend bool operator==(const Point&, const Point&) = default;
  friend auto operator<=>(const Point&, const Point&) = default;

 private:
  friend class PointSum;
  Point() = default;
  std::array<std::uint8_t, kBytes> bytes_{};
};

// Points added up; it may be the identity on the way.
class PointSum {
 public:
  void add(const Point& point);
  // Nothing where it is the identity.
  [[nodiscard]] std::optional<Point> total() const;

 private:
  std::array<std::uint8_t, Point::kBytes> sum_{};  // of nothing: the identity
};

}  // namespace pratique
