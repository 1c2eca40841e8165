// Digests in hexadecimal, computed as often as a dictionary is long.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "pratique/genomes/attack/dictionary.h"

namespace pratique::genomes {

class Digester {
 public:
  // `key` of hmac.
  Digester(DigestKind kind, std::string key);
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;

  // Small letters.
  [[nodiscard]] std::string hex_of(std::string_view text);
  // Valid until the next one.
  [[nodiscard]] std::span<const std::uint8_t> bytes_of(std::string_view text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] std::size_t digest_bytes(DigestKind kind);

}  // namespace pratique::genomes
