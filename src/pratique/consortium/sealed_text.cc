#include "pratique/consortium/sealed_text.h"

#include <algorithm>
#include <array>

#include "pratique/core/error.h"

namespace pratique::consortium {
namespace {

constexpr std::size_t kInPoint = 30;

Point point_of_bytes(std::string_view bytes) {
  std::array<std::uint8_t, Point::kBytes> encoding{};
  std::copy(bytes.begin(), bytes.end(), encoding.begin() + 1);
  // Of the encodings with an even first byte and the highest bit free one in four is a point.
  for (unsigned last = 0; last < 128; ++last) {
    for (unsigned first = 0; first < 256; first += 2) {
      encoding.front() = static_cast<std::uint8_t>(first);
      encoding.back() = static_cast<std::uint8_t>(last);
      if (const auto point = Point::decode(encoding)) return *point;
    }
  }
  throw Error::machine("a text has no points");  // with a chance of (3/4)^16384
}

Scalar minus_one() {
  std::array<std::uint8_t, Scalar::kBytes> one{1};
  std::array<std::uint8_t, Scalar::kBytes> two{2};
  return *Scalar::decode(one) - *Scalar::decode(two);
}

}  // namespace

std::vector<Point> points_of_text(std::string_view text) {
  if (text.size() > kLongestText)
    throw Error::input("an element is too long for a union")
        .hint("A union takes elements of up to 118 bytes.");
  std::string padded(1, static_cast<char>(text.size() >> 8U));
  padded += static_cast<char>(text.size() & 0xffU);
  padded += text;
  padded.resize(kTextPoints * kInPoint, '\0');
  std::vector<Point> points;
  for (std::size_t i = 0; i < kTextPoints; ++i)
    points.push_back(point_of_bytes(std::string_view(padded).substr(i * kInPoint, kInPoint)));
  return points;
}

std::optional<std::string> text_of_points(std::span<const Point> points) {
  std::string padded;
  for (const Point& point : points)
    padded.append(reinterpret_cast<const char*>(point.bytes().data()) + 1, kInPoint);
  const std::size_t size =
      static_cast<unsigned char>(padded[0]) * 256U + static_cast<unsigned char>(padded[1]);
  if (points.size() != kTextPoints || size > kLongestText) return std::nullopt;
  const bool clean = std::all_of(padded.begin() + static_cast<std::ptrdiff_t>(2 + size),
                                 padded.end(), [](char c) { return c == '\0'; });
  if (!clean) return std::nullopt;
  return padded.substr(2, size);
}

Point sum_of(const Point& left, const Point& right) {
  PointSum sum;
  sum.add(left);
  sum.add(right);
  const auto total = sum.total();
  if (!total) throw Error::machine("a sum of points is the identity");
  return *total;
}

Point difference_of(const Point& left, const Point& right) {
  static const Scalar kMinusOne = minus_one();
  return sum_of(left, kMinusOne * right);
}

SealedText seal_text(std::string_view text, const Point& key) {
  SealedText sealed;
  for (const Point& point : points_of_text(text)) {
    const Scalar number = Scalar::random();
    sealed.push_back(number * Point::generator());
    sealed.push_back(sum_of(point, number * key));
  }
  return sealed;
}

void make_anew(std::span<Point> sealed, const Point& key) {
  for (std::size_t i = 0; i + 1 < sealed.size(); i += 2) {
    const Scalar number = Scalar::random();
    sealed[i] = sum_of(sealed[i], number * Point::generator());
    sealed[i + 1] = sum_of(sealed[i + 1], number * key);
  }
}

std::vector<Point> to_open(std::span<const Point> sealed) {
  std::vector<Point> first;
  for (std::size_t i = 0; i < sealed.size(); i += 2) first.push_back(sealed[i]);
  return first;
}

std::optional<std::string> open_text(std::span<const Point> sealed, std::span<const Point> shares) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (sealed[2 * i + 1] == shares[i]) return std::nullopt;
    points.push_back(difference_of(sealed[2 * i + 1], shares[i]));
  }
  return text_of_points(points);
}

}  // namespace pratique::consortium
