// Variants that a file lists twice: of lines behind each other with the same place and alleles,
// either way round, the first counts. Of a sorted file that is all of them, and memory is that of
// one place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "pratique/genomes/format/genotypes.h"

namespace pratique::genomes {

class VariantsAtPlace {
 public:
  // False: it stands there already.
  bool take(const Variant& variant) {
    if (variant.position != position_ || variant.chrom != chrom_) {
      position_ = variant.position;
      chrom_ = variant.chrom;
      keys_.clear();
    }
    const std::uint64_t key = variant.key();
    if (std::find(keys_.begin(), keys_.end(), key) != keys_.end()) return false;
    if (!keys_.empty() &&
        std::find(keys_.begin(), keys_.end(), variant.exchanged_key()) != keys_.end())
      return false;
    keys_.push_back(key);
    return true;
  }

 private:
  std::string chrom_;
  std::int64_t position_ = -1;
  std::vector<std::uint64_t> keys_;
};

}  // namespace pratique::genomes
