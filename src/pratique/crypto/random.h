// Two kinds of randomness that must never be mixed up.
//
// secure_*: the operating system's generator, for keys, secrets and the noise of differential
// privacy. It cannot be seeded.
//
// SeededRandom: xoshiro256++ (Blackman and Vigna, 2019), for everything that must repeat. The state
// of stream i of seed s is SHA-256(s, i), so streams are independent for all practical purposes and
// work cut into numbered blocks gives the same result on any number of threads. Its distributions
// are our own because those of the standard library differ between implementations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pratique {

void secure_bytes(std::span<std::byte> out);
[[nodiscard]] std::uint64_t secure_u64();
// A seed for SeededRandom that every reader of JSON keeps exactly (below 2^53).
[[nodiscard]] std::uint64_t draw_seed();

class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform on {0, ..., bound - 1}, exactly (Lemire 2019). bound > 0.
  std::uint64_t below(std::uint64_t bound);
  // Uniform on {low, ..., high}.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(
                     below(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1));
  }
  // Uniform on [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  bool chance(double probability) { return uniform() < probability; }
  double normal(double mean, double deviation);

  template <class Range>
  void shuffle(Range& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      using std::swap;
      swap(items[i - 1], items[below(i)]);
    }
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::array<std::uint64_t, 4> state_;
};

// Draws from fixed weights in constant time (Walker 1977, Vose 1991).
class AliasTable {
 public:
  explicit AliasTable(std::span<const double> weights);
  [[nodiscard]] std::size_t draw(SeededRandom& random) const;
  [[nodiscard]] std::size_t size() const { return cells_.size(); }

 private:
  struct Cell {
    double keep;
    std::uint32_t other;
  };
  std::vector<Cell> cells_;
};

}  // namespace pratique
