#include "pratique/genomes/attack/same_genotypes.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <span>

#include "pratique/core/parallel.h"

namespace pratique::genomes {
namespace {

constexpr std::size_t kVariantsKept = 1024;
constexpr std::size_t kCallBitsPerWord = 64;
constexpr std::uint64_t kFewestCallsToTell = 32;
constexpr std::uint64_t kCallErrorsOneIn = 10;

bool has_a_number(std::string_view chrom) {
  return !chrom.empty() && std::all_of(chrom.begin(), chrom.end(),
                                       [](unsigned char c) { return c >= '0' && c <= '9'; });
}

// Calls at the variants that two files share, two planes of bits by person.
class CallPlanes {
 public:
  CallPlanes(const SampledCalls& calls, const std::vector<std::uint64_t>& variants)
      : words_((variants.size() + kCallBitsPerWord - 1) / kCallBitsPerWord),
        // What lies beyond the last is missing.
        planes_(calls.people * 2 * words_, ~std::uint64_t{0}) {
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const auto& dosages = calls.by_variant.at(variants[v]);
      const std::uint64_t bit = std::uint64_t{1} << (v % kCallBitsPerWord);
      for (std::size_t p = 0; p < calls.people; ++p) {
        std::uint64_t* plane = &planes_[2 * (p * words_ + v / kCallBitsPerWord)];
        if ((dosages[p] & 1U) == 0) plane[0] &= ~bit;
        if ((dosages[p] & 2U) == 0) plane[1] &= ~bit;
      }
    }
  }
  [[nodiscard]] std::span<const std::uint64_t> of(std::size_t person) const {
    return {planes_.data() + 2 * person * words_, 2 * words_};
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> planes_;
};

bool are_one(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
             std::uint64_t most_errors) {
  std::uint64_t compared = 0;
  std::uint64_t differ = 0;
  for (std::size_t w = 0; w < a.size(); w += 2) {
    const std::uint64_t called = ~(a[w] & a[w + 1]) & ~(b[w] & b[w + 1]);
    const std::uint64_t other = called & ((a[w] ^ b[w]) | (a[w + 1] ^ b[w + 1]));
    differ += static_cast<std::uint64_t>(std::popcount(other));
    if (differ > most_errors) return false;
    const std::uint64_t both_alleles = (a[w] & ~a[w + 1]) | (b[w] & ~b[w + 1]);
    compared += static_cast<std::uint64_t>(std::popcount(called & (both_alleles | other)));
  }
  return compared >= kFewestCallsToTell && kCallErrorsOneIn * differ <= compared;
}

}  // namespace

SampledCalls sample_calls(GenotypeFile& file, const FrequencyTable& listed, Progress& progress) {
  SampledCalls sampled;
  sampled.people = file.samples().size();
  progress.begin("looking for people under other names", 0);
  while (file.next()) {
    progress.advance(1);
    const Variant& variant = file.variant();
    const std::uint64_t own = variant.key();
    const std::uint64_t exchanged = variant.exchanged_key();
    const std::uint64_t key = std::min(own, exchanged);
    const bool full = sampled.by_variant.size() >= kVariantsKept;
    if (full && key >= sampled.by_variant.rbegin()->first) continue;
    if (!has_a_number(variant.chrom) || sampled.by_variant.contains(key) || !listed.of(variant))
      continue;
    std::vector<Dosage> dosages(file.dosages().begin(), file.dosages().end());
    for (Dosage& dosage : dosages) {
      if (exchanged < own && dosage != kMissingDosage) dosage = static_cast<Dosage>(2 - dosage);
    }
    sampled.by_variant.emplace(key, std::move(dosages));
    if (full) sampled.by_variant.erase(std::prev(sampled.by_variant.end()));
  }
  return sampled;
}

std::vector<bool> who_is_among(const SampledCalls& people, const SampledCalls& others,
                               const std::vector<bool>& wanted, Progress& progress) {
  std::vector<std::uint64_t> shared;
  for (const auto& [key, dosages] : people.by_variant) {
    if (others.by_variant.contains(key)) shared.push_back(key);
  }
  std::vector<bool> among(people.people, false);
  if (shared.size() < kFewestCallsToTell) return among;
  const CallPlanes here(people, shared);
  const CallPlanes there(others, shared);
  const std::uint64_t most_errors = shared.size() / kCallErrorsOneIn;
  std::vector<char> known(people.people, 0);
  constexpr std::size_t kPeoplePerTask = 16;
  parallel_blocks(people.people, kPeoplePerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      for (std::size_t q = 0; q < others.people && known[p] == 0; ++q) {
        if (!wanted.empty() && !wanted[q]) continue;
        known[p] = are_one(here.of(p), there.of(q), most_errors) ? 1 : 0;
      }
    }
    progress.check();
  });
  for (std::size_t p = 0; p < among.size(); ++p) among[p] = known[p] != 0;
  return among;
}

bool are_of_the_same_people(const FrequencyTable& pool, const FrequencyTable& reference) {
  constexpr double kRare = 0.02;
  constexpr std::size_t kFewestEqual = 8;
  // Linked variants count as one in eight; four deviations of a mean of so many.
  constexpr double kLinkedAsOne = 8;
  constexpr double kDeviations = 4;
  constexpr double kMostAlike = 0.5;
  std::size_t sites = 0;
  double squares = 0;
  for (const auto& [key, frequency] : pool.by_variant) {
    const float* other = reference.by_variant.find(key);
    if (other == nullptr) continue;
    const double p = (frequency + *other) / 2.0;
    if (p < kRare || p > 1 - kRare) continue;
    const double apart = frequency - *other;
    squares += apart * apart / (p * (1 - p));
    ++sites;
  }
  if (sites < kFewestEqual) return false;
  const auto count = static_cast<double>(sites);
  constexpr double kEqual = 1e-10;
  if (squares < kEqual * count) return true;
  if (pool.people == 0) return false;
  double expected = 1 / (2.0 * static_cast<double>(pool.people));
  if (reference.people > 0) expected += 1 / (2.0 * static_cast<double>(reference.people));
  const double unlike = squares / count / expected;
  return unlike < std::min(kMostAlike, 1 - kDeviations * std::sqrt(2 * kLinkedAsOne / count));
}

}  // namespace pratique::genomes
