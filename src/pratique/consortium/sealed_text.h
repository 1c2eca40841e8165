// Short texts under a key of all sites together (ElGamal in ristretto255), for a union whose
// plaintext comes out without its origin: a hashed element cannot be turned back, so it travels
// beside its hash, encrypted.
//
// A text is written into points directly, 30 bytes in each, so that a ciphertext can be made anew
// by anybody (rerandomised) and nobody sees that it was the same. A point encodes 30 bytes when the
// other two are chosen such that all 32 are the encoding of a point: one in four are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/crypto/ristretto.h"

namespace pratique::consortium {

inline constexpr std::size_t kTextPoints = 4;
inline constexpr std::size_t kLongestText = kTextPoints * 30 - 2;

// kTextPoints points. Throws Error::input where the text is longer than kLongestText bytes.
[[nodiscard]] std::vector<Point> points_of_text(std::string_view text);
// Nothing where the points are not those of a text.
[[nodiscard]] std::optional<std::string> text_of_points(std::span<const Point> points);

// Of one text: a pair of points for each of its points.
using SealedText = std::vector<Point>;
inline constexpr std::size_t kSealedPoints = 2 * kTextPoints;

[[nodiscard]] Point sum_of(const Point& left, const Point& right);
[[nodiscard]] Point difference_of(const Point& left, const Point& right);

[[nodiscard]] SealedText seal_text(std::string_view text, const Point& key);
// The same text, and nobody without the key can tell.
void make_anew(std::span<Point> sealed, const Point& key);
// The first of each pair: what every site multiplies by its secret number to open it.
[[nodiscard]] std::vector<Point> to_open(std::span<const Point> sealed);
// `shares` are the sums of what all sites answered.
[[nodiscard]] std::optional<std::string> open_text(std::span<const Point> sealed,
                                                   std::span<const Point> shares);

}  // namespace pratique::consortium
