#include "pratique/verify/internal/supertrails.h"

#include <numeric>

namespace pratique::verify {
namespace {

void set_bit(std::uint64_t* bits, Code location) {
  bits[location / 64] |= std::uint64_t{1} << (location % 64);
}

}  // namespace

Supertrails::Supertrails(const std::vector<std::vector<Code>>& trails, std::size_t locations,
                         const std::vector<Code>& complete)
    : words_((locations + 63) / 64),
      all_(trails.size()),
      complete_(words_),
      bits_(words_ * trails.size()),
      having_(locations) {
  std::iota(all_.begin(), all_.end(), 0);
  for (const Code location : complete) set_bit(complete_.data(), location);
  for (std::size_t t = 0; t < trails.size(); ++t) {
    for (const Code location : trails[t]) {
      set_bit(&bits_[t * words_], location);
      having_[location].push_back(static_cast<std::uint32_t>(t));
    }
  }
}

bool Supertrails::fits(std::size_t number, const std::vector<std::uint64_t>& bits) const {
  const std::uint64_t* const own = &bits_[number * words_];
  for (std::size_t w = 0; w < words_; ++w) {
    if ((bits[w] & ~own[w]) != 0 || (own[w] & complete_[w] & ~bits[w]) != 0) return false;
  }
  return true;
}

void Supertrails::find(const std::vector<Code>& trail, std::vector<std::uint32_t>& matches) const {
  std::vector<std::uint64_t> bits(words_);
  const std::vector<std::uint32_t>* candidates = &all_;
  for (const Code location : trail) {
    set_bit(bits.data(), location);
    if (having_[location].size() < candidates->size()) candidates = &having_[location];
  }
  for (const std::uint32_t candidate : *candidates) {
    if (fits(candidate, bits)) matches.push_back(candidate);
  }
}

}  // namespace pratique::verify
