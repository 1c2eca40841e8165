#include "pratique/genomes/format/genotype_store.h"

#include <bit>
#include <cmath>

namespace pratique::genomes {
namespace {

constexpr std::size_t kPeoplePerWord = 64;

// Of one word of two variants, the people who count.
struct GenotypeWord {
  std::uint64_t one_copy;
  std::uint64_t two_copies;
};

double bits_in(std::uint64_t word) { return std::popcount(word); }

}  // namespace

GenotypeStore::GenotypeStore(std::size_t people)
    : people_(people),
      words_(std::max<std::size_t>((people + kPeoplePerWord - 1) / kPeoplePerWord, 1)) {}

void GenotypeStore::add(std::span<const Dosage> dosages) {
  const std::size_t begin = bits_.size();
  bits_.resize(begin + 2 * words_, 0);
  for (std::size_t person = 0; person < people_; ++person) {
    const std::uint64_t bit = std::uint64_t{1} << (person % kPeoplePerWord);
    const std::size_t word = begin + person / kPeoplePerWord;
    if ((dosages[person] & 1U) != 0) bits_[word] |= bit;
    if ((dosages[person] & 2U) != 0) bits_[word + words_] |= bit;
  }
}

void GenotypeStore::keep(const std::vector<std::size_t>& variants) {
  std::vector<std::uint64_t> kept;
  kept.reserve(variants.size() * 2 * words_);
  for (const std::size_t v : variants) {
    const auto begin = bits_.begin() + static_cast<std::ptrdiff_t>(2 * v * words_);
    kept.insert(kept.end(), begin, begin + static_cast<std::ptrdiff_t>(2 * words_));
  }
  bits_ = std::move(kept);
}

Dosage GenotypeStore::at(std::size_t variant, std::size_t person) const {
  const std::size_t word = person / kPeoplePerWord;
  const std::size_t bit = person % kPeoplePerWord;
  return static_cast<Dosage>((plane(variant, 0)[word] >> bit & 1U) |
                             (plane(variant, 1)[word] >> bit & 1U) << 1U);
}

GenotypeStore::People GenotypeStore::everybody() const {
  People all(words_, ~std::uint64_t{0});
  if (people_ % kPeoplePerWord != 0)
    all.back() = (std::uint64_t{1} << people_ % kPeoplePerWord) - 1;
  if (people_ == 0) all.back() = 0;
  return all;
}

GenotypeStore::People GenotypeStore::those(const std::vector<std::size_t>& numbers) const {
  People chosen(words_, 0);
  for (const std::size_t person : numbers)
    chosen[person / kPeoplePerWord] |= std::uint64_t{1} << (person % kPeoplePerWord);
  return chosen;
}

AlleleCount GenotypeStore::count(std::size_t variant, const People& of) const {
  AlleleCount counted;
  const std::uint64_t* low = plane(variant, 0);
  const std::uint64_t* high = plane(variant, 1);
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t called = of[w] & ~(low[w] & high[w]);
    counted.alternative += static_cast<std::uint64_t>(std::popcount(low[w] & called)) +
                           2 * static_cast<std::uint64_t>(std::popcount(high[w] & called));
    counted.alleles += 2 * static_cast<std::uint64_t>(std::popcount(called));
  }
  return counted;
}

std::optional<double> GenotypeStore::correlation(std::size_t a, std::size_t b,
                                                 const People& of) const {
  double n = 0;
  double sum_a = 0;
  double sum_b = 0;
  double square_a = 0;
  double square_b = 0;
  double product = 0;
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t missing =
        (plane(a, 0)[w] & plane(a, 1)[w]) | (plane(b, 0)[w] & plane(b, 1)[w]);
    const std::uint64_t called = of[w] & ~missing;
    const GenotypeWord x{plane(a, 0)[w] & called, plane(a, 1)[w] & called};
    const GenotypeWord y{plane(b, 0)[w] & called, plane(b, 1)[w] & called};
    n += bits_in(called);
    sum_a += bits_in(x.one_copy) + 2 * bits_in(x.two_copies);
    sum_b += bits_in(y.one_copy) + 2 * bits_in(y.two_copies);
    square_a += bits_in(x.one_copy) + 4 * bits_in(x.two_copies);
    square_b += bits_in(y.one_copy) + 4 * bits_in(y.two_copies);
    product += bits_in(x.one_copy & y.one_copy) + 2 * bits_in(x.one_copy & y.two_copies) +
               2 * bits_in(x.two_copies & y.one_copy) + 4 * bits_in(x.two_copies & y.two_copies);
  }
  if (n < 2) return std::nullopt;
  const double variance_a = square_a - sum_a * sum_a / n;
  const double variance_b = square_b - sum_b * sum_b / n;
  constexpr double kNone = 1e-9;
  if (variance_a <= kNone || variance_b <= kNone) return std::nullopt;
  return (product - sum_a * sum_b / n) / std::sqrt(variance_a * variance_b);
}

}  // namespace pratique::genomes
