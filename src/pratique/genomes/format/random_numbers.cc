#include "pratique/genomes/format/random_numbers.h"

#include <set>

#include "pratique/crypto/random.h"

namespace pratique::genomes {

std::vector<std::uint64_t> random_numbers(std::size_t count, std::uint64_t seed) {
  constexpr std::uint64_t kNumberStream = 12;
  constexpr std::int64_t kLeastNumber = 1'000'000'000;
  constexpr std::int64_t kLargestNumber = 9'999'999'999;
  SeededRandom random(seed, kNumberStream);
  std::vector<std::uint64_t> numbers;
  std::set<std::uint64_t> drawn;
  while (numbers.size() < count) {
    const auto number = static_cast<std::uint64_t>(random.between(kLeastNumber, kLargestNumber));
    if (drawn.insert(number).second) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace pratique::genomes
