#include "pratique/crypto/random.h"

#include <sys/random.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/crypto/hash.h"

namespace pratique {

void secure_bytes(std::span<std::byte> out) {
  while (!out.empty()) {
    const ssize_t drawn = getrandom(out.data(), out.size(), 0);
    if (drawn < 0) {
      if (errno == EINTR) continue;
      throw Error::machine("the operating system gave no random bytes");
    }
    out = out.subspan(static_cast<std::size_t>(drawn));
  }
}

std::uint64_t secure_u64() {
  std::uint64_t value = 0;
  secure_bytes(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

std::uint64_t draw_seed() { return secure_u64() >> 11; }

SeededRandom::SeededRandom(std::uint64_t seed, std::uint64_t stream) {
  // Byte by byte, so that the state is the same on every machine.
  std::array<std::byte, 16> input;
  for (int i = 0; i < 8; ++i) {
    input[i] = static_cast<std::byte>(seed >> (8 * i));
    input[8 + i] = static_cast<std::byte>(stream >> (8 * i));
  }
  const Sha256Digest digest = sha256(input);
  for (int word = 0; word < 4; ++word) {
    state_[word] = 0;
    for (int i = 0; i < 8; ++i) {
      state_[word] |= static_cast<std::uint64_t>(digest[8 * word + i]) << (8 * i);
    }
  }
}

std::uint64_t SeededRandom::below(std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * bound;
  auto low = static_cast<std::uint64_t>(product);
  if (low < bound) {
    const std::uint64_t threshold = -bound % bound;
    while (low < threshold) {
      product = static_cast<Wide>(next()) * bound;
      low = static_cast<std::uint64_t>(product);
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double SeededRandom::normal(double mean, double deviation) {
  // The polar method without its cached second value: a draw must not depend on draws before it.
  double x = 0;
  double s = 0;
  do {
    x = 2 * uniform() - 1;
    const double y = 2 * uniform() - 1;
    s = x * x + y * y;
  } while (s >= 1 || s == 0);
  return mean + deviation * x * std::sqrt(-2 * std::log(s) / s);
}

AliasTable::AliasTable(std::span<const double> weights) : cells_(weights.size()) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (weights.empty() || !(total > 0)) throw std::invalid_argument("weights must be positive");
  std::vector<double> scaled(weights.size());
  std::vector<std::uint32_t> small;
  std::vector<std::uint32_t> large;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    scaled[i] = weights[i] * static_cast<double>(weights.size()) / total;
    (scaled[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const std::uint32_t below_one = small.back();
    small.pop_back();
    const std::uint32_t above_one = large.back();
    cells_[below_one] = {scaled[below_one], above_one};
    scaled[above_one] -= 1 - scaled[below_one];
    if (scaled[above_one] < 1) {
      large.pop_back();
      small.push_back(above_one);
    }
  }
  for (const auto& rest : {small, large}) {
    for (const std::uint32_t i : rest) cells_[i] = {1.0, i};
  }
}

std::size_t AliasTable::draw(SeededRandom& random) const {
  const std::size_t i = random.below(cells_.size());
  return random.uniform() < cells_[i].keep ? i : cells_[i].other;
}

}  // namespace pratique
