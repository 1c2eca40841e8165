#include "pratique/data/dictionary.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "pratique/core/error.h"

namespace pratique {
namespace {

constexpr std::size_t kFirstBlock = 1U << 10;
constexpr std::size_t kLargestBlock = 1U << 20;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t read8(const char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, 8);
  return word;
}

std::uint64_t read_tail(const char* from, std::size_t length) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, length);
  return word;
}

// Where to look first, by the 32 bits that a slot keeps of the hash: a table grows without a look
// at the texts.
std::size_t first_slot(std::uint32_t tag, std::size_t slots) {
  constexpr int kTagBits = 32;
  const int bits = std::countr_zero(slots);
  return bits <= kTagBits ? std::size_t{tag} >> (kTagBits - bits)
                          : std::size_t{tag} << (bits - kTagBits);
}

}  // namespace

Dictionary::Dictionary() : slots_(16, Slot{0, kNoCode}) {}

// Multiply-and-fold over 8-byte words. Not for adversarial input: a column made to collide only
// slows its own reader down.
std::uint64_t Dictionary::hash(std::string_view value) {
  std::uint64_t state = 0x9e3779b97f4a7c15ULL ^ value.size();
  const char* at = value.data();
  std::size_t left = value.size();
  for (; left >= 8; left -= 8, at += 8) state = mix(state ^ read8(at), 0xa0761d6478bd642fULL);
  if (left > 0) state = mix(state ^ read_tail(at, left), 0xe7037ed1a0b428dbULL);
  return mix(state, 0x8ebc6af09c88c6e3ULL);
}

std::string_view Dictionary::store(std::string_view value) {
  if (value.empty()) return "";
  if (block_size_ - block_used_ < value.size()) {
    const std::size_t next = std::clamp(2 * block_size_, kFirstBlock, kLargestBlock);
    block_size_ = std::max(next, value.size());
    block_used_ = 0;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size_));
    stored_bytes_ += block_size_;
  }
  char* place = blocks_.back().get() + block_used_;
  std::memcpy(place, value.data(), value.size());
  block_used_ += value.size();
  return {place, value.size()};
}

Code Dictionary::intern(std::string_view value, std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  for (std::size_t i = first_slot(tag, slots_.size());; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.code == kNoCode) {
      if (values_.size() >= kNoCode) {
        throw Error::input("a column has more than four billion different values");
      }
      slot = {tag, static_cast<Code>(values_.size())};
      values_.push_back(store(value));
      if (2 * values_.size() > slots_.size()) grow();
      return static_cast<Code>(values_.size() - 1);
    }
    if (slot.tag == tag && values_[slot.code] == value) return slot.code;
  }
}

std::optional<Code> Dictionary::find(std::string_view value) const {
  const std::size_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash(value) >> 32);
  for (std::size_t i = first_slot(tag, slots_.size());; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.code == kNoCode) return std::nullopt;
    if (slot.tag == tag && values_[slot.code] == value) return slot.code;
  }
}

void Dictionary::grow() {
  std::vector<Slot> larger(2 * slots_.size(), Slot{0, kNoCode});
  const std::size_t mask = larger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.code == kNoCode) continue;
    std::size_t i = first_slot(slot.tag, larger.size());
    while (larger[i].code != kNoCode) i = (i + 1) & mask;
    larger[i] = slot;
  }
  slots_ = std::move(larger);
}

std::size_t Dictionary::memory_bytes() const {
  return stored_bytes_ + slots_.capacity() * sizeof(Slot) +
         values_.capacity() * sizeof(std::string_view);
}

}  // namespace pratique
