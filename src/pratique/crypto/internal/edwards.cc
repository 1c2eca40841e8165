#include "pratique/crypto/internal/edwards.h"

namespace pratique::edwards {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kMask = (std::uint64_t{1} << 51U) - 1;
// RFC 9496, section 4.1.
constexpr Field kD{
    {0x34dca135978a3, 0x1a8283b156ebd, 0x5e7a26001c029, 0x739c663a03cbb, 0x52036cee2b6ff}};
constexpr Field kTwiceD{
    {0x69b9426b2f159, 0x35050762add7a, 0x3cf44c0038052, 0x6738cc7407977, 0x2406d9dc56dff}};
constexpr Field kRootOfMinusOne{
    {0x61b274a0ea0b0, 0x0d5a5fc8f189d, 0x7ef5e9cbd0c60, 0x78595a6804c9e, 0x2b8324804fc1d}};
constexpr Field kOneByRootOfAMinusD{
    {0x0fdaa805d40ea, 0x2eb482e57d339, 0x007610274bc58, 0x6510b613dc8ff, 0x786c8905cfaff}};

Field carried(const std::array<Wide, 5>& sums) {
  Field result;
  Wide carry = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const Wide sum = sums[i] + carry;
    result.part[i] = static_cast<std::uint64_t>(sum) & kMask;
    carry = sum >> 51U;
  }
  // 2^255 is 19.
  const Wide first = Wide{result.part[0]} + carry * 19;
  result.part[0] = static_cast<std::uint64_t>(first) & kMask;
  result.part[1] += static_cast<std::uint64_t>(first >> 51U);
  return result;
}

Field negated(const Field& value) { return kZero - value; }
Field absolute(const Field& value) { return value.is_negative() ? negated(value) : value; }

Field squared(const Field& value, int times = 1) {
  Field result = value;
  for (int i = 0; i < times; ++i) result = result * result;
  return result;
}

// value^((p - 5) / 8) = value^(2^252 - 3).
Field to_root_power(const Field& value) {
  const Field p1 = squared(value) * value;       // 2^2 - 1
  const Field p3 = squared(p1) * value;          // 2^3 - 1
  const Field p5 = squared(p3, 2) * p1;          // 2^5 - 1
  const Field p10 = squared(p5, 5) * p5;         // 2^10 - 1
  const Field p20 = squared(p10, 10) * p10;      // 2^20 - 1
  const Field p40 = squared(p20, 20) * p20;      // 2^40 - 1
  const Field p50 = squared(p40, 10) * p10;      // 2^50 - 1
  const Field p100 = squared(p50, 50) * p50;     // 2^100 - 1
  const Field p200 = squared(p100, 100) * p100;  // 2^200 - 1
  const Field p250 = squared(p200, 50) * p50;    // 2^250 - 1
  return squared(p250, 2) * value;               // 2^252 - 3
}

// SQRT_RATIO_M1 of 1 and `value`: 1 / sqrt(value) where that is a square.
Field one_by_root(const Field& value) {
  const Field cube = squared(value) * value;
  const Field seventh = squared(cube) * value;
  Field root = cube * to_root_power(seventh);
  const Field check = value * squared(root);
  if (check == negated(kOne) || check == negated(kRootOfMinusOne)) root = root * kRootOfMinusOne;
  return absolute(root);
}

}  // namespace

Field Field::of(std::span<const std::uint8_t, 32> bytes) {
  Field result;
  for (std::size_t bit = 0; bit < 255; bit += 8) {
    const std::uint64_t byte = bytes[bit / 8];
    const std::size_t at = bit / 51;
    result.part[at] |= (byte << (bit % 51)) & kMask;
    if (bit % 51 > 43 && at < 4) result.part[at + 1] |= byte >> (51 - bit % 51);
  }
  return result;
}

std::array<std::uint8_t, 32> Field::bytes() const {
  // Twice, as a part may have been longer; then once more with 19 to see whether it is p or more.
  Field value = *this;
  const auto carry = [&] {
    for (std::size_t i = 0; i < 5; ++i) {
      const std::uint64_t over = value.part[i] >> 51U;
      value.part[i] &= kMask;
      value.part[(i + 1) % 5] += i == 4 ? over * 19 : over;
    }
  };
  carry();
  carry();
  Field more = value;
  more.part[0] += 19;
  std::uint64_t over = 0;
  for (auto& digit : more.part) {
    digit += over;
    over = digit >> 51U;
    digit &= kMask;
  }
  if (over != 0) value = more;
  const auto& digits = value.part;
  const std::array<std::uint64_t, 4> words = {
      digits[0] | digits[1] << 51U, digits[1] >> 13U | digits[2] << 38U,
      digits[2] >> 26U | digits[3] << 25U, digits[3] >> 39U | digits[4] << 12U};
  std::array<std::uint8_t, 32> result{};
  for (std::size_t i = 0; i < 32; ++i)
    result[i] = static_cast<std::uint8_t>(words[i / 8] >> (8 * (i % 8)));
  return result;
}

