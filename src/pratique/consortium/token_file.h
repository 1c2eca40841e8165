// The fully encrypted records of one list, on disk: what the authority holds of lists of millions
// takes no memory. The file is private (0600) and has no name once it is open, so that it ends with
// the process.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "pratique/crypto/ristretto.h"

namespace pratique::consortium {

using Token = std::array<std::uint8_t, Point::kBytes>;

class TokenFile {
 public:
  TokenFile();
  ~TokenFile();
  TokenFile(const TokenFile&) = delete;
  TokenFile& operator=(const TokenFile&) = delete;

  void add(std::span<const Token> tokens);
  void add(std::span<const Point> points);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // All of them, in the order in which they came.
  void for_each(const std::function<void(std::uint64_t place, const Token& token)>& take) const;

 private:
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace pratique::consortium
