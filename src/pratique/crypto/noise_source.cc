#include "pratique/crypto/noise_source.h"

#include <pthread.h>

#include <atomic>
#include <cmath>
#include <span>

namespace pratique {
namespace {

std::atomic<std::uint64_t>& forks() {
  static std::atomic<std::uint64_t> count = 0;
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { count.fetch_add(1, std::memory_order_relaxed); });
  (void)registered;
  return count;
}

}  // namespace

std::uint64_t fork_generation() { return forks().load(std::memory_order_relaxed); }

std::uint64_t NoiseSource::below(std::uint64_t bound) {
  // Draws in the last, incomplete run of `bound` numbers are thrown away.
  const std::uint64_t incomplete = (0 - bound) % bound;
  std::uint64_t draw = next();
  while (draw < incomplete) draw = next();
  return draw % bound;
}

double NoiseSource::normal() {
  // The polar method without its cached second value, as in random.h.
  double x = 0;
  double s = 0;
  do {
    x = 2 * uniform() - 1;
    const double y = 2 * uniform() - 1;
    s = x * x + y * y;
  } while (s >= 1 || s == 0);
  return x * std::sqrt(-2 * std::log(s) / s);
}

std::uint64_t SystemNoise::next() {
  if (left_ == 0 || generation_ != fork_generation()) {
    generation_ = fork_generation();
    secure_bytes(std::as_writable_bytes(std::span(block_)));
    left_ = block_.size();
  }
  --left_;
  // A number that was used is not left lying in memory.
  return std::exchange(block_[left_], 0);
}

}  // namespace pratique
