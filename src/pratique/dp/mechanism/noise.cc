#include "pratique/dp/mechanism/noise.h"

#include <stdexcept>

#include "pratique/crypto/hash.h"

namespace pratique::dp {

RandomBits::RandomBits(std::unique_ptr<NoiseSource> source) : source_(std::move(source)) {}

void RandomBits::refill() {
  generation_ = fork_generation();
  pool_ = source_->next();
  left_ = sizeof(pool_);
}

Wide RandomBits::below_wide(Wide bound) {
  // Draws in the last, incomplete run of `bound` numbers are thrown away.
  const Wide incomplete = (Wide{0} - bound) % bound;
  while (true) {
    const Wide draw = (static_cast<Wide>(source_->next()) << 64U) | source_->next();
    if (draw >= incomplete) return draw % bound;
  }
}

RandomBits Noise::phase(std::string_view name) {
  if (!taken_.emplace(name).second) {
    throw std::logic_error("a phase asked twice for its noise: " + std::string(name));
  }
  if (!seed_) return RandomBits(std::make_unique<SystemNoise>());
  // The stream of a phase follows from its name, not from how many asked before.
  const std::string digest = sha256_hex(name);
  return RandomBits(
      std::make_unique<SeededNoise>(*seed_, std::stoull(digest.substr(0, 16), nullptr, 16)));
}

}  // namespace pratique::dp
