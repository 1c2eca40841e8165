#include "pratique/notes/model/internal/features.h"

#include <algorithm>

#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

enum class Sign : std::uint8_t { letter, digit, other };

Sign sign_of(char c) {
  const auto u = static_cast<unsigned char>(c);
  if (u >= '0' && u <= '9') return Sign::digit;
  return u >= 0x80 || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') ? Sign::letter : Sign::other;
}

constexpr double kSureHit = 0.5;
constexpr std::uint64_t kFnvStart = 0xCBF29CE484222325;
constexpr std::uint64_t kFnvPrime = 0x100000001B3;

std::uint64_t hash_bytes(std::string_view bytes) {
  std::uint64_t hash = kFnvStart;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kFnvPrime;
  return hash;
}

// Xx of Mary, X of MARY, 0 of a number: long runs are one.
std::uint64_t shape_hash(std::string_view word) {
  std::uint64_t hash = kFnvStart;
  char last = 0;
  int same = 0;
  for (const char c : word) {
    const auto u = static_cast<unsigned char>(c);
    const char kind = u >= '0' && u <= '9'         ? '0'
                      : u >= 'A' && u <= 'Z'       ? 'X'
                      : sign_of(c) == Sign::letter ? 'x'
                                                   : c;
    same = kind == last ? same + 1 : 0;
    last = kind;
    if (same < 3) hash = (hash ^ static_cast<unsigned char>(kind)) * kFnvPrime;
  }
  return hash;
}

std::uint32_t row_of(std::uint64_t feature, std::uint64_t value) {
  std::uint64_t hash = (value + feature * 0x9E3779B97F4A7C15ULL) * 0xBF58476D1CE4E5B9ULL;
  hash ^= hash >> 31U;
  hash *= 0x94D049BB133111EBULL;
  return static_cast<std::uint32_t>((hash >> 40U) & (kFeatureRows - 1));
}

struct PlainToken {
  std::size_t start = 0, end = 0;
  std::uint64_t word = 0, shape = 0, head = 0, tail = 0, hit = 0;
  std::uint16_t kinds = 0;
  Sign sign = Sign::other;
  bool found = false;
};

PlainToken plain_token(std::string_view text, std::size_t start, std::size_t end) {
  PlainToken token{.start = start, .end = end};
  const auto spelled = text.substr(start, end - start);
  token.shape = shape_hash(spelled);
  token.sign = sign_of(spelled[0]);
  if (token.sign != Sign::letter) {
    token.word = token.head = token.tail = hash_bytes(spelled);
    return token;
  }
  const std::string small = words::folded(spelled);
  token.word = words::hash_of(small);
  token.kinds = words::kinds_of_hash(token.word);
  token.head = hash_bytes(std::string_view(small).substr(0, 3));
  token.tail = hash_bytes(
      std::string_view(small).substr(small.size() - std::min<std::size_t>(small.size(), 3)));
  return token;
}

ModelLine with_features(const std::vector<PlainToken>& plain) {
  constexpr std::uint64_t kBefore = 1;  // of a line's first token
  constexpr std::uint64_t kBehind = 2;
  ModelLine line(plain.size());
  const auto at = [&](std::size_t i, std::ptrdiff_t by) -> const PlainToken* {
    const auto j = static_cast<std::ptrdiff_t>(i) + by;
    return j < 0 || j >= static_cast<std::ptrdiff_t>(plain.size())
               ? nullptr
               : &plain[static_cast<std::size_t>(j)];
  };
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const PlainToken& token = plain[i];
    const auto word = [&](std::ptrdiff_t by) {
      const auto* other = at(i, by);
      return other == nullptr ? (by < 0 ? kBefore : kBehind) : other->word;
    };
    const auto kinds = [&](std::ptrdiff_t by) {
      const auto* other = at(i, by);
      return other == nullptr ? std::uint64_t{0xFFFF} : std::uint64_t{other->kinds};
    };
    const auto hit = [&](std::ptrdiff_t by) {
      const auto* other = at(i, by);
      return other == nullptr ? 0 : other->hit;
    };
    line[i] = {
        token.start,
        token.end,
        {row_of(1, token.word), row_of(2, token.shape), row_of(3, token.head),
         row_of(4, token.tail), row_of(5, word(-1)), row_of(6, word(1)), row_of(7, word(-2)),
         row_of(8, word(2)), row_of(9, token.kinds), row_of(10, kinds(-1)), row_of(11, kinds(1)),
         row_of(12, token.hit), row_of(13, hit(-1)), row_of(14, hit(1)),
         row_of(15, plain.front().word), row_of(16, word(-1) * 31 + token.shape),
         row_of(17, token.hit * 31 + token.shape), row_of(18, 0)},
        token.found};
  }
  return line;
}

}  // namespace

bool is_plain_kind(std::uint16_t kinds) {
  using namespace words;  // NOLINT(google-build-using-namespace): its constants name kinds
  if ((kinds & (kEnglish | kMedical | kJob)) != 0) return true;
  return (kinds & (kEponym | kCapitals | kProper)) != 0 && (kinds & (kName | kTown | kRegion)) == 0;
}

std::vector<ModelLine> featured_lines(std::string_view text, const std::vector<Span>& hits,
                                      Lines which) {
  const auto is_open = [](const PlainToken& token) {
    if (token.found || token.sign == Sign::other) return false;
    return token.sign == Sign::digit ||
           (token.end - token.start > 2 && !is_plain_kind(token.kinds));
  };
  std::vector<ModelLine> lines;
  std::vector<PlainToken> plain;
  std::size_t hit = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    plain.clear();
    while (at < line_end) {
      const Sign sign = sign_of(text[at]);
      std::size_t end = at + 1;
      while (sign != Sign::other && end < line_end && sign_of(text[end]) == sign) ++end;
      const char c = text[at];
      if (c != ' ' && c != '\t' && c != '\r') {
        PlainToken token = plain_token(text, at, end);
        while (hit < hits.size() && hits[hit].end <= at) ++hit;
        if (hit < hits.size() && hits[hit].start < end) {
          token.hit = hash_bytes(hits[hit].type) * 16 +
                      static_cast<std::uint64_t>(hits[hit].certainty * 5) * 2 +
                      (hits[hit].start >= at ? 1 : 0);
          token.found = hits[hit].certainty >= kSureHit;
        }
        plain.push_back(token);
      }
      at = end;
    }
    at = line_end + 1;
    if (plain.empty()) continue;
    if (which == Lines::all || std::any_of(plain.begin(), plain.end(), is_open))
      lines.push_back(with_features(plain));
  }
  return lines;
}

}  // namespace pratique::notes
