// The values of a column, each stored once and named by a 32-bit code in order of first appearance.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace pratique {

using Code = std::uint32_t;
inline constexpr Code kNoCode = 0xffffffffU;  // of no value

class Dictionary {
 public:
  Dictionary();
  Dictionary(Dictionary&&) noexcept = default;
  Dictionary& operator=(Dictionary&&) noexcept = default;

  // The code of `value`, which is added when it is new. A missing cell is the empty value.
  Code intern(std::string_view value) { return intern(value, hash(value)); }
  [[nodiscard]] std::optional<Code> find(std::string_view value) const;

  [[nodiscard]] std::string_view value(Code code) const { return values_[code]; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] const std::vector<std::string_view>& values() const { return values_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  // Open addressing: a slot holds 32 bits of the hash beside the code, so that a probe that misses
  // seldom touches the text.
  struct Slot {
    std::uint32_t tag;
    Code code;
  };

  static std::uint64_t hash(std::string_view value);
  Code intern(std::string_view value, std::uint64_t hash);
  std::string_view store(std::string_view value);
  void grow();

  std::vector<Slot> slots_;
  std::vector<std::string_view> values_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_used_ = 0;
  std::size_t block_size_ = 0;
  std::size_t stored_bytes_ = 0;
};

}  // namespace pratique
