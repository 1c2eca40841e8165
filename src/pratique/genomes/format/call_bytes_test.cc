#include "pratique/genomes/format/internal/call_bytes.h"

#include <gtest/gtest.h>

#include <vector>

namespace pratique::genomes::call_bytes_test {
namespace {

constexpr int kMissing = -1;
constexpr int kEnd = -2;

// What a byte means, by BCF's definition (VCF specification 4.3, 6.3.3).
int allele_in(unsigned byte) {
  if (byte == 0x81) return kEnd;
  if (byte > 0x7F) return kMissing;
  return static_cast<int>(byte >> 1U) - 1;
}

Dosage dosage_by_hand(unsigned first, unsigned second, int allele) {
  const int a = allele_in(first);
  const int b = allele_in(second);
  if (a < 0) return kMissingDosage;
  if (b == kEnd) return a == allele ? 2 : 0;
  if (b < 0) return kMissingDosage;
  return static_cast<Dosage>((a == allele ? 1 : 0) + (b == allele ? 1 : 0));
}

TEST(CallBytes, EveryPairOfBytesIsReadByTheDefinition) {
  // All of them, as people of one record, whose number is no multiple of what is read at once.
  std::vector<std::uint8_t> calls;
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      calls.push_back(static_cast<std::uint8_t>(first));
      calls.push_back(static_cast<std::uint8_t>(second));
    }
  }
  for (const int allele : {0, 1, 2, 7, 62, 63, 64, 200}) {
    std::vector<Dosage> dosages(65'536);
    take_dosages(calls, allele, dosages);
    std::uint64_t alternative = 0;
    std::uint64_t alleles = 0;
    for (unsigned pair = 0; pair < 65'536; ++pair) {
      const unsigned first = pair / 256;
      const unsigned second = pair % 256;
      ASSERT_EQ(dosages[pair], dosage_by_hand(first, second, allele)) << first << ' ' << second;
      for (const unsigned byte : {first, second}) {
        alleles += allele_in(byte) >= 0 ? 1 : 0;
        alternative += allele_in(byte) == allele ? 1 : 0;
      }
    }
    const AlleleCount counted = count_alleles(calls, allele);
    EXPECT_EQ(counted.alternative, alternative) << allele;
    EXPECT_EQ(counted.alleles, alleles);
  }
}

TEST(CallBytes, AllelesThatARecordDoesNotHave) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::vector<std::uint8_t> calls(77, 2);
    calls[70] = static_cast<std::uint8_t>(byte);
    for (const int alleles : {1, 2, 3, 60, 62, 63, 64, 200})
      EXPECT_EQ(are_alleles_of(calls, alleles), allele_in(byte) < alleles)
          << byte << ' ' << alleles;
  }
}

TEST(CallBytes, AnyNumberOfPeople) {
  std::vector<std::uint8_t> calls;
  for (std::size_t people = 0; people < 70; ++people) {
    std::vector<Dosage> dosages(people, 9);
    take_dosages(calls, 1, dosages);
    for (std::size_t p = 0; p < people; ++p)
      EXPECT_EQ(dosages[p], dosage_by_hand(calls[2 * p], calls[2 * p + 1], 1));
    EXPECT_EQ(count_alleles(calls, 1).alleles, 2 * people);
    calls.push_back(static_cast<std::uint8_t>(2 + people % 4));
    calls.push_back(static_cast<std::uint8_t>(5 - people % 3));
  }
}

}  // namespace
}  // namespace pratique::genomes::call_bytes_test
