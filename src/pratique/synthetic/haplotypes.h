// Haplotypes of people who do not exist, with the frequencies and the linkage of real ones.
//
// Forty ancestors carry the alternative allele of a site as the neutral model of a population
// expects: k of them with a chance in proportion to 1 / k, so that rare variants are the common
// ones. A founder's haplotype is a mosaic of ancestors (Li and Stephens, Genetics 165, 2003): going
// along the chromosome it changes to another ancestor about every 50,000 bases, so that near sites
// are inherited together and far ones are not, and copies an allele wrongly once in a thousand
// sites. A child gets from each parent a mosaic of the parent's two, with one crossing-over per
// hundred million bases on average.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/crypto/random.h"

namespace pratique::synthetic {

using Haplotype = std::vector<std::uint8_t>;  // 1: the alternative, by site

// The mother's and the father's, in any order.
struct DiploidGenome {
  Haplotype first;
  Haplotype second;
};

// At a site, the haplotype of the parent that the child gets.
struct GivenOrigin {
  std::size_t site = 0;
  bool second = false;
};

class HaplotypeModel {
 public:
  HaplotypeModel(std::size_t sites, SeededRandom& random);

  // Of the sites on the chromosome, ascending.
  [[nodiscard]] const std::vector<std::int64_t>& positions() const { return positions_; }
  [[nodiscard]] Haplotype founder(SeededRandom& random) const;
  // What a child gets of a parent.
  [[nodiscard]] Haplotype inherited(const DiploidGenome& parent,
                                    const std::optional<GivenOrigin>& origin,
                                    SeededRandom& random) const;

 private:
  std::vector<std::int64_t> positions_;
  std::vector<Haplotype> ancestors_;
};

}  // namespace pratique::synthetic
