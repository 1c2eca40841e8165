// The randomness of differential privacy.
//
// Noise hides a person only while nobody can guess it, and noise that is used twice cancels: of
// a + X and b + X everybody learns a - b. So
// - it comes from the operating system's cryptographic generator, and a process that forks never
//   goes on with numbers that its parent has;
// - each phase of a mechanism asks for a stream of its own, by name, and no name is given twice
//   in one run: what two phases draw is independent, and a copied line of code is an error;
// - a seed makes the noise known to whoever knows the seed. It exists for tests and studies; what
//   was made with one says that it is not private.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "pratique/crypto/noise_source.h"

namespace pratique::dp {

__extension__ using Wide = unsigned __int128;

// Bits, handed out a byte at a time where that is enough.
class RandomBits {
 public:
  explicit RandomBits(std::unique_ptr<NoiseSource> source);

  [[nodiscard]] std::uint64_t word() { return source_->next(); }
  [[nodiscard]] std::uint8_t byte() {
    if (left_ == 0 || generation_ != fork_generation()) refill();
    --left_;
    const auto low = static_cast<std::uint8_t>(pool_);
    pool_ >>= 8U;
    return low;
  }
  [[nodiscard]] bool coin() { return (byte() & 1U) != 0; }
  // Uniform on {0, ..., bound - 1}, exactly. bound > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return source_->below(bound); }
  [[nodiscard]] Wide below_wide(Wide bound);

 private:
  void refill();
  std::unique_ptr<NoiseSource> source_;
  std::uint64_t pool_ = 0;
  std::uint64_t generation_ = 0;
  unsigned left_ = 0;
};

class Noise {
 public:
  // Without a seed, the only noise that is private.
  explicit Noise(std::optional<std::uint64_t> insecure_seed = std::nullopt)
      : seed_(insecure_seed) {}

  [[nodiscard]] bool is_private() const { return !seed_.has_value(); }
  // Throws std::logic_error when a phase asks again.
  [[nodiscard]] RandomBits phase(std::string_view name);

 private:
  std::optional<std::uint64_t> seed_;
  std::set<std::string, std::less<>> taken_;
};

}  // namespace pratique::dp
