// A source of noise for tests: draws that the test has laid out, and none other.
#pragma once

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <utility>

#include "pratique/crypto/noise_source.h"

namespace pratique {

class LaidOutNoise final : public NoiseSource {
 public:
  explicit LaidOutNoise(std::deque<std::uint64_t> draws) : draws_(std::move(draws)) {}
  std::uint64_t next() override {
    if (draws_.empty()) throw std::logic_error("one draw too many");
    const std::uint64_t draw = draws_.front();
    draws_.pop_front();
    return draw;
  }
  [[nodiscard]] std::size_t left() const { return draws_.size(); }

 private:
  std::deque<std::uint64_t> draws_;
};

}  // namespace pratique
