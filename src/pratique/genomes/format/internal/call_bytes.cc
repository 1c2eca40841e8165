#include "pratique/genomes/format/internal/call_bytes.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace pratique::genomes {
namespace {

constexpr std::uint8_t kCallEnd = 0x81;
constexpr std::uint8_t kWithoutPhase = 0xFE;
constexpr std::uint8_t kLargestCall = 0x7F;

// The byte of an allele without phase; one that no call has where it does not fit.
std::uint8_t byte_of(int allele) {
  const int byte = (allele + 1) << 1;
  return byte <= kLargestCall ? static_cast<std::uint8_t>(byte) : kCallEnd;
}

// Loops over arrays of a known length become instructions on sixteen bytes.
constexpr std::size_t kPeopleAtOnce = 32;

void take_some(const std::array<std::uint8_t, 2 * kPeopleAtOnce>& calls, std::uint8_t wanted,
               std::array<Dosage, kPeopleAtOnce>& dosages) {
  for (std::size_t i = 0; i < kPeopleAtOnce; ++i) {
    const std::uint8_t first = calls[2 * i];
    const std::uint8_t second = calls[2 * i + 1];
    // One where it holds, nought where not.
    const auto haploid = static_cast<std::uint8_t>(second == kCallEnd);
    const auto a = static_cast<std::uint8_t>((first & kWithoutPhase) == wanted);
    const auto b = static_cast<std::uint8_t>((second & kWithoutPhase) == wanted);
    const auto no_first = static_cast<std::uint8_t>((first < 2) | (first > kLargestCall));
    const auto no_second = static_cast<std::uint8_t>((second < 2) | (second > kLargestCall));
    const auto missing = static_cast<std::uint8_t>(no_first | (no_second & (haploid ^ 1U)));
    const auto copies = static_cast<std::uint8_t>(a + (haploid & a) + b);
    dosages[i] = static_cast<Dosage>(copies | (missing * kMissingDosage));
  }
}

}  // namespace

void take_dosages(std::span<const std::uint8_t> calls, int allele, std::span<Dosage> dosages) {
  const std::uint8_t wanted = byte_of(allele);
  std::array<std::uint8_t, 2 * kPeopleAtOnce> some{};
  std::array<Dosage, kPeopleAtOnce> taken{};
  for (std::size_t person = 0; person < dosages.size(); person += kPeopleAtOnce) {
    const std::size_t count = std::min(kPeopleAtOnce, dosages.size() - person);
    const bool whole = count == kPeopleAtOnce;
    // Copies of a known length are no calls.
    if (whole) {
      std::memcpy(some.data(), calls.data() + 2 * person, sizeof some);
    } else {
      std::memcpy(some.data(), calls.data() + 2 * person, 2 * count);
    }
    take_some(some, wanted, taken);
    if (whole) {
      std::memcpy(dosages.data() + person, taken.data(), sizeof taken);
    } else {
      std::memcpy(dosages.data() + person, taken.data(), count);
    }
  }
}

bool are_alleles_of(std::span<const std::uint8_t> calls, int alleles) {
  const int first_beyond = (alleles + 1) << 1;
  if (first_beyond > kLargestCall) return true;
  // From the first that is beyond to the largest, in one comparison.
  const auto first = static_cast<std::uint8_t>(first_beyond);
  const auto most = static_cast<std::uint8_t>(kLargestCall - first_beyond);
  constexpr std::size_t kBytesAtOnce = 2 * kPeopleAtOnce;
  std::array<std::uint8_t, kBytesAtOnce> some{};
  std::array<std::uint8_t, kBytesAtOnce> beyond{};
  const auto look_at_some = [&] {
    for (std::size_t i = 0; i < kBytesAtOnce; ++i) {
      const auto above = static_cast<std::uint8_t>(some[i] - first);
      beyond[i] = static_cast<std::uint8_t>(beyond[i] | static_cast<std::uint8_t>(above <= most));
    }
  };
  std::size_t at = 0;
  for (; at + kBytesAtOnce <= calls.size(); at += kBytesAtOnce) {
    std::memcpy(some.data(), calls.data() + at, kBytesAtOnce);
    look_at_some();
  }
  some.fill(0);
  std::copy_n(calls.begin() + static_cast<std::ptrdiff_t>(at), calls.size() - at, some.begin());
  look_at_some();
  return std::all_of(beyond.begin(), beyond.end(), [](std::uint8_t any) { return any == 0; });
}

AlleleCount count_alleles(std::span<const std::uint8_t> calls, int allele) {
  constexpr std::size_t kBytesAtOnce = 32;
  constexpr std::size_t kRounds = 255;  // before a byte of a sum could overflow
  using Bytes = std::array<std::uint8_t, kBytesAtOnce>;
  const std::uint8_t wanted = byte_of(allele);
  AlleleCount counted;
  Bytes alternative{};
  Bytes called{};
  const auto count_some = [&](const Bytes& some) {
    for (std::size_t i = 0; i < kBytesAtOnce; ++i) {
      // 2 to the largest, in one comparison.
      const auto above = static_cast<std::uint8_t>(some[i] - 2);
      const auto is_call = static_cast<std::uint8_t>(above <= kLargestCall - 2);
      const auto is_wanted = static_cast<std::uint8_t>((some[i] & kWithoutPhase) == wanted);
      called[i] = static_cast<std::uint8_t>(called[i] + is_call);
      alternative[i] = static_cast<std::uint8_t>(alternative[i] + (is_call & is_wanted));
    }
  };
  const auto take_sums = [&] {
    for (const std::uint8_t sum : called) counted.alleles += sum;
    for (const std::uint8_t sum : alternative) counted.alternative += sum;
    called.fill(0);
    alternative.fill(0);
  };
  Bytes some{};
  std::size_t at = 0;
  for (std::size_t round = 1; at + kBytesAtOnce <= calls.size(); at += kBytesAtOnce, ++round) {
    std::memcpy(some.data(), calls.data() + at, kBytesAtOnce);
    count_some(some);
    if (round % kRounds == 0) take_sums();
  }
  take_sums();
  some.fill(0);
  std::copy_n(calls.begin() + static_cast<std::ptrdiff_t>(at), calls.size() - at, some.begin());
  count_some(some);
  take_sums();
  return counted;
}

}  // namespace pratique::genomes
