// Where the randomness of a perturbed release comes from.
//
// A manifest publishes a run's seed so that the run can be repeated. For perturbation that would
// hand the noise over with the data: who knows the seed draws the same noise and takes it off
// again. So operators that hide a value behind chance take a NoiseSource, and what they get by
// default is SystemNoise, which cannot be repeated. SeededNoise is for tests, and for a caller who
// insists; its seed must then be kept as secret as the original, or the manifest must say that the
// release is not protected by the perturbation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "pratique/crypto/random.h"

namespace pratique {

class NoiseSource {
 public:
  virtual ~NoiseSource() = default;

  // 64 random bits.
  virtual std::uint64_t next() = 0;

  // Uniform on {0, ..., bound - 1}, exactly. bound > 0.
  std::uint64_t below(std::uint64_t bound);
  // Uniform on [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  bool chance(double probability) { return uniform() < probability; }
  // Gaussian with mean 0 and deviation 1.
  double normal();

  template <class Range>
  void shuffle(Range& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      using std::swap;
      swap(items[i - 1], items[below(i)]);
    }
  }
};

// How often this process, or one that it descends from, has been the child of a fork: whoever keeps
// random numbers for later throws them away when this changes, or parent and child draw the same.
[[nodiscard]] std::uint64_t fork_generation();

// The operating system's generator, asked for a block at a time.
class SystemNoise final : public NoiseSource {
 public:
  std::uint64_t next() override;

 private:
  std::array<std::uint64_t, 512> block_{};
  std::size_t left_ = 0;
  std::uint64_t generation_ = fork_generation();
};

class SeededNoise final : public NoiseSource {
 public:
  explicit SeededNoise(std::uint64_t seed, std::uint64_t stream = 0) : random_(seed, stream) {}
  explicit SeededNoise(SeededRandom random) : random_(random) {}
  std::uint64_t next() override { return random_.next(); }

 private:
  SeededRandom random_;
};

}  // namespace pratique