Field operator+(const Field& left, const Field& right) {
  Field result;
  for (std::size_t i = 0; i < 5; ++i) result.part[i] = left.part[i] + right.part[i];
  return result;
}

Field operator-(const Field& left, const Field& right) {
  // With 16 p, so that nothing is below 0.
  std::array<Wide, 5> sums{};
  for (std::size_t i = 0; i < 5; ++i)
    sums[i] = Wide{left.part[i]} + Wide{kMask - (i == 0 ? 18 : 0)} * 16 - right.part[i];
  return carried(sums);
}

Field operator*(const Field& left, const Field& right) {
  const auto& a = left.part;
  const auto& b = right.part;
  const std::uint64_t b1 = b[1] * 19;
  const std::uint64_t b2 = b[2] * 19;
  const std::uint64_t b3 = b[3] * 19;
  const std::uint64_t b4 = b[4] * 19;
  return carried(
      {Wide{a[0]} * b[0] + Wide{a[1]} * b4 + Wide{a[2]} * b3 + Wide{a[3]} * b2 + Wide{a[4]} * b1,
       Wide{a[0]} * b[1] + Wide{a[1]} * b[0] + Wide{a[2]} * b4 + Wide{a[3]} * b3 + Wide{a[4]} * b2,
       Wide{a[0]} * b[2] + Wide{a[1]} * b[1] + Wide{a[2]} * b[0] + Wide{a[3]} * b4 +
           Wide{a[4]} * b3,
       Wide{a[0]} * b[3] + Wide{a[1]} * b[2] + Wide{a[2]} * b[1] + Wide{a[3]} * b[0] +
           Wide{a[4]} * b4,
       Wide{a[0]} * b[4] + Wide{a[1]} * b[3] + Wide{a[2]} * b[2] + Wide{a[3]} * b[1] +
           Wide{a[4]} * b[0]});
}

// RFC 9496, section 4.3.1.
Extended Extended::decode(std::span<const std::uint8_t, 32> bytes) {
  const Field s = Field::of(bytes);
  const Field square = s * s;
  const Field u1 = kOne - square;
  const Field u2 = kOne + square;
  const Field u2_square = u2 * u2;
  const Field v = negated(kD * (u1 * u1)) - u2_square;
  const Field root = one_by_root(v * u2_square);
  const Field by_x = root * u2;
  const Field by_y = root * by_x * v;
  const Field x = absolute((s + s) * by_x);
  const Field y = u1 * by_y;
  return {x, y, kOne, x * y};
}

// RFC 9496, section 4.3.2.
std::array<std::uint8_t, 32> Extended::encode() const {
  const Field u1 = (z + y) * (z - y);
  const Field u2 = x * y;
  const Field root = one_by_root(u1 * (u2 * u2));
  const Field by_1 = root * u1;
  const Field by_2 = root * u2;
  const Field by_z = by_1 * by_2 * t;
  const bool rotates = (t * by_z).is_negative();
  const Field first = rotates ? y * kRootOfMinusOne : x;
  Field second = rotates ? x * kRootOfMinusOne : y;
  const Field by = rotates ? by_1 * kOneByRootOfAMinusD : by_2;
  if ((first * by_z).is_negative()) second = negated(second);
  return absolute(by * (z - second)).bytes();
}

Extended Extended::doubled() const {
  const Field a = x * x;
  const Field b = y * y;
  const Field zz = z * z;
  const Field h = a + b;
  const Field xy = x + y;
  const Field e = h - xy * xy;
  const Field g = a - b;
  const Field f = zz + zz + g;
  return {e * f, g * h, f * g, e * h};
}

Extended operator+(const Extended& left, const Extended& right) {
  const Field a = (left.y - left.x) * (right.y - right.x);
  const Field b = (left.y + left.x) * (right.y + right.x);
  const Field c = left.t * kTwiceD * right.t;
  const Field zz = left.z * right.z;
  const Field d = zz + zz;
  const Field e = b - a;
  const Field f = d - c;
  const Field g = d + c;
  const Field h = b + a;
  return {e * f, g * h, f * g, e * h};
}

Addend::Addend(const Extended& decoded)
    : difference(decoded.y - decoded.x), sum(decoded.y + decoded.x), product(kTwiceD * decoded.t) {}

Addend Addend::negative() const {
  Addend result = *this;
  std::swap(result.difference, result.sum);
  result.product = negated(product);
  return result;
}

Extended operator+(const Extended& left, const Addend& right) {
  const Field a = (left.y - left.x) * right.difference;
  const Field b = (left.y + left.x) * right.sum;
  const Field c = left.t * right.product;
  const Field d = left.z + left.z;
  const Field e = b - a;
  const Field f = d - c;
  const Field g = d + c;
  const Field h = b + a;
  return {e * f, g * h, f * g, e * h};
}

}  // namespace pratique::edwards
